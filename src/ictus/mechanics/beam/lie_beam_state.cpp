#include <ictus/mechanics/beam/lie_beam_state.hpp>

#include <ictus/mechanics/beam/lie_beam_element.hpp>

namespace ictus::mechanics {

using Layout = LieBeamLayout;
using math::Pose;
using math::Twist;
using math::Vector3;
using math::Wrench;

void set_shape(const LieBeamModel& model, const Pose<double>& start, std::span<const Twist<double>> strains,
               std::span<double> q) {
  for (std::size_t node = model.nodes; node < model.blocks() * Layout::lanes; ++node) Layout::set_pose(q, node, {});
  Pose<double> g = normalized(start);
  Layout::set_pose(q, 0, g);
  for (std::size_t node = 1; node < model.nodes; ++node) {
    g = normalized(g * cayley(model.spacing * strains[node - 1]));
    Layout::set_pose(q, node, g);
  }
}

void set_velocities(const LieBeamModel& model, std::span<const Twist<double>> velocities, std::span<const double> q,
                    std::span<double> p) {
  for (std::size_t node = 0; node < model.blocks() * Layout::lanes; ++node) {
    Layout::set_momentum(p, node, {});
    p[Layout::at(node, 0)] = 0.0;
    if (node >= model.nodes || model.clamped(node)) continue;
    const math::Rotation<double> turn = Layout::pose(q, node).q;
    const Twist<double>& xi = velocities[node];
    const double w = model.weight(node);
    Layout::set_momentum(
        p, node, {w * rotate(turn, scale(model.section.inertia, xi.w)), w * model.section.mass * rotate(turn, xi.c)});
  }
}

Twist<double> velocity(const LieBeamModel& model, std::size_t node, std::span<const double> q,
                       std::span<const double> p) {
  return velocity_of(model, node, Layout::pose(q, node).q, Layout::momentum(p, node));
}

Twist<double> velocity_of(const LieBeamModel& model, std::size_t node, const math::Rotation<double>& turn,
                          const Wrench<double>& momentum) {
  const math::Rotation<double> back = inverse(turn);
  const double w = model.weight(node);
  const Vector3<double>& j = model.section.inertia;
  return {scale({1.0 / (w * j.x), 1.0 / (w * j.y), 1.0 / (w * j.z)}, rotate(back, momentum.m)),
          1.0 / (w * model.section.mass) * rotate(back, momentum.n)};
}

void apply_legendre(const LieBeamModel& model, double h, std::span<const double> q, std::span<double> p) {
  for (std::size_t node = 0; node < model.nodes; ++node) {
    const Twist<double> xi = velocity(model, node, q, p);
    const double w = model.weight(node);
    const Wrench<double> mu = dcayley_inverse_dual(
        h * xi, Wrench<double>{w * scale(model.section.inertia, xi.w), w * model.section.mass * xi.c});
    const math::Rotation<double> turn = Layout::pose(q, node).q;
    Layout::set_momentum(p, node, {rotate(turn, mu.m), rotate(turn, mu.n)});
  }
}

void lie_beam_kick(const LieBeamModel& model, double kick, std::span<const double> q, std::span<double> p) {
  const Vector3<double> load = model.section.mass * model.gravity + model.loads.per_length.n;
  Wrench<double> from_left = -model.loads.start;
  for (std::size_t node = 0; node < model.nodes; ++node) {
    const double w = model.weight(node);
    Wrench<double> force = w * Wrench<double>{model.loads.per_length.m, load} - from_left;
    if (node < model.last()) {
      const Pose<double> left = Layout::pose(q, node), right = Layout::pose(q, node + 1);
      const ElementStress<double> stress = element_stress(left.q, matrix(left.q), right.q, right.r - left.r,
                                                          model.spacing, model.section.stretch, model.section.bend);
      force = force + Wrench<double>{stress.left_moment, stress.force};
      from_left = {stress.right_moment, stress.force};
    } else {
      force = force + model.loads.end;
    }
    const Wrench<double> momentum = model.clamped(node) ? Wrench<double>{} : Layout::momentum(p, node) + kick * force;
    Layout::set_momentum(p, node, momentum);
  }
}

Wrench<double> momentum_map(const LieBeamModel& model, std::span<const double> q, std::span<const double> p) {
  Wrench<double> total{};
  for (std::size_t node = 0; node < model.nodes; ++node) {
    const Wrench<double> momentum = Layout::momentum(p, node);
    total = total + Wrench<double>{momentum.m + cross(Layout::get(q, node, Layout::position), momentum.n), momentum.n};
  }
  return total;
}

Wrench<double> load_impulse(const LieBeamModel& model, double kick, const Vector3<double>& first_moment,
                            std::span<const double> q) {
  const double length = model.length();
  const Vector3<double> per_length = model.section.mass * model.gravity + model.loads.per_length.n;
  const auto at = [&](const Wrench<double>& load, std::size_t node) {
    return Wrench<double>{load.m + cross(Layout::get(q, node, Layout::position), load.n), load.n};
  };
  return kick *
         (Wrench<double>{length * model.loads.per_length.m + cross(first_moment, per_length), length * per_length} +
          at(model.loads.start, 0) + at(model.loads.end, model.last()));
}

Vector3<double> touching_point(const LieBeamModel& model, std::size_t node, const Vector3<double>& normal,
                               std::span<const double> q) {
  const Pose<double> g = Layout::pose(q, node);
  return g.r + rotate(g.q, furthest_point(model.outline, rotate(inverse(g.q), -normal)));
}

namespace {

/// Σ moment·ω over the nodes that can turn, with the momentum of each from a function.
template <class MomentumOf>
double moment_power_of(const LieBeamModel& model, std::span<const double> q, MomentumOf&& momentum_of) {
  const Vector3<double> none{};
  const LieBeamLoads& loads = model.loads;
  if (loads.per_length.m == none && loads.start.m == none && loads.end.m == none) return 0.0;
  double power = 0.0;
  for (std::size_t node = 0; node < model.nodes; ++node) {
    if (model.clamped(node)) continue;
    Vector3<double> moment = model.weight(node) * loads.per_length.m;
    if (node == 0) moment += loads.start.m;
    if (node == model.last()) moment += loads.end.m;
    const math::Rotation<double> turn = Layout::pose(q, node).q;
    power += dot(moment, rotate(turn, velocity_of(model, node, turn, momentum_of(node)).w));
  }
  return power;
}

}  // namespace

double moment_power(const LieBeamModel& model, std::span<const double> q, std::span<const double> p) {
  return moment_power_of(model, q, [&](std::size_t node) { return Layout::momentum(p, node); });
}

Wrench<double> leaving_momentum(std::size_t node, std::span<const double> q, std::span<const double> q_next,
                                std::span<const double> p_next) {
  const Wrench<double> arrived = Layout::momentum(p_next, node);
  const Vector3<double> way = Layout::get(q_next, node, Layout::position) - Layout::get(q, node, Layout::position);
  return {arrived.m + cross(way, arrived.n), arrived.n};
}

double leaving_moment_power(const LieBeamModel& model, std::span<const double> q, std::span<const double> q_next,
                            std::span<const double> p_next) {
  return moment_power_of(model, q, [&](std::size_t node) { return leaving_momentum(node, q, q_next, p_next); });
}

}  // namespace ictus::mechanics
