// The contract of dynamics::Integrator, kept by every integrator for bars.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <limits>
#include <random>

#include "conformance/contract.hpp"
#include "conformance/integrators/subjects.hpp"
#include "structure/bar_run.hpp"
#include "structure/row_for.hpp"

namespace ictus {
namespace {

using dynamics::Integrator;
using dynamics::System;
using model::State;
using testing::BarRun;
using testing::Subject;

/// Two unlike bars that meet each other and the walls around them again and again.
System busy_row(const Integrator& integrator, std::size_t elements = 10, int threads = 1) {
  std::vector<mechanics::BarProperties> bars(2);
  for (mechanics::BarProperties& bar : bars) {
    bar.length = 1;
    bar.elements = elements;
    bar.mass_per_length = 1;
    bar.stiffness = 1;
    bar.direction = {1, 0, 0};
  }
  bars[0].start = {0, 0, 0};
  bars[0].velocity = 0.1;
  bars[1].start = {1.0001, 0, 0};
  bars[1].velocity = -0.07;
  bars[1].mass_per_length = 2;
  return testing::row_for(integrator, bars, {-0.01, 2.01}, {}, exec::Executor(threads));
}

/// A step that every integrator takes well: a tenth of the time in which a wave crosses an element.
constexpr double quiet_step = 0.01;

class IntegratorConformance : public ::testing::TestWithParam<Subject> {
 protected:
  std::unique_ptr<Integrator> integrator = GetParam().make();
};

TEST_P(IntegratorConformance, FreshIntegratorContinuesACopiedStateToTheSameBits) {
  testing::expect_copies_go_on_to_the_same_bits(busy_row(*integrator), GetParam().make, quiet_step, 1000, 90);
}

TEST_P(IntegratorConformance, TwoThreadsGiveTheSameBitsAsOne) {
  constexpr std::size_t elements = 5000;  // more than one block of a loop
  static_assert(elements > exec::Executor::block_size);
  const double h = 0.5 / static_cast<double>(elements);
  const int contacts = testing::expect_same_bits(busy_row(*integrator, elements, 1), busy_row(*integrator, elements, 2),
                                                 GetParam().make, h, 20);
  EXPECT_TRUE(contacts > 0 || !integrator->capabilities().contact);
}

TEST_P(IntegratorConformance, FreeBarsKeepTheirMomentum) {
  for (const int number : {1, 2, 6}) {
    const System system = testing::row_for(*integrator, testing::demoures_bars(number));
    EXPECT_LT(testing::run_bars(system, *integrator, 0.015, 2000).max_momentum_drift, 1e-12);
  }
}

TEST_P(IntegratorConformance, LedgerOfLinearBarsCloses) {
  const System system = busy_row(*integrator);
  const BarRun run = testing::run_bars(system, *integrator, quiet_step, 3000);
  EXPECT_LT(run.max_residual, 1e-12);
  EXPECT_TRUE(run.closings > 3 || !integrator->capabilities().contact);
  // What supports and walls give is in the reports.
  EXPECT_LT(run.max_momentum_drift, 1e-12);
}

/// Only named stores and losses are used: the columns of the history follow from them.
TEST_P(IntegratorConformance, UsesOnlyTheStoresAndLossesItNames) {
  const dynamics::Capabilities can = integrator->capabilities();
  const System system = busy_row(*integrator);
  const BarRun run =
      testing::run_bars(system, *integrator, quiet_step, 1000, [&](const State& state, const auto& report) {
        const model::Stored stored = integrator->energy(system, quiet_step, state);
        for (const model::Store store : {model::Store::bank, model::Store::layer}) {
          const bool named = std::count(can.stores.begin(), can.stores.end(), store) > 0;
          EXPECT_TRUE(named || stored[store] == 0);
        }
        for (std::size_t i = 0; i < model::Lost::size; ++i) {
          const auto loss = static_cast<model::Loss>(i);
          const bool named = std::count(can.losses.begin(), can.losses.end(), loss) > 0;
          EXPECT_TRUE(named || report.lost[loss] == 0) << model::loss_names[i];
        }
      });
}

TEST_P(IntegratorConformance, WarmStepAllocatesNothing) {
  const int contacts = testing::expect_no_allocation(busy_row(*integrator), *integrator, quiet_step, 3000);
  EXPECT_TRUE(contacts > 0 || !integrator->capabilities().contact);
}

/// Growth of the largest momentum over many steps of free vibration, from a ragged shape that holds every mode.
double growth(const System& system, Integrator& integrator, double h) {
  integrator.prepare(system);
  State state = system.initial_state();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(-1e-6, 1e-6);
  for (double& q : state.q) q = value(random);
  for (double& p : state.p) p = 0;
  integrator.start(system, h, state);
  try {
    for (int n = 0; n < 600; ++n) integrator.step(system, h, state);
  } catch (const base::NumericalFailure&) {
    return std::numeric_limits<double>::infinity();
  }
  double largest = 0;
  for (const double p : state.p) largest = std::max(largest, std::abs(p));
  return largest / 1e-6;
}

/// Below the limit that an integrator states its free motion is bounded; above that of the bodies, which contact may
/// lower further, it is not.
TEST_P(IntegratorConformance, StepLimitIsTheLimitOfStability) {
  std::vector<mechanics::BarProperties> bars{testing::demoures_bars(1)[0]};
  const System system = testing::row_for(*integrator, bars, {-1000.0, 1000.0});
  const dynamics::StepLimit limit = integrator->step_limit(system);
  ASSERT_GT(limit.step, 0);
  if (!std::isfinite(limit.step)) {
    EXPECT_LT(growth(system, *integrator, 2.0), 100);
    return;
  }
  EXPECT_FALSE(limit.reason.empty());
  EXPECT_LT(growth(system, *integrator, 0.99 * limit.step), 100);
  EXPECT_GT(growth(system, *integrator, 1.03 * dynamics::explicit_step_limit(system).step), 1e6);
}

/// A run that blows up ends in an error, not in numbers that are none.
TEST_P(IntegratorConformance, UnstableContactEndsInAFailure) {
  const System system = busy_row(*integrator);
  const double limit = integrator->step_limit(system).step;
  if (!std::isfinite(limit) || !integrator->capabilities().contact) GTEST_SKIP() << "nothing can blow up";
  State state = testing::started(system, *integrator, 1.5 * limit);
  EXPECT_THROW(for (int n = 0; n < 20000; ++n) integrator->step(system, 1.5 * limit, state), base::NumericalFailure);
}

INSTANTIATE_TEST_SUITE_P(All, IntegratorConformance, ::testing::ValuesIn(testing::subjects()),
                         [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace ictus
