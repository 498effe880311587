#include <gtest/gtest.h>

#include <ictus/base/error.hpp>
#include <ictus/contact/law/layer_load.hpp>

#include "structure/bar_run.hpp"
#include "structure/schemes.hpp"

namespace ictus {
namespace {

using dynamics::DiscreteGradient;
using testing::BarRun;

TEST(DiscreteGradient, IdenticalBarsMatchTheReference) {
  DiscreteGradient scheme;
  const dynamics::System system = testing::row_for(scheme, testing::demoures_bars(1));
  const BarRun run = testing::run_bars(system, scheme, 0.015, 2666);
  EXPECT_LT(run.max_energy_error, 2e-14);  // round-off
  EXPECT_NEAR(run.first_impulse_time, 0.045, 1e-12);
  EXPECT_NEAR(run.last_impulse_time, 20.07, 1e-12);
}

TEST(DiscreteGradient, ContactIsUnbroken) {
  for (const int number : {1, 2, 5, 6}) {
    SCOPED_TRACE(number);
    DiscreteGradient scheme;
    const dynamics::System system = testing::row_for(scheme, testing::demoures_bars(number));
    int pushes = 0;
    const BarRun run = testing::run_bars(system, scheme, 0.06, 666,
                                         [&](const auto&, const auto& report) { pushes += report.contacts; });
    EXPECT_EQ(pushes, std::lround((run.last_impulse_time - run.first_impulse_time) / 0.06) + 1);
  }
}

TEST(DiscreteGradient, CriticalStepIsThatOfTheBarsWithMasslessTips) {
  DiscreteGradient scheme;
  const dynamics::System system = testing::row_for(scheme, testing::demoures_bars(1));
  const double limit = scheme.step_limit(system).step;
  EXPECT_NEAR(limit, 0.2 * std::pow(3.0, 0.25) / std::sqrt(2.0), 1e-12);  // l/c = 0.2
  EXPECT_LT(testing::run_bars(system, scheme, 0.9999 * limit, 2000).max_energy_error, 1e-12);
  // Above it the mode of the tips grows until something gives.
  EXPECT_THROW(testing::run_bars(system, scheme, 1.01 * limit, 20000), base::NumericalFailure);
}

/// The massless tips of equal bars rest where they meet, however the masses behind them ring, and carry one force.
TEST(DiscreteGradient, MasslessTipsMeet) {
  for (const int number : {1, 2}) {
    DiscreteGradient scheme;
    const dynamics::System system = testing::row_for(scheme, testing::demoures_bars(number));
    double worst_gap = 0, worst_rate = 0, worst_force = 0, fastest = 0;
    testing::run_bars(system, scheme, 0.015, 1200, [&](const auto& state, const auto&) {
      std::vector<double> v(system.dofs()), left(3), right(3);
      scheme.velocity(system, 0.015, state, v);
      const auto loads = contact::layer_loads(system.pairs(), state.q, v);
      if (loads.empty()) return;
      system.bodies()[0]->probe(1.0, {state.q, v, loads}, left);
      system.bodies()[1]->probe(0.0, {state.q, v, loads}, right);
      worst_gap = std::max(worst_gap, std::abs(0.01 + right[0] - left[0]));
      worst_rate = std::max(worst_rate, std::abs(right[1] - left[1]));
      worst_force = std::max(worst_force, std::abs(right[2] - left[2]));
      fastest = std::max(fastest, std::abs(left[1]));
    });
    EXPECT_LT(worst_gap, 1e-14);
    EXPECT_LT(worst_rate, 1e-14);
    EXPECT_EQ(worst_force, 0.0);
    EXPECT_TRUE(number != 1 || fastest < 1e-13) << fastest;  // symmetry
  }
}

/// What restitution keeps back of the layers' energy is in the ledger, at any step; the tips still meet without
/// chatter.
TEST(DiscreteGradient, RestitutionIsALossWithAName) {
  for (const double e : {0.0, 0.5, 0.9}) {
    for (const double h : {0.015, 0.1}) {
      SCOPED_TRACE(::testing::Message() << "restitution " << e << " step " << h);
      DiscreteGradient scheme;
      const dynamics::System system = testing::row_for(scheme, testing::demoures_bars(1), {}, e);
      const BarRun run = testing::run_bars(system, scheme, h, static_cast<int>(40 / h));
      EXPECT_LT(run.max_residual, 1e-12);
      EXPECT_LT(run.max_momentum_drift, 1e-13);
      EXPECT_GT(run.lost[model::Loss::restitution], 0);
      EXPECT_EQ(run.lost.total(), run.lost[model::Loss::restitution]);
    }
  }
}

TEST(DiscreteGradient, RefusesContactWithoutALayer) {
  DiscreteGradient scheme;
  const dynamics::System system = testing::bars_in_a_row(testing::demoures_bars(1));
  EXPECT_THROW(scheme.prepare(system), base::InputError);
}

}  // namespace
}  // namespace ictus
