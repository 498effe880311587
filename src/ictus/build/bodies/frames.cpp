#include <ictus/build/bodies/frames.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/nearest.hpp>
#include <ictus/build/bodies/bodies.hpp>

namespace ictus::build {

using math::Vec3;
using mechanics::FrameMember;
using mechanics::FrameProperties;

namespace {

/// Nodes this near to a member, as a fraction of its length, lie on it.
constexpr double on_member = 1e-9;

struct SectionMaker {
  model::Section operator()(const scene::BoxSectionSpec& s) const {
    return model::box_section(s.height, s.width, s.thickness);
  }
  model::Section operator()(const scene::ISectionSpec& s) const {
    return model::i_section(s.height, s.width, s.web, s.flange);
  }
  model::Section operator()(const scene::PipeSectionSpec& s) const {
    return model::pipe_section(s.diameter, s.thickness);
  }
  model::Section operator()(const scene::RectangleSectionSpec& s) const {
    return model::rectangle_section(s.height, s.width);
  }
  model::Section operator()(const scene::GeneralSectionSpec& s) const {
    return {
        s.area, s.inertia_y, s.inertia_z, s.torsion, s.shear_area_y.value_or(s.area), s.shear_area_z.value_or(s.area)};
  }
};

std::size_t index_of(const scene::OrderedMap<scene::Vec3>& nodes, const std::string& name) {
  const auto names = nodes.names();
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

struct FrameMaker {
  const std::string& name;
  const scene::FrameSpec& spec;
  Mistakes& mistakes;
  FrameProperties frame{};

  FrameProperties make(const Vec3& gravity) {
    frame.kind =
        spec.unknowns == scene::FrameUnknowns::grillage ? mechanics::FrameKind::grillage : mechanics::FrameKind::space;
    frame.shear = spec.theory == scene::BeamTheory::timoshenko;
    frame.rotary = spec.rotary == scene::RotaryMass::shape     ? mechanics::RotaryMass::shape
                   : spec.rotary == scene::RotaryMass::section ? mechanics::RotaryMass::section
                                                               : mechanics::RotaryMass::both;
    frame.gravity = gravity;
    frame.damping = {spec.damping.mass, spec.damping.stiffness};
    for (const auto& [node, position] : spec.nodes) frame.joints.push_back(to_vector(position));
    check_apart();
    for (std::size_t i = 0; i < spec.members.size(); ++i) add_member(spec.members[i], i);
    for (const scene::FrameSupportSpec& support : spec.supports)
      add_support(index_of(spec.nodes, support.node), support.type);
    for (const auto& [node, mass] : spec.point_masses)
      frame.point_masses.push_back({index_of(spec.nodes, node), mass.mass, mass.inertia});
    check_used();
    return std::move(frame);
  }

 private:
  void check_apart() {
    const auto names = spec.nodes.names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if ((frame.joints[i] - frame.joints[j]).norm() > 0) continue;
        mistakes.add(fmt::format("bodies.{}.nodes.{}", name, names[i]),
                     fmt::format("is where {} is; nodes of one frame are apart", names[j]));
      }
    }
  }

  void add_member(const scene::FrameMemberSpec& member, std::size_t number) {
    const std::size_t start = index_of(spec.nodes, member.from), end = index_of(spec.nodes, member.to);
    const Vec3 along = frame.joints[end] - frame.joints[start];
    if (along.norm() == 0) return;
    if (frame.kind == mechanics::FrameKind::grillage && std::abs(along.z()) > on_member * along.norm()) {
      mistakes.add(fmt::format("bodies.{}.members.{}", name, number),
                   fmt::format("runs from {} to {} at another height; the members of a grillage are horizontal",
                               member.from, member.to));
    }
    const scene::FrameMaterialSpec& material = *spec.materials.find(member.material);
    const model::Section section = make_section(*spec.sections.find(member.section));
    for (const FrameSpan& span : frame_spans(spec, member)) {
      frame.members.push_back({index_of(spec.nodes, span.from), index_of(spec.nodes, span.to), span.elements, section,
                               material.youngs_modulus, material.youngs_modulus / (2 * (1 + material.poissons_ratio)),
                               material.density, to_vector(member.up).normalized()});
    }
  }

