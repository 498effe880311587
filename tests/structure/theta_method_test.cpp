#include <gtest/gtest.h>

#include <ictus/dynamics/implicit/theta_method.hpp>

#include "structure/bar_run.hpp"
#include "structure/two_bars.hpp"

namespace ictus {
namespace {

using testing::BarRun;

class ThetaMethodTheta : public ::testing::TestWithParam<double> {};

TEST_P(ThetaMethodTheta, EnergyLostIsWhatTheTheorySays) {
  for (int number = 1; number <= 6; ++number) {
    const dynamics::System system = testing::bars_in_a_row(testing::demoures_bars(number));
    dynamics::ThetaMethod integrator(GetParam());
    const BarRun run = testing::run_bars(system, integrator, 0.1, 400);
    EXPECT_LT(run.max_residual, 1e-12) << number;
    EXPECT_LT(run.max_momentum_drift, 1e-12) << number;
    EXPECT_GE(run.lost[model::Loss::impact], -1e-14 * run.initial_energy) << number;  // zero up to rounding at θ = 1
    if (GetParam() == 0.5) {
      EXPECT_EQ(run.lost[model::Loss::damping], 0.0) << number;
    } else {
      EXPECT_GT(run.lost[model::Loss::damping], 0.0) << number;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Theta, ThetaMethodTheta, ::testing::Values(0.5, 0.75, 1.0));

TEST(ThetaMethod, RunsFarAboveTheExplicitStep) {
  const dynamics::System system = testing::bars_in_a_row(testing::demoures_bars(1));
  dynamics::ThetaMethod integrator(1.0);
  const BarRun run = testing::run_bars(system, integrator, 2.0, 30);  // ten times the time of a wave through an element
  EXPECT_LT(run.max_residual, 1e-12);
  EXPECT_LT(run.final_energy, run.initial_energy);
}

TEST(ThetaMethod, HeldEndsGiveTheirReactionToTheLedger) {
  std::vector<mechanics::BarProperties> bars = testing::demoures_bars(1);
  bars[1].fixed_end = true;
  bars[1].velocity = 0;
  const dynamics::System system = testing::bars_in_a_row(bars);
  dynamics::ThetaMethod integrator(0.5);
  const BarRun run = testing::run_bars(system, integrator, 0.1, 600);
  EXPECT_LT(run.max_residual, 1e-12);
  EXPECT_LT(run.max_momentum_drift, 1e-12);
}

}  // namespace
}  // namespace ictus
