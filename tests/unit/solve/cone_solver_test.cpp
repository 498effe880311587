#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/solve/cone/cone_solver.hpp>
#include <ictus/solve/cone/small_cone.hpp>
#include <ictus/solve/sweeps/conjugate_directions.hpp>
#include <ictus/solve/sweeps/gauss_seidel.hpp>
#include <limits>

#include "allocation_count.hpp"
#include "support/random_cones.hpp"

namespace ictus::solve {
namespace {

std::vector<Local> velocities(const BlockProblem& problem, const std::vector<double>& r) {
  std::vector<Local> u;
  for (std::size_t i = 0; i < problem.size(); ++i) u.push_back(problem.velocity(i, r));
  return u;
}

/// A block of mass 1 on a plane, W = 1, pushed down by 1 and sideways.
BlockProblem block_on_plane(const FrictionCone& cone, const Local& q) {
  return BlockProblem({.row_offsets = {0, 1},
                       .columns = {0},
                       .blocks = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                       .q = {q},
                       .cones = {cone}});
}

class EveryMethod : public ::testing::TestWithParam<ConeMethod> {
 protected:
  ConeReport solve(const BlockProblem& problem, std::vector<double>& r, double tolerance = 1e-12) const {
    r.assign(3 * problem.size(), 0.0);
    return ConeSolver({.method = GetParam(), .tolerance = tolerance}).solve(problem, r);
  }
};

TEST_P(EveryMethod, KnowsTheBlockOnAPlane) {
  std::vector<double> r;
  // Leaves: no reaction.
  ASSERT_TRUE(solve(block_on_plane(FrictionCone(0.5), {1, 2, 0}), r).solved());
  EXPECT_EQ(r, (std::vector<double>{0, 0, 0}));
  // Stays: friction takes all of 0.3.
  ASSERT_TRUE(solve(block_on_plane(FrictionCone(0.5), {-1, 0.3, 0}), r).solved());
  EXPECT_NEAR(r[0], 1.0, 1e-11);
  EXPECT_NEAR(r[1], -0.3, 1e-11);
  // Slides: friction is μ r_N against the motion.
  ASSERT_TRUE(solve(block_on_plane(FrictionCone(0.5), {-1, 3, -4}), r).solved());
  EXPECT_NEAR(r[0], 1.0, 1e-11);
  EXPECT_NEAR(r[1], -0.3, 1e-11);
  EXPECT_NEAR(r[2], 0.4, 1e-11);
}

TEST_P(EveryMethod, AgreesOnProblemsOfFullRank) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const int contacts = 1 + static_cast<int>(seed) % 3;
    const BlockProblem problem = RandomCones(seed).block_problem(contacts, 3 * contacts + 3, FrictionCone(0.4));
    std::vector<double> r, reference(3 * problem.size(), 0.0);
    ASSERT_TRUE(solve(problem, r).solved()) << "seed " << seed;
    ConeSolver({.method = ConeMethod::sorp, .tolerance = 1e-13}).solve(problem, reference);
    // Moderate friction on full rank has one solution; the error of 1e-12 is magnified by cond W < 1e3.
    for (std::size_t k = 0; k < r.size(); ++k) EXPECT_NEAR(r[k], reference[k], 1e-9) << "seed " << seed;
  }
}

TEST_P(EveryMethod, SolvesAnisotropicFriction) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const BlockProblem problem = RandomCones(100 + seed).block_problem(2, 9, FrictionCone(0.6, 0.15));
    std::vector<double> r;
    ASSERT_TRUE(solve(problem, r, 1e-11).solved()) << "seed " << seed;
    for (std::size_t i = 0; i < 2; ++i) {
      const Local defect = law_defect(problem.cone(i), load(r, i), problem.velocity(i, r));
      EXPECT_LE(std::sqrt(math::norm_sq(defect)), 1e-11 * problem.free_norm());
    }
  }
}

TEST_P(EveryMethod, SolvesPlanarFriction) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const BlockProblem problem = RandomCones(200 + seed).block_problem(2, 9, FrictionCone(0.5, 0.0));
    std::vector<double> r;
    ASSERT_TRUE(solve(problem, r, 1e-11).solved()) << "seed " << seed;
    EXPECT_NEAR(r[2], 0.0, 1e-16);  // a factorisation leaves round-off
    EXPECT_NEAR(r[5], 0.0, 1e-16);
  }
}

