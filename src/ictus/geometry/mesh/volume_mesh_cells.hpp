#pragma once

#include <ictus/geometry/mesh/volume_mesh.hpp>

namespace ictus::geometry {

/// The six tetrahedra of a cell around its diagonal from node 0 to node 6; the faces of the cells of a grid match.
inline constexpr int six_tetrahedra[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                             {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};

/// Adds a cell, its nodes in the order of a hexahedron, as that or as six tetrahedra.
inline void add_cell(const std::array<int, 8>& cell, VolumeElement element, VolumeMesh& mesh) {
  if (element == VolumeElement::hexahedron) {
    mesh.hexahedra.push_back(cell);
    return;
  }
  const auto node = [&](int corner) { return cell[static_cast<std::size_t>(corner)]; };
  for (const auto& t : six_tetrahedra) mesh.tetrahedra.push_back({node(t[0]), node(t[1]), node(t[2]), node(t[3])});
}

}  // namespace ictus::geometry
