#pragma once

#include <ictus/geometry/mesh/triangle_mesh.hpp>
#include <span>
#include <string>
#include <string_view>

namespace ictus::geometry {

/// The triangles of a Wavefront OBJ, STL (text or binary) or PLY (text, binary of either byte order) file, from its
/// bytes, in double precision where the file has it. Polygons are cut into triangles; of an STL file every triangle has
/// vertices of its own. `file` names the file in messages. Throws base::InputError with the line of the mistake in text
/// and the number of the element in bytes.
TriangleMesh read_obj(std::string_view text, const std::string& file);
TriangleMesh read_stl(std::string_view text, const std::string& file);
TriangleMesh read_ply(std::string_view text, const std::string& file);

/// Appends the triangles of a polygon: of a quadrilateral the two halves along its shorter diagonal, where both have
/// its sense; else ears are cut off one after the other.
void cut_polygon(std::span<const int> corners, TriangleMesh& mesh);

}  // namespace ictus::geometry
