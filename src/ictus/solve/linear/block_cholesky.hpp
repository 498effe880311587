#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace ictus::solve {

/// A = L Lᵀ of a symmetric positive semidefinite matrix of blocks of up to six rows on a graph, such as G M⁻¹ Gᵀ of the
/// joints of mechanisms. Rows that others imply, as in closed loops, are found by their pivots and left out: solutions
/// have zeros there, and solve the system where it has a solution. The order that keeps L sparse is found once; a chain
/// costs a time linear in its length. Allocates in `analyse` alone.
class BlockCholesky {
 public:
  static constexpr int width = 6;
  using Block = Eigen::Matrix<double, width, width>;
  using Vector = Eigen::Matrix<double, width, 1>;
  /// Where the block A_ij of two neighbours is kept: as it is, or transposed.
  struct Slot {
    int index = 0;
    bool transposed = false;
  };

  /// Nodes and the pairs of different nodes that are neighbours; a pair may be given more than once.
  void analyse(int nodes, std::span<const std::pair<int, int>> neighbours);
  /// Of two neighbours, or of a node with itself.
  Slot slot(int i, int j) const;

  /// Makes A zero.
  void clear();
  /// Adds a to A_ij, and its transpose to A_ji.
  void add(const Slot& slot, const Block& a) {
    Block& own = entries_[static_cast<std::size_t>(slot.index)];
    slot.transposed ? own += a.transpose() : own += a;
  }
  /// Replaces A by L.
  void factor();
  /// Rows that were left out by the last `factor`, other than rows of zeros.
  int dependent_rows() const { return dependent_; }

  /// Products of blocks in a factorisation: what it costs.
  std::size_t products() const { return updates_.size(); }

  /// Parts of the graph that have nothing to do with each other.
  int components() const { return static_cast<int>(first_of_component_.size()) - 1; }
  int component_of(int node) const { return component_[static_cast<std::size_t>(node)]; }
  /// x ← A⁻¹ x of the nodes of one component; x is indexed by node.
  void solve(int component, std::span<Vector> x) const;

 private:
  /// A block below the diagonal of a column of L.
  struct Below {
    int row;    // node, by its place in the order
    int entry;  // into entries_
  };
  /// entries_[target] −= entries_[left] entries_[right]ᵀ.
  struct Update {
    int target, left, right;
  };

  void find_components(int nodes, std::span<const std::pair<int, int>> neighbours);
  void find_order(int nodes, std::span<const std::pair<int, int>> neighbours);
  void find_fill(std::span<const std::pair<int, int>> neighbours);
  int entry_at(int row, int column) const;
  void factor_diagonal(std::size_t column);
  void forward(std::size_t column, Vector& x) const;
  void backward(std::size_t column, Vector& x) const;

  std::vector<int> component_;           // by node
  std::vector<int> first_of_component_;  // place in the order at which each begins
  std::vector<int> node_, place_;        // by place, and by node
  std::vector<int> first_below_;         // of each column, into below_
  std::vector<Below> below_;
  std::vector<int> first_update_;  // of each column, into updates_
  std::vector<Update> updates_;
  std::vector<Block> entries_;          // diagonals by place, then those below
  std::vector<Vector> inverse_pivots_;  // zero: left out
  int dependent_ = 0;
};

}  // namespace ictus::solve
