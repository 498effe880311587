#include <algorithm>
#include <ictus/geometry/edge_topology.hpp>
#include <ictus/mechanics/shell_ghosts.hpp>
#include <map>

namespace ictus::mechanics {

using geometry::EdgeTopology;
using geometry::Triangle;
using math::Vec3;

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

class Extension {
 public:
  explicit Extension(const geometry::TriangleMesh& mesh) {
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
  void free_edges() {
    const EdgeTopology topology(result_.mesh);
    std::map<int, int> ghost_leaving, ghost_arriving;  // by the boundary half-edge's start and end
    for (int h = 0; h < static_cast<int>(topology.opposite.size()); ++h) {
      if (topology.opposite[index(h)] >= 0) continue;
      const int a = origin(result_.mesh, h), b = origin(result_.mesh, EdgeTopology::next(h)),
                c = origin(result_.mesh, EdgeTopology::previous(h));
      if (!is_real(a) && !is_real(b)) continue;
      const int ghost = add_ghost(sum(combination(a), combination(b), combination(c)));
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
    return {{{v, 1, Vec3::Ones()}}};
  }

  static Ghost reflected(Ghost ghost, const SymmetryPlane& plane) {
    for (Ghost::Term& term : ghost.terms) term.sign[plane.axis] *= -1;
    ghost.offset[plane.axis] = 2 * plane.position - ghost.offset[plane.axis];
    return ghost;
  }

  /// x_a + x_b − x_c.
  static Ghost sum(Ghost a, const Ghost& b, const Ghost& c) {
    const auto add = [&](const Ghost& other, double factor) {
      a.offset += factor * other.offset;
      for (const Ghost::Term& term : other.terms) {
        const auto same = std::find_if(a.terms.begin(), a.terms.end(), [&](const Ghost::Term& own) {
          return own.vertex == term.vertex && own.sign == term.sign;
        });
        if (same == a.terms.end())
          a.terms.push_back({term.vertex, factor * term.weight, term.sign});
        else
          same->weight += factor * term.weight;
      }
    };
    add(b, 1);
    add(c, -1);
    return a;
  }

  int add_ghost(Ghost ghost) {
    Vec3 position = ghost.offset;
    for (const Ghost::Term& term : ghost.terms)
      position += term.scale().cwiseProduct(result_.mesh.positions[index(term.vertex)]);
    result_.mesh.positions.push_back(position);
    result_.ghosts.push_back(std::move(ghost));
    return static_cast<int>(result_.mesh.positions.size()) - 1;
  }

  GhostedMesh result_;
};

}  // namespace

GhostedMesh with_ghosts(const geometry::TriangleMesh& mesh, const std::vector<SymmetryPlane>& symmetries) {
  Extension extension(mesh);
  for (const SymmetryPlane& plane : symmetries) extension.mirror(plane);
  extension.free_edges();
  return extension.take();
}

}  // namespace ictus::mechanics
