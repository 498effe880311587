#include <ictus/build/probes/probes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/bodies/frames.hpp>
#include <ictus/build/bodies/generalised.hpp>
#include <ictus/mechanics/body/material_point.hpp>
#include <ictus/mechanics/frame/frame_section.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <ictus/mechanics/solid/solid.hpp>
#include <limits>

namespace ictus::build {

using math::Vec3;
using mechanics::MaterialPoint;

namespace {

using SensorPtr = std::shared_ptr<const mechanics::Sensor>;

/// The number in [0, count) of the smallest value.
template <class F>
std::size_t smallest(std::size_t count, F&& value) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (value(i) < value(best)) best = i;
  }
  return best;
}

/// Makes what reads the place of one probe.
struct ProbeMaker {
  const scene::Scene& scene;
  const std::string& name;
  const scene::ProbeSpec& spec;
  const dynamics::System& system;
  Mistakes& mistakes;

  std::string key(std::string_view what) const { return fmt::format("probes.{}.{}", name, what); }

  /// Where on its body it is: a fraction of the length, or the number of a node.
  double fraction() const {
    const auto* frame = std::get_if<scene::FrameSpec>(scene.bodies.find(spec.body));
    if (frame && spec.node) {
      const auto node = find_node(*frame, *spec.node, key("node"), mistakes);
      return static_cast<double>(node.value_or(0));
    }
    if (frame && spec.at) mistakes.add(key("at"), "a frame is probed at a named node or a position: use `node`");
    if (spec.node && !frame) mistakes.add(key("node"), fmt::format("{} has no named nodes: use `at`", spec.body));
    if (is_generalised(*scene.bodies.find(spec.body)) && spec.at.value_or(0) > 0)
      mistakes.add(key("at"), fmt::format("{} is probed as a whole; it allows only start", spec.body));
    return spec.at.value_or(0);
  }

  /// What reads a position; null with a mistake where the body has no such places.
  SensorPtr sensor(const mechanics::Body& body) const {
    const Vec3 point = to_vector(*spec.position);
    const mechanics::NodalBody* nodal = body.nodal();
    std::vector<double> q(system.dofs()), p(q.size());  // as the scene says, not at rest
    body.initialise(q, p);
    if (const auto* frame = body.beam_frame()) return section(*frame, point);
    if (spec.member) mistakes.add(key("member"), fmt::format("{} is no frame and has no members", spec.body));
    if (const auto* shell = body.shell()) return on_shell(*shell, point, q);
    if (const auto* solid = body.solid()) {
      const std::size_t first = solid->dofs().begin;
      const std::size_t node = smallest(
          solid->node_count(), [&](std::size_t i) { return (Vec3::Map(&q[first + 3 * i]) - point).squaredNorm(); });
      std::array<MaterialPoint::Weights, 3> weights;
      for (std::size_t c = 0; c < 3; ++c) weights[c] = {{first + 3 * node + c, 1.0}};
      return std::make_shared<MaterialPoint>(std::move(weights), q);
    }
    if (nodal && nodal->turns()) return in_frame(*nodal, point, q);
    mistakes.add(key("position"), fmt::format("{} is probed along its length: use `at`", spec.body));
    return nullptr;
  }

 private:
  SensorPtr in_frame(const mechanics::NodalBody& body, const Vec3& point, const std::vector<double>& q) const {
    constexpr std::size_t stride = model::RigidFrame::dofs;
    const std::size_t count = body.dofs().size / stride;
    if (body.rigid_bodies() && count > 1) {
      mistakes.add(key("position"),
                   fmt::format("{} are {} bodies: use `at`, from 0 for the first to 1 for the last", spec.body, count));
      return nullptr;
    }
    const std::size_t nearest = smallest(
        count, [&](std::size_t i) { return (Vec3::Map(&q[body.dofs().begin + stride * i]) - point).squaredNorm(); });
    return std::make_shared<MaterialPoint>(body.dofs().begin + stride * nearest, point, q);
  }

