#include <ictus/geometry/mesh/edge_topology.hpp>

#include <algorithm>
#include <ictus/base/index.hpp>

namespace ictus::geometry {

using base::index;

namespace {

/// Pairs half-edges that lie on the same two vertices.
std::vector<int> find_opposites(const TriangleMesh& mesh) {
  struct Key {
    int low, high, half_edge;
    bool operator<(const Key& other) const {
      return low != other.low ? low < other.low : high != other.high ? high < other.high : half_edge < other.half_edge;
    }
  };
  std::vector<Key> keys;
  keys.reserve(3 * mesh.triangles.size());
  for (int h = 0; h < static_cast<int>(3 * mesh.triangles.size()); ++h) {
    const int a = origin(mesh, h), b = origin(mesh, EdgeTopology::next(h));
    keys.push_back({std::min(a, b), std::max(a, b), h});
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> opposite(keys.size(), -1);
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    if (keys[i].low != keys[i + 1].low || keys[i].high != keys[i + 1].high) continue;
    opposite[index(keys[i].half_edge)] = keys[i + 1].half_edge;
    opposite[index(keys[i + 1].half_edge)] = keys[i].half_edge;
  }
  return opposite;
}

}  // namespace

EdgeTopology::EdgeTopology(const TriangleMesh& mesh) : opposite(find_opposites(mesh)) {
  edge.assign(opposite.size(), -1);
  outgoing.assign(mesh.positions.size(), -1);
  triangle_start.assign(mesh.positions.size() + 1, 0);
  for (int h = 0; h < static_cast<int>(opposite.size()); ++h) {
    const int other = opposite[index(h)], from = origin(mesh, h);
    if (other < 0 || outgoing[index(from)] < 0) outgoing[index(from)] = h;
    ++triangle_start[index(from) + 1];
    if (edge[index(h)] >= 0) continue;
    edge[index(h)] = static_cast<int>(edges.size());
    if (other >= 0) edge[index(other)] = edge[index(h)];
    edges.push_back({from, origin(mesh, next(h))});
    edge_triangles.push_back({triangle_of(h), other < 0 ? -1 : triangle_of(other)});
  }
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) triangle_start[v + 1] += triangle_start[v];
  vertex_triangles.resize(opposite.size());
  std::vector<int> fill(triangle_start.begin(), triangle_start.end() - 1);
  for (int h = 0; h < static_cast<int>(opposite.size()); ++h)
    vertex_triangles[index(fill[index(origin(mesh, h))]++)] = triangle_of(h);
}

std::vector<int> ring(const TriangleMesh& mesh, const EdgeTopology& topology, int vertex) {
  std::vector<int> neighbours;
  const int first = topology.outgoing[index(vertex)];
  int h = first;
  do {
    neighbours.push_back(origin(mesh, EdgeTopology::next(h)));
    const int left = topology.turn_left(h);
    if (left < 0) neighbours.push_back(origin(mesh, EdgeTopology::previous(h)));
    h = left;
  } while (h >= 0 && h != first);
  return neighbours;
}

}  // namespace ictus::geometry
