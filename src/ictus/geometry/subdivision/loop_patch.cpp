#include <ictus/geometry/subdivision/loop_patch.hpp>

#include <algorithm>
#include <ictus/base/index.hpp>
#include <ictus/geometry/subdivision/loop_subdivision.hpp>
#include <map>

namespace ictus::geometry {

using base::index;

namespace {

/// A neighbourhood as half-edges: those of the triangle, their opposites, and the far sides of the neighbours.
class Neighbourhood {
 public:
  Neighbourhood(const TriangleMesh& mesh, const EdgeTopology& topology, int triangle)
      : mesh_(mesh), topology_(topology), triangle_(triangle) {}

  int corner(int k) const { return mesh_.triangles[index(triangle_)][index(k)]; }
  /// Half-edge from corner k to the vertex across the edge k, k + 1.
  int outwards(int k) const { return EdgeTopology::next(opposite(3 * triangle_ + k)); }
  /// Half-edge from that vertex back to corner k + 1.
  int inwards(int k) const { return EdgeTopology::previous(opposite(3 * triangle_ + k)); }
  int across(int k) const { return end(outwards(k)); }
  int opposite(int half_edge) const { return topology_.opposite[index(half_edge)]; }
  int end(int half_edge) const { return origin(mesh_, EdgeTopology::next(half_edge)); }
  /// The third vertex of the triangle on the other side of a half-edge.
  int beyond(int half_edge) const { return origin(mesh_, EdgeTopology::previous(opposite(half_edge))); }

 private:
  const TriangleMesh& mesh_;
  const EdgeTopology& topology_;
  int triangle_;
};

using Combination = std::map<int, double>;

/// Adds `factor` times the new vertex on the edge of a half-edge [eq. shells-2].
void add_edge_point(const TriangleMesh& mesh, const EdgeTopology& topology, int h, double factor, Combination& sum) {
  const int other = topology.opposite[index(h)];
  sum[origin(mesh, h)] += 3.0 / 8 * factor;
  sum[origin(mesh, other)] += 3.0 / 8 * factor;
  sum[origin(mesh, EdgeTopology::previous(h))] += 1.0 / 8 * factor;
  sum[origin(mesh, EdgeTopology::previous(other))] += 1.0 / 8 * factor;
}

void add_vertex_point(const TriangleMesh& mesh, const EdgeTopology& topology, int v, double factor, Combination& sum) {
  const std::vector<int> neighbours = ring(mesh, topology, v);
  const double beta = loop_beta(static_cast<int>(neighbours.size()));
  sum[v] += factor * (1 - static_cast<double>(neighbours.size()) * beta);
  for (const int neighbour : neighbours) sum[neighbour] += factor * beta;
}

}  // namespace

Patch refined_patch(const TriangleMesh& mesh, const EdgeTopology& topology, int triangle) {
  const Neighbourhood at(mesh, topology, triangle);
  // The middle child has its corner 0 on the edge 12, corner 1 on 20, corner 2 on 01: the parent half a turn round.
  std::map<int, Jet> functions;
  const auto add = [&](const Combination& point, std::size_t i) {
    Jet f = loop::at_barycentre[i];
    f = {f.value, -2 * f.d1, -2 * f.d2, 4 * f.d11, 4 * f.d22, 4 * f.d12};
    for (const auto& [vertex, weight] : point) functions[vertex] = functions[vertex] + weight * f;
  };
  const auto add_edge = [&](int half_edge, std::size_t i) {
    Combination point;
    add_edge_point(mesh, topology, half_edge, 1, point);
    add(point, i);
  };
  const auto add_vertex = [&](int k, std::size_t i) {
    Combination point;
    add_vertex_point(mesh, topology, at.corner(k), 1, point);
    add(point, i);
  };
  add_edge(3 * triangle + 1, 0);
  add_edge(3 * triangle + 2, 1);
  add_edge(3 * triangle, 2);
  add_vertex(2, 3);
  add_vertex(0, 4);
  add_vertex(1, 5);
  add_edge(at.inwards(1), 6);
  add_edge(at.outwards(1), 7);
  add_edge(at.inwards(2), 8);
  add_edge(at.outwards(2), 9);
  add_edge(at.inwards(0), 10);
  add_edge(at.outwards(0), 11);
  Patch patch;
  for (const auto& [vertex, function] : functions) {
    patch.vertices.push_back(vertex);
    patch.functions.push_back(function);
  }
  return patch;
}

Patch barycentre_patch(const TriangleMesh& mesh, const EdgeTopology& topology, int triangle) {
  const Neighbourhood at(mesh, topology, triangle);
  for (int k = 0; k < 3; ++k) {
    if (topology.triangles_of(at.corner(k)).size() != 6) return refined_patch(mesh, topology, triangle);
  }
  Patch patch{true, {}, {loop::at_barycentre.begin(), loop::at_barycentre.end()}};
  patch.vertices = {at.corner(0), at.corner(1), at.corner(2), at.across(0), at.across(1), at.across(2)};
  const int tips[6] = {at.outwards(0), at.inwards(2), at.outwards(1), at.inwards(0), at.outwards(2), at.inwards(1)};
  for (const int half_edge : tips) patch.vertices.push_back(at.beyond(half_edge));
  std::vector<int> distinct = patch.vertices;
  std::sort(distinct.begin(), distinct.end());
  if (std::adjacent_find(distinct.begin(), distinct.end()) != distinct.end())
    return refined_patch(mesh, topology, triangle);
  return patch;
}

}  // namespace ictus::geometry
