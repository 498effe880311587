#pragma once

// The limit surface of Loop's scheme over one triangle, at its barycentre.

#include <ictus/geometry/mesh/edge_topology.hpp>
#include <ictus/geometry/subdivision/loop_functions.hpp>
#include <vector>

namespace ictus::geometry {

/// Vertices and their functions at the barycentre of a triangle.
struct Patch {
  bool regular = false;  ///< twelve vertices in the order of loop::regular_patch, functions loop::at_barycentre
  std::vector<int> vertices;
  std::vector<Jet> functions;
};

/// The patch of a triangle none of whose corners lies on the boundary, of any valence; irregular ones by one refinement
/// [eq. shells-4].
Patch barycentre_patch(const TriangleMesh& mesh, const EdgeTopology& topology, int triangle);
/// The same by refinement for regular corners too.
Patch refined_patch(const TriangleMesh& mesh, const EdgeTopology& topology, int triangle);

}  // namespace ictus::geometry
