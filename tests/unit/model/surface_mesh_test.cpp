#include <gtest/gtest.h>

#include <cmath>
#include <ictus/model/surface_mesh.hpp>

namespace ictus::model {
namespace {

/// Two triangles over a unit square: 4 sides and the diagonal 1–2.
SurfaceMesh square() {
  const std::vector<math::Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  return {{{0, 1, 2}, {2, 1, 3}}, {6, 9, 12, 15}, corners};
}

TEST(SurfaceMesh, EveryEdgeAppearsOnceWithItsTriangles) {
  const SurfaceMesh mesh = square();
  const std::vector<SurfaceMesh::Edge> edges{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
  EXPECT_EQ(std::vector(mesh.edges().begin(), mesh.edges().end()), edges);
  const std::vector<SurfaceMesh::Edge> sides{{0, -1}, {0, -1}, {0, 1}, {1, -1}, {1, -1}};
  EXPECT_EQ(std::vector(mesh.edge_triangles().begin(), mesh.edge_triangles().end()), sides);
}

TEST(SurfaceMesh, EdgesOfATriangleLieOppositeToItsVertices) {
  const SurfaceMesh mesh = square();
  for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      const SurfaceMesh::Edge edge = mesh.edges()[static_cast<std::size_t>(mesh.triangle_edges()[t][c])];
      const int corner = mesh.triangles()[t][c];
      EXPECT_NE(edge[0], corner);
      EXPECT_NE(edge[1], corner);
    }
  }
}

TEST(SurfaceMesh, LengthsAndDofs) {
  const SurfaceMesh mesh = square();
  EXPECT_NEAR(mesh.mean_edge(), (4 + std::sqrt(2.0)) / 5, 1e-15);
  EXPECT_DOUBLE_EQ(mesh.longest_edge(), std::sqrt(2.0));
  EXPECT_EQ(mesh.dof(3), 15);
  const std::vector<double> q{1, 2, 3, 4, 5};
  EXPECT_EQ(vertex_at(q, 2), math::Vec3(3, 4, 5));
}

}  // namespace
}  // namespace ictus::model
