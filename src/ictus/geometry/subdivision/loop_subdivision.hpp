#pragma once

#include <ictus/geometry/mesh/edge_topology.hpp>
#include <ictus/geometry/mesh/split.hpp>

namespace ictus::geometry {

/// β_N of Loop's scheme: a vertex of valence N moves to (1 − N β) x + β Σ ring [eq. shells-2].
double loop_beta(int valence);

/// ω of the limit position (1 − N ω) x + ω Σ ring of a vertex of valence N [eq. shells-3].
double limit_ring_weight(int valence);

/// One step of Loop's scheme; topology as by split(). Boundaries go to the cubic spline of their vertices
/// [eq. shells-2].
TriangleMesh loop_refine(const TriangleMesh& mesh, const EdgeTopology& topology);

/// Where the vertices of the mesh come to lie on the limit surface of Loop's scheme [eq. shells-3].
std::vector<math::Vec3> limit_positions(const TriangleMesh& mesh, const EdgeTopology& topology);

}  // namespace ictus::geometry
