#pragma once

#include <array>
#include <cstddef>
#include <ictus/geometry/mesh/triangle_mesh.hpp>
#include <span>
#include <vector>

namespace ictus::geometry {

/// Who neighbours whom in a mesh without defects (mesh_defects). Half-edge 3t + k runs along triangle t, which lies on
/// its left, from corner k to corner k + 1 (mod 3). Flat arrays; −1 stands for "none".
struct EdgeTopology {
  explicit EdgeTopology(const TriangleMesh& mesh);

  // By half-edge.
  std::vector<int> opposite;  ///< the half-edge that runs the other way along the same edge; −1 on the boundary
  std::vector<int> edge;      ///< the edge it belongs to
  // By edge, numbered in the order of their first half-edges.
  std::vector<std::array<int, 2>> edges;           ///< vertices, in the direction of the first half-edge
  std::vector<std::array<int, 2>> edge_triangles;  ///< triangle on the left and right of it; −1 on the boundary
  // By vertex.
  std::vector<int> outgoing;          ///< a half-edge that leaves it; on the boundary the one with nothing on its right
  std::vector<int> triangle_start;    ///< the triangles of vertex v are vertex_triangles[triangle_start[v] …[v + 1])
  std::vector<int> vertex_triangles;  ///< ascending for each vertex

  std::size_t vertex_count() const { return outgoing.size(); }
  std::span<const int> triangles_of(int vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return std::span(vertex_triangles)
        .subspan(static_cast<std::size_t>(triangle_start[v]),
                 static_cast<std::size_t>(triangle_start[v + 1] - triangle_start[v]));
  }
  bool on_boundary(int vertex) const {
    return opposite[static_cast<std::size_t>(outgoing[static_cast<std::size_t>(vertex)])] < 0;
  }

  static int triangle_of(int half_edge) { return half_edge / 3; }
  static int next(int half_edge) { return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1; }
  static int previous(int half_edge) { return half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1; }
  /// The half-edge that leaves the same vertex one triangle further counter-clockwise; −1 past a boundary.
  int turn_left(int half_edge) const { return opposite[static_cast<std::size_t>(previous(half_edge))]; }
};

/// The vertex at which a half-edge starts.
inline int origin(const TriangleMesh& mesh, int half_edge) {
  return mesh.triangles[static_cast<std::size_t>(half_edge / 3)][static_cast<std::size_t>(half_edge % 3)];
}

/// The neighbours of a vertex, counter-clockwise; on the boundary from the first to the last boundary edge.
std::vector<int> ring(const TriangleMesh& mesh, const EdgeTopology& topology, int vertex);

}  // namespace ictus::geometry
