#include <gtest/gtest.h>

#include <algorithm>
#include <ictus/solve/sweeps/sweep_planner.hpp>
#include <random>
#include <set>

namespace ictus::solve {
namespace {

using Pair = SweepPlanner::Pair;

/// Chunks of one colour must not share a moving body, and every contact must come once.
void expect_valid(const std::vector<Pair>& pairs, std::size_t bodies, std::size_t max_colors) {
  SweepPlanner planner;
  SweepPlan plan;
  std::vector<int> order;
  planner.plan(pairs, bodies, order, plan);
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 0; k < pairs.size(); ++k) ASSERT_EQ(sorted[k], static_cast<int>(k));
  EXPECT_LE(plan.colors(), max_colors);
  for (std::size_t color = 0; color < plan.colors(); ++color) {
    std::set<int> of_color;
    for (const auto& [begin, end] : plan.chunks_of(color)) {
      std::set<int> of_chunk;
      for (std::size_t k = begin; k < end; ++k) of_chunk.insert(pairs[order[k]].begin(), pairs[order[k]].end());
      of_chunk.erase(-1);
      for (const int body : of_chunk) EXPECT_TRUE(of_color.insert(body).second) << "body " << body;
    }
  }
}

TEST(SweepPlanner, KeepsFewContactsInTheirOrder) {
  SweepPlanner planner;
  SweepPlan plan;
  std::vector<int> order;
  planner.plan(std::vector<Pair>{{0, 1}, {-1, 0}, {1, 2}}, 3, order, plan);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(plan.chunks(), 1u);
}

/// Spheres on a cubic grid: contacts of a group share no body, but for some at the ends of chunks.
TEST(SweepPlanner, BringsContactsWithoutACommonBodyTogether) {
  constexpr int side = 16;
  std::vector<Pair> pairs;
  for (int i = 0; i < side * side * side; ++i) {
    pairs.push_back({i < side * side ? -1 : i - side * side, i});
    if (i % side > 0) pairs.push_back({i - 1, i});
    if (i / side % side > 0) pairs.push_back({i - side, i});
  }
  SweepPlanner planner;
  SweepPlan plan;
  std::vector<int> order;
  planner.plan(pairs, side * side * side, order, plan);
  std::size_t groups = 0, free_of_common = 0;
  for (std::size_t k = 0; k + SweepPlanner::group <= order.size(); k += SweepPlanner::group) {
    std::set<int> bodies;
    bool distinct = true;
    for (std::size_t i = k; i < k + SweepPlanner::group; ++i) {
      for (const int body : pairs[order[i]]) distinct = (body < 0 || bodies.insert(body).second) && distinct;
    }
    ++groups;
    free_of_common += distinct ? 1 : 0;
  }
  EXPECT_GT(static_cast<double>(free_of_common), 0.95 * static_cast<double>(groups));
}

TEST(SweepPlanner, ColoursALine) {
  std::vector<Pair> pairs{{-1, 0}};
  for (int i = 0; i < 20000; ++i) pairs.push_back({i, i + 1});
  expect_valid(pairs, 20001, 2);
}

TEST(SweepPlanner, ColoursARandomGraph) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> body(-1, 2999);
  std::vector<Pair> pairs;
  while (pairs.size() < 10000) {
    const Pair pair{body(random), body(random)};
    if (pair[0] != pair[1]) pairs.push_back(pair);
  }
  // Random graphs have no locality: nearly every chunk meets every other.
  expect_valid(pairs, 3000, 10000 / SweepPlanner::chunk_size + 1);
}

TEST(SweepPlanner, CopesWithABodyThatTouchesEverything) {
  std::vector<Pair> pairs;
  for (int i = 1; i <= 100000; ++i) pairs.push_back({0, i});
  expect_valid(pairs, 100001, 100000 / SweepPlanner::chunk_size + 1);
}

TEST(SweepPlanner, FindsIslandsWithoutSupport) {
  std::vector<Pair> pairs;
  for (int island = 0; island < 1000; ++island) {
    for (int k = 0; k < 5; ++k) pairs.push_back({6 * island + k, 6 * island + k + 1});
  }
  expect_valid(pairs, 6000, 2);
}

}  // namespace
}  // namespace ictus::solve
