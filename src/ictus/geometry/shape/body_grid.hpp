#pragma once

#include <array>
#include <cstdint>
#include <ictus/geometry/shape/rigid_shape.hpp>
#include <span>
#include <vector>

namespace ictus::geometry {

/// A box with world axes by its middle and half its edges.
struct Bounds {
  Vec centre;
  Vec half;

  bool meets(const Bounds& other) const {
    const Vec between = other.centre - centre, reach = half + other.half;
    return between.x <= reach.x && -between.x <= reach.x && between.y <= reach.y && -between.y <= reach.y &&
           between.z <= reach.z && -between.z <= reach.z;
  }
  bool contains(const Bounds& other) const {
    const Vec between = other.centre - centre, room = half - other.half;
    return between.x <= room.x && -between.x <= room.x && between.y <= room.y && -between.y <= room.y &&
           between.z <= room.z && -between.z <= room.z;
  }
};

/// Finds pairs of boxes that meet, for many boxes of about one size and a few larger ones: a hashed grid with cells as
/// large as the largest of the many, so that a box meets those of its own and the 26 cells around. Keeps its memory.
class BodyGrid {
 public:
  /// Boxes above this many times the median size are kept out of the grid and held against all others.
  static constexpr double large = 4;

  /// Takes over the boxes; `bounds` must outlive the queries.
  void assign(std::span<const Bounds> bounds);
  /// The boxes with a number above i that meet box i, in ascending order.
  void partners(std::size_t i, std::vector<int>& found) const;

 private:
  using Cell = std::array<std::int32_t, 3>;

  Cell cell_of(const Vec& centre) const;
  std::size_t bucket_of(const Cell& cell) const;
  void choose_sizes();

  std::span<const Bounds> bounds_;
  double inverse_cell_ = 1;
  std::size_t mask_ = 0;
  std::vector<double> sizes_, sorted_;
  std::vector<char> is_large_;
  std::vector<int> large_;
  std::vector<Cell> cells_;
  std::vector<int> bucket_begin_, members_;
};

}  // namespace ictus::geometry
