#include <gtest/gtest.h>

#include <algorithm>
#include <ictus/solve/lane_matrix.hpp>
#include <random>

namespace ictus::solve {
namespace {

using Entry = LaneMatrix::Entry;

/// b + A x + y, row by row.
std::vector<double> expected(std::size_t size, const std::vector<Entry>& entries, const LaneVector& b,
                             const LaneVector& x, const LaneVector& y) {
  std::vector<double> sum;
  for (std::size_t i = 0; i < size; ++i) sum.push_back(y[i] + b[i]);
  for (const auto& [row, column, value] : entries)
    sum[static_cast<std::size_t>(row)] += value * x[static_cast<std::size_t>(column)];
  return sum;
}

class Sized : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Sized, MarchesByItsEntries) {
  const std::size_t n = GetParam();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  std::uniform_int_distribution<int> place(0, static_cast<int>(n) - 1);
  std::vector<Entry> entries;
  for (int i = 0; i < static_cast<int>(n); ++i) {
    for (const int step : {-1, 0, 1}) {
      if (i + step >= 0 && i + step < static_cast<int>(n)) entries.push_back({i, i + step, number(random)});
    }
  }
  // Some far from the diagonal, and one place twice.
  for (int i = 0; i < 5; ++i) entries.push_back({place(random), place(random), number(random)});
  entries.push_back(entries.front());
  LaneVector b(n), f(n), x(n), y(n), next(n);
  for (std::size_t i = 0; i < n; ++i)
    b[i] = number(random), f[i] = number(random), x[i] = number(random), y[i] = number(random);
  const std::vector<double> wanted = expected(n, entries, b, x, y);
  LaneMatrix(n, entries).march(exec::Executor(1), b, f, x, y, next);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(y[i], wanted[i], 1e-14) << "row " << i;
    EXPECT_NEAR(next[i], x[i] + f[i] * wanted[i], 1e-14) << "row " << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Of, Sized, ::testing::Values(1, 7, 8, 9, 64, 100));

TEST(LaneMatrix, RowsAlongALineHaveThreeDiagonals) {
  std::vector<Entry> entries;
  for (int i = 0; i < 800; ++i) {
    for (int j = std::max(0, i - 1); j <= std::min(799, i + 1); ++j) entries.push_back({i, j, 1.0});
  }
  EXPECT_EQ(LaneMatrix(800, entries).diagonals(), 300U);
  for (int i = 0; i + 9 < 800; ++i) entries.push_back({i, i + 9, 0.1}), entries.push_back({i, i + 9, -0.1});
  EXPECT_EQ(LaneMatrix(800, entries).diagonals(), 300U);
}

}  // namespace
}  // namespace ictus::solve
