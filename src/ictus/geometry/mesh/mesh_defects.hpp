#pragma once

#include <ictus/geometry/mesh/triangle_mesh.hpp>
#include <string>
#include <vector>

namespace ictus::geometry {

/// What keeps a mesh from being an oriented surface, one sentence each, naming triangles: numbers of vertices that do
/// not exist, triangles without area, the same triangle twice, edges of more than two triangles, neighbours wound in
/// opposite senses, vertices where surfaces touch in a point, vertices without triangles. Empty: none.
std::vector<std::string> mesh_defects(const TriangleMesh& mesh);

/// The mesh with vertices closer than `tolerance` (m) made one, the lowest of them, and unused vertices taken out.
TriangleMesh weld(const TriangleMesh& mesh, double tolerance);

}  // namespace ictus::geometry
