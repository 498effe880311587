#pragma once

#include <array>
#include <ictus/math/vector.hpp>

namespace ictus::geometry {

using TriangleCorners = std::array<math::Vec3, 3>;

/// The side of the plane (a, b, c) on which d lies: +1 where a, b, c turn clockwise seen from d, −1 on the other side,
/// 0 on it. A determinant whose sign could be round-off is taken again with twice the digits.
int side_of_plane(const math::Vec3& a, const math::Vec3& b, const math::Vec3& c, const math::Vec3& d);

/// Whether the segment from p to q passes through the inside of a triangle.
bool segment_pierces(const math::Vec3& p, const math::Vec3& q, const TriangleCorners& triangle);

/// Whether a side of one triangle really passes through the other. Triangles that only touch, or that lie in one plane,
/// do not cross.
bool triangles_cross(const TriangleCorners& first, const TriangleCorners& second);

}  // namespace ictus::geometry
