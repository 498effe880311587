#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ictus/dynamics/rigid/rigid_system.hpp>

#include "structure/rigid_run.hpp"

// Boxes that tumble onto each other in long steps: what they overlap by on the way is undone.

namespace ictus::dynamics {
namespace {

constexpr double edge = 0.014;

/// A tower of cubes, each turned another way, a little apart.
System falling_cubes() {
  std::vector<RigidStart> starts;
  for (int i = 0; i < 27; ++i) {
    const Vec turn{0.3 * std::sin(1.0 * i), 0.4 * std::sin(2.3 * i), 0.5 * std::cos(1.7 * i)};
    starts.push_back({{0.026 * (i % 3), 0.026 * (i / 3 % 3), 0.03 + 0.03 * (i / 9)}, math::cayley(turn), {}, {}});
  }
  return on_floor(properties(box(edge, edge, edge), 0.007, {0, 0, -9.81}), std::move(starts), {0, 0.3});
}

/// The deepest overlap of two bodies, or of one with the floor.
double deepest(const System& system, const model::State& state) {
  RigidSystem rigid(system);
  std::vector<geometry::Pose> poses;
  for (const RigidUnit& unit : rigid.units) {
    const double* q = &state.q[unit.first_dof];
    poses.push_back({mechanics::rigid_position(q), matrix(mechanics::rigid_orientation(q))});
  }
  const std::vector<double> margins(poses.size(), 0.0);
  double depth = 0;
  for (const contact::RigidTouch& touch : rigid.detector.detect(poses, margins)) depth = std::max(depth, -touch.at.gap);
  return depth;
}

TEST(RigidOverlap, IsUndoneAndWhatThatCostsIsBooked) {
  const System system = falling_cubes();
  RigidRun run(system, 2e-3, RigidTimeStepping::Scheme::variational, 1e-4);
  const double energy = run.energy();
  double on_the_way = 0;
  for (int i = 0; i < 300; ++i) {
    run.steps(1);
    on_the_way = std::max(on_the_way, deepest(system, run.state));
  }
  const double reach = 0.5 * std::sqrt(3.0) * edge;
  EXPECT_GT(on_the_way, 0.05 * reach) << "the step is so long that they do overlap";
  EXPECT_LT(deepest(system, run.state), 0.0105 * reach) << "all but a hundredth of their size is undone";
  EXPECT_NEAR(energy - run.energy(), run.lost.total(), 1e-12 * energy);
  EXPECT_LT(run.lost[model::Loss::parting], 0) << "parting gives energy";
}

}  // namespace
}  // namespace ictus::dynamics
