#pragma once

#include <ictus/geometry/mesh/edge_topology.hpp>

namespace ictus::geometry {

/// Every triangle cut into four at the midpoints of its edges. Old vertices keep their numbers, that of edge e is
/// vertex_count + e. Triangle t becomes 4t … 4t + 3: the three at its corners, then the one in the middle, whose corner
/// k lies on the edge from corner k to k + 1.
TriangleMesh split(const TriangleMesh& mesh, const EdgeTopology& topology);

}  // namespace ictus::geometry
