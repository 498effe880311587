// Steps near the critical one: what is refused, and what stops.
#include <gtest/gtest.h>

#include <ictus/dynamics/capture_return.hpp>
#include <ictus/dynamics/reflection.hpp>

#include "structure/two_bars.hpp"
#include "support/ledger_run.hpp"

namespace ictus {
namespace {

dynamics::System two_bars(mechanics::BarMaterial material) {
  auto bars = testing::demoures_bars(1);
  for (mechanics::BarProperties& bar : bars) bar.material = material;
  return testing::bars_in_a_row(bars);
}

TEST(StepLimit, NonlinearBodiesKeepATenthForStrain) {
  const dynamics::System linear = two_bars(mechanics::BarMaterial::linear),
                         nonlinear = two_bars(mechanics::BarMaterial::st_venant_kirchhoff);
  const dynamics::CaptureReturn scheme;
  EXPECT_EQ(scheme.step_limit(linear).safe, 1);
  EXPECT_EQ(scheme.step_limit(nonlinear).safe, 0.9);
  EXPECT_EQ(scheme.step_limit(nonlinear).step, scheme.step_limit(linear).step);
  EXPECT_FALSE(scheme.step_limit(nonlinear).safety.empty());
}

TEST(StepLimit, ReflectionStaysAwayFromTheCriticalStep) {
  const dynamics::System system = two_bars(mechanics::BarMaterial::linear);
  EXPECT_EQ(dynamics::Reflection().step_limit(system).safe, 0.98);
  EXPECT_LT(dynamics::Reflection().step_limit(system).advised, dynamics::Reflection().step_limit(system).step);
}

/// Where it may step, the energy at one instant stays near that which it keeps; nearer to the critical step it grows
/// beyond it, though the other is kept to round-off, and the run ends.
TEST(StepLimit, ReflectionBeyondItsLimitStops) {
  const dynamics::System system = two_bars(mechanics::BarMaterial::linear);
  dynamics::Reflection scheme;
  const double critical = scheme.step_limit(system).step;
  EXPECT_EQ(testing::run_with_ledger(system, scheme, 0.9 * critical, 1000).failure, "");
  const testing::LedgerRun near = testing::run_with_ledger(system, scheme, 0.9999 * critical, 1000);
  EXPECT_NE(near.failure.find("unstable"), std::string::npos) << near.failure;
  EXPECT_LT(near.residual, 1e-9);
}

}  // namespace
}  // namespace ictus
