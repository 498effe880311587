#include <ictus/build/bodies/lie_beam.hpp>

#include <fmt/format.h>

#include <cmath>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/mechanics/beam/lie_beam_element.hpp>

namespace ictus::build {

using math::Pose;
using math::Twist;
using math::Vector3;
using mechanics::LieBeamMesh;

namespace {

Twist<double> twist(const scene::Twist& x) { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; }
math::Wrench<double> wrench(const scene::BeamLoadSpec& load) { return {to_triple(load.moment), to_triple(load.force)}; }

/// The turn about an axis by an angle, from axis times angle.
math::Rotation<double> rotation(const scene::Vec3& turn) {
  const Vector3<double> v = to_triple(turn);
  const double angle = std::sqrt(norm_sq(v));
  if (angle == 0.0) return {};
  return {std::cos(0.5 * angle), (std::sin(0.5 * angle) / angle) * v};
}

/// One twist for each of `count` nodes or elements, from none (`rest`), one for all, or one for each. A mesh with a
/// dummy node at the end leaves out the last of the list.
std::vector<Twist<double>> spread(const std::vector<scene::Twist>& list, std::size_t count, const Twist<double>& rest) {
  std::vector<Twist<double>> result(count, rest);
  for (std::size_t i = 0; i < count; ++i) {
    if (!list.empty()) result[i] = twist(list[list.size() == 1 ? 0 : i]);
  }
  return result;
}

constexpr Twist<double> straight{{}, {0.0, 0.0, 1.0}};

/// Poses of all nodes of a chain.
std::vector<Pose<double>> chain(const Pose<double>& start, const std::vector<Twist<double>>& strains, double spacing) {
  std::vector<Pose<double>> poses{start};
  for (const Twist<double>& eta : strains) poses.push_back(normalized(poses.back() * cayley(spacing * eta)));
  return poses;
}

std::vector<Twist<double>> make_velocities(const scene::LieBeamSpec& spec, const mechanics::LieBeamProperties& beam) {
  const std::size_t nodes = beam.model.nodes;
  const double spacing = beam.model.spacing;
  std::vector<Twist<double>> velocities = spread(spec.velocities, nodes, {});
  if (!spec.velocity && !spec.moved) return velocities;
  const std::vector<Pose<double>> here = chain(beam.start, beam.strains, spacing);
  if (spec.velocity) {
    for (std::size_t a = 0; a < nodes; ++a) velocities[a].c = rotate(inverse(here[a].q), to_triple(*spec.velocity));
    return velocities;
  }
  const scene::BeamMoveSpec& move = *spec.moved;
  const std::vector<Pose<double>> there =
      chain({rotation(move.rotation), to_triple(move.position)}, spread(move.strains, nodes - 1, straight), spacing);
  for (std::size_t a = 0; a < nodes; ++a) velocities[a] = 1.0 / move.in * cayley_inverse(inverse(here[a]) * there[a]);
  return velocities;
}

Vector3<double> unit_between(const Vector3<double>& from, const Vector3<double>& to) {
  return (1 / std::sqrt(norm_sq(to - from))) * (to - from);
}

/// The smallest turn that takes one direction to another.
math::Rotation<double> turn_between(const Vector3<double>& from, const Vector3<double>& to) {
  return normalized(math::Rotation<double>{1 + dot(from, to), cross(from, to)});
}

/// Where a beam is at a length s along its curve, in the axes of its start; s goes up from call to call.
class CurvePoses {
 public:
  explicit CurvePoses(const scene::BeamCurve& curve) : curve_(curve) {
    if (const auto* points = std::get_if<scene::BeamPointsSpec>(&curve))
      turn_ = turn_between({0.0, 0.0, 1.0}, unit_between(to_triple(points->points[0]), to_triple(points->points[1])));
  }

  Pose<double> at(double s) {
    if (const auto* arc = std::get_if<scene::BeamArcSpec>(&curve_)) {
      const double angle = s / arc->radius;
      return {rotation({0, angle, 0}), arc->radius * Vector3<double>{1 - std::cos(angle), 0.0, std::sin(angle)}};
    }
    const auto& points = std::get<scene::BeamPointsSpec>(curve_).points;
    const auto end_of = [&](std::size_t leg) {
      return passed_ + std::sqrt(norm_sq(to_triple(points[leg + 1]) - to_triple(points[leg])));
    };
    constexpr double rounding = 1e-12;
    while (leg_ + 2 < points.size() && s > end_of(leg_) * (1 + rounding)) {
      passed_ = end_of(leg_);
      const auto before = unit_between(to_triple(points[leg_]), to_triple(points[leg_ + 1]));
      ++leg_;
      turn_ = turn_between(before, unit_between(to_triple(points[leg_]), to_triple(points[leg_ + 1]))) * turn_;
    }
    const auto along = unit_between(to_triple(points[leg_]), to_triple(points[leg_ + 1]));
    return {turn_, to_triple(points[leg_]) + (s - passed_) * along};
  }

