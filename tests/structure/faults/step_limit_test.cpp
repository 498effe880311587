// Steps near the critical one: what is refused, and what stops.
#include <gtest/gtest.h>

#include <ictus/dynamics/dcr/dcr.hpp>
#include <ictus/dynamics/scheme/capture_return.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/scheme/discrete_gradient.hpp>
#include <ictus/dynamics/scheme/reflection.hpp>

#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/mechanics/shell/shell.hpp>

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

TEST(StepLimit, EveryExplicitSchemeAdvisesAgainstTheCriticalStep) {
  const dynamics::System system = two_bars(mechanics::BarMaterial::linear);
  const auto share = [&](const dynamics::Integrator& scheme) {
    return scheme.step_limit(system).advised / scheme.step_limit(system).step;
  };
  EXPECT_DOUBLE_EQ(share(dynamics::CdLagrange()), 0.95);
  EXPECT_DOUBLE_EQ(share(dynamics::CaptureReturn()), 0.95);
  EXPECT_DOUBLE_EQ(share(dynamics::DiscreteGradient()), 0.95);
  EXPECT_DOUBLE_EQ(share(dynamics::Dcr(false)), 0.95);
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

/// Two thin spheres that strike each other (cirak-2005, §6.2, coarser).
dynamics::System two_spheres() {
  std::vector<dynamics::BodyPtr> bodies;
  for (const double side : {-1.0, 1.0}) {
    mechanics::ShellProperties shell;
    shell.mesh = geometry::sphere(1, geometry::SphereBase::octahedron, 3);
    const Eigen::AngleAxisd rotation(0.6 * side, math::Vec3(0.3, 0.5, 0.2).normalized());
    for (math::Vec3& x : shell.mesh.positions) x = rotation * x + math::Vec3(1.02 * side, 0, 0);
    shell.thickness = 0.05;
    shell.youngs_modulus = 2.1e5;
    shell.poissons_ratio = 0.3;
    shell.density = 0.0785;
    shell.velocity = {side < 0 ? 150.0 : -50.0, 0, 0};
    bodies.push_back(std::make_unique<mechanics::Shell>(side < 0 ? "left" : "right", std::move(shell),
                                                        bodies.empty() ? 0 : bodies[0]->dofs().end()));
  }
  contact::ContactPair pair{};
  pair.first = "left", pair.second = "right";
  pair.first_surface = &bodies[0]->surface(), pair.second_surface = &bodies[1]->surface();
  return {std::move(bodies), {pair}, exec::Executor(1)};
}

/// Shells that are struck at their critical step blow up. The step is refused by default, and a run that takes it none
/// the less ends at once, with its last good state.
TEST(StepLimit, ShellsInContactBlowUpAloud) {
  const dynamics::System system = two_spheres();
  dynamics::CaptureReturn scheme;
  const dynamics::StepLimit limit = scheme.step_limit(system);
  EXPECT_EQ(limit.safe, 0.9);
  for (const double courant : {0.9, 0.95, 1.0}) {
    SCOPED_TRACE(courant);
    const int steps = static_cast<int>(0.05 / (courant * limit.step));
    const testing::LedgerRun run = testing::run_with_ledger(system, scheme, courant * limit.step, steps);
    EXPECT_LT(run.error, 0.1);
    EXPECT_TRUE(courant > limit.safe || run.failure.empty()) << run.failure;
    EXPECT_TRUE(courant < 1 || !run.failure.empty());
  }
}

}  // namespace
}  // namespace ictus
