#include <ictus/build/contacts/overlap.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace ictus::build {

using math::Vec3;

namespace {

/// The key by which a body is moved as a whole; none where it has no such key. Planes stay, that of a slider is along
/// its slope, and that of a pendulum is where it hangs.
scene::Vec3* position_of_body(scene::Body& body) {
  return std::visit(
      []<class Spec>(Spec& spec) -> scene::Vec3* {
        if constexpr (requires {
                        { spec.position } -> std::same_as<scene::Vec3&>;
                      } &&
                      !std::is_same_v<Spec, scene::SliderSpec> && !std::is_same_v<Spec, scene::PlaneSpec> &&
                      !std::is_same_v<Spec, scene::SpringPendulumSpec>)
          return &spec.position;
        return nullptr;
      },
      body);
}

bool is_random(const scene::Body& body) {
  const auto* rigid = std::get_if<scene::RigidSpec>(&body);
  return rigid != nullptr && rigid->copies && std::holds_alternative<scene::RigidRandomSpec>(*rigid->copies);
}

/// Whether a support keeps a body, or part of it, where it is.
bool is_held(const scene::Body& body) {
  return std::visit(
      []<class Spec>(const Spec& spec) {
        if constexpr (std::is_same_v<Spec, scene::SolidSpec>) return !spec.supports.empty();
        if constexpr (std::is_same_v<Spec, scene::ShellSpec>) return !spec.supports.empty();
        if constexpr (std::is_same_v<Spec, scene::RigidSpec>) return spec.fixed;
        if constexpr (std::is_same_v<Spec, scene::BarSpec> || std::is_same_v<Spec, scene::LieBeamSpec>)
          return !spec.supports.empty();
        return false;
      },
      body);
}

bool can_move(scene::Scene& scene, const std::string& name) {
  scene::Body& body = *scene.bodies.find(name);
  return position_of_body(body) != nullptr && !is_random(body);
}

std::string in_words(const Vec3& v) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", v.x() + 0.0, v.y() + 0.0, v.z() + 0.0);
}

/// How many bodies each one is away from what is held, along bodies that touch.
class Ranks {
 public:
  Ranks(const Overlaps& overlaps, scene::Scene& scene) {
    for (const auto& [name, body] : scene.bodies) rank_[name] = is_held(body) || !can_move(scene, name) ? 0 : free;
    spread(overlaps);
    for (const Overlap& overlap : overlaps) {  // of bodies that nothing holds the first one stays
      if (rank_[overlap.first] != free) continue;
      rank_[overlap.first] = 1;
      spread(overlaps);
    }
  }
  int operator()(const std::string& name) const { return rank_.at(name); }

 private:
  static constexpr int free = std::numeric_limits<int>::max();

  void spread(const Overlaps& overlaps) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Overlap& overlap : overlaps) {
        int &a = rank_[overlap.first], &b = rank_[overlap.second];
        if (std::min(a, b) == free || std::max(a, b) <= std::min(a, b) + 1) continue;
        (a > b ? a : b) = std::min(a, b) + 1;
        changed = true;
      }
    }
  }

  std::map<std::string, int> rank_;
};

/// A mistake, with what to do about it.
void refuse(const Overlap& overlap, const Ranks& ranks, scene::Scene& scene, Mistakes& mistakes) {
  const bool first = ranks(overlap.first) >= ranks(overlap.second) && can_move(scene, overlap.first);
  const std::string& mover = first ? overlap.first : overlap.second;
  const Vec3 along = first ? overlap.away : Vec3(-overlap.away);
  const bool can = can_move(scene, mover) && overlap.first != overlap.second;
  mistakes.add(overlap.key, can ? fmt::format("{}; move {} by {:.6g} m along {}, or give the contact `overlap: part`",
                                              overlap.what, mover, overlap.depth, in_words(along))
                                : fmt::format("{}; move them apart", overlap.what));
}

}  // namespace

bool part(const Overlaps& overlaps, scene::Scene& scene, Mistakes& mistakes) {
  const Ranks ranks(overlaps, scene);
  std::vector<const Overlap*> wanted;
  for (const Overlap& overlap : overlaps) {
    if (overlap.depth <= 0) continue;
    const bool asked = overlap.touch || scene.contacts[overlap.contact].overlap == scene::OverlapAtStart::part;
    const bool possible =
        overlap.first != overlap.second && (can_move(scene, overlap.first) || can_move(scene, overlap.second));
    if (asked && possible) {
      wanted.push_back(&overlap);
    } else {
      refuse(overlap, ranks, scene, mistakes);
    }
  }
  if (!mistakes.empty() || wanted.empty()) return false;
  const auto nearest = [&](const Overlap* o) { return std::min(ranks(o->first), ranks(o->second)); };
  std::stable_sort(wanted.begin(), wanted.end(),
                   [&](const Overlap* a, const Overlap* b) { return nearest(a) < nearest(b); });
  std::map<std::string, Vec3> shift;
  for (const auto& [name, body] : scene.bodies) shift[name] = Vec3::Zero();
  for (const Overlap* overlap : wanted) {
    const double missing = overlap->depth - overlap->away.dot(shift[overlap->first] - shift[overlap->second]);
    if (missing <= 0) continue;
    const bool first = ranks(overlap->first) > ranks(overlap->second) || !can_move(scene, overlap->second);
    shift[first ? overlap->first : overlap->second] += (first ? missing : -missing) * overlap->away;
  }
  for (auto& [name, body] : scene.bodies) {
    if (scene::Vec3* position = position_of_body(body)) {
      for (std::size_t k = 0; k < 3; ++k) (*position)[k] += shift[name][static_cast<Eigen::Index>(k)];
    }
  }
  return true;
}

std::vector<std::string> parting_notes(const scene::Scene& before, const scene::Scene& after) {
  std::vector<std::string> notes;
  for (const auto& [name, body] : after.bodies) {
    scene::Body old_body = *before.bodies.find(name), new_body = body;
    const scene::Vec3 *old_position = position_of_body(old_body), *new_position = position_of_body(new_body);
    if (!old_position || *old_position == *new_position) continue;
    const Vec3 moved{(*new_position)[0] - (*old_position)[0], (*new_position)[1] - (*old_position)[1],
                     (*new_position)[2] - (*old_position)[2]};
    notes.push_back(
        fmt::format("{} begins {:.4g} m along {} from where the scene has it, as far from what it touches as "
                    "its contact keeps it",
                    name, moved.norm(), in_words(moved.normalized())));
  }
  return notes;
}

}  // namespace ictus::build