 private:
  const scene::BeamCurve& curve_;
  std::size_t leg_ = 0;
  double passed_ = 0;  // length of the legs before
  math::Rotation<double> turn_{};
};

/// The curve is what the beam is without stress.
void follow_curve(const scene::LieBeamSpec& spec, mechanics::LieBeamProperties& beam) {
  CurvePoses poses(*spec.curve);
  Pose<double> before = poses.at(0);
  beam.start = beam.start * before;
  for (std::size_t e = 0; e < beam.strains.size(); ++e) {
    const Pose<double> after = poses.at(static_cast<double>(e + 1) * beam.model.spacing);
    beam.strains[e] = mechanics::strain(before, after, beam.model.spacing);
    before = after;
  }
  beam.model.rest = beam.strains;
}

const scene::MultisymplecticBeamSpec* integrator_of(const scene::Scene& scene) {
  return scene.integrator ? std::get_if<scene::MultisymplecticBeamSpec>(&*scene.integrator) : nullptr;
}

LieBeamMesh mesh_of(const scene::LieBeamSpec& spec, const scene::Scene& scene) {
  if (spec.slender) return LieBeamMesh::slender;
  return on_triangles(scene) ? LieBeamMesh::triangle : LieBeamMesh::rectangle;
}

/// A shape as stiffness and inertia see it, and as a plane does.
struct Shape {
  model::Section section;
  mechanics::SectionOutline outline;
};

Shape round(double outer_radius, double inner_radius) {
  return {model::pipe_section(2 * outer_radius, outer_radius - inner_radius), {.radius = outer_radius}};
}

Shape angular(double width, double height) {
  return {model::rectangle_section(height, width), {.half_width = 0.5 * width, .half_height = 0.5 * height}};
}

struct ShapeMaker {
  Shape operator()(const scene::SquareSpec& s) const { return angular(s.side, s.side); }
  Shape operator()(const scene::RectangleSpec& s) const { return angular(s.width, s.height); }
  Shape operator()(const scene::CircleSpec& s) const { return round(s.radius, 0.0); }
  Shape operator()(const scene::PipeSpec& s) const { return round(s.outer_radius, s.inner_radius); }
  Shape operator()(const scene::ExplicitSectionSpec&) const { return {}; }
};

}  // namespace

mechanics::LieBeamSection make_section(const scene::LieBeamSpec& spec) {
  mechanics::LieBeamSection section{};
  if (const auto* given = std::get_if<scene::ExplicitSectionSpec>(&spec.section)) {
    section = {given->mass, to_triple(given->inertia), to_triple(given->stretch), to_triple(given->bend)};
  } else {
    section = mechanics::section(std::visit(ShapeMaker{}, spec.section).section,
                                 {*spec.density, *spec.youngs_modulus, spec.poissons_ratio});
  }
  section.bend = spec.bend_factor * section.bend;
  if (spec.slender)
    section = mechanics::with_residual_bending(section, length_of(spec) / static_cast<double>(spec.cells));
  return section;
}

mechanics::LieBeamProperties make_lie_beam(const scene::LieBeamSpec& spec, const scene::Scene& scene) {
  mechanics::LieBeamProperties beam;
  const auto elements = static_cast<std::size_t>(spec.cells);
  beam.model.section = make_section(spec);
  beam.model.outline = std::visit(ShapeMaker{}, spec.section).outline;
  beam.model.mesh = mesh_of(spec, scene);
  beam.model.nodes = mechanics::lie_beam_nodes(elements, beam.model.mesh);
  beam.model.spacing = length_of(spec) / static_cast<double>(elements);
  beam.model.gravity = to_triple(scene.gravity);
  beam.model.loads = {wrench(spec.load), wrench(spec.start_load), wrench(spec.end_load)};
  beam.model.clamped_start = holds(spec.supports, scene::End::start);
  beam.model.clamped_end = holds(spec.supports, scene::End::end);
  beam.start = {rotation(spec.rotation), to_triple(spec.position)};
  beam.strains = spread(spec.strains, beam.model.nodes - 1, straight);
  beam.damping = {spec.damping.mass, spec.damping.stiffness};
  if (spec.curve) follow_curve(spec, beam);
  beam.velocities = make_velocities(spec, beam);
  return beam;
}

double length_of(const scene::LieBeamSpec& spec) {
  if (spec.length) return *spec.length;
  if (const auto* arc = std::get_if<scene::BeamArcSpec>(&*spec.curve)) return arc->radius * arc->angle;
  const auto& points = std::get<scene::BeamPointsSpec>(*spec.curve).points;
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    sum += std::sqrt(norm_sq(to_triple(points[i]) - to_triple(points[i - 1])));
  return sum;
}

void refuse_moments(const mechanics::LieBeamLoads& loads, const std::string& name, Mistakes& mistakes) {
  const auto refuse = [&](const math::Wrench<double>& load, std::string_view key) {
    if (load.m == Vector3<double>{}) return;
    mistakes.add(fmt::format("bodies.{}.{}.moment", name, key),
                 "multisymplectic-beam alone knows moments on beams; choose it, or give a pair of forces instead");
  };
  refuse(loads.per_length, "load");
  refuse(loads.start, "start_load");
  refuse(loads.end, "end_load");
}

bool on_triangles(const scene::Scene& scene) {
  const auto* spec = integrator_of(scene);
  return spec && spec->mesh == scene::BeamMesh::triangle;
}

bool runs_in_space(const scene::Scene& scene) {
  const auto* spec = integrator_of(scene);
  return spec && spec->direction == scene::BeamDirection::space;
}

namespace {

/// Poses g^{j+1} = g^j τ(Δt ξ^j).
std::vector<Pose<double>> moving(const Pose<double>& start, const std::vector<Twist<double>>& velocities,
                                 double period) {
  std::vector<Pose<double>> poses{start};
  for (const Twist<double>& xi : velocities) poses.push_back(normalized(poses.back() * cayley(period * xi)));
  return poses;
}

/// Refuses what only a run in time can use.
void check_for_space(const scene::LieBeamSpec& spec, const std::string& body, Mistakes& mistakes) {
  const auto refuse = [&](bool given, std::string_view key, std::string_view why) {
    if (given)
      mistakes.add(fmt::format("{}.{}", body, key), fmt::format("has no meaning with direction: space{}", why));
  };
  refuse(!spec.supports.empty(), "supports", "");
  refuse(spec.curve.has_value(), "curve", "");
  refuse(spec.slender, "slender", "");
  refuse(spec.load != scene::BeamLoadSpec{}, "load", "; gravity has");
  refuse(spec.start_load != scene::BeamLoadSpec{}, "start_load", "");
  refuse(spec.end_load != scene::BeamLoadSpec{}, "end_load", "");
  constexpr std::string_view instead = "; boundary says how the first sections move";
  refuse(spec.velocity.has_value(), "velocity", instead);
  refuse(!spec.velocities.empty(), "velocities", instead);
  refuse(spec.moved.has_value(), "moved", instead);
  refuse(spec.strains.size() > 1, "strains", " beyond that of the first element");
  if (!spec.boundary) mistakes.add(body, "boundary is missing: direction: space starts from it");
}

}  // namespace

mechanics::LieBeamSheetProperties make_lie_beam_sheet(const scene::LieBeamSpec& spec, const std::string& name,
                                                      const scene::Scene& scene, Mistakes& mistakes) {
  mechanics::LieBeamSheetProperties sheet;
  const std::string body = fmt::format("bodies.{}", name);
  check_for_space(spec, body, mistakes);
  if (!scene.time.step) mistakes.add("time.courant", "has no meaning with direction: space; give time.step");
  sheet.elements = static_cast<std::size_t>(spec.cells);
  sheet.history = {.section = make_section(spec),
                   .spacing = length_of(spec) / static_cast<double>(spec.cells),
                   .period = scene.time.step.value_or(scene.time.end),
                   .gravity = to_triple(scene.gravity)};
  const auto times = static_cast<std::size_t>(std::lround(scene.time.end / sheet.history.period));
  if (times < 2) mistakes.add("time.step", "leaves fewer than two instants before time.end");
  const std::size_t steps = std::max<std::size_t>(times, 2) - 1;
  const auto velocities = [&](const std::vector<scene::Twist>& list, std::string_view key) {
    if (list.size() == 1 || list.size() == steps) return spread(list, steps, {});
    mistakes.add(
        fmt::format("{}.boundary.{}", body, key),
        fmt::format("has {} entries; give one for the whole time, or {}, one for each time step", list.size(), steps));
    return spread({}, steps, {});
  };
  const scene::BeamBoundarySpec boundary = spec.boundary.value_or(scene::BeamBoundarySpec{{{}}, {{}}});
  const Pose<double> start{rotation(spec.rotation), to_triple(spec.position)};
  const Twist<double> strain = spread(spec.strains, 1, straight)[0];
  sheet.first = moving(start, velocities(boundary.first, "first"), sheet.history.period);
  sheet.second = moving(start * cayley(sheet.history.spacing * strain), velocities(boundary.second, "second"),
                        sheet.history.period);
  return sheet;
}

}  // namespace ictus::build
