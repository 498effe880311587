#include <gtest/gtest.h>

#include <ictus/base/error.hpp>
#include <ictus/dynamics/collision/multisymplectic.hpp>
#include <ictus/dynamics/collision/multisymplectic_prolonged.hpp>

#include "structure/bar_run.hpp"
#include "structure/two_bars.hpp"

namespace ictus {
namespace {

using testing::BarRun;

BarRun run_case(int number, double h, double end) {
  const dynamics::System system = testing::bars_in_a_row(testing::demoures_bars(number));
  dynamics::Multisymplectic integrator;
  return testing::run_bars(system, integrator, h, static_cast<int>(std::ceil(end / h * (1 - 1e-12))));
}

TEST(Multisymplectic, IdenticalBarsMatchTheReference) {
  const BarRun run = run_case(1, 0.015, 40);
  EXPECT_EQ(run.closings, 75);
  EXPECT_NEAR(run.max_energy_error, 4.70e-4, 0.005e-4);
  EXPECT_NEAR(run.last_impulse_time - run.first_impulse_time, 20.016, 5e-4);
  EXPECT_NEAR(run.first_impulse_time, 0.05, 1e-12);  // gap 0.01 at 0.2 m/s
  EXPECT_EQ(run.fallbacks, 0);
}

class MultisymplecticCases : public ::testing::TestWithParam<int> {};

TEST_P(MultisymplecticCases, KeepMomentumAndExplainEveryJoule) {
  const BarRun run = run_case(GetParam(), 0.015, 40);
  EXPECT_LT(run.max_momentum_drift, 1e-12);
  EXPECT_LT(run.max_residual, 1e-12);  // unequal intervals and the trapezoid's share are booked exactly
  EXPECT_LT(run.max_energy_error, 5e-3);
  EXPECT_GT(run.closings, 0);
}

INSTANTIATE_TEST_SUITE_P(Demoures, MultisymplecticCases, ::testing::Range(1, 7));

TEST(Multisymplectic, EnergyErrorFallsWithTheSquareOfTheStep) {
  // Collisions fall at irregular positions in the step, so single ratios scatter: the slope over a decade is asserted.
  const double coarse = run_case(1, 0.015, 40).max_energy_error, fine = run_case(1, 0.0015, 40).max_energy_error;
  EXPECT_NEAR(std::log10(coarse / fine), 2.0, 0.3);
  EXPECT_LT(fine, 6e-6);
}

TEST(Multisymplectic, CradleHandlesSeveralCollisionsInOneStep) {
  // Five touching bars hit by a sixth equal one: collisions at several positions within each step.
  std::vector<mechanics::BarProperties> bars(6, testing::demoures_bars(1)[0]);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    bars[i].start = {10.001 * static_cast<double>(i), 0, 0};
    bars[i].velocity = i == 0 ? 0.2 : 0.0;
  }
  const dynamics::System system = testing::bars_in_a_row(bars);
  dynamics::Multisymplectic integrator;
  const BarRun run = testing::run_bars(system, integrator, 0.02, 8000);
  EXPECT_LT(run.max_momentum_drift, 1e-12);
  EXPECT_LT(run.max_residual, 1e-12);
  // The last bar leaves with the momentum of the first, up to what the mesh disperses.
  const mechanics::Momentum last = system.bodies().back()->momentum(run.state.q, run.state.p);
  EXPECT_NEAR(last.linear.x(), 0.2 * 10, 0.1 * 0.2 * 10);
}

// What gravity is counted from decides the sign of the energy, and nothing else.
TEST(Multisymplectic, CollisionsAtNegativeEnergyAreNoFallbacks) {
  for (const double position : {-1e3, 0.0, 1e3}) {
    std::vector<mechanics::BarProperties> bars = testing::demoures_bars(1);
    for (mechanics::BarProperties& bar : bars) {
      bar.gravity = {1e-3, 0, 0};
      bar.start.x() += position;
    }
    const dynamics::System system = testing::bars_in_a_row(bars);
    dynamics::Multisymplectic integrator;
    const BarRun run = testing::run_bars(system, integrator, 0.015, 2667);
    EXPECT_EQ((run.initial_energy < 0), (position > 0));
    EXPECT_EQ(run.closings, 75) << position;
    EXPECT_EQ(run.fallbacks, 0) << position;
    EXPECT_EQ(run.lost[model::Loss::fallback], 0) << position;
  }
}

// The forces of nonlinear bars make another chord at the start of an interval than at its end.
TEST(Multisymplectic, NonlinearBarsExplainEveryJoule) {
  std::vector<mechanics::BarProperties> bars = testing::demoures_bars(1);
  for (mechanics::BarProperties& bar : bars) bar.material = mechanics::BarMaterial::st_venant_kirchhoff;
  const dynamics::System system = testing::bars_in_a_row(bars);
  dynamics::Multisymplectic integrator;
  const BarRun run = testing::run_bars(system, integrator, 0.015, 2667);
  EXPECT_GT(run.closings, 10);
  EXPECT_LT(run.max_residual, 1e-12);
  EXPECT_LT(run.max_energy_error, 5e-3);
}

BarRun run_prolonged(int number, double h, double end, dynamics::MultisymplecticProlonged& integrator) {
  std::vector<mechanics::BarProperties> bars = testing::demoures_bars(number);
  bars[0].massless_end = bars[1].massless_start = true;
  const dynamics::System system = testing::bars_in_a_row(bars);
  return testing::run_bars(system, integrator, h, static_cast<int>(std::ceil(end / h * (1 - 1e-12))));
}

TEST(MultisymplecticProlonged, IdenticalBarsMatchTheReference) {
  dynamics::MultisymplecticProlonged integrator;
  const BarRun run = run_prolonged(1, 0.015, 40, integrator);
  const dynamics::Extras extras = integrator.extras(run.state);
  EXPECT_EQ(extras[0].second, 4);
  EXPECT_NEAR(run.max_energy_error, 1.42e-4, 0.005e-4);
  EXPECT_NEAR(extras[2].second - extras[1].second, 20.171, 5e-4);
}

TEST(MultisymplecticProlonged, TipsRestInContact) {
  // The tip of identical bars, the mean of the end masses weighted by their equal layers, rests by symmetry.
  std::vector<mechanics::BarProperties> bars = testing::demoures_bars(1);
  bars[0].massless_end = bars[1].massless_start = true;
  const dynamics::System system = testing::bars_in_a_row(bars);
  dynamics::MultisymplecticProlonged integrator;
  std::vector<double> v(system.dofs());
  double worst = 0;
  testing::run_bars(system, integrator, 0.015, 1300, [&](const model::State& state, const auto&) {
    integrator.velocity(system, 0.015, state, v);
    worst = std::max(worst, std::abs(v[50] + v[51]) / 2);
  });
  EXPECT_LT(worst, 1e-12);
}

TEST(MultisymplecticProlonged, RefusesPointsWithoutALayerThatWouldPassThrough) {
  const dynamics::System system = testing::bars_in_a_row(testing::demoures_bars(1));  // tips with mass
  dynamics::MultisymplecticProlonged integrator;
  EXPECT_THROW(integrator.prepare(system), base::InputError);
}

class ProlongedCases : public ::testing::TestWithParam<int> {};

TEST_P(ProlongedCases, KeepMomentumAndExplainEveryJoule) {
  dynamics::MultisymplecticProlonged integrator;
  const BarRun run = run_prolonged(GetParam(), 0.015, 40, integrator);
  EXPECT_LT(run.max_momentum_drift, 1e-12);
  EXPECT_LT(run.max_residual, 1e-12);
  EXPECT_LT(run.max_energy_error, 2e-3);
  EXPECT_GT(run.closings, 0);
}

INSTANTIATE_TEST_SUITE_P(Demoures, ProlongedCases, ::testing::Range(1, 7));

}  // namespace
}  // namespace ictus
