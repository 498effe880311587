#pragma once

#include <algorithm>
#include <array>
#include <ictus/math/vector.hpp>
#include <limits>
#include <span>
#include <vector>

namespace ictus::contact {

/// An axis-parallel box.
struct Box {
  math::Vec3 low, high;

  bool overlaps(const Box& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
  bool contains(const math::Vec3& x) const {
    return (low.array() <= x.array()).all() && (x.array() <= high.array()).all();
  }
  void include(const math::Vec3& x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  void include(const Box& other) {
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
  }
  Box grown(double margin) const { return {low.array() - margin, high.array() + margin}; }
  bool empty() const { return (low.array() > high.array()).any(); }

  static Box nothing() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {math::Vec3::Constant(infinity), math::Vec3::Constant(-infinity)};
  }
};

/// Boxes sorted into the cells of a uniform grid, flat: cell c holds items[start[c]] … items[start[c+1] − 1], in
/// ascending order. Filling it again keeps the memory.
class BoxGrid {
 public:
  /// Sorts boxes, which must outlive the grid's use, into cells of about the given size.
  void fill(std::span<const Box> boxes, double cell);

  bool empty() const { return items_.empty(); }
  /// Numbers, ascending, of the boxes in the cell of x; none outside the grid.
  std::span<const int> at(const math::Vec3& x) const;
  /// Calls f(number) for every wanted(number) box that shares a cell with `box` and overlaps it, once each, in no
  /// order.
  template <class Wanted, class F>
  void for_each_overlap(const Box& box, Wanted&& wanted, F&& f) const {
    if (empty() || !bounds_.overlaps(box)) return;
    const Cell from = cell_of(box.low), to = cell_of(box.high);
    for (int z = from[2]; z <= to[2]; ++z) {
      for (int y = from[1]; y <= to[1]; ++y) {
        for (int x = from[0]; x <= to[0]; ++x) {
          for (const int i : items(number({x, y, z}))) {
            if (!wanted(i)) continue;
            const Box& other = boxes_[static_cast<std::size_t>(i)];
            // Two boxes may share several cells: the one of their common low corner counts.
            if (other.overlaps(box) && cell_of(box.low.cwiseMax(other.low)) == Cell{x, y, z}) f(i);
          }
        }
      }
    }
  }

 private:
  using Cell = std::array<int, 3>;

  Cell cell_of(const math::Vec3& x) const {
    const auto along = [&](int k) {
      const auto number = static_cast<int>((x[k] - bounds_.low[k]) * per_length_[k]);
      return std::clamp(number, 0, count_[static_cast<std::size_t>(k)] - 1);
    };
    return {along(0), along(1), along(2)};
  }
  std::size_t number(const Cell& cell) const {
    return (static_cast<std::size_t>(cell[2]) * static_cast<std::size_t>(count_[1]) +
            static_cast<std::size_t>(cell[1])) *
               static_cast<std::size_t>(count_[0]) +
           static_cast<std::size_t>(cell[0]);
  }
  std::span<const int> items(std::size_t cell) const {
    return std::span(items_).subspan(static_cast<std::size_t>(start_[cell]),
                                     static_cast<std::size_t>(start_[cell + 1] - start_[cell]));
  }
  void choose_cells(double cell);

  Box bounds_ = Box::nothing();
  Cell count_{1, 1, 1};
  math::Vec3 per_length_ = math::Vec3::Zero();
  std::span<const Box> boxes_;
  std::vector<int> start_, items_, next_;
};

}  // namespace ictus::contact
