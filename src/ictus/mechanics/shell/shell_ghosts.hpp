#pragma once

#include <Eigen/Core>
#include <ictus/geometry/mesh/triangle_mesh.hpp>
#include <vector>

namespace ictus::mechanics {

/// A plane of symmetry, normal to a coordinate axis, and the vertices of the mesh's boundary that lie on it.
struct SymmetryPlane {
  int axis;         ///< 0 x, 1 y, 2 z
  double position;  ///< of the plane along the axis (m)
  std::vector<int> vertices;
};

/// x_g = Σ_j map_j x_j + offset: a vertex beyond the boundary, from real ones [eq. shells-8].
struct Ghost {
  struct Term {
    int vertex;
    double weight;        ///< its share of the ghost's mass
    Eigen::Matrix3d map;  ///< weight times R, with −1 along the normals of the mirrors it was seen in
  };
  std::vector<Term> terms;
  math::Vec3 offset = math::Vec3::Zero();
};

/// A mesh with ghosts: its own vertices and triangles first, then the ghosts and triangles of ghosts, so that no real
/// vertex lies on a boundary.
struct GhostedMesh {
  geometry::TriangleMesh mesh;
  std::size_t real_vertices = 0;
  std::size_t real_triangles = 0;
  std::vector<Ghost> ghosts;  ///< ghost g is vertex real_vertices + g
};

/// Mirrors the mesh at the planes of symmetry and puts ghosts at what is left of its boundary: clamped ones across
/// edges whose both ends are `clamped`, free ones across the others.
GhostedMesh with_ghosts(const geometry::TriangleMesh& mesh, const std::vector<SymmetryPlane>& symmetries,
                        const std::vector<int>& clamped = {});

}  // namespace ictus::mechanics
