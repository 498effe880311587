#include <gtest/gtest.h>

#include <ictus/dynamics/dcr.hpp>

#include "structure/bar_run.hpp"
#include "structure/two_bars.hpp"

namespace ictus {
namespace {

using testing::BarRun;

/// Two bars of cirak-2005 §6.1: 100 elements each, touching at the start.
std::vector<mechanics::BarProperties> cirak_bars() {
  std::vector<mechanics::BarProperties> bars = testing::demoures_bars(1);
  bars[0].elements = bars[1].elements = 100;
  bars[0].start.x() = -10;
  bars[1].start.x() = 0;
  return bars;
}

struct Reference {
  double step, last_contact, velocity_rms, final_energy;
};

class DcrReference : public ::testing::TestWithParam<Reference> {};

TEST_P(DcrReference, TwoBars) {
  const Reference ref = GetParam();
  const dynamics::System system = testing::bars_in_a_row(cirak_bars());
  dynamics::Dcr integrator(false);
  double sum = 0;
  int count = 0;
  std::vector<double> v(system.unknowns());
  const int steps = static_cast<int>(std::lround(30 / ref.step));
  const BarRun run =
      testing::run_bars(system, integrator, ref.step, steps, [&](const model::State& state, const auto&) {
        if (state.time <= 1 || state.time >= 19) return;
        integrator.velocity(system, ref.step, state, v);
        sum += v[100] * v[100];
        ++count;
      });
  EXPECT_NEAR(run.last_impulse_time, ref.last_contact, 0.006);
  EXPECT_NEAR(std::sqrt(sum / count), ref.velocity_rms, 0.00006);
  EXPECT_NEAR(run.final_energy / run.initial_energy - 1, ref.final_energy, 0.006e-3);
  EXPECT_LT(run.max_residual, 1e-12);
  EXPECT_LT(run.max_momentum_drift, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Cirak, DcrReference,
                         ::testing::Values(Reference{0.05, 20.05, 0.0134, -5.80e-3},
                                           Reference{0.01, 20.08, 0.0049, -9.00e-3}));

TEST(Dcr, TheEnergyCorrectionTakesOutWhatTheImpactHas) {
  // In lasting contact a projection puts in more than the closing motion holds: the correction then stops the closing,
  // which is counted, and takes out no more than the projection put in.
  const dynamics::System system = testing::bars_in_a_row(cirak_bars());
  dynamics::Dcr corrected(true);
  const BarRun run = testing::run_bars(system, corrected, 0.01, 3000);
  EXPECT_LT(run.max_residual, 1e-12);
  EXPECT_LT(run.lost[model::Loss::projection], 0.0);
  EXPECT_GT(run.lost[model::Loss::restitution], 0.3 * -run.lost[model::Loss::projection]);
  EXPECT_LT(run.lost[model::Loss::restitution], -run.lost[model::Loss::projection]);
  EXPECT_GT(run.fallbacks, 0);
}

TEST(Dcr, RestitutionIsBookedByName) {
  std::vector<mechanics::BarProperties> bars = testing::demoures_bars(1);
  dynamics::System system = testing::bars_in_a_row(bars, exec::Executor(1), 0.5);
  dynamics::Dcr integrator(false);
  const BarRun run = testing::run_bars(system, integrator, 0.05, 30);
  EXPECT_LT(run.max_residual, 1e-12);
  EXPECT_GT(run.lost[model::Loss::restitution], 0.0);
}

}  // namespace
}  // namespace ictus
