#include <ictus/geometry/proximity/nearest_points.hpp>

#include <ictus/geometry/proximity/closest_points.hpp>
#include <utility>

namespace ictus::geometry {

using math::Vec3;

NearestPoints nearest_points(const TriangleCorners& a, const TriangleCorners& b) {
  NearestPoints best;
  const auto take = [&](const Vec3& x, const Vec3& y) {
    const double distance = (x - y).norm();
    if (distance < best.distance) best = {distance, 0.5 * (x + y), y - x};
  };
  for (const auto& [points, triangle] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    const auto& [u, v, w] = *triangle;
    for (const Vec3& x : *points) {
      const auto [l, region] = closest_on_triangle(x, u, v, w);
      take(x, l[0] * u + l[1] * v + l[2] * w);
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const Vec3 &a0 = a[i], &a1 = a[(i + 1) % 3], &b0 = b[j], &b1 = b[(j + 1) % 3];
      if (a0 == a1 || b0 == b1) continue;    // points, which are corners
      constexpr double parallel_sq = 1e-10;  // sine squared of the angle below which there is no common normal
      const auto [s, t, inside] = closest_on_segments(a0, a1, b0, b1, parallel_sq);
      take((1 - s) * a0 + s * a1, (1 - t) * b0 + t * b1);
    }
  }
  return best;
}

}  // namespace ictus::geometry
