#include <ictus/mechanics/shell/shell_ghosts.hpp>

#include <algorithm>
#include <ictus/base/index.hpp>
#include <ictus/geometry/mesh/edge_topology.hpp>
#include <map>

namespace ictus::mechanics {

using base::index;

using geometry::EdgeTopology;
using geometry::Triangle;
using math::Vec3;

namespace {

class Extension {
 public:
  Extension(const geometry::TriangleMesh& mesh, const std::vector<int>& clamped) : clamped_(mesh.positions.size(), 0) {
    for (const int v : clamped) clamped_[index(v)] = 1;
    result_.mesh = mesh;
    result_.real_vertices = mesh.positions.size();
    result_.real_triangles = mesh.triangles.size();
  }

  void mirror(const SymmetryPlane& plane) {
    std::vector<char> on_plane(result_.mesh.positions.size(), 0);
    for (const int v : plane.vertices) on_plane[index(v)] = 1;
    std::map<int, int> image;
    const auto mirrored = [&](int v) {
      if (on_plane[index(v)] != 0) return v;
      const auto [found, is_new] = image.try_emplace(v, 0);
      if (is_new) found->second = add_ghost(reflected(combination(v), plane));
      return found->second;
    };
    const std::size_t count = result_.mesh.triangles.size();
    for (std::size_t t = 0; t < count; ++t) {
      const Triangle triangle = result_.mesh.triangles[t];
      if (std::none_of(triangle.begin(), triangle.end(), [&](int v) { return on_plane[index(v)] != 0; })) continue;
      result_.mesh.triangles.push_back({mirrored(triangle[0]), mirrored(triangle[2]), mirrored(triangle[1])});
    }
  }

  /// A ghost across every boundary edge that touches a real vertex, and the triangle of the two ghosts at a vertex.
  void close_edges() {
    const EdgeTopology topology(result_.mesh);
    std::map<int, int> ghost_leaving, ghost_arriving;  // by the boundary half-edge's start and end
    for (int h = 0; h < static_cast<int>(topology.opposite.size()); ++h) {
      if (topology.opposite[index(h)] >= 0) continue;
      const int a = origin(result_.mesh, h), b = origin(result_.mesh, EdgeTopology::next(h)),
                c = origin(result_.mesh, EdgeTopology::previous(h));
      if (!is_real(a) && !is_real(b)) continue;
      const int ghost = add_ghost(is_clamped(a) && is_clamped(b) ? clamped_beyond(a, b, c)
                                                                 : sum(combination(a), combination(b), combination(c)));
      result_.mesh.triangles.push_back({b, a, ghost});
      ghost_leaving[a] = ghost;
      ghost_arriving[b] = ghost;
    }
    for (const auto& [vertex, leaving] : ghost_leaving) {
      if (is_real(vertex)) result_.mesh.triangles.push_back({vertex, ghost_arriving.at(vertex), leaving});
    }
  }

  GhostedMesh take() { return std::move(result_); }

 private:
  bool is_real(int v) const { return index(v) < result_.real_vertices; }

  Ghost combination(int v) const {
    if (!is_real(v)) return result_.ghosts[index(v) - result_.real_vertices];
    return {{{v, 1, Eigen::Matrix3d::Identity()}}};
  }

  static Ghost reflected(Ghost ghost, const SymmetryPlane& plane) {
    for (Ghost::Term& term : ghost.terms) term.map.row(plane.axis) *= -1;
    ghost.offset[plane.axis] = 2 * plane.position - ghost.offset[plane.axis];
    return ghost;
  }

  /// x_a + x_b − x_c.
  static Ghost sum(Ghost a, const Ghost& b, const Ghost& c) {
    const auto add = [&](const Ghost& other, double factor) {
      a.offset += factor * other.offset;
      for (const Ghost::Term& term : other.terms) {
        const auto same = std::find_if(a.terms.begin(), a.terms.end(),
                                       [&](const Ghost::Term& own) { return own.vertex == term.vertex; });
        if (same == a.terms.end()) {
          a.terms.push_back({term.vertex, factor * term.weight, factor * term.map});
        } else {
          same->weight += factor * term.weight;
          same->map += factor * term.map;
        }
      }
    };
    add(b, 1);
    add(c, -1);
    return a;
  }

  bool is_clamped(int v) const {
    const Ghost from = combination(v);
    return std::all_of(from.terms.begin(), from.terms.end(),
                       [&](const Ghost::Term& term) { return clamped_[index(term.vertex)] != 0; });
  }

  /// Beyond a clamped edge ab of abc: in the plane of the triangle at rest as if it were free, along its normal where c
  /// is [eq. shells-11].
  Ghost clamped_beyond(int a, int b, int c) const {
    const auto& x = result_.mesh.positions;
    const Vec3 normal = (x[index(b)] - x[index(a)]).cross(x[index(c)] - x[index(a)]).normalized();
    const Eigen::Matrix3d along = normal * normal.transpose(), within = Eigen::Matrix3d::Identity() - along;
    Ghost ghost = sum(combination(a), combination(b), combination(c));
    const Ghost inside = combination(c);
    ghost.offset = within * ghost.offset + along * inside.offset;
    for (Ghost::Term& term : ghost.terms) {
      term.map = within * term.map;
      for (const Ghost::Term& own : inside.terms) {
        if (own.vertex == term.vertex) term.map += along * own.map;
      }
    }
    return ghost;
  }

  int add_ghost(Ghost ghost) {
    Vec3 position = ghost.offset;
    for (const Ghost::Term& term : ghost.terms) position += term.map * result_.mesh.positions[index(term.vertex)];
    result_.mesh.positions.push_back(position);
    result_.ghosts.push_back(std::move(ghost));
    return static_cast<int>(result_.mesh.positions.size()) - 1;
  }

  GhostedMesh result_;
  std::vector<char> clamped_;
};

}  // namespace

GhostedMesh with_ghosts(const geometry::TriangleMesh& mesh, const std::vector<SymmetryPlane>& symmetries,
                        const std::vector<int>& clamped) {
  Extension extension(mesh, clamped);
  for (const SymmetryPlane& plane : symmetries) extension.mirror(plane);
  extension.close_edges();
  return extension.take();
}

}  // namespace ictus::mechanics
