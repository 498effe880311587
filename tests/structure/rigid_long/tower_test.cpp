#include <gtest/gtest.h>

#include <cmath>

#include "structure/rigid_run.hpp"

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

}  // namespace
}  // namespace ictus::dynamics
