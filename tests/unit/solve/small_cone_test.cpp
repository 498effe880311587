#include <gtest/gtest.h>

#include <ictus/solve/cone/cone_solver.hpp>
#include <ictus/solve/cone/small_cone.hpp>

#include "allocation_count.hpp"
#include "support/random_cones.hpp"

namespace ictus::solve {
namespace {

SmallCone small(const BlockProblem& problem) {
  std::vector<double> state(problem.state_size(), 0.0);
  return small_cone(problem, exec::Executor(), state);
}

TEST(Enumeration, IsExactToRoundOff) {
  const FrictionCone cones[] = {FrictionCone(0.0), FrictionCone(0.3), FrictionCone(0.5, 0.2), FrictionCone(0.0, 0.4)};
  for (unsigned seed = 0; seed < 200; ++seed) {
    const int contacts = 1 + static_cast<int>(seed % 3);
    const SmallCone problem = small(RandomCones(seed).block_problem(contacts, 10, cones[seed % 4]));
    std::vector<double> r(static_cast<std::size_t>(3 * contacts), 0.0);
    const ConeReport report = solve_by_enumeration(problem, {.tolerance = 1e-12}, r);
    ASSERT_TRUE(report.solved()) << "seed " << seed << ", error " << report.error;
    EXPECT_LE(problem.error(r), 1e-12);
  }
}

TEST(Enumeration, TakesTheGuessedCombinationFirst) {
  const SmallCone problem = small(RandomCones(17).block_problem(3, 12, FrictionCone(0.3)));
  std::vector<double> r(9, 0.0);
  const ConeReport cold = solve_by_enumeration(problem, {}, r);
  ASSERT_TRUE(cold.solved());
  EXPECT_GT(cold.iterations, 1);
  EXPECT_EQ(solve_by_enumeration(problem, {}, r).iterations, 1);
}

TEST(Enumeration, SupportsTwiceAtOnePosition) {
  // Two contacts at the same point: the reactions can be split in any way, the velocity is that of one.
  SmallCone problem;
  problem.contacts = 2;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) problem.w[i][j] = i % 3 == j % 3 ? 1.0 : 0.0;
    problem.q[i] = i % 3 == 0 ? -1.0 : 0.2;
  }
  problem.cones = {FrictionCone(0.5), FrictionCone(0.5)};
  std::vector<double> r(6, 0.0);
  ASSERT_TRUE(solve_by_enumeration(problem, {.tolerance = 1e-14}, r).solved());
  EXPECT_NEAR(r[0] + r[3], 1.0, 1e-15);
  EXPECT_NEAR(r[1] + r[4], -0.2, 1e-15);
}

TEST(Enumeration, SaysWhenNothingFits) {
  // A held contact point that is being penetrated.
  SmallCone problem;
  problem.contacts = 1;
  problem.q = {-1.0, 0.0, 0.0};
  problem.cones[0] = FrictionCone(0.5);
  std::vector<double> r(3, 0.0);
  EXPECT_EQ(solve_by_enumeration(problem, {}, r).status, ConeStatus::unsuitable);
}

TEST(Enumeration, FindsSlidingAlongTheFirstTangentDespiteRoundOffAcross) {
  // The direction is a hair below 0, where the search over angles begins and ends.
  for (const double across : {-1e-19, 0.0, 1e-19}) {
    SmallCone problem;
    problem.contacts = 1;
    for (int i = 0; i < 3; ++i) problem.w[i][i] = 1.0;
    problem.q = {-1.0, 4.0, across};
    problem.cones[0] = FrictionCone(0.5);
    std::vector<double> r(3, 0.0);
    ASSERT_TRUE(solve_by_enumeration(problem, {}, r).solved());
    EXPECT_NEAR(r[0], 1.0, 1e-15);
    EXPECT_NEAR(r[1], -0.5, 1e-15);
    EXPECT_NEAR(r[2], 0.0, 1e-15);
  }
}

TEST(Enumeration, AllocatesNothing) {
  const SmallCone problem = small(RandomCones(3).block_problem(3, 12, FrictionCone(0.3)));
  std::vector<double> r(9, 0.0);
  const std::size_t before = testing::allocation_count();
  solve_by_enumeration(problem, {}, r);
  EXPECT_EQ(testing::allocation_count(), before);
}

}  // namespace
}  // namespace ictus::solve
