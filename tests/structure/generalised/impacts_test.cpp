// Restitution, friction and rest, against exact answers.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <ictus/dynamics/generalised/midpoint.hpp>
#include <ictus/dynamics/generalised/variational_trapezoid.hpp>

#include "structure/generalised/toys.hpp"

namespace ictus {
namespace {

using dynamics::ImpactLaw;
using dynamics::Integrator;
using dynamics::Midpoint;
using dynamics::System;
using dynamics::VariationalTrapezoid;
using math::Vec3;
using model::Loss;
using model::State;
using testing::ToyLaw;

constexpr double gravity = 9.81;

struct Scheme {
  const char* name;
  std::function<std::unique_ptr<Integrator>()> make;
  friend void PrintTo(const Scheme& scheme, std::ostream* out) { *out << scheme.name; }
};

class Impacts : public ::testing::TestWithParam<Scheme> {
 protected:
  std::unique_ptr<Integrator> integrator = GetParam().make();
};

const Scheme schemes[] = {
    {"Momentum", [] { return std::make_unique<VariationalTrapezoid>(ImpactLaw::momentum); }},
    {"Paper", [] { return std::make_unique<VariationalTrapezoid>(ImpactLaw::paper); }},
    {"Midpoint", [] { return std::make_unique<Midpoint>(); }},
};

std::vector<double> velocity(const System& system, const Integrator& integrator, double h, const State& state) {
  std::vector<double> v(state.q.size());
  integrator.velocity(system, h, state, v);
  return v;
}

/// A mass without gravity returns with ε times its velocity, whatever that is; the ledger closes.
TEST_P(Impacts, RestitutionOfASingleImpactIsExactAtAnySpeed) {
  for (const double speed : {1e-9, 1e-3, 1.0, 7.3, 3e8}) {
    for (const double e : {0.0, 0.3, 0.8, 1.0}) {
      const double h = 1e-3 / speed;
      const System system = testing::ball(0.01, {0, 0, -speed}, {.restitution = e}, 0);
      State state = testing::started(system, *integrator, h);
      double lost = 0;
      for (int k = 0; k < 40; ++k) lost += integrator->step(system, h, state).lost.total();
      const double after = velocity(system, *integrator, h, state)[2];
      EXPECT_NEAR(after / speed, e, 4e-16) << speed;
      EXPECT_NEAR(lost / (speed * speed / 2), 1 - e * e, 1e-15);
    }
  }
}

/// The last time at which the ball is faster than what three steps of gravity make. The bounces after it, which a step
/// cannot tell from rest, would last for 2 · 3h/(1 − ε) = 30 h.
double end_of_bouncing(Integrator& integrator, double h) {
  const System system = testing::ball(1, {0, 0, 0}, {.restitution = 0.8}, gravity);
  State state = testing::started(system, integrator, h);
  double last = 0;
  while (state.time < 5) {
    integrator.step(system, h, state);
    if (std::abs(velocity(system, integrator, h, state)[2]) > 3 * gravity * h) last = state.time;
  }
  return last;
}

TEST_P(Impacts, BouncingBallEndsAtItsAccumulationTime) {
  constexpr double exact = 4.063712768872;
  const double coarse = std::abs(end_of_bouncing(*integrator, 1e-3) - exact);
  const double fine = std::abs(end_of_bouncing(*integrator, 1e-4) - exact);
  EXPECT_LT(coarse, 70 * 1e-3);
  EXPECT_LT(fine, 70 * 1e-4);
  EXPECT_LT(fine, coarse / 4);
}

TEST_P(Impacts, BallFallsForTheRightTimeAndThenLies) {
  const double h = 1e-4;
  const System system = testing::ball(1, {0, 0, 0}, {.restitution = 0.8}, gravity);
  State state = testing::started(system, *integrator, h);
  const double e0 = integrator->energy(system, h, state).total();
  double first = 0, residual = 0;
  model::Lost lost;
  while (state.time < 6) {
    const auto report = integrator->step(system, h, state);
    if (first == 0 && !report.impulses.empty()) first = report.impulses[0].time;
    lost += report.lost;
    residual = std::max(residual, std::abs(integrator->energy(system, h, state).total() + lost.total() - e0) / e0);
  }
  EXPECT_NEAR(first, 0.451523640986, h);
  EXPECT_LT(residual, 1e-12);
  const double lies = state.q[2];
  for (int k = 0; k < 1000; ++k) integrator->step(system, h, state);
  EXPECT_EQ(state.q[2], lies);
  EXPECT_NEAR(lies, 0, 1e-3);
}

struct Slide {
  double stop_time = 0;
  double distance = 0;
  double rate_after_bounces = 0;  ///< down the slope, and what it should be
  double exact_rate = 0;
  model::Lost lost;
};

/// The block of the reference: thrown down a slope from a height, it bounces, slides and stops.
Slide slide(Integrator& integrator, double h) {
  const double slope = 0.3, mu = 0.5;
  const System system = testing::slider(slope, {0, 0, 0.2}, {4, 0, 0}, {.restitution = 0.5, .friction = mu});
  State state = testing::started(system, integrator, h);
  Slide result;
  double normal_impulse = 0;
  bool rests = false;
  int pushed = 0;
  while (state.time < 3) {
    const auto report = integrator.step(system, h, state);
    result.lost += report.lost;
    for (const auto& impulse : report.impulses) normal_impulse += impulse.normal_impulse;
    pushed = report.impulses.empty() ? 0 : pushed + 1;
    if (!rests && pushed > 10) {
      rests = true;
      result.rate_after_bounces = velocity(system, integrator, h, state)[0];
      result.exact_rate = 4 + state.time * gravity * std::sin(slope) - mu * normal_impulse;
    }
    if (result.stop_time == 0 && rests && state.memory[0].values[0] == 0) result.stop_time = state.time;
  }
  result.distance = state.q[0];
  return result;
}

TEST_P(Impacts, BlockOnAnInclineStopsWhereItShould) {
  constexpr double time = 2.238548388639, distance = 4.577096777277;
  const Slide coarse = slide(*integrator, 1e-3), fine = slide(*integrator, 1e-4);
  EXPECT_NEAR(fine.stop_time, time, 5e-4);
  EXPECT_NEAR(fine.distance, distance, 2e-3);
  EXPECT_NEAR(coarse.stop_time, time, 5e-3);
  EXPECT_NEAR(coarse.distance, distance, 2e-2);
  // Coulomb's law holds in every bounce: the velocity follows from the sum of impulses.
  EXPECT_NEAR(fine.rate_after_bounces, fine.exact_rate, 1e-12);
  EXPECT_GT(fine.lost[Loss::friction], 0);
}

/// Below the angle of friction nothing moves, not by a bit, in a million steps.
TEST_P(Impacts, StickingBlockDoesNotCreep) {
  for (const double start : {0.0, 4.577}) {
    const System system = testing::slider(0.3, {start, -start, 0}, {0, 0, 0}, {.restitution = 0.5, .friction = 0.5});
    State state = testing::started(system, *integrator, 1e-3);
    const std::vector<double> q = state.q;
    for (int k = 0; k < 1000000; ++k) integrator->step(system, 1e-3, state);
    EXPECT_EQ(state.q, q);
  }
}

/// A block that sticks on an incline of space, whose axes are not those of its coordinates.
TEST_P(Impacts, MassSticksOnATiltedPlane) {
  mechanics::PointMassProperties p;
  p.mass = 2.7;
  p.gravity = {0.3, -1.1, -9.7};
  const Vec3 n = Vec3(0.2, 0.1, 0.95).normalized(), t = n.cross(Vec3(1, 0, 0)).normalized();
  p.position = {0.7, -0.4, 0};
  p.obstacles = {{{p.position, n}, t, n.cross(t)}};
  const System system =
      testing::toy_system(std::make_unique<mechanics::PointMass>("mass", p, 0), {{.restitution = 1, .friction = 0.9}});
  State state = testing::started(system, *integrator, 1e-3);
  const std::vector<double> q = state.q;
  for (int k = 0; k < 10000; ++k) integrator->step(system, 1e-3, state);
  EXPECT_EQ(state.q, q);
}

/// Sliding in a direction that is neither along nor across: with equal coefficients friction opposes the velocity; with
/// unequal ones the impulse stays on the ellipse and turns the path.
TEST_P(Impacts, FrictionIsIsotropicOrNot) {
  const double h = 1e-3;
  const auto sliding = [&](const ToyLaw& law) {
    const System system = testing::slider(0, {0, 0, 0}, {3, 4, 0}, law);
    State state = testing::started(system, *integrator, h);
    for (int k = 0; k < 100; ++k) integrator->step(system, h, state);
    return velocity(system, *integrator, h, state);
  };
  const std::vector<double> equal = sliding({.friction = 0.5});
  EXPECT_NEAR(equal[1] / equal[0], 4.0 / 3.0, 1e-9);
  EXPECT_NEAR(std::hypot(equal[0], equal[1]), 5 - 0.5 * gravity * 100 * h, 0.5 * gravity * h);
  const std::vector<double> unequal = sliding({.friction = 0.5, .friction_across = 0.2});
  // Maximal dissipation on the ellipse: P_T = −P_N (μ₁² v₁, μ₂² v₂)/|(μ₁ v₁, μ₂ v₂)|.
  double x = 3, y = 4;
  for (int k = 0; k < 100000; ++k) {
    const double scale = gravity * 1e-6 / std::hypot(0.5 * x, 0.2 * y);
    x -= scale * 0.25 * x;
    y -= scale * 0.04 * y;
  }
  EXPECT_NEAR(unequal[0], x, 0.5 * gravity * h);
  EXPECT_NEAR(unequal[1], y, 0.5 * gravity * h);
}

/// A rough ball without gravity: ε_T turns its sliding velocity round where friction can, ½ where it can only half.
TEST_P(Impacts, TangentialRestitutionWithinTheLimitsOfFriction) {
  const double h = 1e-3;
  const auto bounce = [&](const ToyLaw& law) {
    const System system = testing::ball(0.01, {0.1, 0, -1}, law, 0);
    State state = testing::started(system, *integrator, h);
    for (int k = 0; k < 40; ++k) integrator->step(system, h, state);
    return velocity(system, *integrator, h, state);
  };
  const auto rough = bounce({.restitution = 1, .friction = 10, .tangential_restitution = 0.6});
  EXPECT_NEAR(rough[0], -0.06, 1e-15);
  EXPECT_NEAR(rough[2], 1, 1e-15);
  const auto smooth = bounce({.restitution = 1, .friction = 0.01, .tangential_restitution = 0.6});
  EXPECT_NEAR(smooth[0], 0.1 - 0.01 * 2, 1e-15);
}

/// Means over the cycles of the second half of a run: period, deepest turn of the bird, descent.
struct Cycle {
  double period = 0;
  double lowest = 0;
  double descent = 0;
};

/// A cycle begins where the bird's angle passes a level on the way down, linear between steps.
Cycle woodpecker_cycle(Integrator& integrator, double h, double end) {
  const System system = testing::woodpecker();
  State state = testing::started(system, integrator, h);
  constexpr double level = -0.2788;
  std::vector<Cycle> begins;  // time, lowest of the cycle before, height
  double lowest = 0;
  while (state.time < end) {
    const std::vector<double> q = state.q;
    integrator.step(system, h, state);
    lowest = std::min(lowest, state.q[2]);
    if (!(q[2] > level && state.q[2] <= level)) continue;
    const double share = (q[2] - level) / (q[2] - state.q[2]);
    begins.push_back({state.time - h + share * h, lowest, q[0] + share * (state.q[0] - q[0])});
    lowest = 0;
  }
  const std::size_t first = begins.size() / 2, last = begins.size() - 1;
  const auto cycles = static_cast<double>(last - first);
  Cycle mean{(begins[last].period - begins[first].period) / cycles, 0,
             (begins[last].descent - begins[first].descent) / cycles};
  for (std::size_t i = first + 1; i <= last; ++i) mean.lowest += begins[i].lowest / cycles;
  return mean;
}

/// Impacts are seen at whole steps, so that single cycles of the same run differ by 1e-4 s.
TEST_P(Impacts, WoodpeckerReachesItsLimitCycle) {
  const Cycle cycle = woodpecker_cycle(*integrator, 1e-5, 2.0);
  EXPECT_NEAR(cycle.period, 0.14603, 5e-5);
  EXPECT_NEAR(cycle.period, 0.1459760651, 6e-5);
  EXPECT_NEAR(cycle.lowest, -0.5294719671, 3e-4);
  EXPECT_NEAR(cycle.descent, -0.0194453793, 5e-5);
}

INSTANTIATE_TEST_SUITE_P(All, Impacts, ::testing::ValuesIn(schemes),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

/// Towards the event-driven limit cycle.
TEST(Woodpecker, LimitCycleApproachesTheEventDrivenOne) {
  VariationalTrapezoid integrator(ImpactLaw::momentum);
  const Cycle cycle = woodpecker_cycle(integrator, 2e-6, 1.5);
  EXPECT_NEAR(cycle.period, 0.1459760651, 1e-5);
  EXPECT_NEAR(cycle.lowest, -0.5294719671, 3e-5);
  EXPECT_NEAR(cycle.descent, -0.0194453793, 1e-5);
}

}  // namespace
}  // namespace ictus
