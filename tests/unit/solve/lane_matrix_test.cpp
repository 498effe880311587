#include <gtest/gtest.h>

#include <algorithm>
#include <ictus/solve/linear/lane_matrix.hpp>
#include <ictus/solve/linear/lane_order.hpp>
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

TEST_P(Sized, KicksByItsEntries) {
  const std::size_t n = GetParam();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  std::uniform_int_distribution<int> slot(0, static_cast<int>(n) - 1);
  std::vector<Entry> entries;
  for (int i = 0; i < static_cast<int>(n); ++i) {
    for (const int step : {-1, 0, 1}) {
      if (i + step >= 0 && i + step < static_cast<int>(n)) entries.push_back({i, i + step, number(random)});
    }
  }
  // Some far from the diagonal, and one slot twice.
  for (int i = 0; i < 5; ++i) entries.push_back({slot(random), slot(random), number(random)});
  entries.push_back(entries.front());
  LaneVector b(n), f(n), x(n), y(n), next(n);
  for (std::size_t i = 0; i < n; ++i)
    b[i] = number(random), f[i] = number(random), x[i] = number(random), y[i] = number(random);
  const std::vector<double> wanted = expected(n, entries, b, x, y);
  LaneMatrix(n, entries).kick_and_drift(exec::Executor(1), b, f, x, y, next);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(y[i], wanted[i], 1e-14) << "row " << i;
    EXPECT_NEAR(next[i], x[i] + f[i] * wanted[i], 1e-14) << "row " << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Of, Sized, ::testing::Values(1, 7, 8, 9, 64, 100));

TEST(LaneMatrix, EqualRowsAlongALineAreKeptOnce) {
  std::vector<Entry> entries;
  for (int i = 0; i < 800; ++i) {
    for (int j = std::max(0, i - 1); j <= std::min(799, i + 1); ++j) entries.push_back({i, j, 1.0});
  }
  // Three diagonals of all blocks but the first and the last, which stand alone with four slots each.
  EXPECT_EQ(LaneMatrix(800, entries).diagonals(), 11U);
  for (int i = 0; i + 9 < 800; ++i) entries.push_back({i, i + 9, 0.1}), entries.push_back({i, i + 9, -0.1});
  EXPECT_EQ(LaneMatrix(800, entries).diagonals(), 11U);
}

TEST(LaneMatrix, GivesTheSameBitsOnAnyNumberOfThreads) {
  constexpr std::size_t n = 100000;  // some portions for the threads
  std::vector<Entry> entries;
  for (int i = 0; i + 8 < static_cast<int>(n); ++i) entries.push_back({i, i + 8, 0.5}), entries.push_back({i, i, 2.0});
  LaneVector b(n), f(n), x(n), y(n), next(n);
  for (std::size_t i = 0; i < n; ++i) b[i] = 1, f[i] = 0.1, x[i] = y[i] = 1.0 / static_cast<double>(i + 1);
  LaneVector y_parallel = y, next_parallel(n);
  const LaneMatrix matrix(n, entries);
  matrix.kick_and_drift(exec::Executor(1), b, f, x, y, next);
  matrix.kick_and_drift(exec::Executor(3), b, f, x, y_parallel, next_parallel);
  EXPECT_TRUE(std::equal(y.span().begin(), y.span().end(), y_parallel.span().begin()));
  EXPECT_TRUE(std::equal(next.span().begin(), next.span().end(), next_parallel.span().begin()));
}

/// Chains of so many nodes, their dofs numbered one after the other from `first` on.
std::vector<Chain> chains_of(const std::vector<std::size_t>& nodes, int components, int first = 0) {
  std::vector<Chain> chains;
  for (const std::size_t count : nodes) {
    Chain& chain = chains.emplace_back();
    for (int c = 0; c < components; ++c) chain.components.push_back(c);
    for (std::size_t k = 0; k < count * static_cast<std::size_t>(components); ++k) chain.dofs.push_back(first++);
  }
  return chains;
}

/// The slot of every dof.
std::vector<std::size_t> slots(const LaneOrder& order) {
  std::vector<std::size_t> result(order.seats().size(), order.size());
  for (const auto& [slot, dof] : order.seats()) result[static_cast<std::size_t>(dof)] = slot;
  return result;
}

