#include <ictus/mechanics/beam/section_beam.hpp>

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <ictus/base/error.hpp>
#include <ictus/math/convert.hpp>
#include <ictus/math/dual.hpp>
#include <ictus/mechanics/beam/lie_beam_element.hpp>
#include <ictus/mechanics/beam/lie_beam_output.hpp>
#include <ictus/mechanics/beam/lie_beam_stability.hpp>
#include <ictus/mechanics/beam/lie_beam_state.hpp>
#include <ictus/mechanics/body/frame_momentum.hpp>
#include <ictus/mechanics/body/mesh_surface.hpp>
#include <ictus/mechanics/body/prism_skin.hpp>

namespace ictus::mechanics {

using math::to_eigen;
using math::Vec3;

using Layout = LieBeamLayout;
using math::Pose;
using math::Rotation;
using math::Vector3;
using math::Wrench;

namespace {

constexpr std::size_t turning = model::RigidFrame::angular;

Vector3<double> read(const double* from) { return {from[0], from[1], from[2]}; }
void write(const Vector3<double>& a, double* to) {
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}

/// Corners of the section in its own axes, or its position where it is round.
std::vector<Vec3> corners_of(const SectionOutline& outline) {
  const double w = outline.half_width, h = outline.half_height;
  if (w == 0 && h == 0) return {Vec3::Zero()};
  return {{-w, -h, 0}, {w, -h, 0}, {w, h, 0}, {-w, h, 0}};
}

model::SurfaceMesh skin_of_beam(const LieBeamModel& beam, std::size_t first) {
  const std::vector<Vec3> corners = corners_of(beam.outline);
  std::vector<model::SurfaceMesh::Triangle> triangles;
  std::vector<int> dof;
  std::vector<Vec3> lever;
  for (std::size_t node = 0; node < beam.nodes; ++node) {
    lever.insert(lever.end(), corners.begin(), corners.end());
    dof.resize(lever.size(), static_cast<int>(first + SectionBeam::stride * node));
  }
  add_prism(0, beam.nodes, corners.size(), triangles);
  return {std::move(triangles), std::move(dof), std::move(lever), beam.outline.radius};
}

}  // namespace

SectionBeam::SectionBeam(std::string name, LieBeamProperties properties, std::size_t first_dof)
    : DampedBody(std::move(name), properties.damping),
      properties_(std::move(properties)),
      first_(first_dof),
      surface_(std::make_unique<MeshSurface>(skin_of_beam(properties_.model, first_dof))) {
  for (std::size_t node = 0; node < model().nodes; ++node) {
    const double w = model().weight(node), m = w * model().section.mass;
    const Vector3<double> j = w * model().section.inertia;
    mass_.insert(mass_.end(), {m, m, m, j.x, j.y, j.z, 1});
    for (std::size_t k = 0; model().clamped(node) && k < stride; ++k)
      fixed_.push_back(static_cast<int>(slot(node) + k));
  }
}

SectionBeam::~SectionBeam() = default;

Pose<double> SectionBeam::pose(std::span<const double> q, std::size_t node) const {
  const double* at = &q[slot(node)];
  return {{at[3], read(at + 4)}, read(at)};
}

void SectionBeam::initialise(std::span<double> q, std::span<double> p) const {
  std::vector<double> shape(model().size()), momenta(model().size());
  set_shape(model(), properties_.start, properties_.strains, shape);
  set_velocities(model(), properties_.velocities, shape, momenta);
  for (std::size_t node = 0; node < model().nodes; ++node) {
    const Pose<double> g = Layout::pose(shape, node);
    const Wrench<double> momentum = Layout::momentum(momenta, node);
    double *at = &q[slot(node)], *to = &p[slot(node)];
    write(g.r, at);
    at[3] = g.q.s;
    write(g.q.v, at + 4);
    write(momentum.n, to);
    write(rotate(inverse(g.q), momentum.m), to + turning);
    to[2 * turning] = 0;
  }
}

Momentum SectionBeam::momentum(std::span<const double> q, std::span<const double> p) const {
  Momentum sum;
  for (std::size_t node = 0; node < model().nodes; ++node) sum += frame_momentum(q, p, slot(node));
  return sum;
}

double SectionBeam::momentum_scale(std::span<const double> p) const {
  double sum = 0;
  for (std::size_t node = 0; node < model().nodes; ++node) sum += Vec3::Map(&p[slot(node)]).norm();
  return sum;
}

Momentum SectionBeam::support_impulse(int dof, double p, std::span<const double> q) const {
  const std::size_t k = static_cast<std::size_t>(dof) - first_;
  return frame_momentum(q, static_cast<std::size_t>(dof) - k % stride, k % stride, p);
}

/// Gravity and loads on a node, which do not change.
Vector3<double> SectionBeam::dead_force(std::size_t node) const {
  const LieBeamLoads& loads = model().loads;
  Vector3<double> force = model().weight(node) * (model().section.mass * model().gravity + loads.per_length.n);
  if (node == 0) force += loads.start.n;
  if (node == model().last()) force += loads.end.n;
  return force;
}

Momentum SectionBeam::gravity_impulse(std::span<const double> q, double h) const {
  Momentum sum;
  for (std::size_t node = 0; node < model().nodes; ++node) {
    const Vec3 impulse = h * to_eigen(dead_force(node));
    sum += {impulse, Vec3(Vec3::Map(&q[slot(node)])).cross(impulse)};
  }
  return sum;
}

/// Calls f(node, force and moment on it in space, energy of the element after it) for the nodes begin … end − 1.
template <class F>
void SectionBeam::for_each_force(std::span<const double> q, std::size_t begin, std::size_t end, F&& f) const {
  const auto stress_after = [&](std::size_t node) {
    const Pose<double> left = pose(q, node), right = pose(q, node + 1);
    return element_stress(left.q, matrix(left.q), right.q, right.r - left.r, model().spacing, model().section.stretch,
                          model().section.bend, model().rest_of(node));
  };
  ElementStress<double> before = begin > 0 ? stress_after(begin - 1) : ElementStress<double>{};
  for (std::size_t node = begin; node < end; ++node) {
    const ElementStress<double> after = node < model().last() ? stress_after(node) : ElementStress<double>{};
    f(node, Wrench<double>{after.left_moment - before.right_moment, after.force - before.force + dead_force(node)},
      after.energy);
    before = after;
  }
}

void SectionBeam::kick(const exec::Executor& exec, std::span<const double> q, double h, std::span<double> p) const {
  exec.for_blocks(model().nodes, [&](std::size_t begin, std::size_t end) {
    for_each_force(q, begin, end, [&](std::size_t node, const Wrench<double>& force, double) {
      const Vector3<double> moment = rotate(inverse(pose(q, node).q), force.m);
      double* to = &p[slot(node)];
      write(read(to) + h * force.n, to);
      write(read(to + turning) + h * moment, to + turning);
    });
  });
}

PotentialEnergy SectionBeam::potential_energy(const exec::Executor&, std::span<const double> q) const {
  PotentialEnergy sum;
  for_each_force(q, 0, model().nodes, [&](std::size_t node, const Wrench<double>&, double strain) {
    sum.strain += strain;
    sum.gravity -= dot(dead_force(node), read(&q[slot(node)]));
  });
  return sum;
}

PotentialEnergy SectionBeam::interval_energy(const exec::Executor&, std::span<const double> q,
                                             std::span<const double> p, double h) const {
  PotentialEnergy sum;
  for_each_force(q, 0, model().nodes, [&](std::size_t node, const Wrench<double>& force, double strain) {
    const Vector3<double> dead = dead_force(node);
    sum.strain += strain;
    sum.gravity -= dot(dead, read(&q[slot(node)]));
    if (model().clamped(node)) return;
    const double *momentum = &p[slot(node)], *m = &mass_[stride * node];
    const Vector3<double> v = (1 / m[0]) * read(momentum);
    const Vector3<double> turn{momentum[3] / m[3], momentum[4] / m[4], momentum[5] / m[5]};
    sum.strain -= 0.5 * h * (dot(force.n - dead, v) + dot(rotate(inverse(pose(q, node).q), force.m), turn));
    sum.gravity -= 0.5 * h * dot(dead, v);
  });
  return sum;
}

/// p stays, s⁺ = s − Δr × p in space. False where Newton's method finds no turn.
bool SectionBeam::fly_node(std::size_t node, double h, double* q, double* p) const {
  const double mass = model().section.mass, inverse_weight = 1 / model().weight(node);
  const Pose<double> g{{q[3], read(q + 4)}, read(q)};
  const Vector3<double> linear = read(p), spin = read(p + turning);
  const Vector3<double> n = inverse_weight * rotate(inverse(g.q), linear);
  const NodeLegendre<double> legendre{model().section.inertia, h * h / (4 * mass), (0.5 * h * inverse_weight) * spin, n,
                                      norm_sq(n)};
  const Vector3<double>& j = model().section.inertia;
  Vector3<double> u = legendre.guess({1 / j.x, 1 / j.y, 1 / j.z});
  for (int iteration = 1;; ++iteration) {
    const Vector3<double> step = legendre.newton_step(u);
    u += step;
    if (norm_sq(step) <= LegendreIterations::tolerance * std::sqrt(norm_sq(u))) break;
    if (iteration == LegendreIterations::restart) u = {};
    if (iteration == LegendreIterations::max_count) return false;
  }
  const NodeFlight<double> flight(g, u, n, linear, inverse_weight, h / mass);
  write(g.r + flight.way, q);
  q[3] = flight.turned.s;
  write(flight.turned.v, q + 4);
  const Vector3<double> arriving = rotate(g.q, spin) - cross(flight.across, linear);
  write(rotate(inverse(flight.turned), arriving), p + turning);
  return true;
}

double SectionBeam::kinetic_energy(const exec::Executor& exec, std::span<const double> p) const {
  return exec.sum(mass_.size(),
                  [m = mass_.data(), own = p.data() + first_](std::size_t k) { return 0.5 * own[k] * own[k] / m[k]; });
}

double SectionBeam::fly(const exec::Executor& exec, double h, std::span<double> q, std::span<double> p) const {
  const double before = kinetic_energy(exec, p);
  std::atomic<std::size_t> failed = model().nodes;
  exec.for_blocks(model().nodes, [&](std::size_t begin, std::size_t end) {
    for (std::size_t node = begin; node < end; ++node) {
      if (!model().clamped(node) && !fly_node(node, h, &q[slot(node)], &p[slot(node)])) failed = node;
    }
  });
  if (failed < model().nodes)
    throw base::NumericalFailure("a section turns too far in one step",
                                 fmt::format("node {} of {}", failed.load(), name()), "Try a smaller time.step");
  return kinetic_energy(exec, p) - before;
}

CriticalStep SectionBeam::critical_step() const { return damped({lie_beam_critical_step(model()), 0}); }

std::string SectionBeam::dof_name(std::size_t dof) const {
  const std::size_t k = (dof - first_) % stride;
  constexpr std::array<char, 3> axes{'x', 'y', 'z'};
  const std::string node = fmt::format("node {}", (dof - first_) / stride);
  if (k < turning) return fmt::format("{} along {}", node, axes[k]);
  return fmt::format("{} about its axis {}", node, k - turning + 1);
}

namespace {

using math::Dual;
using DualVector = Vector3<Dual>;

DualVector dual_of(const Vector3<double>& a, const Vector3<double>& rate = {}) {
  return {{a.x, rate.x}, {a.y, rate.y}, {a.z, rate.z}};
}

/// A section with its velocity and its angular velocity about its own axes.
Pose<Dual> moving_section(const Pose<double>& g, const Vector3<double>& velocity, const Vector3<double>& spin) {
  const Rotation<double> rate = g.q * Rotation<double>{0.0, 0.5 * spin};
  return {{{g.q.s, rate.s}, dual_of(g.q.v, rate.v)}, dual_of(g.r, velocity)};
}

/// Slots of the two ends of an element: displacement and turning of the left one, then those of the right one.
constexpr std::size_t end_slots = 12;

/// The forces on the two ends, moments about their own axes, while the sections move.
std::array<Dual, end_slots> end_forces(const LieBeamModel& model, std::size_t element, const Pose<Dual>& left,
                                       const Pose<Dual>& right) {
  const auto rest = model.rest_of(element);
  const math::Twist<Dual> dual_rest{dual_of(rest.w), dual_of(rest.c)};
  const ElementStress<Dual> stress =
      element_stress(left.q, matrix(left.q), right.q, right.r - left.r, Dual(model.spacing),
                     dual_of(model.section.stretch), dual_of(model.section.bend), dual_rest);
  const DualVector first = rotate(inverse(left.q), stress.left_moment);
  const DualVector second = rotate(inverse(right.q), -stress.right_moment);
  return {stress.force.x,  stress.force.y,  stress.force.z,  first.x,  first.y,  first.z,
          -stress.force.x, -stress.force.y, -stress.force.z, second.x, second.y, second.z};
}

Vector3<double> unit_axis(std::size_t k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

}  // namespace

void SectionBeam::stiffness(std::span<const double> q, std::vector<StiffnessEntry>& entries) const {
  for (std::size_t element = 0; element < model().last(); ++element) {
    const Pose<double> left = pose(q, element), right = pose(q, element + 1);
    std::array<std::array<double, end_slots>, end_slots> k;
    for (std::size_t j = 0; j < end_slots; ++j) {
      const Vector3<double> way = j % 6 < 3 ? unit_axis(j % 3) : Vector3<double>{};
      const Vector3<double> turn = j % 6 < 3 ? Vector3<double>{} : unit_axis(j % 3);
      const bool is_left = j < 6;
      const auto force =
          end_forces(model(), element, is_left ? moving_section(left, way, turn) : moving_section(left, {}, {}),
                     is_left ? moving_section(right, {}, {}) : moving_section(right, way, turn));
      for (std::size_t i = 0; i < end_slots; ++i) k[i][j] = -force[i].d;
    }
    const auto dof = [&](std::size_t i) { return static_cast<int>(slot(element + i / 6) + i % 6); };
    for (std::size_t i = 0; i < end_slots; ++i) {
      for (std::size_t j = 0; j < end_slots; ++j) entries.push_back({dof(i), dof(j), 0.5 * (k[i][j] + k[j][i])});
    }
  }
}

void SectionBeam::apply_damping(const exec::Executor&, std::span<const double> q, std::span<const double> v, double h,
                                std::span<double> p) const {
  const auto moving_node = [&](std::size_t node) {
    return moving_section(pose(q, node), read(&v[slot(node)]), read(&v[slot(node)] + turning));
  };
  const auto add = [&](std::size_t node, const Vector3<double>& force, const Vector3<double>& moment) {
    double* to = &p[slot(node)];
    write(read(to) + h * force, to);
    write(read(to + turning) + h * rotate(inverse(pose(q, node).q), moment), to + turning);
  };
  for (std::size_t element = 0; element < model().last(); ++element) {
    const auto rates = strain(moving_node(element), moving_node(element + 1), Dual(model().spacing));
    const Vector3<double> n = scale(model().section.stretch, {rates.c.x.d, rates.c.y.d, rates.c.z.d});
    const Vector3<double> m = scale(model().section.bend, {rates.w.x.d, rates.w.y.d, rates.w.z.d});
    const Pose<double> left = pose(q, element), right = pose(q, element + 1);
    const Vector3<double> across = right.r - left.r, reach = rotate(inverse(left.q), across);
    const Rotation<double> turn = inverse(left.q) * right.q;
    const Vector3<double> u = (1 / turn.s) * turn.v;
    const ElementStress<double> stress = stress_of(matrix(left.q), across, u, reach - cross(u, reach), n, m);
    add(element, stress.force, stress.left_moment);
    add(element + 1, -stress.force, -stress.right_moment);
  }
}

/// Poses as LieBeamLayout has them.
std::vector<double> SectionBeam::in_lanes(std::span<const double> q) const {
  std::vector<double> result(model().size());
  for (std::size_t node = 0; node < model().nodes; ++node) Layout::set_pose(result, node, pose(q, node));
  return result;
}

/// Velocities and angular velocities likewise, in space.
std::vector<double> SectionBeam::velocities_in_lanes(std::span<const double> q, std::span<const double> v) const {
  std::vector<double> result(model().size());
  for (std::size_t node = 0; node < model().nodes; ++node) {
    const double* from = &v[slot(node)];
    Layout::set_momentum(result, node, {rotate(pose(q, node).q, read(from + turning)), read(from)});
  }
  return result;
}

std::span<const std::string_view> SectionBeam::probe_quantities() const { return lie_beam_quantities; }

void SectionBeam::probe(double fraction, const Motion& motion, std::span<double> values) const {
  probe_lie_beam(model(), fraction, in_lanes(motion.q), velocities_in_lanes(motion.q, motion.v), values);
}

Picture SectionBeam::draw(std::span<const double> q, std::span<const double> v) const {
  return draw_lie_beam(properties_, in_lanes(q), velocities_in_lanes(q, v));
}

}  // namespace ictus::mechanics