TEST_P(EveryMethod, SaysNotANumber) {
  const BlockProblem problem = block_on_plane(FrictionCone(0.5), {-1, 0, 0});
  std::vector<double> r(3, std::numeric_limits<double>::quiet_NaN());
  const ConeReport report = ConeSolver({.method = GetParam()}).solve(problem, r);
  EXPECT_TRUE(report.status == ConeStatus::not_finite || report.solved()) << "a NaN guess may be dropped, not kept";
  EXPECT_EQ(report.solved(), std::isfinite(r[0] + r[1] + r[2]));
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         ::testing::Values(ConeMethod::automatic, ConeMethod::sorp, ConeMethod::anderson,
                                           ConeMethod::apgd, ConeMethod::enumeration, ConeMethod::newton,
                                           ConeMethod::conjugate),
                         [](const auto& param) { return std::string(name_of(param.param)); });

/// Many contacts on few degrees of freedom: reactions are not unique, velocities are.
TEST(ConeSolver, MethodsAgreeOnVelocitiesOfRedundantContacts) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const BlockProblem problem = RandomCones(300 + seed).block_problem(12, 6, FrictionCone(0.2));
    std::vector<double> plain(36, 0.0), accelerated(36, 0.0), gradient(36, 0.0);
    ASSERT_TRUE(ConeSolver({.method = ConeMethod::sorp, .tolerance = 1e-11}).solve(problem, plain).solved());
    ASSERT_TRUE(ConeSolver({.method = ConeMethod::anderson, .tolerance = 1e-11}).solve(problem, accelerated).solved());
    ASSERT_TRUE(ConeSolver({.method = ConeMethod::apgd, .tolerance = 1e-11}).solve(problem, gradient).solved());
    const auto u = velocities(problem, plain), v = velocities(problem, accelerated), w = velocities(problem, gradient);
    for (std::size_t i = 0; i < u.size(); ++i) {
      EXPECT_NEAR(std::sqrt(math::norm_sq(u[i] - v[i])), 0.0, 1e-8) << "seed " << seed;
      EXPECT_NEAR(std::sqrt(math::norm_sq(u[i] - w[i])), 0.0, 1e-8) << "seed " << seed;
    }
  }
}

/// Block Gauss–Seidel with every contact solved exactly in its turn.
void sweep_exactly(const BlockProblem& problem, std::vector<double>& r) {
  const BlockProblem::Data& data = problem.data();
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const LocalMatrix& w = data.blocks[static_cast<std::size_t>(data.row_offsets[i]) + i];
    const Local q = problem.velocity(i, r) - w * load(r, i);
    SmallCone local;
    local.contacts = 1;
    local.cones[0] = problem.cone(i);
    local.q = {q.x, q.y, q.z};
    local.w[0] = {w.a.x, w.b.x, w.c.x};
    local.w[1] = {w.a.y, w.b.y, w.c.y};
    local.w[2] = {w.a.z, w.b.z, w.c.z};
    ASSERT_TRUE(solve_by_enumeration(local, {.tolerance = 1e-9}, std::span(r).subspan(3 * i, 3)).solved());
  }
}

TEST(ConeSolver, SweepsConvergeWhereExactLocalSolvesCycle) {
  const BlockProblem problem = RandomCones(109).block_problem(2, 6, FrictionCone(0.5));
  std::vector<double> r(6, 0.0), errors;
  for (int k = 0; k < 1000; ++k) {
    sweep_exactly(problem, r);
    errors.push_back(contact_error(problem, exec::Executor(), r));
  }
  EXPECT_NEAR(errors[998], 0.04587, 1e-5);
  EXPECT_NEAR(errors[999], 0.41475, 1e-5);
  EXPECT_DOUBLE_EQ(errors[997], errors[999]);
  std::fill(r.begin(), r.end(), 0.0);
  const ConeReport report = ConeSolver({.method = ConeMethod::sorp, .tolerance = 1e-9}).solve(problem, r);
  EXPECT_TRUE(report.solved());
  EXPECT_LT(report.iterations, 100);
}

TEST(ConeSolver, AccelerationPays) {
  const BlockProblem problem = RandomCones(43).block_problem(20, 20, FrictionCone(0.3));
  std::vector<double> plain(60, 0.0), accelerated(60, 0.0);
  const ConeReport slow = ConeSolver({.method = ConeMethod::sorp, .tolerance = 1e-9}).solve(problem, plain);
  const ConeReport fast = ConeSolver({.method = ConeMethod::anderson, .tolerance = 1e-9}).solve(problem, accelerated);
  ASSERT_TRUE(slow.solved() && fast.solved());
  EXPECT_LT(2 * fast.iterations, slow.iterations);
}

