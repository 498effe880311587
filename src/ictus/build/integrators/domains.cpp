#include <ictus/build/integrators/domains.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/nearest.hpp>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/bodies/frames.hpp>
#include <ictus/build/bodies/solid.hpp>
#include <ictus/contact/detect/detect.hpp>
#include <ictus/contact/detect/surface_detector.hpp>
#include <map>
#include <set>

namespace ictus::build {

using math::Vec3;
using scene::FrameMemberSpec;
using scene::FrameSpec;

namespace {

bool is_partial(const scene::ImplicitDomainSpec& domain) { return domain.set || domain.box; }

std::string part_name(const std::string& body, std::size_t domain) {
  return domain == explicit_part ? body : fmt::format("{}_implicit{}", body, domain + 1);
}

/// One frame cut into the part that stays explicit and those of the domains that name it.
class FrameDivider {
 public:
  FrameDivider(const std::string& name, const FrameSpec& frame, const scene::CoupledSpec& coupled)
      : name_(name), frame_(frame), coupled_(coupled) {
    for (std::size_t m = 0; m < frame.members.size(); ++m) divide(frame.members[m], m);
  }

  struct Part {
    std::string name;
    FrameSpec frame;
  };
  /// By domain, the explicit part last.
  const std::map<std::size_t, Part>& parts() const { return parts_; }

  /// The part that has a node, the explicit one first.
  const Part* with_node(const std::string& node) const {
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
      if (part->second.frame.nodes.contains(node)) return &part->second;
    }
    return nullptr;
  }

 private:
  /// The first domain that takes an element with its middle there.
  std::size_t domain_of(const FrameMemberSpec& member, const Vec3& middle) const {
    for (std::size_t d = 0; d < coupled_.implicit.size(); ++d) {
      const scene::ImplicitDomainSpec& domain = coupled_.implicit[d];
      if (std::find(domain.bodies.begin(), domain.bodies.end(), name_) == domain.bodies.end()) continue;
      if (domain.set && member.set != domain.set) continue;
      if (domain.box && !is_inside(*domain.box, middle)) continue;
      return d;
    }
    return explicit_part;
  }

  void divide(const FrameMemberSpec& member, std::size_t number) {
    const std::vector<FrameSpan> spans = frame_spans(frame_, member);
    for (std::size_t s = 0; s < spans.size(); ++s) {
      const FrameSpan& span = spans[s];
      const Vec3 from = to_vector(*frame_.nodes.find(span.from)), along = to_vector(*frame_.nodes.find(span.to)) - from;
      const auto at = [&](double i) -> Vec3 { return from + along * (i / static_cast<double>(span.elements)); };
      std::string start = span.from;
      for (std::size_t i = 0, first = 0; i < span.elements; ++i) {
        const std::size_t domain = domain_of(member, at(static_cast<double>(i) + 0.5));
        const bool last = i + 1 == span.elements;
        if (!last && domain_of(member, at(static_cast<double>(i) + 1.5)) == domain) continue;
        const Vec3 cut = at(static_cast<double>(i + 1));
        const std::string end = last ? span.to : fmt::format("cut{}_{}_{}", number, s, i + 1);
        FrameMemberSpec piece = member;
        piece.from = start;
        piece.to = end;
        piece.element_size = (cut - at(static_cast<double>(first))).norm() / static_cast<double>(i + 1 - first);
        add(domain, piece, at(static_cast<double>(first)), cut);
        start = end;
        first = i + 1;
      }
    }
  }

  void add(std::size_t domain, const FrameMemberSpec& piece, const Vec3& from, const Vec3& to) {
    auto [entry, is_new] = parts_.try_emplace(domain);
    FrameSpec& part = entry->second.frame;
    if (is_new) {
      entry->second.name = part_name(name_, domain);
      part = frame_;
      part.nodes.clear();
      part.members.clear();
      part.supports.clear();
      part.point_masses.clear();
    }
    add_node(part, piece.from, from);
    add_node(part, piece.to, to);
    part.members.push_back(piece);
  }

  void add_node(FrameSpec& part, const std::string& node, const Vec3& x) {
    if (part.nodes.contains(node)) return;
    part.nodes.add(node, {x.x(), x.y(), x.z()});
    for (const scene::FrameSupportSpec& support : frame_.supports)
      if (support.node == node) part.supports.push_back(support);
    // A mass belongs to one part, whichever comes first.
    const scene::NodeMassSpec* mass = frame_.point_masses.find(node);
    if (mass && masses_.insert(node).second) part.point_masses.add(node, *mass);
  }

