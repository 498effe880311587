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

/// The most by which the distance of two points changes whose displacements lie in these ranges.
inline double max_change(const Box& first, const Box& second) {
  return (first.high - second.low).cwiseMax(second.high - first.low).cwiseMax(0.0).norm();
}

/// The distance of two boxes.
inline double distance(const Box& a, const Box& b) {
  return (a.low - b.high).cwiseMax(b.low - a.high).cwiseMax(0.0).norm();
}

/// Boxes of features sorted into the cells of a uniform grid. Each cell has copies of its boxes in flat arrays, side by
/// side with those of the next cell along x, so that a search reads a few long stretches of memory. Filling it again
/// keeps the memory; searching does not change it, and many threads may.
class BoxGrid {
 public:
  /// Buffer of a search, one for each thread.
  using Hits = std::vector<unsigned char>;
  /// Sorts boxes into cells of about the given size. `groups` tells the group of each, `meets_itself` of each group
  /// whether boxes within it are wanted as pairs; of cells that can have no pair nothing is kept.
  void fill(std::span<const Box> boxes, std::span<const int> groups, std::span<const char> meets_itself, double cell);

  /// The numbers, ascending, of the boxes after number `after` that overlap `box` of a group, and are of another group
  /// or of one that meets itself.
  void find(const Box& box, int group, int after, Hits& hits, std::vector<int>& found) const;

 private:
  using Cell = std::array<int, 3>;

  Cell cell_of(const math::Vec3& x) const {
    const auto along = [&](int k) {
      const auto number = static_cast<int>((x[k] - bounds_.low[k]) * per_length_[k]);
      return std::clamp(number, 0, count_[static_cast<std::size_t>(k)] - 1);
    };
    return {along(0), along(1), along(2)};
  }
  std::size_t number(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(count_[1]) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(count_[0]) +
           static_cast<std::size_t>(x);
  }
  void choose_cells(double cell, std::size_t boxes);
  template <class F>
  void for_each_cell(const Box& box, F&& f) const;
  void scan(const Box& box, int unwanted_group, int after, std::size_t begin, std::size_t end, Hits& hits,
            std::vector<int>& found) const;

  Box bounds_ = Box::nothing();
  Cell count_{1, 1, 1};
  math::Vec3 per_length_ = math::Vec3::Zero();
  std::vector<std::size_t> start_, next_;  // of the items of each cell
  std::vector<int> occupant_;              // the group of all boxes of a cell, none or several
  std::vector<char> meets_itself_;
  std::array<std::vector<double>, 3> low_, high_;
  std::vector<int> item_, group_;
};

}  // namespace ictus::contact