TEST(ConeSolver, ConjugateDirectionsPay) {
  const BlockProblem problem = RandomCones(43).block_problem(20, 20, FrictionCone(0.3));
  std::vector<double> plain(60, 0.0), accelerated(60, 0.0);
  const ConeReport slow = ConeSolver({.method = ConeMethod::sorp, .tolerance = 1e-9}).solve(problem, plain);
  const ConeReport fast = ConeSolver({.method = ConeMethod::conjugate, .tolerance = 1e-9}).solve(problem, accelerated);
  ASSERT_TRUE(slow.solved() && fast.solved());
  EXPECT_LT(2 * fast.iterations, slow.iterations);
}

/// Errors go up and down; what comes back is the best state at which one was looked: at the first sweep, at every
/// fiftieth after it, and at the last.
TEST(ConeSolver, ReturnsTheBestStateSeen) {
  const BlockProblem problem = RandomCones(1).block_problem(6, 4, FrictionCone(1.5));
  const exec::Executor serial;
  constexpr int sweeps = 1180;
  std::vector<double> state(18, 0.0), r = state, partial(1);
  ConjugateDirections directions;
  directions.start(serial, state);
  double least = std::numeric_limits<double>::infinity(), last = 0.0;
  for (int k = 1; k <= sweeps; ++k) {
    const double change_sq = sweep(problem, serial, 1.0, state, partial);
    last = contact_error(problem, serial, state);
    if (k % 50 == 1 || k == sweeps) least = std::min(least, last);
    directions.step(serial, change_sq, state);
  }
  ASSERT_GT(last, 1.05 * least) << "needs a problem whose last state is not the best";
  const ConeOptions options{.method = ConeMethod::conjugate, .tolerance = 1e-12, .max_iterations = sweeps};
  const ConeReport report = ConeSolver(options).solve(problem, r);
  EXPECT_EQ(report.status, ConeStatus::iteration_limit);
  EXPECT_EQ(report.iterations, sweeps);
  EXPECT_DOUBLE_EQ(report.error, least);
  EXPECT_DOUBLE_EQ(contact_error(problem, serial, r), least);
}

/// What a step of a simulation leaves open is the next one's work.
TEST(ConeSolver, RefinesWhereThatPays) {
  const BlockProblem problem = RandomCones(5).block_problem(8, 20, FrictionCone(0.3));
  std::vector<double> rough(24, 0.0), fine = rough;
  const ConeReport first = ConeSolver({.tolerance = 1e-3}).solve(problem, rough);
  const ConeReport second = ConeSolver({.tolerance = 1e-3, .refine_to = 1e-10}).solve(problem, fine);
  ASSERT_TRUE(first.solved() && second.solved());
  EXPECT_GT(first.error, 1e-8);
  EXPECT_LE(second.error, 1e-10);
  // Never beyond the iterations that are allowed, and never at the cost of the answer.
  std::fill(fine.begin(), fine.end(), 0.0);
  const ConeOptions short_of_time{.tolerance = 1e-3, .max_iterations = first.iterations + 1, .refine_to = 1e-10};
  const ConeReport third = ConeSolver(short_of_time).solve(problem, fine);
  EXPECT_TRUE(third.solved());
  EXPECT_LE(third.iterations, first.iterations + 1);
  EXPECT_LE(third.error, first.error);
}

/// Strong friction on few degrees of freedom: sweeps come to a halt well above the tolerance, and others take over.
TEST(ConeSolver, HandsOverWhereSweepsStall) {
  const BlockProblem problem = RandomCones(1).block_problem(6, 4, FrictionCone(1.5));
  std::vector<double> swept(18, 0.0), r = swept, again = swept;
  const ConeOptions sweeps{.method = ConeMethod::anderson, .tolerance = 1e-8, .max_iterations = 2000};
  EXPECT_GT(ConeSolver(sweeps).solve(problem, swept).error, 1e-3);
  const ConeReport report = ConeSolver({.tolerance = 1e-8}).solve(problem, r);
  EXPECT_TRUE(report.solved());
  EXPECT_GT(report.handovers, 0);
  EXPECT_NE(report.method, ConeMethod::anderson);
  EXPECT_LE(contact_error(problem, exec::Executor(), r), 1e-8);
  ConeSolver({.tolerance = 1e-8}, exec::Executor(2)).solve(problem, again);
  EXPECT_EQ(r, again);
}

TEST(ConeSolver, ASolutionAsGuessNeedsNoSweep) {
  const BlockProblem problem = RandomCones(5).block_problem(8, 20, FrictionCone(0.3));
  std::vector<double> r(24, 0.0);
  ConeSolver solver({.method = ConeMethod::anderson});
  EXPECT_GT(solver.solve(problem, r).iterations, 0);
  const std::vector<double> first = r;
  EXPECT_EQ(solver.solve(problem, r).iterations, 0);
  for (std::size_t k = 0; k < r.size(); ++k) EXPECT_NEAR(r[k], first[k], 1e-14);
}

