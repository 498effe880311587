#include <gtest/gtest.h>

#include <cmath>

#include "structure/rigid_run.hpp"

// Friction with an ellipse of limits, μ₁ along a direction and μ₂ across it, against closed forms.

namespace ictus::dynamics {
namespace {

constexpr double mu1 = 0.6, mu2 = 0.2, earth = 9.81;

/// Friction directions e₁ at an angle to the x axis, with a part along the normal that must not matter.
const math::Vec3 first_direction(std::cos(0.4), std::sin(0.4), 0.3);
const Vec e1{std::cos(0.4), std::sin(0.4), 0}, e2{-std::sin(0.4), std::cos(0.4), 0};

Law elliptic() { return {0, mu1, mu2, first_direction}; }

RigidProperties plate(const Vec& gravity = {0, 0, -earth}) { return properties(box(0.2, 0.2, 0.02), 3, gravity); }

System plate_on_floor(const Vec& velocity, const Vec& gravity = {0, 0, -earth}) {
  return on_floor(plate(gravity), {{{0, 0, 0.01}, {}, velocity, {}}}, elliptic());
}

double along(const Vec& direction, const std::vector<double>& values) {
  return math::dot(direction, Vec{values[0], values[1], values[2]});
}

/// Thrown along an axis of the ellipse a plate slides v²/(2 μ g) on a straight line, with O(h) for when it stops.
TEST(RigidFrictionDirection, HasACoefficientAlongAndOneAcross) {
  const double speed = 2, h = 1e-4;
  for (const auto& [direction, across, mu] : {std::tuple{e1, e2, mu1}, std::tuple{e2, e1, mu2}}) {
    const System system = plate_on_floor(speed * direction);
    RigidRun run(system, h);
    run.steps(static_cast<int>(1.1 * speed / (mu * earth * h)));
    EXPECT_NEAR(along(direction, run.state.q), speed * speed / (2 * mu * earth), 2 * h * speed) << mu;
    EXPECT_NEAR(along(across, run.state.q), 0, 1e-10) << mu;
    EXPECT_NEAR(along(direction, run.state.p), 0, 1e-12) << mu;
  }
}

/// Between the axes v̇ = −g D²v/|Dv| [eq. rigid-bodies-15]: with ds = g dt/|Dv| the velocities are vᵢ e^(−μᵢ²s), and the
/// plate turns away from the axis of the larger coefficient.
TEST(RigidFrictionDirection, SlidesWhereTheEllipseDissipatesMost) {
  const double v1 = 2, v2 = 1.5, end = 3, mass = 3;
  const auto velocity = [&](double v, double mu, double s) { return v * std::exp(-mu * mu * s); };
  const auto rate = [&](double s) {
    return std::hypot(mu1 * velocity(v1, mu1, s), mu2 * velocity(v2, mu2, s)) / earth;
  };
  double time = 0;  // ∫ |Dv|/g ds by Simpson's rule
  const int pieces = 1000;
  for (int i = 0; i < pieces; ++i) {
    const double ds = end / pieces, s = ds * i;
    time += ds / 6 * (rate(s) + 4 * rate(s + ds / 2) + rate(s + ds));
  }
  const auto error = [&](int steps) {
    const System system = plate_on_floor(v1 * e1 + v2 * e2);
    RigidRun run(system, time / steps);
    const auto kinetic = [&] {
      return 0.5 / mass * (std::pow(along(e1, run.state.p), 2) + std::pow(along(e2, run.state.p), 2));
    };
    const double energy = run.energy(), kinetic_at_start = kinetic();
    run.steps(steps);
    // The solver's tolerance of 1e-10 leaves some of the 6 J in motion that is none of these.
    EXPECT_NEAR(run.lost[model::Loss::friction], kinetic_at_start - kinetic(), 1e-9);
    EXPECT_NEAR(run.energy() - energy + run.lost.total(), 0, 1e-11);
    const double now1 = along(e1, run.state.p) / mass, now2 = along(e2, run.state.p) / mass;
    return std::hypot(now1 - velocity(v1, mu1, end), now2 - velocity(v2, mu2, end));
  };
  // Half a step of friction, with which the scheme starts from its node.
  EXPECT_LT(error(400), 0.5 * time / 400 * mu1 * earth);
  EXPECT_NEAR(std::log2(error(200) / error(400)), 1, 0.1);
}

/// A load along the surface holds inside the ellipse and not outside, though a circle of μ₁ would hold both and one of
/// μ₂ neither.
TEST(RigidFrictionDirection, HoldsInsideTheEllipse) {
  const auto displacement = [](double share) {
    const Vec load = share * earth * (mu1 * std::cos(1.0) * e1 + mu2 * std::sin(1.0) * e2);
    const System system = plate_on_floor({}, load + Vec{0, 0, -earth});
    RigidRun run(system, 1e-3);
    run.steps(1000);
    return std::hypot(run.state.q[0], run.state.q[1]);
  };
  EXPECT_LT(displacement(0.98), 1e-12);
  // What is left of the load, 0.02 μ g in the ellipse's own measure, moves it by at least 0.01 m/s² · t²/2.
  EXPECT_GT(displacement(1.02), 5e-3);
}

/// A ball thrown without spin rolls after 2v/(7μg), with 5/7 of its speed.
TEST(RigidFrictionDirection, OfABallIsThatOfTheFloor) {
  const double speed = 1, h = 1e-4, mass = 2;
  const RigidProperties ball = properties(geometry::RigidShape::sphere(0.1), mass, {0, 0, -earth});
  for (const auto& [direction, mu] : {std::pair{e1, mu1}, std::pair{e2, mu2}}) {
    const System system = on_floor(ball, {{{0, 0, 0.1}, {}, speed * direction, {}}}, elliptic());
    RigidRun run(system, h);
    const double rolls = 2 * speed / (7 * mu * earth);
    run.steps(static_cast<int>(0.9 * rolls / h));
    EXPECT_NEAR(along(direction, run.state.p) / mass, speed - 0.9 * mu * earth * rolls, 2 * mu * earth * h) << mu;
    run.steps(static_cast<int>(0.2 * rolls / h));
    EXPECT_NEAR(along(direction, run.state.p) / mass, 5.0 / 7 * speed, 2 * mu * earth * h) << mu;
  }
}

/// On a table that is turned the direction is that of the table's axes, and the same as on a floor.
TEST(RigidFrictionDirection, TurnsWithTheFirstBody) {
  RigidProperties table = properties(box(3, 3, 0.5), 1, {});
  table.fixed = true;
  std::vector<BodyPtr> bodies;
  const RigidStart turned{{0, 0, -0.25}, math::cayley(Vec{0, 0, 2 * std::tan(0.2)}), {}, {}};  // by 0.4 about z
  bodies.push_back(std::make_unique<RigidBodies>("table", table, std::vector{turned}, 0));
  const std::vector<RigidStart> thrown{{{0, 0, 0.01}, {}, {1.2, -0.7, 0}, {}}};
  bodies.push_back(std::make_unique<RigidBodies>("plate", plate(), thrown, RigidBodies::stride));
  std::vector<contact::ContactPair> pairs{pair_of(*bodies[0], *bodies[1], {0, mu1, mu2, math::Vec3(1, 0, 0)})};
  const System on_table(std::move(bodies), std::move(pairs), exec::Executor(1));
  const System on_plane = plate_on_floor({1.2, -0.7, 0});
  RigidRun first(on_table, 1e-3), second(on_plane, 1e-3);
  first.steps(300);
  second.steps(300);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(first.state.q[RigidBodies::stride + i], second.state.q[i], 1e-8) << i;
  }
}

}  // namespace
}  // namespace ictus::dynamics
