#pragma once

#include <algorithm>
#include <array>
#include <ictus/math/vector.hpp>

namespace ictus::geometry {

/// The point of a triangle that is closest to another point.
struct TrianglePoint {
  /// Where it lies: inside, on the side opposite to corner 0, 1, 2, or in corner 0, 1, 2.
  enum class Region : unsigned char { inside, side0, side1, side2, corner0, corner1, corner2 };

  std::array<double, 3> weights;  ///< l_k ≥ 0, Σ l_k = 1; foot = Σ l_k x_k
  Region region;
};

/// The foot of p on the triangle (a, b, c), clamped to it. A degenerate triangle has its foot on a side.
TrianglePoint closest_on_triangle(const math::Vec3& p, const math::Vec3& a, const math::Vec3& b, const math::Vec3& c);

/// The points (1−s) a₀ + s a₁ and (1−t) b₀ + t b₁ of two segments that are closest to each other.
struct SegmentPoints {
  double s, t;  ///< in [0, 1]
  bool
      inside;  ///< both are the closest points of the whole lines, strictly within the segments, which are not parallel
};

/// `inside` needs |a × b|² > parallel_sq |a|²|b|². Segments must have a length. Inline: the innermost call of the
/// search.
inline SegmentPoints closest_on_segments(const math::Vec3& a0, const math::Vec3& a1, const math::Vec3& b0,
                                         const math::Vec3& b1, double parallel_sq) {
  const math::Vec3 a = a1 - a0, b = b1 - b0, r = a0 - b0;
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b), ar = a.dot(r), br = b.dot(r);
  const double determinant = aa * bb - ab * ab;
  const bool crossing = determinant > parallel_sq * aa * bb;
  const double on_line = crossing ? (ab * br - ar * bb) / determinant : 0;
  double s = std::clamp(on_line, 0.0, 1.0), t = (ab * s + br) / bb;
  const bool inside = crossing && on_line > 0 && on_line < 1 && t > 0 && t < 1;
  if (t < 0 || t > 1) {
    t = std::clamp(t, 0.0, 1.0);
    s = std::clamp((ab * t - ar) / aa, 0.0, 1.0);
  }
  return {s, t, inside};
}

}  // namespace ictus::geometry
