#include <ictus/build/contacts/contact_names.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/build/bodies/families.hpp>
#include <ictus/build/bodies/generalised.hpp>
#include <ictus/build/rigid/rigid.hpp>
#include <set>

namespace ictus::build {

namespace {

/// What a body can meet follows from how it touches.
enum class Touching { nothing, plane, rigid, point, bar, beam, surface };

Touching touching_of(const scene::Scene& scene, const scene::Body& body) {
  const bool by_skin = all_families_meet(scene);
  if (is_rigid(body)) return by_skin ? Touching::surface : Touching::rigid;
  const auto is = [&]<class... Spec>() { return (std::holds_alternative<Spec>(body) || ...); };
  if (is.operator()<scene::PlaneSpec>()) return Touching::plane;
  if (is_generalised(body) && by_skin) return Touching::surface;
  if (is.operator()<scene::PointMassSpec>()) return Touching::point;
  if (is.operator()<scene::BarSpec>()) return Touching::bar;
  if (is.operator()<scene::LieBeamSpec>()) return by_skin ? Touching::surface : Touching::beam;
  if (is.operator()<scene::ShellSpec, scene::SolidSpec, scene::OwnBodySpec>()) return Touching::surface;
  if (is.operator()<scene::FrameSpec>() && by_skin) return Touching::surface;
  return Touching::nothing;  // pendulums and the like touch their surroundings
}

bool can_meet(Touching a, Touching b) {
  if (a == Touching::nothing || b == Touching::nothing) return false;
  if (a == Touching::plane || b == Touching::plane) return a != b;
  const auto are = [&](Touching one, Touching other) { return (a == one && b == other) || (a == other && b == one); };
  return are(Touching::rigid, Touching::rigid) || are(Touching::bar, Touching::bar) ||
         are(Touching::surface, Touching::surface) || are(Touching::bar, Touching::surface);
}

/// Rigid bodies that are many under one name.
bool is_many(const scene::Body& body) {
  const auto* rigid = std::get_if<scene::RigidSpec>(&body);
  return rigid != nullptr && rigid->copies;
}

/// Whether a coupled integrator moves a body implicitly: then it touches nothing.
bool is_implicit(const scene::Scene& scene, const std::string& body) {
  const auto* coupled = scene.integrator ? std::get_if<scene::CoupledSpec>(&*scene.integrator) : nullptr;
  return coupled && std::any_of(coupled->implicit.begin(), coupled->implicit.end(), [&](const auto& domain) {
           return std::find(domain.bodies.begin(), domain.bodies.end(), body) != domain.bodies.end();
         });
}

BodyNames sorted(const BodyNames& names) { return std::minmax(names.first, names.second); }

/// Whether a joint holds two bodies together: then `all` does not mean them, which are in each other's way.
bool are_joined(const scene::Scene& scene, const std::string& one, const std::string& other) {
  return std::any_of(scene.joints.begin(), scene.joints.end(), [&](const scene::AnyJoint& joint) {
    const auto& [first, second] = scene::common(joint).between;
    return (first == one && second == other) || (first == other && second == one);
  });
}

/// How often a contact says `all`.
int generality(const scene::ContactSpec& contact) {
  return (contact.between[0] == scene::any_body) + (contact.between[1] == scene::any_body);
}

/// Every pair that a contact which says `all` is about, but those that are taken.
std::vector<BodyNames> pairs_of_all(const scene::Scene& scene, const scene::ContactSpec& contact,
                                    const std::set<BodyNames>& named) {
  const auto& [first, second] = contact.between;
  const bool both = generality(contact) == 2;
  std::vector<BodyNames> pairs;
  for (auto a = scene.bodies.begin(); a != scene.bodies.end(); ++a) {
    for (auto b = a; b != scene.bodies.end(); ++b) {
      const std::string &one = a->name, &other = b->name;
      const bool wanted = both || one == first || one == second || other == first || other == second;
      const bool meet =
          a == b ? is_many(a->value) : can_meet(touching_of(scene, a->value), touching_of(scene, b->value));
      if (!wanted || !meet || named.contains(sorted({one, other}))) continue;
      if (is_implicit(scene, one) || is_implicit(scene, other) || are_joined(scene, one, other)) continue;
      pairs.emplace_back(one, other);
    }
  }
  return pairs;
}

}  // namespace

bool is_for_all(const scene::ContactSpec& contact) { return generality(contact) > 0; }

void refuse_surface_keys(const scene::ContactSpec& contact, std::size_t index, std::string_view bodies,
                         Mistakes& mistakes) {
  const auto refuse = [&](const char* key, const char* of) {
    mistakes.add(fmt::format("contacts.{}.{}", index, key),
                 fmt::format("is for {}, which {} do not have; leave it out", of, bodies));
  };
  if (contact.gap) refuse("gap", "triangulated surfaces");
  if (contact.continuous) refuse("continuous", "triangulated surfaces");
  if (contact.self_contact) refuse("self_contact", "triangulated surfaces");
  if (contact.closed_below > 0) refuse("closed_below", "ends and nodes");
  if (contact.direction) refuse("direction", "named nodes");
  if (contact.distance != 0) refuse("distance", "named nodes");
}

std::vector<BodyNames> bodies_between(const scene::Scene& scene, std::size_t index) {
  const scene::ContactSpec& spec = scene.contacts[index];
  const auto& [first, second] = spec.between;
  std::vector<BodyNames> pairs;
  if (!is_for_all(spec)) {
    // One name twice, without more, is that of many rigid bodies.
    if (first != second || !spec.self_contact) pairs.emplace_back(first, second);
  } else {
    std::set<BodyNames> named;
    for (int words = 0; words <= generality(spec); ++words) {
      for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
        const scene::ContactSpec& other = scene.contacts[i];
        if (generality(other) != words) continue;
        if (words == 0) named.insert(sorted({other.between[0], other.between[1]}));
        if (i == index) pairs = pairs_of_all(scene, other, named);
        if (words == 0) continue;
        for (const BodyNames& names : pairs_of_all(scene, other, named)) named.insert(sorted(names));
      }
    }
  }
  for (const auto& [name, body] : scene.bodies) {
    const bool named = is_for_all(spec) || name == first || name == second;
    const bool has_skin = !is_rigid(body) && !is_generalised(body) && touching_of(scene, body) == Touching::surface;
    if (spec.self_contact && named && (has_skin || (!is_for_all(spec) && first == second)))
      pairs.emplace_back(name, name);
  }
  return pairs;
}

}  // namespace ictus::build
