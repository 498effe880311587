#pragma once

#include <array>
#include <ictus/math/vector.hpp>
#include <ictus/model/rigid_frame.hpp>
#include <optional>
#include <span>
#include <vector>

namespace ictus::model {

/// The skin of bodies, as contact sees it: vertices, edges and triangles, and a radius around them. What carries the
/// vertices is one of four: nodes, of which each has three consecutive dofs that are its position in space,
/// x_i = (q[k], q[k+1], q[k+2]), k = dof(i); frames, which are rigid bodies or sections of beams, whose dofs
/// begin at k and in which the vertex is fixed; guides, along which displacements move it from where it rests; or parts
/// of a system with coordinates of its own, which are frames without momenta, see FollowedMomenta. A
/// sphere is one vertex with a radius, a capsule two with an edge between them, a round beam a line of them; so that
/// all features find each other, they have triangles whose corners coincide. Triangles need not be closed nor oriented;
/// DCR alone reads the orientation (outward by the right hand). Immutable, flat.
class SurfaceMesh {
 public:
  static constexpr int none = -1;
  using Triangle = std::array<int, 3>;
  using Edge = std::array<int, 2>;
  /// A displacement along a guide, or a small turn times its lever: x = … + along · q[dof].
  struct Guide {
    int dof;
    math::Vec3 along;
  };

  /// `dof` gives the first dof (of the System) of each vertex, `position` where the vertices are at the start.
  SurfaceMesh(std::vector<Triangle> triangles, std::vector<int> dof, std::span<const math::Vec3> position);
  /// Of frames: `dof` gives the first dof of the rigid body or section that carries each vertex, `lever` where
  /// the vertex is in its axes. `radii` are those of the vertices where they differ; then `radius` is the largest.
  SurfaceMesh(std::vector<Triangle> triangles, std::vector<int> dof, std::vector<math::Vec3> lever, double radius,
              std::vector<double> radii = {});
  /// Of parts of a system with coordinates of its own: `dof` gives where the part of each vertex lies in q, `lever`
  /// where the vertex is in its axes, `position` where it is at the start.
  SurfaceMesh(std::vector<Triangle> triangles, std::vector<int> dof, std::vector<math::Vec3> lever, double radius,
              const FollowedMomenta& followed, std::span<const math::Vec3> position);
  /// Of guides: where each vertex rests, and at least one guide of each. `size` stands for the mean edge where there
  /// are none.
  SurfaceMesh(std::vector<Triangle> triangles, std::vector<math::Vec3> rest,
              const std::vector<std::vector<Guide>>& guides, double radius, double size);

  std::size_t vertex_count() const { return dof_.size(); }
  std::span<const Triangle> triangles() const { return triangles_; }
  /// Each edge once, the smaller vertex first, in the order of their vertices.
  std::span<const Edge> edges() const { return edges_; }
  /// The triangles on both sides of an edge; `none` beyond a boundary. Of more than two, the first two.
  std::span<const Edge> edge_triangles() const { return edge_triangles_; }
  /// Edges of each triangle, opposite to its vertices in order.
  std::span<const Triangle> triangle_edges() const { return triangle_edges_; }
  std::span<const int> dof() const { return dof_; }
  int dof(int vertex) const { return dof_[static_cast<std::size_t>(vertex)]; }
  /// What carries the vertices.
  bool has_frames() const { return !lever_.empty(); }
  /// Frames that have momenta.
  bool has_free_frames() const { return has_frames() && !follows_coordinates(); }
  /// Frames without momenta: parts of a system with coordinates of its own, which are rigid.
  bool follows_coordinates() const { return followed_.count > 0; }
  /// Something else takes up what a force does not move.
  bool is_guided() const { return !rest_.empty() || follows_coordinates(); }
  /// Whether the vertices are nodes whose dofs follow each other.
  bool lies_in_sequence() const { return lies_in_sequence_; }
  std::span<const Guide> guides(std::size_t vertex) const {
    return std::span(guides_).subspan(first_guide_[vertex], first_guide_[vertex + 1] - first_guide_[vertex]);
  }
  /// Of the ball around each vertex, of the tube around each edge (m); where they differ, the largest.
  double radius() const { return radius_; }
  double radius(std::size_t vertex) const { return radii_.empty() ? radius_ : radii_[vertex]; }
  double least_radius() const;

