#pragma once

#include <array>
#include <cstddef>
#include <ictus/math/vector.hpp>
#include <vector>

namespace ictus::geometry {

/// Vertex numbers of a triangle, counter-clockwise where its normal points at the eye.
using Triangle = std::array<int, 3>;

/// A surface of triangles. Closed ones have their normals outwards. Triangles and vertices are counted from 0.
struct TriangleMesh {
  std::vector<math::Vec3> positions;  ///< m
  std::vector<Triangle> triangles;

  const math::Vec3& corner(std::size_t triangle, std::size_t k) const {
    return positions[static_cast<std::size_t>(triangles[triangle][k])];
  }
  /// Twice the area times the unit normal.
  math::Vec3 area_vector(std::size_t triangle) const {
    const math::Vec3& a = corner(triangle, 0);
    return (corner(triangle, 1) - a).cross(corner(triangle, 2) - a);
  }
};

}  // namespace ictus::geometry
