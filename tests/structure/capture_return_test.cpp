#include <gtest/gtest.h>

#include "structure/bar_run.hpp"
#include "structure/schemes.hpp"

namespace ictus {
namespace {

using dynamics::CaptureReturn;
using model::Loss;
using testing::BarRun;

double extra(const dynamics::Integrator& scheme, const model::State& state, const std::string& name) {
  for (const auto& [key, value] : scheme.extras(state)) {
    if (key == name) return value;
  }
  ADD_FAILURE() << "no figure " << name;
  return 0;
}

TEST(CaptureReturn, IdenticalBarsMatchTheReference) {
  CaptureReturn scheme;
  const dynamics::System system = testing::row_for(scheme, testing::demoures_bars(1));
  const BarRun run = testing::run_bars(system, scheme, 0.015, 2666);
  EXPECT_LT(run.max_energy_error, 1e-13);
  for (const std::size_t bar : {0, 1}) {
    double momentum = 0;
    for (std::size_t i = 0; i < 51; ++i) momentum += run.state.p[51 * bar + i];
    EXPECT_NEAR(momentum / 10, bar == 0 ? -0.0987 : 0.0987, 1e-4);
  }
  // The tips, 1/100 of the mass of the bars, are stopped once.
  EXPECT_NEAR(extra(scheme, run.state, "bank_max") / run.initial_energy, 0.01, 1e-12);
  EXPECT_EQ(extra(scheme, run.state, "returns"), 1);
  EXPECT_EQ(extra(scheme, run.state, "bank"), 0);
}

/// While tips push they move together: the relative velocity after each push is round-off.
TEST(CaptureReturn, TipsInContactHaveOneVelocity) {
  for (int number = 1; number <= 6; ++number) {
    for (const double fraction : {0.05, 0.5, 0.95}) {
      SCOPED_TRACE(::testing::Message() << "case " << number << " fraction " << fraction);
      CaptureReturn scheme;
      const dynamics::System system = testing::row_for(scheme, testing::demoures_bars(number));
      const double h = fraction * scheme.step_limit(system).step;
      double worst = 0, returns = 0;
      int pushes = 0;
      testing::run_bars(system, scheme, h, static_cast<int>(40 / h), [&](const auto& state, const auto& report) {
        const double returned = extra(scheme, state, "returns") - returns;
        returns += returned;
        if (report.contacts == 0 || returned > 0) return;
        ++pushes;
        const double left = state.p[50] * system.inverse_mass()[50], right = state.p[51] * system.inverse_mass()[51];
        worst = std::max(worst, std::abs(right - left));
      });
      EXPECT_GT(pushes, 50);
      EXPECT_GE(returns, 1);
      EXPECT_LT(worst, 1e-15);  // velocities of order 1 and below
    }
  }
}

TEST(CaptureReturn, BankIsNeverInDebt) {
  for (int number = 1; number <= 6; ++number) {
    CaptureReturn scheme;
    const dynamics::System system = testing::row_for(scheme, testing::demoures_bars(number));
    double least = 0;
    const BarRun run = testing::run_bars(
        system, scheme, 0.95 * scheme.step_limit(system).step, 400,
        [&](const auto& state, const auto&) { least = std::min(least, extra(scheme, state, "bank")); });
    EXPECT_GE(least, -1e-15 * run.initial_energy);
  }
}

/// e returns e² of the bank, and the rest is booked; without any return the loss is that of CD-Lagrange.
TEST(CaptureReturn, RestitutionKeepsItsShareOfTheBank) {
  for (const double e : {0.0, 0.5, 0.9}) {
    SCOPED_TRACE(e);
    CaptureReturn scheme;
    const dynamics::System system = testing::row_for(scheme, testing::demoures_bars(1), {}, e);
    const BarRun run = testing::run_bars(system, scheme, 0.015, 2666);
    EXPECT_LT(run.max_residual, 1e-12);
    EXPECT_NEAR(run.lost[Loss::restitution] / run.initial_energy, 0.01 * (1 - e * e), 1e-12);
  }
}

class Control : public ::testing::Test {
 protected:
  static BarRun run(CaptureReturn& scheme, dynamics::ShadowEnergy& shadow, double h, double& drift) {
    std::vector<mechanics::BarProperties> bars = testing::demoures_bars(3);
    for (auto& bar : bars) bar.material = mechanics::BarMaterial::st_venant_kirchhoff;
    const dynamics::System system = testing::row_for(scheme, bars);
    shadow.prepare(system);
    scheme.prepare(system);
    model::State start = system.initial_state();
    scheme.start(system, h, start);
    BarRun run = testing::run_bars(system, scheme, h, static_cast<int>(40 / h));
    const double reference = shadow.evaluate(system, h, start.q, start.p);
    drift = std::abs(shadow.evaluate(system, h, run.state.q, run.state.p) / reference - 1);
    return run;
  }
};

/// What impacts leave of the shadow energy is of second order in the step; the control removes all but a higher order.
TEST_F(Control, RemovesTheDriftOfNonlinearBars) {
  dynamics::ShadowEnergy shadow;
  for (const double h : {0.005, 0.01, 0.02}) {
    CaptureReturn with, without({.control = false});
    double drift_with = 0, drift_without = 0;
    const BarRun controlled = run(with, shadow, h, drift_with);
    const BarRun free = run(without, shadow, h, drift_without);
    EXPECT_LT(drift_with, drift_without / 50);
    EXPECT_EQ(free.lost[Loss::control], 0);
    EXPECT_NE(extra(without, free.state, "control_error"), 0);  // always shown
    EXPECT_NEAR(controlled.lost[Loss::control], -extra(with, controlled.state, "control_given"), 1e-18);
    EXPECT_NE(controlled.lost[Loss::control], 0);
  }
}

TEST_F(Control, HasNothingToDoOnLinearBars) {
  CaptureReturn scheme;
  const dynamics::System system = testing::row_for(scheme, testing::demoures_bars(3));
  const BarRun run = testing::run_bars(system, scheme, 0.05, 800);
  EXPECT_GE(extra(scheme, run.state, "returns"), 1);
  EXPECT_EQ(run.lost[Loss::control], 0);
}

}  // namespace
}  // namespace ictus
