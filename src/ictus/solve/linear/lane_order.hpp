#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ictus::solve {

/// Nodes in a row, each coupled to the one before and the one after it.
struct Chain {
  std::vector<int> components;  ///< what the dofs of a node are, one by one: the same names in all chains
  std::vector<int> dofs;        ///< node by node
};

/// An order of the dofs of chains for a LaneMatrix. Chains are cut into strips, and eight strips lie side by side,
/// one in each lane: a pack holds one component of the nodes that are equally far along their strips. Neighbours along
/// a chain then are a whole pack apart, and as long as the elements of each strip are equal, one block has the
/// coefficients of the next. The slots before and after a strip stay empty for mirrors of nodes in other lanes, by
/// which ends of strips are like the rest.
class LaneOrder {
 public:
  struct Seat {
    std::size_t slot;
    int dof;
  };
  /// A slot that takes the value of another before every product.
  struct Mirror {
    std::size_t slot, of;
  };

  LaneOrder() = default;
  explicit LaneOrder(std::span<const Chain> chains);

  /// Slots, whole packs.
  std::size_t size() const { return node_.size(); }
  /// The dofs, by slot.
  std::span<const Seat> seats() const { return seats_; }
  std::span<const Mirror> mirrors() const { return mirrors_; }

  /// Where the row of the dof at one slot finds that at another: there, or at a mirror in its own lane, which is
  /// made where there is room for one.
  std::size_t seen_from(std::size_t row, std::size_t column);

 private:
  /// A node, or the mirror of one.
  struct Node {
    std::size_t slot, stride, size;  ///< of its first dof, to the next ones, and how many they are
    std::size_t original;            ///< the node that it mirrors, or its own number
  };
  struct Strip;

  static std::vector<Strip> cut(std::span<const Chain* const> chains, std::size_t longest);
  static std::vector<Strip> best_cut(std::span<const Chain* const> chains);
  void lay(std::span<const Strip> strips);
  void put(const Node& node, std::span<const int> components);
  void mirror(std::size_t original, const Node& neighbour, std::size_t slot);
  std::size_t find(const Node& node, int component) const;

  std::vector<Seat> seats_;
  std::vector<Mirror> mirrors_;
  std::vector<Node> nodes_;
  std::vector<int> node_, component_;  // of every slot; −1: empty
};

}  // namespace ictus::solve