  const std::string& name_;
  const FrameSpec& frame_;
  const scene::CoupledSpec& coupled_;
  std::map<std::size_t, Part> parts_;
  std::set<std::string> masses_;
};

class SceneDivider {
 public:
  SceneDivider(scene::Document& document, Mistakes& mistakes)
      : document_(document),
        scene_(document.scene),
        coupled_(std::get<scene::CoupledSpec>(*scene_.integrator)),
        mistakes_(mistakes) {}

  SolidParts divide() {
    const scene::CoupledSpec before = coupled_;
    const scene::OrderedMap<scene::Body> bodies = scene_.bodies;
    for (const auto& [name, body] : bodies) {
      if (!is_cut(before, name, body)) continue;
      if (const auto* frame = std::get_if<FrameSpec>(&body))
        cut_frame(name, *frame, before);
      else if (const auto* solid = std::get_if<scene::SolidSpec>(&body))
        cut_solid(name, *solid, before);
    }
    if (!mistakes_.empty() || names_.empty()) return {};
    replace_bodies(bodies);
    name_domains(before);
    name_contacts();
    name_loads();
    for (auto& [name, probe] : scene_.probes) {
      if (probe.node) probe.body = part_with(probe.body, *probe.node);
      if (probe.at && meshes_.contains(probe.body)) probe.body = part_at(probe.body, *probe.at);
    }
    return std::move(solid_parts_);
  }

 private:
  bool is_cut(const scene::CoupledSpec& coupled, const std::string& name, const scene::Body& body) {
    bool cut = false;
    for (std::size_t d = 0; d < coupled.implicit.size(); ++d) {
      const auto& domain = coupled.implicit[d];
      const bool named = std::find(domain.bodies.begin(), domain.bodies.end(), name) != domain.bodies.end();
      if (!named || !is_partial(domain)) continue;
      cut = true;
      const auto* frame = std::get_if<FrameSpec>(&body);
      const std::string key = fmt::format("integrator.implicit.{}", d);
      if (!frame && !std::holds_alternative<scene::SolidSpec>(body)) {
        mistakes_.add(key, fmt::format("set and box take parts of frames and solids, and {} is neither; give it as "
                                       "bodies with a tie",
                                       name));
      } else if (frame && domain.set &&
                 std::none_of(frame->members.begin(), frame->members.end(),
                              [&](const FrameMemberSpec& m) { return m.set == domain.set; })) {
        mistakes_.add(key + ".set", fmt::format("no member of {} belongs to a set '{}'", name, *domain.set));
      }
    }
    return cut;
  }

  void cut_frame(const std::string& name, const FrameSpec& frame, const scene::CoupledSpec& coupled) {
    const auto& parts = dividers_.emplace(name, FrameDivider(name, frame, coupled)).first->second.parts();
    refuse_whole(parts, coupled, name);
    for (const auto& [domain, part] : parts) names_[name].emplace(domain, part.name);
    tie_parts(
        parts,
        [](const FrameDivider::Part& a, const FrameDivider::Part& b) {
          const auto names = a.frame.nodes.names();
          return std::any_of(names.begin(), names.end(),
                             [&](const std::string& n) { return b.frame.nodes.contains(n); });
        },
        name);
  }

  void cut_solid(const std::string& name, const scene::SolidSpec& solid, const scene::CoupledSpec& coupled) {
    std::optional<geometry::VolumeMesh> mesh = solid_mesh(solid, name, document_, mistakes_);
    if (!mesh) return;
    const auto parts = divide_solid(name, *mesh, coupled, mistakes_);
    refuse_whole(parts, coupled, name);
    for (const auto& [domain, part] : parts) {
      names_[name].emplace(domain, part_name(name, domain));
      solid_parts_.emplace(part_name(name, domain), part);
    }
    tie_parts(
        parts,
        [](const SolidPart& a, const SolidPart& b) {
          std::vector<int> shared;
          std::set_intersection(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                                std::back_inserter(shared));
          return !shared.empty();
        },
        name);
    meshes_.emplace(name, std::move(*mesh));
  }

  /// A set or box must leave something of a body explicit.
  template <class Parts>
  void refuse_whole(const Parts& parts, const scene::CoupledSpec& coupled, const std::string& name) {
    if (parts.empty() || parts.contains(explicit_part) || parts.size() > 1) return;
    const std::size_t domain = parts.begin()->first;
    mistakes_.add(fmt::format("integrator.implicit.{}.{}", domain, coupled.implicit[domain].box ? "box" : "set"),
                  fmt::format("takes all of {}; without `set` and `box` a body is implicit as a whole", name));
  }

