// The contract of dynamics::Integrator, kept by the schemes for rigid bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "conformance/contract.hpp"
#include "structure/rigid_run.hpp"

namespace ictus::dynamics {
namespace {

using model::Loss;
using model::State;

constexpr double tolerance = 1e-8;

struct RigidSubject {
  const char* name;
  RigidTimeStepping::Scheme scheme;
  RigidImpactLaw law;
  friend void PrintTo(const RigidSubject& subject, std::ostream* out) { *out << subject.name; }

  std::unique_ptr<Integrator> make(solve::ConeOptions solver = {
                                       .tolerance = tolerance, .max_iterations = 20000, .min_iterations = 1}) const {
    return std::make_unique<RigidTimeStepping>(scheme, RigidResponseOptions{law, solver});
  }
};

const RigidSubject rigid_subjects[] = {
    {"Momentum", RigidTimeStepping::Scheme::variational, RigidImpactLaw::momentum},
    {"Paper", RigidTimeStepping::Scheme::variational, RigidImpactLaw::interval},
    {"Midpoint", RigidTimeStepping::Scheme::midpoint, RigidImpactLaw::interval},
};

class RigidContract : public ::testing::TestWithParam<RigidSubject> {
 protected:
  std::unique_ptr<Integrator> integrator = GetParam().make();
};

/// Capsules and boxes that fall on a floor and on each other, some of which lie there from the start.
System tumble(const Law& law, int threads = 1, int layers = 3) {
  const Vec gravity{0, 0, -9.81};
  std::vector<RigidStart> capsules, boxes;
  for (int i = 0; i < 9 * layers; ++i) {
    capsules.push_back({{0.21 * (i % 3), 0.22 * (i / 3 % 3), 0.25 + 0.23 * (i / 9)},
                        math::cayley(Vec{0.3 * i, -0.1 * i, 0.2}),
                        {0.1 * std::sin(i), 0.1 * std::cos(i), 0},
                        {0.5 * std::cos(i), 0, 1}});
  }
  for (int i = 0; i < 6; ++i) {
    boxes.push_back({{0.2 * (i % 3), 0.25 * (i / 3), 0.05}, {}, {0.4, 0, 0}, {}});
  }
  std::vector<BodyPtr> bodies;
  bodies.push_back(std::make_unique<RigidBodies>(
      "capsules", properties(geometry::RigidShape::capsule(0.06, 0.08), 1, gravity), std::move(capsules), 0));
  bodies.push_back(std::make_unique<RigidBodies>("boxes", properties(box(0.12, 0.12, 0.1), 0.8, gravity),
                                                 std::move(boxes), bodies[0]->dofs().end()));
  bodies.push_back(
      std::make_unique<mechanics::Obstacle>("floor", model::Plane{math::Vec3::Zero(), math::Vec3::UnitZ()}));
  std::vector<contact::ContactPair> pairs;
  for (const auto& [a, b] : {std::pair{0, 2}, {1, 2}, {0, 0}, {0, 1}, {1, 1}}) {
    pairs.push_back(pair_of(*bodies[static_cast<std::size_t>(a)], *bodies[static_cast<std::size_t>(b)], law));
  }
  return System(std::move(bodies), std::move(pairs), exec::Executor(threads));
}

constexpr double step = 1e-3;

TEST_P(RigidContract, FreshIntegratorContinuesACopiedStateToTheSameBits) {
  testing::expect_copies_go_on_to_the_same_bits(
      tumble({0.2, 0.4}), [] { return GetParam().make(); }, step, 300, 70);
}

TEST_P(RigidContract, TwoThreadsGiveTheSameBitsAsOne) {
  const auto make = [] { return GetParam().make(); };
  EXPECT_GT(testing::expect_same_bits(tumble({0, 0.4}), tumble({0, 0.4}, 2), make, step, 200), 0);
}

struct RigidAccount {
  model::Lost lost;
  double residual = 0;  ///< largest
  double scale = 0;     ///< J
  double linear = 0, angular = 0;
  int closings = 0, fallbacks = 0;
  double error = 0;  ///< largest of a solution that was accepted
};

/// From before the first impulses, which act at t = 0.
RigidAccount account_of(Integrator& integrator, const System& system, double h, int steps) {
  integrator.prepare(system);
  State state = system.initial_state();
  const mechanics::Momentum before = system.momentum(state.q, state.p);
  RigidAccount account;
  const auto add = [&](const StepReport& report, mechanics::Momentum& from_outside) {
    account.lost += report.lost;
    account.closings += report.closings;
    account.fallbacks += report.fallbacks;
    account.error = std::max(account.error, report.fallback_error);
    from_outside += report.external_impulse;
  };
  mechanics::Momentum from_outside;
  add(integrator.start(system, h, state), from_outside);
  const double e0 = integrator.energy(system, h, state).total() + account.lost.total();
  for (int n = 0; n < steps; ++n) {
    add(integrator.step(system, h, state), from_outside);
    const model::Stored stored = integrator.energy(system, h, state);
    account.scale = std::max(account.scale, stored[model::Store::kinetic] + std::abs(stored[model::Store::potential]));
    account.residual = std::max(account.residual, std::abs(stored.total() + account.lost.total() - e0));
  }
  const mechanics::Momentum after = system.momentum(state.q, state.p);
  account.linear = (after.linear - before.linear - from_outside.linear).norm();
  account.angular = (after.angular - before.angular - from_outside.angular).norm();
  return account;
}

TEST_P(RigidContract, EnergyAndMomentumAreExplained) {
  for (const Law& law : {Law{0, 0.4}, Law{0.5, 0.3}}) {
    const System system = tumble(law);
    const RigidAccount account = account_of(*integrator, system, step, 300);
    EXPECT_GT(account.closings, 5);
    EXPECT_LT(account.residual, 1e-12 * account.scale);
    EXPECT_GT(account.lost[Loss::friction], 0);
    EXPECT_GT(account.lost[Loss::restitution], 0);
    // Of problems that are solved to the tolerance little more than that is lost.
    EXPECT_LT(std::abs(account.lost[Loss::solver]), 100 * tolerance * account.scale);
    EXPECT_LT(account.linear, 1e-11);
    // Moreau's scheme turns bodies with their momentum, the angular one of which is not kept.
    if (GetParam().scheme == RigidTimeStepping::Scheme::variational) {
      EXPECT_LT(account.angular, 1e-11);
    }
  }
}

TEST_P(RigidContract, UsesOnlyTheLossesItNames) {
  const Capabilities can = integrator->capabilities();
  const RigidAccount account = account_of(*integrator, tumble({0.2, 0.4}), step, 300);
  for (std::size_t i = 0; i < model::Lost::size; ++i) {
    const auto loss = static_cast<Loss>(i);
    const bool named = std::count(can.losses.begin(), can.losses.end(), loss) > 0;
    EXPECT_TRUE(named || account.lost[loss] == 0) << model::loss_names[i];
  }
}

/// A solver that is stopped early is reported, with its error, and what it cost stands under its own name.
TEST_P(RigidContract, SolverStoppedEarlyIsSeen) {
  std::vector<RigidStart> starts;
  for (int i = 0; i < 5; ++i) starts.push_back({{0, 0, 0.05 + 0.1 * i}, {}, {0.3, 0, 0}, {}});
  const System system = on_floor(properties(box(0.2, 0.2, 0.1), 2, {0, 0, -9.81}), starts, {0, 0.3});
  const auto hurried = GetParam().make({.tolerance = tolerance, .max_iterations = 30, .min_iterations = 1});
  const RigidAccount settled = account_of(*integrator, system, step, 60);
  const RigidAccount rough = account_of(*hurried, system, step, 60);
  EXPECT_EQ(settled.fallbacks, 0);
  EXPECT_GT(rough.fallbacks, 5);
  EXPECT_GT(rough.error, tolerance);
  EXPECT_GT(std::abs(rough.lost[Loss::solver]), 10 * std::abs(settled.lost[Loss::solver]));
  EXPECT_LT(rough.residual, 1e-12 * rough.scale);
}

/// Gravity that is one per cent off, an impulse that was booked and not given: the residual tells both.
TEST_P(RigidContract, ForceOnePerCentOffAndLostImpulsesAreSeen) {
  const double mass = 2, gravity = 9.81;
  const System system = on_floor(properties(geometry::RigidShape::sphere(0.1), mass, {0, 0, -gravity}),
                                 {{{0, 0, 0.2}, {}, {0.3, 0, 0}, {}}}, {0.5, 0.3});
  const auto residual = [&](bool drop_impulse, double force_factor) {
    const auto scheme = GetParam().make();
    State state = testing::started(system, *scheme, step);
    const double e0 = scheme->energy(system, step, state).total();
    double lost = 0;
    for (int n = 0; n < 300; ++n) {
      const StepReport report = scheme->step(system, step, state);
      lost += report.lost.total();
      state.p[2] -= (force_factor - 1) * mass * gravity * step;
      if (drop_impulse && report.closings > 0) state.p[2] -= report.impulses[0].normal_impulse;
    }
    return std::abs(scheme->energy(system, step, state).total() + lost - e0) / (mass * gravity * 0.1);
  };
  EXPECT_LT(residual(false, 1), 1e-12);
  EXPECT_GT(residual(false, 1.01), 1e-3);
  EXPECT_GT(residual(true, 1), 0.1);
}

/// Without the heaps in which the solver's last resort, a sparse factorisation, takes over.
TEST_P(RigidContract, WarmStepAllocatesNothing) {
  std::vector<RigidStart> starts;
  for (int i = 0; i < 6; ++i) starts.push_back({{0.3 * i, 0, 0.05 + 0.01 * i}, {}, {1, 0, 0}, {0, 0, 0.2 * i}});
  const System system = on_floor(properties(box(0.2, 0.2, 0.1), 2, {0, 0, -9.81}), starts, {0.2, 0.05});
  const auto scheme = GetParam().make({.tolerance = 1e-4, .max_iterations = 1000, .min_iterations = 1});
  EXPECT_GT(testing::expect_no_allocation(system, *scheme, step, 300), 0);
}

/// The impulses that are listed are all that act: what they gave is what the momentum and gravity want.
TEST_P(RigidContract, ReportsTellEveryImpulse) {
  const double mass = 2, gravity = 9.81;
  constexpr int steps = 400;
  const System system =
      on_floor(properties(box(0.2, 0.2, 0.2), mass, {0, 0, -gravity}), {{{0, 0, 0.15}, {}, {}, {}}}, {});
  State state = testing::started(system, *integrator, step);
  double reported = 0, last = 0;
  for (int i = 0; i < steps; ++i) {
    for (const Impulse& impulse : integrator->step(system, step, state).impulses) {
      reported += impulse.normal_impulse;
      last = impulse.time;
    }
  }
  EXPECT_NEAR(reported, mass * gravity * steps * step, 2 * mass * gravity * step);
  EXPECT_NEAR(last, steps * step, 2 * step);
}

/// The tumbling of a free box.
TEST_P(RigidContract, FreeMotionHasItsOrder) {
  const RigidStart tumbling{{1, 2, 3}, math::cayley(Vec{0.3, -0.2, 0.5}), {0.1, 0.2, 0.3}, {0.5, 6, -0.4}};
  const System system = on_floor(properties(box(0.3, 0.2, 0.05), 2, {0, 0, -1}), {tumbling}, {});
  const auto orientation = [&](int steps) {
    const auto scheme = GetParam().make();
    State state = testing::started(system, *scheme, 1.0 / steps);
    for (int n = 0; n < steps; ++n) scheme->step(system, 1.0 / steps, state);
    return mechanics::rigid_orientation(&state.q[0]);
  };
  const auto change = [&](int steps) {
    return std::sqrt(math::norm_sq((inverse(orientation(2 * steps)) * orientation(steps)).v));
  };
  const double order = GetParam().scheme == RigidTimeStepping::Scheme::variational ? 2 : 1;
  EXPECT_NEAR(std::log2(change(400) / change(800)), order, 0.1);
}

INSTANTIATE_TEST_SUITE_P(All, RigidContract, ::testing::ValuesIn(rigid_subjects),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace ictus::dynamics
