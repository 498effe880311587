#include <gtest/gtest.h>

#include <Eigen/LU>
#include <ictus/solve/linear/block_cholesky.hpp>
#include <random>

namespace ictus::solve {
namespace {

using Block = BlockCholesky::Block;
using BlockVector = BlockCholesky::Vector;

/// A = G Gᵀ of `nodes` joints on movers with six dofs: joint i holds movers `ends[i]`.
struct JointGraph {
  std::vector<std::array<int, 2>> ends;
  Eigen::MatrixXd g;

  JointGraph(std::vector<std::array<int, 2>> e, int movers) : ends(std::move(e)) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    g = Eigen::MatrixXd::Zero(6 * static_cast<int>(ends.size()), 6 * movers);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      for (const int mover : ends[i]) {
        if (mover < 0) continue;
        for (int r = 0; r < 5; ++r) {
          for (int c = 0; c < 6; ++c) g(6 * static_cast<int>(i) + r, 6 * mover + c) = uniform(random);
        }
      }
    }
  }
  Eigen::MatrixXd matrix() const { return g * g.transpose(); }
};

BlockCholesky factored(const JointGraph& graph) {
  std::vector<std::pair<int, int>> neighbours;
  const int n = static_cast<int>(graph.ends.size());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      for (const int a : graph.ends[static_cast<std::size_t>(i)]) {
        for (const int b : graph.ends[static_cast<std::size_t>(j)]) {
          if (a >= 0 && a == b) neighbours.emplace_back(i, j);
        }
      }
    }
  }
  BlockCholesky cholesky;
  cholesky.analyse(n, neighbours);
  cholesky.clear();
  const Eigen::MatrixXd matrix = graph.matrix();
  for (int i = 0; i < n; ++i) cholesky.add(cholesky.slot(i, i), matrix.block<6, 6>(6 * i, 6 * i));
  std::sort(neighbours.begin(), neighbours.end());
  neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  for (const auto& [i, j] : neighbours) cholesky.add(cholesky.slot(i, j), matrix.block<6, 6>(6 * i, 6 * j));
  cholesky.factor();
  return cholesky;
}

void expect_solves(const JointGraph& graph, int dependent) {
  const BlockCholesky cholesky = factored(graph);
  EXPECT_EQ(cholesky.dependent_rows(), dependent);
  const Eigen::MatrixXd matrix = graph.matrix();
  // A right side in the range.
  const Eigen::VectorXd b = graph.g * Eigen::VectorXd::LinSpaced(graph.g.cols(), -1, 2);
  std::vector<BlockVector> x(graph.ends.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = b.segment<6>(6 * static_cast<int>(i));
  for (int c = 0; c < cholesky.components(); ++c) cholesky.solve(c, x);
  Eigen::VectorXd solution(b.size());
  for (std::size_t i = 0; i < x.size(); ++i) solution.segment<6>(6 * static_cast<int>(i)) = x[i];
  EXPECT_LE((matrix * solution - b).norm(), 1e-8 * b.norm());
}

TEST(BlockCholesky, SolvesChains) { expect_solves(JointGraph({{-1, 0}, {0, 1}, {1, 2}, {2, 3}}, 4), 0); }

TEST(BlockCholesky, SolvesTreesAndParts) {
  expect_solves(JointGraph({{0, 1}, {0, 2}, {0, 3}, {3, 4}, {5, 6}, {6, 7}}, 8), 0);
}

/// Four joints of five rows on three movers with eighteen dofs: two rows are implied.
TEST(BlockCholesky, FindsRowsThatOthersImply) { expect_solves(JointGraph({{-1, 0}, {0, 1}, {1, 2}, {2, -1}}, 3), 2); }

TEST(BlockCholesky, CostsAChainATimeLinearInItsLength) {
  const auto work = [](int n) {
    std::vector<std::pair<int, int>> neighbours;
    for (int i = 1; i < n; ++i) neighbours.emplace_back(i, i - 1);
    BlockCholesky cholesky;
    cholesky.analyse(n, neighbours);
    return cholesky.products();
  };
  EXPECT_LE(work(1000), 2200u);
  EXPECT_LE(work(4000), 8800u);
}

}  // namespace
}  // namespace ictus::solve