  /// Parts that share nodes are tied, the explicit one first.
  template <class Parts, class Share>
  void tie_parts(const Parts& parts, Share&& share, const std::string& name) {
    for (auto a = parts.begin(); a != parts.end(); ++a) {
      for (auto b = std::next(a); b != parts.end(); ++b) {
        if (share(a->second, b->second))
          scene_.ties.push_back({{part_name(name, b->first), part_name(name, a->first)}});
      }
    }
  }

  void replace_bodies(const scene::OrderedMap<scene::Body>& before) {
    scene_.bodies.clear();
    for (const auto& [name, body] : before) {
      const auto parts = names_.find(name);
      if (parts == names_.end()) {
        scene_.bodies.add(name, body);
        continue;
      }
      const auto divider = dividers_.find(name);
      for (const auto& [domain, part] : parts->second) {
        if (divider != dividers_.end())
          scene_.bodies.add(part, divider->second.parts().at(domain).frame);
        else
          scene_.bodies.add(part, body);
      }
    }
  }

  void name_domains(const scene::CoupledSpec& before) {
    for (std::size_t d = 0; d < before.implicit.size(); ++d) {
      scene::ImplicitDomainSpec& domain = coupled_.implicit[d];
      std::vector<std::string> names;
      for (const std::string& body : domain.bodies) {
        const auto parts = names_.find(body);
        if (parts == names_.end()) {
          names.push_back(body);
          continue;
        }
        const auto part = parts->second.find(d);
        if (part != parts->second.end())
          names.push_back(part->second);
        else
          mistakes_.add(fmt::format("integrator.implicit.{}", d), fmt::format("takes nothing of {}", body));
      }
      domain.bodies = names;
      domain.set.reset();
      domain.box.reset();
    }
  }

  /// The part of a solid with the node that a probe of the whole is at.
  std::string part_at(const std::string& body, double fraction) const {
    const geometry::VolumeMesh& mesh = meshes_.at(body);
    const Vec3 position = mechanics::position_along(extent_of(mesh), fraction);
    std::string best;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [domain, part] : names_.at(body)) {
      for (const int node : solid_parts_.at(part).nodes) {
        const double distance = (mesh.nodes[static_cast<std::size_t>(node)] - position).squaredNorm();
        if (distance < least || (distance == least && domain == explicit_part)) least = distance, best = part;
      }
    }
    return best;
  }

  std::string part_with(const std::string& body, const std::string& node) const {
    const auto divider = dividers_.find(body);
    if (divider == dividers_.end()) return body;
    const FrameDivider::Part* part = divider->second.with_node(node);
    return part ? part->name : body;
  }

  /// A contact between nodes of several parts becomes one of each pair of parts.
  void name_contacts() {
    std::vector<scene::ContactSpec> contacts;
    for (const scene::ContactSpec& contact : scene_.contacts) {
      if (contact.nodes.empty()) contacts.push_back(contact);
      for (const auto& nodes : contact.nodes) {
        scene::ContactSpec one = contact;
        one.between = {part_with(contact.between[0], nodes[0]), part_with(contact.between[1], nodes[1])};
        one.nodes = {nodes};
        if (!contacts.empty() && contacts.back().between == one.between && !contacts.back().nodes.empty())
          contacts.back().nodes.push_back(nodes);
        else
          contacts.push_back(one);
      }
    }
    scene_.contacts = contacts;
  }

  void name_loads() {
    const auto spread = [&](std::vector<std::string>& on) {
      std::vector<std::string> names;
      for (const std::string& body : on) {
        const auto parts = names_.find(body);
        if (parts == names_.end())
          names.push_back(body);
        else
          for (const auto& [domain, part] : parts->second) names.push_back(part);
      }
      on = names;
    };
    for (scene::Load& load : scene_.loads) {
      if (auto* base = std::get_if<scene::BaseAccelerationSpec>(&load)) spread(base->on);
      if (auto* body = std::get_if<scene::BodyForceSpec>(&load)) spread(body->on);
      if (auto* force = std::get_if<scene::ForceSpec>(&load); force && force->node)
        force->on = part_with(force->on, *force->node);
    }
  }

  scene::Document& document_;
  scene::Scene& scene_;
  scene::CoupledSpec& coupled_;
  Mistakes& mistakes_;
  std::map<std::string, FrameDivider> dividers_;        // of frames that are cut
  std::map<std::string, geometry::VolumeMesh> meshes_;  // of solids that are
  SolidParts solid_parts_;
  std::map<std::string, std::map<std::size_t, std::string>> names_;  // of the parts of what is cut, by domain
};