  SensorPtr on_shell(const mechanics::Shell& shell, const Vec3& point, const std::vector<double>& q) const {
    const std::size_t first = shell.dofs().begin;
    const std::vector<Vec3> limit = shell.limit(std::span(q).subspan(first, shell.dofs().size), true);
    const std::size_t vertex = smallest(limit.size(), [&](std::size_t i) { return (limit[i] - point).squaredNorm(); });
    std::array<MaterialPoint::Weights, 3> weights;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::vector<double> row = shell.limit_force(vertex, Vec3::Unit(static_cast<Eigen::Index>(c)));
      for (std::size_t k = 0; k < row.size(); ++k) {
        if (row[k] != 0) weights[c].push_back({first + k, row[k]});
      }
    }
    return std::make_shared<MaterialPoint>(std::move(weights), q);
  }

  /// Whether a span of a frame lies on the member that the scene names, if it names one.
  bool is_on_member(const mechanics::FrameMember& span, const mechanics::FrameProperties& frame, const Vec3& from,
                    const Vec3& to) const {
    const Vec3 along = to - from;
    const auto lies = [&](std::size_t joint) {
      const Vec3 x = frame.joints[joint] - from;
      const double share = x.dot(along) / along.squaredNorm();
      constexpr double tolerance = 1e-6;
      return share > -tolerance && share < 1 + tolerance && (x - share * along).norm() <= tolerance * along.norm();
    };
    return lies(span.start) && lies(span.end);
  }

  SensorPtr section(const mechanics::BeamFrame& body, const Vec3& point) const {
    const mechanics::FrameProperties& frame = body.properties();
    Vec3 from, to;
    if (spec.member) {
      const auto& nodes = std::get<scene::FrameSpec>(*scene.bodies.find(spec.body));
      const auto first = find_node(nodes, (*spec.member)[0], key("member.0"), mistakes);
      const auto second = find_node(nodes, (*spec.member)[1], key("member.1"), mistakes);
      if (!first || !second) return nullptr;
      from = frame.joints[*first];
      to = frame.joints[*second];
    }
    double least = std::numeric_limits<double>::infinity(), share = 0;
    std::size_t member = 0;
    for (std::size_t m = 0; m < frame.members.size(); ++m) {
      const mechanics::FrameMember& span = frame.members[m];
      if (spec.member && !is_on_member(span, frame, from, to)) continue;
      const Vec3 start = frame.joints[span.start], along = frame.joints[span.end] - start;
      const double at = std::clamp((point - start).dot(along) / along.squaredNorm(), 0.0, 1.0);
      const double distance = (start + at * along - point).norm();
      if (!(distance < least)) continue;
      least = distance;
      member = m;
      share = at;
    }
    if (std::isinf(least)) {
      mistakes.add(key("member"), fmt::format("no member of {} lies between {} and {}", spec.body, (*spec.member)[0],
                                              (*spec.member)[1]));
      return nullptr;
    }
    return std::make_shared<mechanics::FrameSection>(body, member,
                                                     share * static_cast<double>(frame.members[member].elements));
  }
};

}  // namespace

std::vector<observe::Probe> make_probes(const scene::Scene& scene, const dynamics::System& system, Mistakes& mistakes) {
  std::vector<observe::Probe> probes;
  for (const auto& [name, spec] : scene.probes) {
    const mechanics::Body* body = system.find_body(spec.body);
    const ProbeMaker maker{scene, name, spec, system, mistakes};
    if (!body) {
      mistakes.add(maker.key("position"), fmt::format("{} is cut into domains: use `at`, or `node`", spec.body));
      continue;
    }
    if (body->probe_quantities().empty())
      mistakes.add(maker.key("body"), fmt::format("{} has nothing to probe", spec.body));
    if (spec.member && !spec.position)
      mistakes.add(maker.key("member"), "says where a position is looked for, and there is none");
    observe::Probe probe{name, body, maker.fraction(), nullptr};
    if (spec.position && !body->probe_quantities().empty()) probe.sensor = maker.sensor(*body);
    probes.push_back(std::move(probe));
  }
  return probes;
}

}  // namespace ictus::build