  math::Vec3 position(std::size_t vertex, std::span<const double> q) const {
    const auto k = static_cast<std::size_t>(dof_[vertex]);
    if (has_frames() && !is_centred_) return RigidFrame::at(q, k).position_of(lever_[vertex]);
    return is_guided() ? math::Vec3(rest_[vertex] + along_guides(vertex, q)) : math::Vec3(math::Vec3::Map(&q[k]));
  }
  math::Vec3 velocity(std::size_t vertex, std::span<const double> q, std::span<const double> p,
                      std::span<const double> inverse_mass) const {
    const auto k = static_cast<std::size_t>(dof_[vertex]);
    if (follows_coordinates()) return of_followed(vertex, q, p, inverse_mass);
    if (has_frames() && !is_centred_) return RigidFrame::at(q, k).velocity(lever_[vertex], p, inverse_mass, k);
    if (is_guided()) return along_guides(vertex, p, inverse_mass);
    return math::Vec3::Map(&p[k]).cwiseProduct(math::Vec3::Map(&inverse_mass[k]));
  }
  /// What carries a vertex, if that is a rigid body or a section, which have momenta.
  std::optional<RigidFrame> free_frame(std::size_t vertex, std::span<const double> q) const {
    if (!has_free_frames()) return std::nullopt;
    return RigidFrame::at(q, static_cast<std::size_t>(dof_[vertex]));
  }
  /// Appends the row of a force on a vertex, which acts at a point in space where a frame carries it.
  void pull_back(std::size_t vertex, std::span<const double> q, const math::Vec3& point, const math::Vec3& force,
                 std::vector<RowEntry>& row) const;
  /// Mean and largest length of the edges at the start (m); of spheres and capsules the first is their mean radius.
  double mean_edge() const { return mean_edge_; }
  double longest_edge() const { return longest_edge_; }

 private:
  math::Vec3 of_followed(std::size_t vertex, std::span<const double> q, std::span<const double> p,
                         std::span<const double> inverse_mass) const;
  math::Vec3 along_guides(std::size_t vertex, std::span<const double> q, std::span<const double> factor = {}) const {
    math::Vec3 sum = math::Vec3::Zero();
    for (const Guide& guide : guides(vertex)) {
      const auto k = static_cast<std::size_t>(guide.dof);
      sum += (factor.empty() ? q[k] : factor[k] * q[k]) * guide.along;
    }
    return sum;
  }
  void find_edges();
  void measure_edges(std::span<const math::Vec3> position);

  std::vector<Triangle> triangles_;
  std::vector<Edge> edges_;
  std::vector<Edge> edge_triangles_;
  std::vector<Triangle> triangle_edges_;
  std::vector<int> dof_;
  std::vector<math::Vec3> lever_;         // of vertices that frames carry
  bool is_centred_ = false;               // they are where their frames are, as those of spheres
  FollowedMomenta followed_;              // by these frames, if any
  std::vector<math::Vec3> rest_;          // of vertices on guides
  std::vector<Guide> guides_;             // of all vertices
  std::vector<std::size_t> first_guide_;  // of each
  bool lies_in_sequence_ = false;
  double radius_ = 0;
  std::vector<double> radii_;  // of each vertex, where they differ
  double mean_edge_ = 0;
  double longest_edge_ = 0;
};

/// x_i of the vertex whose first dof is k.
inline math::Vec3 vertex_at(std::span<const double> q, int k) {
  return math::Vec3::Map(q.data() + static_cast<std::size_t>(k));
}

}  // namespace ictus::model
