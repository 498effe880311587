#include <ictus/geometry/formats/surface_formats.hpp>

#include <ictus/base/index.hpp>
#include <vector>

namespace ictus::geometry {

using base::index;
using math::Vec3;

namespace {

Vec3 area_of(const TriangleMesh& mesh, int a, int b, int c) {
  const Vec3& x = mesh.positions[index(a)];
  return (mesh.positions[index(b)] - x).cross(mesh.positions[index(c)] - x);
}

/// Σ x_i × x_{i+1}, taken about the first corner: twice the area times the normal, whatever the shape.
Vec3 newell_normal(const TriangleMesh& mesh, std::span<const int> corners) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) sum += area_of(mesh, corners[0], corners[i], corners[i + 1]);
  return sum;
}

bool holds_another(const TriangleMesh& mesh, std::span<const int> left, const Triangle& ear, const Vec3& normal) {
  for (const int v : left) {
    if (v == ear[0] || v == ear[1] || v == ear[2]) continue;
    if (area_of(mesh, ear[0], ear[1], v).dot(normal) >= 0 && area_of(mesh, ear[1], ear[2], v).dot(normal) >= 0 &&
        area_of(mesh, ear[2], ear[0], v).dot(normal) >= 0)
      return true;
  }
  return false;
}

}  // namespace

void cut_polygon(std::span<const int> corners, TriangleMesh& mesh) {
  std::vector<int> left(corners.begin(), corners.end());
  const Vec3 normal = newell_normal(mesh, left);
  if (left.size() == 4) {
    const auto distance = [&](std::size_t a, std::size_t b) {
      return (mesh.positions[index(left[a])] - mesh.positions[index(left[b])]).squaredNorm();
    };
    const auto halves = [&](std::size_t first) {
      const Triangle one{left[first], left[(first + 1) % 4], left[(first + 2) % 4]};
      const Triangle two{left[first], left[(first + 2) % 4], left[(first + 3) % 4]};
      const bool fit = area_of(mesh, one[0], one[1], one[2]).dot(normal) > 0 &&
                       area_of(mesh, two[0], two[1], two[2]).dot(normal) > 0;
      if (fit) mesh.triangles.insert(mesh.triangles.end(), {one, two});
      return fit;
    };
    const std::size_t shorter = distance(0, 2) <= distance(1, 3) ? 0 : 1;
    if (halves(shorter) || halves(1 - shorter)) return;
  }
  while (left.size() > 3) {
    const std::size_t n = left.size();
    std::size_t chosen = 0;  // of a polygon without an ear, which has no area or crosses itself, any corner
    for (std::size_t i = 0; i < n; ++i) {
      const Triangle ear{left[(i + n - 1) % n], left[i], left[(i + 1) % n]};
      if (area_of(mesh, ear[0], ear[1], ear[2]).dot(normal) > 0 && !holds_another(mesh, left, ear, normal)) {
        chosen = i;
        break;
      }
    }
    mesh.triangles.push_back({left[(chosen + n - 1) % n], left[chosen], left[(chosen + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  mesh.triangles.push_back({left[0], left[1], left[2]});
}

}  // namespace ictus::geometry
