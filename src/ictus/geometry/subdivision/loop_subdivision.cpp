#include <ictus/geometry/subdivision/loop_subdivision.hpp>

#include <cmath>
#include <ictus/base/index.hpp>
#include <numbers>

namespace ictus::geometry {

using base::index;

using math::Vec3;

namespace {

const Vec3& at(const TriangleMesh& mesh, int vertex) { return mesh.positions[index(vertex)]; }

/// own · x_v + Σ ring of weight other; on the boundary the mask of a spline curve with weight `side` for each of the
/// two boundary neighbours.
template <class Interior>
Vec3 smooth(const TriangleMesh& mesh, const EdgeTopology& topology, int v, double side, Interior ring_weight) {
  const std::vector<int> neighbours = ring(mesh, topology, v);
  if (topology.on_boundary(v))
    return (1 - 2 * side) * at(mesh, v) + side * (at(mesh, neighbours.front()) + at(mesh, neighbours.back()));
  const double weight = ring_weight(static_cast<int>(neighbours.size()));
  Vec3 sum = Vec3::Zero();
  for (const int neighbour : neighbours) sum += at(mesh, neighbour);
  return (1 - static_cast<double>(neighbours.size()) * weight) * at(mesh, v) + weight * sum;
}

}  // namespace

double loop_beta(int valence) {
  const double root = 3.0 / 8 + std::cos(2 * std::numbers::pi / valence) / 4;
  return (5.0 / 8 - root * root) / valence;
}

double limit_ring_weight(int valence) { return 1 / (3 / (8 * loop_beta(valence)) + valence); }

TriangleMesh loop_refine(const TriangleMesh& mesh, const EdgeTopology& topology) {
  TriangleMesh result = split(mesh, topology);
  const std::size_t first = mesh.positions.size();
  for (std::size_t e = 0; e < topology.edges.size(); ++e) {
    const auto [left, right] = topology.edge_triangles[e];
    if (right < 0) continue;
    const auto [a, b] = topology.edges[e];
    Vec3 across = Vec3::Zero();
    for (const int t : {left, right}) {
      for (const int v : mesh.triangles[index(t)])
        if (v != a && v != b) across += at(mesh, v);
    }
    result.positions[first + e] = 3.0 / 8 * (at(mesh, a) + at(mesh, b)) + 1.0 / 8 * across;
  }
  for (int v = 0; v < static_cast<int>(first); ++v)
    result.positions[index(v)] = smooth(mesh, topology, v, 1.0 / 8, loop_beta);
  return result;
}

std::vector<Vec3> limit_positions(const TriangleMesh& mesh, const EdgeTopology& topology) {
  std::vector<Vec3> limit;
  limit.reserve(mesh.positions.size());
  for (int v = 0; v < static_cast<int>(mesh.positions.size()); ++v) {
    limit.push_back(smooth(mesh, topology, v, 1.0 / 6, limit_ring_weight));
  }
  return limit;
}

}  // namespace ictus::geometry