/// Domains name bodies that there are, each once, and ratios that divide the largest.
void check_names(const scene::Scene& scene, const scene::CoupledSpec& coupled, Mistakes& mistakes) {
  if (coupled.implicit.empty())
    mistakes.add("integrator.implicit", "must name at least one domain; without one use cd-lagrange");
  int longest = 1;
  for (const scene::ImplicitDomainSpec& domain : coupled.implicit)
    longest = std::max(longest, domain.ratio.value_or(coupled.ratio));
  for (std::size_t d = 0; d < coupled.implicit.size(); ++d) {
    const scene::ImplicitDomainSpec& domain = coupled.implicit[d];
    const std::string key = fmt::format("integrator.implicit.{}", d);
    if (longest % domain.ratio.value_or(coupled.ratio) != 0)
      mistakes.add(domain.ratio ? key + ".ratio" : "integrator.ratio",
                   fmt::format("must divide {}, the largest ratio", longest));
    for (const std::string& name : domain.bodies) {
      if (scene.bodies.contains(name)) continue;
      const auto near = base::nearest(name, scene.bodies.names());
      mistakes.add(key + ".bodies", near ? fmt::format("no body is named '{}', did you mean '{}'?", name, *near)
                                         : fmt::format("no body is named '{}'", name));
    }
  }
}

}  // namespace

SolidParts divide_bodies(scene::Document& document, Mistakes& mistakes) {
  const scene::Scene& scene = document.scene;
  const auto* coupled = scene.integrator ? std::get_if<scene::CoupledSpec>(&*scene.integrator) : nullptr;
  if (!coupled) return {};
  check_names(scene, *coupled, mistakes);
  return mistakes.empty() ? SceneDivider(document, mistakes).divide() : SolidParts{};
}

void check_domains(const scene::Scene& scene, const dynamics::System& system, Mistakes& mistakes) {
  const auto* coupled = std::get_if<scene::CoupledSpec>(&*scene.integrator);
  if (!coupled) return;
  std::map<std::string, std::size_t> domain_of;
  for (std::size_t d = 0; d < coupled->implicit.size(); ++d) {
    for (const std::string& name : coupled->implicit[d].bodies) {
      const std::string key = fmt::format("integrator.implicit.{}.bodies", d);
      if (!domain_of.emplace(name, d).second) mistakes.add(key, fmt::format("{} is in two domains", name));
      const mechanics::Body* body = system.find_body(name);
      if (!body || !body->nodal())
        mistakes.add(key, fmt::format("{} cannot move implicitly; frames, bars, solids and shells can", name));
    }
  }
  std::set<std::string> touching;
  for (const contact::ContactPair& pair : system.pairs()) {
    for (const std::string& name : {pair.first, pair.second}) {
      if (domain_of.contains(name) && touching.insert(name).second)
        mistakes.add("contacts",
                     fmt::format("{} is implicit and cannot touch anything; contact is for explicit bodies", name));
    }
  }
  std::set<int> tied;
  for (std::size_t r = 0; r < system.ties().size(); ++r) {
    for (const model::RowEntry& entry : system.ties().row(r)) tied.insert(entry.dof);
  }
  const std::vector<double> q = system.initial_state().q, still(q.size(), 0.0);
  model::ConstraintSet constraints;
  contact::detect(system.pairs(), q, constraints);
  const std::size_t of_points = constraints.size();
  contact::SurfaceDetector surfaces;
  surfaces.prepare(system.pairs());
  if (surfaces.any()) surfaces.detect(system.pairs(), {q, still, still, 0.0}, constraints);
  std::set<int> reported;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const int number = constraints.contact(i).pair;
    const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(number)];
    const auto row = constraints.row(i);
    const double edge = i < of_points ? 0 : surfaces.skins().laws()[static_cast<std::size_t>(number)].edge;
    if (i >= of_points && constraints.gap(i) > contact::touching_share * edge) continue;
    const bool is_tied =
        std::any_of(row.begin(), row.end(), [&](const model::RowEntry& e) { return tied.contains(e.dof); });
    if (is_tied && (i < of_points || reported.insert(number).second)) {
      const Vec3& x = constraints.contact(i).point;
      mistakes.add("contacts", fmt::format("{} and {} touch at ({:g}, {:g}, {:g}), where a tie is; move one of the two",
                                           pair.first, pair.second, x.x(), x.y(), x.z()));
    }
  }
}

}  // namespace ictus::build
