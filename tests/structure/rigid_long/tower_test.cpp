#include <gtest/gtest.h>

#include <cmath>

#include "structure/rigid/stone_arch.hpp"

namespace ictus::dynamics {
namespace {

/// Each step leaves velocities of up to 1e-12 of those of a free fall over the step (0.02 m/s), of either sign: over
/// 2000 s these could add up to 4e-11 m at worst.
TEST(RigidTower, OfTenBoxesStandsForAMillionSteps) {
  std::vector<RigidStart> starts;
  for (int i = 0; i < 10; ++i) starts.push_back({{0, 0, 0.05 + 0.1 * i}, {}, {}, {}});
  const System system = on_floor(properties(box(0.1, 0.1, 0.1), 0.5, {0, 0, -9.81}), starts, {0, 0.5});
  RigidRun run(system, 2e-3, RigidTimeStepping::Scheme::variational, 1e-12);
  run.steps(1000000);
  for (std::size_t i = 0; i < 10; ++i) {
    const double* q = &run.state.q[i * RigidBodies::stride];
    EXPECT_NEAR(q[0], 0, 1e-9) << i;
    EXPECT_NEAR(q[1], 0, 1e-9) << i;
    EXPECT_NEAR(q[2], 0.05 + 0.1 * static_cast<double>(i), 1e-9) << i;
    EXPECT_NEAR(q[3], 1, 1e-12) << i;
  }
  EXPECT_NEAR(run.lost.total(), 0, 1e-6);
}

/// With restitution and the tolerance that scenes have.
TEST(RigidTower, OfTenBoxesThatBounceStandsForAHundredThousandSteps) {
  for (const double width : {0.1, 0.2}) {
    std::vector<RigidStart> starts;
    for (int i = 0; i < 10; ++i) starts.push_back({{0, 0, 0.05 + 0.1 * i}, {}, {}, {}});
    const System system = on_floor(properties(box(width, width, 0.1), 0.5, {0, 0, -9.81}), starts, {0.3, 0.5});
    RigidRun run(system, 2e-3, RigidTimeStepping::Scheme::variational, 1e-6);
    run.steps(100000);
    EXPECT_EQ(run.fallbacks, 0) << width;
    for (std::size_t i = 0; i < 10; ++i) {
      EXPECT_NEAR(run.state.q[i * RigidBodies::stride + 2], 0.05 + 0.1 * static_cast<double>(i), 1e-8) << width;
    }
  }
}

TEST(StoneArch, OfNineStonesStandsForAHundredThousandSteps) {
  const System system = stone_arch(9, 0.3, {0.3, 0.6});
  RigidRun run(system, 2e-3, RigidTimeStepping::Scheme::variational, 1e-6);
  const std::vector<double> before = run.state.q;
  run.steps(100000);
  EXPECT_EQ(run.fallbacks, 0);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(run.state.q[i], before[i], 1e-10);
}

}  // namespace
}  // namespace ictus::dynamics
