#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/solve/complementarity/lcp.hpp>
#include <ictus/solve/complementarity/unilateral.hpp>
#include <limits>
#include <random>
#include <vector>

#include "allocation_count.hpp"

namespace ictus::solve {
namespace {

using Values = std::vector<double>;

struct DenseLcp {
  Values matrix, b;
  std::size_t size() const { return b.size(); }

  Values slack(const Values& lambda) const {
    Values w = b;
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < size(); ++j) w[i] += matrix[i * size() + j] * lambda[j];
    }
    return w;
  }
};

/// H = GGᵀ with G of n × rank normal numbers, b = Gv + c: always solvable for c ≥ 0.
DenseLcp contact_like(std::size_t n, std::size_t rank, unsigned seed, double offset = 0.0) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Values g(n * rank), v(rank);
  for (double& x : g) x = normal(random);
  for (double& x : v) x = normal(random);
  DenseLcp p{Values(n * n), Values(n, offset)};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < rank; ++k) p.b[i] += g[i * rank + k] * v[k];
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < rank; ++k) p.matrix[i * n + j] += g[i * rank + k] * g[j * rank + k];
    }
  }
  return p;
}

void expect_solution(const DenseLcp& p, const Values& lambda, double tolerance) {
  const Values w = p.slack(lambda);
  for (std::size_t i = 0; i < p.size(); ++i) {
    EXPECT_GE(lambda[i], 0.0);
    EXPECT_GE(w[i], -tolerance);
    EXPECT_LE(std::min(p.matrix[i * p.size() + i] * lambda[i], w[i]), tolerance);
  }
}

TEST(LcpSolver, OneConstraintPushesJustEnough) {
  LcpSolver solver;
  Values lambda{0.0};
  EXPECT_TRUE(solver.solve(Values{4.0}, Values{-2.0}, lambda).solved());
  EXPECT_DOUBLE_EQ(lambda[0], 0.5);
  EXPECT_TRUE(solver.solve(Values{4.0}, Values{2.0}, lambda).solved());
  EXPECT_EQ(lambda[0], 0.0);
}

TEST(LcpSolver, SolvesDefiniteProblemsToRoundOff) {
  LcpSolver solver;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const std::size_t n = 1 + seed % 32;
    const DenseLcp p = contact_like(n, n + 4, seed);
    Values lambda(n, 0.0);
    const LcpReport report = solver.solve(p.matrix, p.b, lambda);
    ASSERT_TRUE(report.solved()) << "n = " << n;
    // The smallest eigenvalue of GGᵀ is near 0.1 and entries near n: 1e-12 is n·cond·ε with some room.
    expect_solution(p, lambda, 1e-12);
  }
}

TEST(LcpSolver, SolvesRankDeficientContactProblems) {
  LcpSolver solver;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::size_t n = 2 + seed % 31;
    const std::size_t rank = 1 + seed % 6;
    const DenseLcp p = contact_like(n, std::min(rank, n), 1000 + seed);
    Values lambda(n, 0.0);
    const LcpReport report = solver.solve(p.matrix, p.b, lambda);
    ASSERT_TRUE(report.solved()) << "n = " << n << ", rank = " << rank << ", residual " << report.residual;
    expect_solution(p, lambda, 1e-9);  // nearly dependent active rows magnify round-off by up to 1e5 here
  }
}

TEST(LcpSolver, FourLegsOfATableShareItsWeight) {
  // A rigid plate on four corners: H = 1/m + x xᵀ/J + y yᵀ/J is singular, any split that balances is right.
  const double x[] = {1, 1, -1, -1}, y[] = {1, -1, 1, -1};
  DenseLcp p{Values(16), Values(4, -0.3)};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) p.matrix[4 * i + j] = 1.0 + 2.0 * x[i] * x[j] + 2.0 * y[i] * y[j];
  }
  Values lambda(4, 0.0);
  ASSERT_TRUE(LcpSolver().solve(p.matrix, p.b, lambda).solved());
  EXPECT_NEAR(lambda[0] + lambda[1] + lambda[2] + lambda[3], 0.3, 1e-15);
  for (double w : p.slack(lambda)) EXPECT_NEAR(w, 0.0, 1e-15);
}

TEST(LcpSolver, TheSameConstraintTwiceIsNoProblem) {
  Values lambda(2, 0.0);
  ASSERT_TRUE(LcpSolver().solve(Values{2, 2, 2, 2}, Values{-1.0, -3.0}, lambda).solved());
  EXPECT_EQ(lambda, (Values{0.0, 1.5}));
}

TEST(LcpSolver, ASolutionAsGuessNeedsNoPivot) {
  LcpSolver solver;
  const DenseLcp p = contact_like(20, 24, 7);
  Values lambda(20, 0.0);
  EXPECT_GT(solver.solve(p.matrix, p.b, lambda).iterations, 0);
  const Values first = lambda;
  EXPECT_EQ(solver.solve(p.matrix, p.b, lambda).iterations, 0);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(lambda[i], first[i], 1e-13);
}

TEST(LcpSolver, AWrongGuessDoesNotChangeTheAnswer) {
  LcpSolver solver;
  const DenseLcp p = contact_like(16, 20, 11);
  Values cold(16, 0.0), warm(16, 3.0);
  ASSERT_TRUE(solver.solve(p.matrix, p.b, cold).solved());
  ASSERT_TRUE(solver.solve(p.matrix, p.b, warm).solved());
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(cold[i], warm[i], 1e-12);
}

