#pragma once

#include <ictus/geometry/proximity/triangle_intersection.hpp>
#include <limits>

namespace ictus::geometry {

/// The nearest points of two triangles that do not cross: how far they are apart, where their middle is, and the way
/// from the one to the other.
struct NearestPoints {
  double distance = std::numeric_limits<double>::infinity();
  math::Vec3 at = math::Vec3::Zero();
  math::Vec3 between = math::Vec3::Zero();
};

/// Corners may coincide: then a triangle is a segment or a point.
NearestPoints nearest_points(const TriangleCorners& a, const TriangleCorners& b);

}  // namespace ictus::geometry
