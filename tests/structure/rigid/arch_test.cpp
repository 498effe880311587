#include <gtest/gtest.h>

#include "structure/rigid/stone_arch.hpp"

namespace ictus::dynamics {
namespace {

const double* keystone(const model::State& state, int stones) {
  return &state.q[static_cast<std::size_t>(stones / 2) * RigidBodies::stride];
}

TEST(StoneArch, StandsWhereTheLineOfThrustIsWithinTheStones) {
  for (const int stones : {5, 9, 15}) {
    const System system = stone_arch(stones, 0.3, {0.3, 0.6});
    RigidRun run(system, 2e-3, RigidTimeStepping::Scheme::variational, 1e-6);
    const std::vector<double> before = run.state.q;
    run.steps(1000);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(run.state.q[i], before[i], 1e-11) << stones;
    EXPECT_EQ(run.fallbacks, 0) << stones;
  }
}

/// A semicircular arch needs a thickness of 0.107 of its mean radius.
TEST(StoneArch, FallsWhereItIsTooThin) {
  const System system = stone_arch(15, 0.06, {0.3, 0.6});
  RigidRun run(system, 2e-3, RigidTimeStepping::Scheme::variational, 1e-6);
  const double before = keystone(run.state, 15)[2];
  run.steps(500);
  EXPECT_LT(keystone(run.state, 15)[2], before - 0.2);
}

/// Without friction the lowest stones slide out.
TEST(StoneArch, FallsWithoutFriction) {
  const System system = stone_arch(9, 0.3, {0.3, 0.05});
  RigidRun run(system, 2e-3, RigidTimeStepping::Scheme::variational, 1e-6);
  const double before = keystone(run.state, 9)[2];
  run.steps(500);
  EXPECT_LT(keystone(run.state, 9)[2], before - 0.2);
}

}  // namespace
}  // namespace ictus::dynamics
