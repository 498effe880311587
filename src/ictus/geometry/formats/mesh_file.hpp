#pragma once

#include <filesystem>
#include <ictus/geometry/mesh/triangle_mesh.hpp>

namespace ictus::geometry {

/// The triangles of an OBJ, STL or PLY file, or of a mesh of Gmsh (.msh) or Abaqus (.inp, S3); polygons are cut into
/// triangles, and vertices welded that lie within 1e-6 of the extent (triangles of STL files share none). Throws
/// base::InputError naming the file, and the line where it has lines, when it cannot be read or the mesh has defects.
TriangleMesh read_mesh(const std::filesystem::path& file);

}  // namespace ictus::geometry
