#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ictus/solve/linear/sparse_cholesky.hpp>
#include <random>
#include <thread>
#include <vector>

#include "allocation_count.hpp"

namespace ictus::solve {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

/// The Laplacian of an n × n × n grid with zero values around it, times `scale`; `grounded` false leaves the boundary
/// free, so that constants are in its kernel.
Matrix laplacian(int n, double scale, bool grounded = true) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto index = [n](int i, int j, int k) { return (i * n + j) * n + k; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        int neighbours = 0;
        const int at[3] = {i, j, k};
        for (int c = 0; c < 3; ++c) {
          for (const int step : {-1, 1}) {
            int to[3] = {i, j, k};
            to[c] += step;
            if (to[c] < 0 || to[c] >= n) continue;
            ++neighbours;
            entries.emplace_back(index(at[0], at[1], at[2]), index(to[0], to[1], to[2]), -scale);
          }
        }
        entries.emplace_back(index(i, j, k), index(i, j, k), scale * (grounded ? 6 : neighbours));
      }
    }
  }
  Matrix matrix(n * n * n, n * n * n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Eigen::VectorXd random_vector(Eigen::Index n) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(-1, 1);
  return Eigen::VectorXd::NullaryExpr(n, [&] { return value(random); });
}

/// Largest |A x − b| over what rounding may make of it: a few units in the last place of the products of a row.
double backward_error(const Matrix& a, const Eigen::VectorXd& x, const Eigen::VectorXd& b) {
  const Eigen::VectorXd difference = a * x - b;
  double worst = 0, scale = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    worst = std::max(worst, std::abs(difference[i]));
    scale = std::max(scale, std::abs(x[i]));
  }
  return worst / (12 * a.coeff(0, 0) * scale);
}

std::span<const double> in(const Eigen::VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
std::span<double> out(Eigen::VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

TEST(SparseCholesky, SolvesToRoundOff) {
  for (const int n : {2, 6, 15}) {  // a simplicial factor, and supernodal ones
    const Matrix a = laplacian(n, 3);
    SparseCholesky factors;
    factors.analyse(a);
    ASSERT_FALSE(factors.factor(a));
    const Eigen::VectorXd b = random_vector(a.rows());
    Eigen::VectorXd x(b.size());
    factors.solve(in(b), out(x));
    EXPECT_LT(backward_error(a, x, b), 1e-14);
  }
}

TEST(SparseCholesky, FactorsAgainInTheSameOrderAndInPlace) {
  const Matrix a = laplacian(8, 1), b = laplacian(8, 5);
  SparseCholesky factors;
  factors.analyse(a);
  ASSERT_FALSE(factors.factor(a));
  ASSERT_FALSE(factors.factor(b));
  Eigen::VectorXd x = random_vector(a.rows());
  const Eigen::VectorXd right = x;
  factors.solve(in(x), out(x));
  EXPECT_LT(backward_error(b, x, right), 1e-14);
}

/// Runs side by side in one program, as in a batch, must not share what the BLAS works with.
TEST(SparseCholesky, MakesTheSameBitsInManyThreadsAtOnce) {
  const Matrix a = laplacian(16, 1);
  const Eigen::VectorXd b = random_vector(a.rows());
  const auto solved = [&] {
    SparseCholesky factors;
    factors.analyse(a);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(b.size());
    if (!factors.factor(a)) factors.solve(in(b), out(x));
    return x;
  };
  const Eigen::VectorXd alone = solved();
  std::atomic<int> other = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int round = 0; round < 8; ++round) other += solved() != alone;
      });
    }
  }
  EXPECT_EQ(other, 0);
}

TEST(SparseCholesky, NamesTheDofOfAMechanism) {
  const Matrix free = laplacian(6, 1, false);
  SparseCholesky factors;
  factors.analyse(free);
  EXPECT_TRUE(factors.factor(free));
  EXPECT_FALSE(factors.factored());

  // Only one unknown hangs in the air.
  Matrix one = laplacian(6, 1);
  const int loose = 77;
  for (int j = 0; j < one.outerSize(); ++j) {
    for (Matrix::InnerIterator entry(one, j); entry; ++entry) {
      if (entry.row() == loose || entry.col() == loose) entry.valueRef() = 0;
    }
  }
  factors.analyse(one);
  EXPECT_EQ(factors.factor(one), loose);
}

TEST(SparseCholesky, RefusesAnIndefiniteMatrix) {
  Matrix a = laplacian(6, 1);
  a.coeffRef(10, 10) = -1;
  SparseCholesky factors;
  factors.analyse(a);
  EXPECT_TRUE(factors.factor(a));
}

/// A stiff and a soft part, as in a steel plate on rubber, are no mechanism.
TEST(SparseCholesky, KeepsBadlyScaledMatrices) {
  Matrix a = laplacian(6, 1);
  for (int j = 0; j < a.outerSize(); ++j) {
    for (Matrix::InnerIterator entry(a, j); entry; ++entry) {
      const auto scale = [](Eigen::Index k) { return k < 100 ? 1e-6 : 1e4; };
      entry.valueRef() *= scale(entry.row()) * scale(entry.col());
    }
  }
  SparseCholesky factors;
  factors.analyse(a);
  EXPECT_FALSE(factors.factor(a));
}

TEST(SparseCholesky, WarmSolveAllocatesNothing) {
  const Matrix a = laplacian(10, 1);
  SparseCholesky factors;
  factors.analyse(a);
  ASSERT_FALSE(factors.factor(a));
  const Eigen::VectorXd b = random_vector(a.rows());
  Eigen::VectorXd x(b.size());
  factors.solve(in(b), out(x));
  const std::size_t before = testing::allocation_count();
  for (int i = 0; i < 10; ++i) factors.solve(in(b), out(x));
  EXPECT_EQ(testing::allocation_count(), before);
}

}  // namespace
}  // namespace ictus::solve
