#include <ictus/geometry/proximity/closest_points.hpp>

namespace ictus::geometry {

using math::Vec3;
using Region = TrianglePoint::Region;

namespace {

/// The foot on the segment from corner i to corner j, e = x_j − x_i, given the projections of p − x_i and p − x_j on e.
TrianglePoint on_side(std::size_t i, std::size_t j, double from_i, double from_j) {
  static constexpr std::array corners{Region::corner0, Region::corner1, Region::corner2};
  static constexpr std::array sides{Region::side0, Region::side1, Region::side2};
  TrianglePoint point{{0, 0, 0}, Region::inside};
  if (from_i <= 0 || from_j >= 0) {
    const std::size_t corner = from_i <= 0 ? i : j;
    point.weights[corner] = 1;
    point.region = corners[corner];
  } else {
    point.weights[j] = from_i / (from_i - from_j);
    point.weights[i] = 1 - point.weights[j];
    point.region = sides[3 - i - j];
  }
  return point;
}

}  // namespace

// The projections of p on the sides decide between corners, sides and the inside; the signed areas of the foot's
// sub-triangles are products of them.
TrianglePoint closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  if (b == c) return on_side(0, 1, ab.dot(ap), ab.dot(bp));  // areas of a segment would be nothing but rounding
  const double d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp), d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d1 <= 0 && d2 <= 0) return {{1, 0, 0}, Region::corner0};
  if (d3 >= 0 && d4 <= d3) return {{0, 1, 0}, Region::corner1};
  if (d6 >= 0 && d5 <= d6) return {{0, 0, 1}, Region::corner2};
  const double area_c = d1 * d4 - d3 * d2, area_b = d5 * d2 - d1 * d6, area_a = d3 * d6 - d5 * d4;
  if (area_c <= 0 && d1 >= 0 && d3 <= 0) return on_side(0, 1, d1, d3);
  if (area_b <= 0 && d2 >= 0 && d6 <= 0) return on_side(0, 2, d2, d6);
  if (area_a <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return on_side(1, 2, d4 - d3, d6 - d5);
  const double scale = 1 / (area_a + area_b + area_c);
  const double lb = area_b * scale, lc = area_c * scale;
  return {{1 - lb - lc, lb, lc}, Region::inside};
}

}  // namespace ictus::geometry
