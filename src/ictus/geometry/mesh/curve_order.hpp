#pragma once

#include <ictus/geometry/mesh/triangle_mesh.hpp>
#include <span>
#include <vector>

namespace ictus::geometry {

/// The order in which a Hilbert curve through their bounding cube visits the points: neighbours in space come close in
/// memory. order[k] is the number of the k-th point; points of one of the 2²¹ cells per direction keep their order.
std::vector<int> curve_order(std::span<const math::Vec3> points);

/// The same surface with its triangles along a Hilbert curve and its vertices in the order in which they meet them.
TriangleMesh renumbered(const TriangleMesh& mesh);

}  // namespace ictus::geometry
