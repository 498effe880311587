#include <gtest/gtest.h>

#include <ictus/base/error.hpp>

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

TEST(DiscreteGradient, RefusesContactWithoutALayer) {
  DiscreteGradient scheme;
  const dynamics::System system = testing::bars_in_a_row(testing::demoures_bars(1));
  EXPECT_THROW(scheme.prepare(system), base::InputError);
}

}  // namespace
}  // namespace ictus