  void add_support(std::size_t joint, scene::NodeSupport support) {
    mechanics::FrameSupport held{joint, {}};
    const std::size_t translations = frame.kind == mechanics::FrameKind::grillage ? 1 : 3;
    for (std::size_t c = 0; c < held.held.size(); ++c)
      held.held[c] = support == scene::NodeSupport::clamped || c < translations;
    frame.supports.push_back(held);
  }

  void check_used() {
    const auto names = spec.nodes.names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool used = std::any_of(frame.members.begin(), frame.members.end(),
                                    [i](const FrameMember& m) { return m.start == i || m.end == i; });
      if (used) continue;
      mistakes.add(fmt::format("bodies.{}.nodes.{}", name, names[i]),
                   "is on no member; leave it out or let a member pass through it");
    }
  }
};

}  // namespace

std::vector<FrameSpan> frame_spans(const scene::FrameSpec& frame, const scene::FrameMemberSpec& member) {
  struct Stop {
    double share;  // of the length
    std::string node;
  };
  const Vec3 start = to_vector(*frame.nodes.find(member.from)), along = to_vector(*frame.nodes.find(member.to)) - start;
  std::vector<Stop> stops{{0.0, member.from}, {1.0, member.to}};
  for (const auto& [node, position] : frame.nodes) {
    if (node == member.from || node == member.to) continue;
    const Vec3 x = to_vector(position) - start;
    const double share = x.dot(along) / along.squaredNorm();
    if (share > on_member && share < 1 - on_member && (x - share * along).norm() <= on_member * along.norm())
      stops.push_back({share, node});
  }
  std::sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.share < b.share; });
  std::vector<FrameSpan> spans;
  for (std::size_t i = 1; i < stops.size(); ++i) {
    const double length = (stops[i].share - stops[i - 1].share) * along.norm();
    // A span that is a whole number of elements up to rounding takes that number.
    const double elements = std::max(1.0, std::ceil(length / member.element_size * (1 - 1e-9)));
    spans.push_back({stops[i - 1].node, stops[i].node, static_cast<std::size_t>(elements)});
  }
  return spans;
}

model::Section make_section(const scene::SectionSpec& spec) { return std::visit(SectionMaker{}, spec); }

FrameProperties frame_properties(const std::string& name, const scene::FrameSpec& spec, const Vec3& gravity,
                                 Mistakes& mistakes) {
  return FrameMaker{name, spec, mistakes}.make(gravity);
}

std::optional<std::size_t> find_node(const scene::FrameSpec& spec, const std::string& node, const std::string& key,
                                     Mistakes& mistakes) {
  const std::size_t index = index_of(spec.nodes, node);
  if (index < spec.nodes.size()) return index;
  const auto near = base::nearest(node, spec.nodes.names());
  mistakes.add(key,
               near ? fmt::format("no node is named '{}', did you mean '{}'?", node, *near)
                    : fmt::format("no node is named '{}', there are {}", node, fmt::join(spec.nodes.names(), ", ")));
  return std::nullopt;
}

std::vector<std::string> describe_frame(const std::string& name, const scene::FrameSpec& spec) {
  std::vector<std::string> lines;
  for (const auto& [section_name, section_spec] : spec.sections) {
    const model::Section s = make_section(section_spec);
    lines.push_back(fmt::format(
        "{}: section {}: A {:.6g} m^2, Iy {:.6g} m^4, Iz {:.6g} m^4, J {:.6g} m^4, shear areas {:.4g} and {:.4g} m^2",
        name, section_name, s.area, s.inertia_y, s.inertia_z, s.torsion, s.shear_area_y, s.shear_area_z));
  }
  return lines;
}

}  // namespace ictus::build