TEST(LaneOrder, EveryDofHasASlotOfItsOwn) {
  std::vector<Chain> chains = chains_of({41, 3, 17, 1, 41, 29, 5, 5, 90}, 3);
  for (const Chain& chain : chains_of({7, 100}, 1, 696)) chains.push_back(chain);
  const LaneOrder order(chains);
  EXPECT_EQ(order.size() % LaneVector::lanes, 0U);
  EXPECT_LT(order.size(), 1200U) << "few places stay empty";
  std::vector<std::size_t> used = slots(order);
  ASSERT_EQ(used.size(), 803U);
  std::sort(used.begin(), used.end());
  EXPECT_EQ(std::adjacent_find(used.begin(), used.end()), used.end());
  EXPECT_LT(used.back(), order.size());
}

TEST(LaneOrder, EightStripsLieSideBySide) {
  // Two chains of 41 nodes in two strips each, four that are whole: 23 rows of a pack for each of two components, and
  // one before and after them.
  const LaneOrder order(chains_of({41, 41, 21, 21, 23, 23}, 2));
  ASSERT_EQ(order.size(), 25U * 2 * 8);
  const std::vector<std::size_t> slot = slots(order);
  EXPECT_EQ(slot[2] - slot[0], 8U) << "the next node of the first strip";
  EXPECT_EQ(slot[1] - slot[0], 25U * 8) << "the other component";
  EXPECT_NE(slot[2 * 21] % 8, slot[0] % 8) << "the second strip of the first chain is in another lane";
}

TEST(LaneOrder, MirrorsMakeSeamsLikeTheRest) {
  constexpr int n = 1600;
  LaneOrder order(chains_of({n}, 1));
  const std::vector<std::size_t> slot = slots(order);
  std::vector<Entry> entries, plain;
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) {
      const std::size_t row = slot[static_cast<std::size_t>(i)];
      const std::size_t seen = order.seen_from(row, slot[static_cast<std::size_t>(j)]);
      EXPECT_EQ(seen % 8, row % 8);
      entries.push_back({static_cast<int>(row), static_cast<int>(seen), 1.0 + j});
      plain.push_back({i, j, 1.0 + j});
    }
  }
  EXPECT_EQ(order.mirrors().size(), 14U) << "two at each of seven seams";

  LaneVector x(order.size()), y(order.size()), b(order.size()), next(order.size()), x_plain(n), y_plain(n);
  for (int i = 0; i < n; ++i)
    x[slot[static_cast<std::size_t>(i)]] = x_plain[static_cast<std::size_t>(i)] = 1.0 / (i + 1);
  for (const auto& [to, of] : order.mirrors()) x[to] = x[of];
  LaneMatrix(order.size(), entries).kick_and_drift(exec::Executor(1), b, b, x, y, next);
  const std::vector<double> wanted = expected(n, plain, y_plain, x_plain, y_plain);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(y[slot[i]], wanted[i], 1e-14 * wanted[i]);

  for (Entry& entry : entries) entry.value = 1;
  // The first and the last rows, where two strips have their ends, the rows between them, and those before and after.
  EXPECT_LE(LaneMatrix(order.size(), entries).diagonals(), 4U * 5);
}

TEST(LaneOrder, AMirrorHasItsComponentsInTheOrderOfItsNeighbour) {
  // Two chains that meet at a corner, where along and across change slots.
  const std::vector<Chain> chains{{{0, 1, 2}, {0, 1, 2, 3, 4, 5}}, {{0, 2, 1}, {6, 7, 8, 9, 10, 11}}};
  LaneOrder order(chains);
  const std::vector<std::size_t> slot = slots(order);
  const std::size_t seen = order.seen_from(slot[7], slot[5]);  // component 2 of both, after w in one, last in the other
  ASSERT_NE(seen, slot[5]);
  EXPECT_EQ(seen + 8, slot[7]) << "before the first node of the second chain";
  const auto mirrors = order.mirrors();
  ASSERT_EQ(mirrors.size(), 3U);
  EXPECT_EQ(mirrors[1].slot, seen);
  EXPECT_EQ(mirrors[1].of, slot[5]);
  EXPECT_EQ(order.seen_from(slot[6], slot[3]), slot[6] - 8) << "the same mirror";
  EXPECT_EQ(order.mirrors().size(), 3U);
}

}  // namespace
}  // namespace ictus::solve
