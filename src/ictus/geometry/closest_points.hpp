#pragma once

#include <array>
#include <ictus/math/vector.hpp>

namespace ictus::geometry {

/// The point of a triangle that is closest to another point.
struct TrianglePoint {
  /// Where it lies: inside, on the side opposite to corner 0, 1, 2, or in corner 0, 1, 2.
  enum class Place : unsigned char { inside, side0, side1, side2, corner0, corner1, corner2 };

  std::array<double, 3> weights;  ///< l_k ≥ 0, Σ l_k = 1; foot = Σ l_k x_k
  Place place;
};

/// The foot of p on the triangle (a, b, c), clamped to it. A degenerate triangle has its foot on a side.
TrianglePoint closest_on_triangle(const math::Vec3& p, const math::Vec3& a, const math::Vec3& b, const math::Vec3& c);

/// The points (1−s) a₀ + s a₁ and (1−t) b₀ + t b₁ of two segments that are closest to each other.
struct SegmentPoints {
  double s, t;  ///< in [0, 1]
  bool
      inside;  ///< both are the closest points of the whole lines, strictly within the segments, which are not parallel
};

/// `inside` needs |a × b|² > parallel_sq |a|²|b|². Segments must have a length.
SegmentPoints closest_on_segments(const math::Vec3& a0, const math::Vec3& a1, const math::Vec3& b0,
                                  const math::Vec3& b1, double parallel_sq);

}  // namespace ictus::geometry
