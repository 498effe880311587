#include <gtest/gtest.h>

#include <cmath>

#include "structure/rigid_run.hpp"

// Notation: R radius, ρ rolling and σ spinning friction (m), g gravity, v speed, ω spin.

namespace ictus::dynamics {
namespace {

constexpr double g = 9.81, R = 0.1, ball_mass = 2, h = 1e-3;

Law rolling_law(double friction, double rolling, double spinning) {
  Law law{0, friction};
  law.rolling = rolling;
  law.spinning = spinning;
  return law;
}

RigidProperties ball() { return properties(geometry::RigidShape::sphere(R), ball_mass, {0, 0, -g}); }

/// A ball that rolls has I + mR² = 7/5 mR² about the point that it touches, where the moment ρ m g slows it down:
/// v̇ = −5ρg/(7R), to rest after 7 v² R/(10 ρ g).
TEST(RollingFriction, BringsABallToRestAfterItsDistance) {
  const double v = 1, rho = 2e-3;
  const System system = on_floor(ball(), {{{0, 0, R}, {}, {v, 0, 0}, {0, v / R, 0}}}, rolling_law(0.5, rho, 0));
  RigidRun run(system, h);
  const double energy = run.energy();
  const double time = 7 * v * R / (5 * rho * g);
  run.steps(static_cast<int>(0.5 * time / h));
  const double half = 5 * rho * g / (7 * R) * 0.5 * time;
  EXPECT_NEAR(run.state.p[0] / ball_mass, v - half, 2e-3);
  run.steps(static_cast<int>(0.6 * time / h));
  EXPECT_NEAR(run.state.q[0], 7 * v * v * R / (10 * rho * g), 1e-3);
  EXPECT_EQ(run.state.p[0], 0.0);
  EXPECT_EQ(run.state.p[RigidBodies::angular + 1], 0.0);
  const double moving = 0.7 * ball_mass * v * v;
  EXPECT_NEAR(run.lost[model::Loss::rolling], moving, 2e-3 * moving);
  EXPECT_NEAR(run.energy() + run.lost.total(), energy, 1e-9);
  EXPECT_EQ(run.fallbacks, 0);
}

/// ω̇ = −σ m g/(⅖ m R²), with no force along the floor.
TEST(SpinningFriction, SlowsASpinDownByItsMoment) {
  const double omega = 20, sigma = 1e-3;
  const System system = on_floor(ball(), {{{0, 0, R}, {}, {}, {0, 0, omega}}}, rolling_law(0.5, 0, sigma));
  RigidRun run(system, h);
  const double energy = run.energy(), inertia = 0.4 * ball_mass * R * R, rate = sigma * ball_mass * g / inertia;
  const double spin = run.state.p[RigidBodies::angular + 2];
  run.steps(300);
  // The first impulse, at t = 0, is that of half a step's weight.
  EXPECT_NEAR(run.state.p[RigidBodies::angular + 2] / inertia, omega - rate * 300 * h, 1.01 * rate * h);
  EXPECT_NEAR(run.state.q[0], 0, 1e-12);
  run.steps(static_cast<int>(omega / rate / h));
  EXPECT_EQ(run.state.p[RigidBodies::angular + 2], 0.0);
  EXPECT_NEAR(run.lost[model::Loss::rolling], 0.5 * spin * spin / inertia, 1e-9);
  EXPECT_NEAR(run.energy() + run.lost.total(), energy, 1e-9);
}

/// A ball on a slope rolls where its tangent is above ρ/R, and stands still below.
TEST(RollingFriction, HoldsABallOnASlopeUpToItsAngle) {
  const double rho = 0.01;
  for (const double tangent : {0.09, 0.11}) {
    const double angle = std::atan(tangent);
    RigidProperties p = ball();
    p.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
    const System system = on_floor(p, {{{0, 0, R}, {}, {}, {}}}, rolling_law(0.5, rho, 0));
    RigidRun run(system, h);
    run.steps(1000);
    const double along = 5.0 / 7.0 * g * (std::sin(angle) - std::cos(angle) * rho / R);
    if (tangent * R < rho) {
      EXPECT_NEAR(run.state.q[0], 0, 1e-12);
    } else {
      EXPECT_NEAR(run.state.q[0], 0.5 * along, 2e-3 * along);
    }
  }
}

/// Balls in a heap exchange moments as they exchange forces: none of the momentum is lost, and every joule has a name.
TEST(RollingFriction, OfAHeapKeepsItsLedgerOnAnyNumberOfThreads) {
  std::vector<RigidStart> starts;
  for (int i = 0; i < 120; ++i) {
    starts.push_back({{0.19 * (i % 5) + 0.003 * (i % 7), 0.19 * (i / 5 % 4) + 0.002 * (i % 3), 0.11 + 0.205 * (i / 20)},
                      {},
                      {0.3 * (i % 3 - 1), 0.1, 0},
                      {0, 0, 5.0 * (i % 2)}});
  }
  std::vector<double> first;
  for (const int threads : {1, 2}) {
    const System system = on_floor(ball(), starts, rolling_law(0.5, 4e-3, 1e-3), threads);
    RigidRun run(system, 2e-3, RigidTimeStepping::Scheme::variational, 1e-6);
    const double energy = run.energy();
    run.steps(400);
    EXPECT_GT(run.lost[model::Loss::rolling], 0.05);
    EXPECT_NEAR(run.energy() + run.lost.total(), energy, 1e-9 * energy);
    if (first.empty()) first = run.state.q;
    EXPECT_EQ(run.state.q, first);
  }
}

}  // namespace
}  // namespace ictus::dynamics
