#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <ictus/math/vector.hpp>
#include <map>
#include <string>
#include <vector>

namespace ictus::geometry {

/// A mesh of tetrahedra and hexahedra, with the sets that its maker named. Nodes of an element are in the order of VTK:
/// a tetrahedron (0 1 2 3) has its fourth node on the side to which the right-hand normal of 0 1 2 points; a hexahedron
/// has its lower face 0 1 2 3 seen counter-clockwise from above and its upper face 4 5 6 7 over it.
struct VolumeMesh {
  std::vector<math::Vec3> nodes;
  std::vector<std::array<int, 4>> tetrahedra;
  std::vector<std::array<int, 8>> hexahedra;
  std::vector<std::array<int, 3>> triangles;            ///< shells of a file (S3), not part of the volume
  std::map<std::string, std::vector<int>> node_sets{};  ///< sorted, each node once
  std::vector<std::string> element_names{};             ///< as a file numbers them; empty: 0, 1, ...

  /// "element 17" as the file or, without one, the mesh numbers it; tetrahedra come before hexahedra.
  std::string element_name(std::size_t element) const;
};

/// An outer face of three or four nodes, the fourth −1 where there is none, seen counter-clockwise from outside.
using OuterFace = std::array<int, 4>;
std::vector<OuterFace> outer_faces(const VolumeMesh& mesh);

/// The outer faces as triangles that look outwards; of a quadrilateral the two halves along its shorter diagonal.
std::vector<std::array<int, 3>> boundary(const VolumeMesh& mesh);

/// One problem of a mesh, in words.
struct MeshDefect {
  std::size_t element;
  std::string what;  ///< "element 17 is inverted: ..."
};

/// Elements that a computation cannot use: inverted ones, and ones of no volume (below 1e-9 of the cube of their
/// longest edge). At most `most` of them.
std::vector<MeshDefect> defects(const VolumeMesh& mesh, std::size_t max_count = 10);

/// Nodes that no element uses are left out, and sets follow.
void remove_unused_nodes(VolumeMesh& mesh);

enum class VolumeElement { tetrahedron, hexahedron };

/// A box from the origin to `size` in equal cells; five tetrahedra would leave planes of symmetry broken, so each cell
/// is six of them around a diagonal that points the same way everywhere. Sets: left, right (x), front, back (y),
/// bottom, top (z).
VolumeMesh box_mesh(const math::Vec3& size, const std::array<int, 3>& cells, VolumeElement element);

/// A block between eight corners, in the order of a hexahedron's nodes, by trilinear interpolation; cells and sets are
/// those of the box of which it is the image.
VolumeMesh block_mesh(const std::array<math::Vec3, 8>& corners, const std::array<int, 3>& cells, VolumeElement element);

/// A ball of hexahedra around the origin: a cube of across/2 cells, bulged, and across/4 layers from its faces to the
/// sphere. A Möbius transformation of the ball, which keeps angles, then makes cells at the lowest point `finer` times
/// smaller and at the highest as much larger. Last, the mesh grows from its lowest point until its volume is that of
/// the ball. Sets: surface, and pole, the lowest node.
VolumeMesh ball_mesh(double radius, int across, double finer);

/// How a cylinder is divided. Without rings the cross-section is a square grid bent to a disc, with four corners on the
/// rim that are flat; with rings it is a square core of across² cells and rings of 4·across cells around it.
struct CylinderCells {
  int across = 4;        ///< ≥ 2, even; cells over the diameter, or with rings over the core
  int rings = 0;         ///< ≥ 0
  int along = 1;         ///< ≥ 1, over the height
  bool quarter = false;  ///< only x, y ≥ 0
};

/// A cylinder along z from the origin. Sets: bottom, top, side; of a quarter left (x = 0) and front (y = 0) too.
VolumeMesh cylinder_mesh(double radius, double height, const CylinderCells& cells, VolumeElement element);

/// A tube along z from the origin: `around` cells over the circumference, `through` the wall, `along` the height. Sets:
/// bottom, top, inside, outside.
VolumeMesh tube_mesh(double inner, double outer, double height, const std::array<int, 3>& around_through_along,
                     VolumeElement element);

/// Reads Gmsh's .msh 4.1 (text or binary) or Abaqus' .inp by the name of the file. Throws base::InputError with line
/// and what was expected there.
VolumeMesh read_volume_mesh(const std::filesystem::path& file);
VolumeMesh read_gmsh(const std::string& text, const std::string& file);
VolumeMesh read_abaqus(const std::string& text, const std::string& file);

}  // namespace ictus::geometry
