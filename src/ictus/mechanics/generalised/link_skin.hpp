#pragma once

#include <Eigen/Geometry>
#include <array>
#include <ictus/math/vector.hpp>
#include <vector>

namespace ictus::mechanics {

/// What other bodies meet of a system with coordinates of its own: points that are fixed in its links, which are rigid,
/// edges and triangles between them, and a radius around all, see model::SurfaceMesh.
struct LinkSkin {
  std::vector<int> link;          ///< that carries each point
  std::vector<math::Vec3> lever;  ///< of each, in the axes of its link (m)
  std::vector<std::array<int, 3>> triangles;
  double radius = 0;  ///< m

  bool empty() const { return lever.empty(); }

  /// A point, with a radius a ball.
  LinkSkin& add_point(int of_link, const math::Vec3& at) {
    const int p = add(of_link, at);
    triangles.push_back({p, p, p});
    return *this;
  }
  /// A line, with a radius a capsule.
  LinkSkin& add_line(int of_link, const math::Vec3& from, const math::Vec3& to) {
    const int a = add(of_link, from), b = add(of_link, to);
    triangles.push_back({a, b, b});
    return *this;
  }
  /// A box along the axes of its link.
  LinkSkin& add_box(int of_link, const math::Vec3& low, const math::Vec3& high) {
    const auto first = static_cast<int>(lever.size());
    for (int corner = 0; corner < 8; ++corner) {
      const auto along = [&](int axis) { return (corner >> axis & 1) != 0 ? high[axis] : low[axis]; };
      add(of_link, {along(0), along(1), along(2)});
    }
    for (const auto& [a, b, c, d] : box_faces) {
      triangles.push_back({first + a, first + b, first + c});
      triangles.push_back({first + a, first + c, first + d});
    }
    return *this;
  }
  /// Corners of the faces of a box, in turn; corner k is at the high end of axis i where its bit i is set.
  static constexpr std::array<std::array<int, 4>, 6> box_faces{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};

 private:
  int add(int of_link, const math::Vec3& at) {
    link.push_back(of_link);
    lever.push_back(at);
    return static_cast<int>(lever.size()) - 1;
  }
};

}  // namespace ictus::mechanics
