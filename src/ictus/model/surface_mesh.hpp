#pragma once

#include <array>
#include <ictus/math/vector.hpp>
#include <span>
#include <vector>

namespace ictus::model {

/// The triangulated skin of a body, as contact sees it. Vertex i has three consecutive unknowns, which are its position
/// in space: x_i = (q[k], q[k+1], q[k+2]), k = unknown(i). Triangles need not be closed nor oriented; DCR alone reads
/// the orientation (outward by the right hand). Immutable, flat.
class SurfaceMesh {
 public:
  static constexpr int none = -1;
  using Triangle = std::array<int, 3>;
  using Edge = std::array<int, 2>;

  /// `unknown` gives the first unknown (of the System) of each vertex, `position` where the vertices are at the start.
  SurfaceMesh(std::vector<Triangle> triangles, std::vector<int> unknown, std::span<const math::Vec3> position);

  std::size_t vertex_count() const { return unknown_.size(); }
  std::span<const Triangle> triangles() const { return triangles_; }
  /// Each edge once, the smaller vertex first, in the order of their vertices.
  std::span<const Edge> edges() const { return edges_; }
  /// The triangles on both sides of an edge; `none` beyond a boundary. Of more than two, the first two.
  std::span<const Edge> edge_triangles() const { return edge_triangles_; }
  /// Edges of each triangle, opposite to its vertices in order.
  std::span<const Triangle> triangle_edges() const { return triangle_edges_; }
  std::span<const int> unknown() const { return unknown_; }
  int unknown(int vertex) const { return unknown_[static_cast<std::size_t>(vertex)]; }
  /// Mean and largest length of the edges at the start (m).
  double mean_edge() const { return mean_edge_; }
  double longest_edge() const { return longest_edge_; }

 private:
  void find_edges();

  std::vector<Triangle> triangles_;
  std::vector<Edge> edges_;
  std::vector<Edge> edge_triangles_;
  std::vector<Triangle> triangle_edges_;
  std::vector<int> unknown_;
  double mean_edge_ = 0;
  double longest_edge_ = 0;
};

/// x_i of the vertex whose first unknown is k.
inline math::Vec3 vertex_at(std::span<const double> q, int k) {
  return math::Vec3::Map(q.data() + static_cast<std::size_t>(k));
}

}  // namespace ictus::model