TEST(LcpSolver, SaysWhenNoSolutionExists) {
  Values lambda(2, 0.0);  // w₁ + w₂ = −2 whatever λ
  EXPECT_EQ(LcpSolver().solve(Values{1, -1, -1, 1}, Values{-1, -1}, lambda).status, LcpStatus::infeasible);
  lambda = {0.0, 0.0};  // a constraint between held bodies
  EXPECT_EQ(LcpSolver().solve(Values{0, 0, 0, 1}, Values{-1, -1}, lambda).status, LcpStatus::infeasible);
}

TEST(LcpSolver, ReportsNaN) {
  Values lambda(2, 0.0);
  const Values b{std::numeric_limits<double>::quiet_NaN(), 1.0};
  EXPECT_EQ(LcpSolver().solve(Values{1, 0, 0, 1}, b, lambda).status, LcpStatus::not_finite);
}

TEST(LcpSolver, AllocatesNothingOnceWarm) {
  LcpSolver solver;
  const DenseLcp large = contact_like(32, 10, 3), small = contact_like(12, 20, 4);
  Values lambda(32, 0.0), other(12, 0.0);
  solver.solve(large.matrix, large.b, lambda);
  std::fill(lambda.begin(), lambda.end(), 0.0);
  const std::size_t before = testing::allocation_count();
  solver.solve(large.matrix, large.b, lambda);
  solver.solve(small.matrix, small.b, other);
  EXPECT_EQ(testing::allocation_count(), before);
}

/// A chain of n unit masses, each row keeping neighbours apart: Gᵢ v = vᵢ₊₁ − vᵢ.
struct Chain {
  std::vector<int> offsets{0}, columns;
  Values values, inverse_mass, offset;

  explicit Chain(int rows) : inverse_mass(rows + 1, 1.0), offset(rows, 0.0) {
    for (int i = 0; i < rows; ++i) {
      columns.insert(columns.end(), {i, i + 1});
      values.insert(values.end(), {-1.0, 1.0});
      offsets.push_back(2 * (i + 1));
    }
  }
  UnilateralRows rows() const { return {offsets, columns, values, inverse_mass, offset}; }
};

TEST(UnilateralSolver, AgreesWithPivoting) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const int n = 24;
  Chain chain(n);
  for (double& m : chain.inverse_mass) m = 0.2 + std::abs(normal(random));
  for (double& c : chain.offset) c = 0.1 * normal(random);
  Values v(n + 1);
  for (double& x : v) x = normal(random);

  DenseLcp p{Values(n * n, 0.0), Values(n)};
  for (int i = 0; i < n; ++i) {
    p.b[i] = v[i + 1] - v[i] + chain.offset[i];
    p.matrix[i * n + i] = chain.inverse_mass[i] + chain.inverse_mass[i + 1];
    if (i > 0) p.matrix[i * n + i - 1] = p.matrix[(i - 1) * n + i] = -chain.inverse_mass[i];
  }
  Values exact(n, 0.0), swept(n, 0.0);
  ASSERT_TRUE(LcpSolver().solve(p.matrix, p.b, exact).solved());
  const LcpReport report = UnilateralSolver({.tolerance = 1e-13}).solve(chain.rows(), v, swept);
  ASSERT_TRUE(report.solved());
  EXPECT_LT(report.iterations, 3000);
  const Values w = p.slack(exact);
  // Residual 1e-13 times cond(H) < 1e3.
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(swept[i], exact[i], 1e-10);
    EXPECT_NEAR(v[i + 1] - v[i] + chain.offset[i], w[i], 1e-10);
  }
  EXPECT_LE(UnilateralSolver({.tolerance = 1e-12}).solve(chain.rows(), v, swept = Values(n, 0.0)).iterations, 1)
      << "velocities after contact already satisfy the constraints";
}

TEST(UnilateralSolver, ConservesMomentum) {
  Chain chain(5);
  Values v{1.0, 1.0, 1.0, -1.0, -1.0, -2.0}, lambda(5, 0.0);
  ASSERT_TRUE(UnilateralSolver().solve(chain.rows(), v, lambda).solved());
  double sum = 0.0;
  for (double x : v) sum += x;
  EXPECT_NEAR(sum, -1.0, 1e-14);
  for (double x : v) EXPECT_NEAR(x, -1.0 / 6.0, 1e-9);
}

TEST(UnilateralSolver, SaysWhenHeldBodiesOverlap) {
  Chain chain(1);
  chain.inverse_mass = {0.0, 0.0};
  Values v{1.0, 0.0}, lambda(1, 0.0);
  EXPECT_EQ(UnilateralSolver().solve(chain.rows(), v, lambda).status, LcpStatus::infeasible);
}

TEST(UnilateralSolver, RefusesOptionsOutOfRange) {
  try {
    UnilateralSolver({.tolerance = 0.0, .max_sweeps = 0, .relaxation = 2.0});
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.mistakes().size(), 3u);
  }
}

TEST(UnilateralSolver, AllocatesNothingOnceWarm) {
  Chain chain(50);
  UnilateralSolver solver;
  Values v(51, 0.0), lambda(50, 0.0);
  v[0] = 1.0;
  solver.solve(chain.rows(), v, lambda);
  v[0] += 1.0;
  const std::size_t before = testing::allocation_count();
  solver.solve(chain.rows(), v, lambda);
  EXPECT_EQ(testing::allocation_count(), before);
}

}  // namespace
}  // namespace ictus::solve