TEST(ConeSolver, StopsAtTheIterationLimitWithAnHonestError) {
  const BlockProblem problem = RandomCones(6).block_problem(12, 14, FrictionCone(0.3));
  for (const ConeMethod method : {ConeMethod::sorp, ConeMethod::anderson, ConeMethod::apgd, ConeMethod::conjugate}) {
    std::vector<double> r(36, 0.0);
    const ConeReport report = ConeSolver({.method = method, .tolerance = 1e-12, .max_iterations = 3}).solve(problem, r);
    EXPECT_EQ(report.status, ConeStatus::iteration_limit);
    EXPECT_EQ(report.iterations, 3);
    double sum = 0.0;
    for (std::size_t i = 0; i < problem.size(); ++i) {
      sum += math::norm_sq(law_defect(problem.cone(i), load(r, i), problem.velocity(i, r)));
    }
    EXPECT_NEAR(report.error, std::sqrt(sum) / problem.free_norm(), 1e-12);
  }
}

TEST(ConeSolver, EnumerationRefusesManyContacts) {
  const BlockProblem problem = RandomCones(7).block_problem(4, 12, FrictionCone(0.3));
  std::vector<double> r(12, 0.0);
  EXPECT_EQ(ConeSolver({.method = ConeMethod::enumeration}).solve(problem, r).status, ConeStatus::unsuitable);
}

TEST(ConeSolver, SolvesNothing) {
  const BlockProblem empty({.row_offsets = {0}, .columns = {}, .blocks = {}, .q = {}, .cones = {}});
  std::vector<double> r;
  for (const ConeMethod method : {ConeMethod::automatic, ConeMethod::sorp, ConeMethod::apgd}) {
    EXPECT_TRUE(ConeSolver({.method = method}).solve(empty, r).solved());
  }
}

TEST(ConeSolver, AllocatesNothingOnceWarm) {
  const BlockProblem problem = RandomCones(8).block_problem(10, 20, FrictionCone(0.3));
  for (const ConeMethod method : {ConeMethod::sorp, ConeMethod::anderson, ConeMethod::apgd, ConeMethod::conjugate}) {
    ConeSolver solver({.method = method});
    std::vector<double> r(30, 0.0);
    solver.solve(problem, r);
    std::fill(r.begin(), r.end(), 0.0);
    const std::size_t before = testing::allocation_count();
    solver.solve(problem, r);
    EXPECT_EQ(testing::allocation_count(), before) << name_of(method);
  }
}

TEST(ConeOptions, NameEveryValueOutOfRange) {
  try {
    ConeSolver({.tolerance = -1.0, .max_iterations = 0, .relaxation = 2.5, .anderson_depth = 0});
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.mistakes().size(), 4u);
  }
}

TEST(ConeMethod, IsReadByName) {
  EXPECT_EQ(cone_method("anderson"), ConeMethod::anderson);
  EXPECT_EQ(name_of(ConeMethod::apgd), "apgd");
  try {
    cone_method("andersen");
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'anderson'"), std::string::npos);
  }
}

TEST(BlockProblem, RefusesNonsense) {
  const auto refused = [](BlockProblem::Data data) {
    try {
      BlockProblem problem(std::move(data));
      return std::string();
    } catch (const base::InputError& error) {
      return std::string(error.what());
    }
  };
  const BlockProblem::Data good = block_on_plane(FrictionCone(0.5), {-1, 0, 0}).data();
  EXPECT_EQ(refused(good), "");
  BlockProblem::Data bad = good;
  bad.cones[0] = FrictionCone(-0.1);
  EXPECT_NE(refused(bad).find("mu: is -0.1 at contact 0"), std::string::npos);
  bad = good;
  bad.columns[0] = 1;
  EXPECT_NE(refused(bad).find("column 1"), std::string::npos);
  bad = good;
  bad.blocks[0].a.x = 0.0;
  EXPECT_NE(refused(bad).find("W_NN is 0"), std::string::npos);
  bad = good;
  bad.q[0].y = std::numeric_limits<double>::infinity();
  EXPECT_NE(refused(bad).find("q: is not finite"), std::string::npos);
  bad = good;
  bad.row_offsets = {0, 2};
  EXPECT_NE(refused(bad).find("run from 0 to 2"), std::string::npos);
}

}  // namespace
}  // namespace ictus::solve
