#include <ictus/geometry/mesh/curve_order.hpp>

#include <algorithm>
#include <cstdint>

namespace ictus::geometry {

using math::Vec3;

namespace {

constexpr int bits = 21;

/// Position on the Hilbert curve of a cell. The coordinates are brought to the curve's transposed form by undoing, from
/// the coarsest level on, the exchange or reversal of axes that each sub-cube of the curve has; a Gray code then ranks
/// the sub-cubes of a level.
std::uint64_t hilbert_key(std::array<std::uint32_t, 3> x) {
  for (std::uint32_t level = 1U << (bits - 1); level > 1; level >>= 1) {
    const std::uint32_t below = level - 1;
    for (std::size_t i = 0; i < 3; ++i) {
      if ((x[i] & level) != 0) {
        x[0] ^= below;
      } else {
        const std::uint32_t differ = (x[0] ^ x[i]) & below;
        x[0] ^= differ;
        x[i] ^= differ;
      }
    }
  }
  x[1] ^= x[0];
  x[2] ^= x[1];
  std::uint32_t flip = 0;
  for (std::uint32_t level = 1U << (bits - 1); level > 1; level >>= 1) {
    if ((x[2] & level) != 0) flip ^= level - 1;
  }
  std::uint64_t key = 0;
  for (int b = bits - 1; b >= 0; --b) {
    for (std::size_t i = 0; i < 3; ++i) key = (key << 1) | (((x[i] ^ flip) >> b) & 1U);
  }
  return key;
}

}  // namespace

std::vector<int> curve_order(std::span<const Vec3> points) {
  if (points.empty()) return {};
  Eigen::AlignedBox3d box;
  for (const Vec3& x : points) box.extend(x);
  const double longest = box.sizes().maxCoeff();
  const double scale = longest > 0 ? ((1 << bits) - 1) / longest : 0;
  std::vector<std::pair<std::uint64_t, int>> keyed;
  keyed.reserve(points.size());
  for (const Vec3& x : points) {
    const Vec3 cell = scale * (x - box.min());
    keyed.emplace_back(hilbert_key({static_cast<std::uint32_t>(cell.x()), static_cast<std::uint32_t>(cell.y()),
                                    static_cast<std::uint32_t>(cell.z())}),
                       static_cast<int>(keyed.size()));
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<int> order;
  order.reserve(keyed.size());
  for (const auto& [key, point] : keyed) order.push_back(point);
  return order;
}

TriangleMesh renumbered(const TriangleMesh& mesh) {
  std::vector<Vec3> centres;
  centres.reserve(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    centres.push_back((mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2)) / 3);
  TriangleMesh result;
  result.triangles.reserve(mesh.triangles.size());
  std::vector<int> number(mesh.positions.size(), -1);
  for (const int t : curve_order(centres)) {
    Triangle triangle = mesh.triangles[static_cast<std::size_t>(t)];
    for (int& v : triangle) {
      int& own = number[static_cast<std::size_t>(v)];
      if (own < 0) {
        own = static_cast<int>(result.positions.size());
        result.positions.push_back(mesh.positions[static_cast<std::size_t>(v)]);
      }
      v = own;
    }
    result.triangles.push_back(triangle);
  }
  return result;
}

}  // namespace ictus::geometry
