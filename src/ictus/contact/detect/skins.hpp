#pragma once

#include <array>
#include <ictus/contact/law/contact_pair.hpp>
#include <ictus/math/vector.hpp>
#include <optional>
#include <span>
#include <vector>

namespace ictus::contact {

/// Thickness of a contact between surfaces, as a share of their mean edge, where the scene gives none.
inline constexpr double default_thickness_share = 0.05;

/// The triangulated surfaces of all contact pairs as one mesh: vertices, edges and triangles numbered through, with the
/// law that holds between any two surfaces. Made once for a system.
class Skins {
 public:
  struct Skin {
    const model::SurfaceMesh* mesh;
    int first_vertex, first_edge, first_triangle;
  };
  /// The law between two surfaces.
  struct Law {
    double thickness = 0;        ///< distance at which they touch: their radii and δ between them (m), of the largest
    double least_thickness = 0;  ///< that of the smallest
    double radii = 0;            ///< of both together (m), the largest
    double edge = 0;             ///< mean edge of the finer surface (m)
    double friction = 0;         ///< μ
    int first = -1;              ///< skins of the pair's bodies; −1: a plane or no triangulated surface
    int second = -1;
  };
  static constexpr int none = -1;

  Skins() = default;
  explicit Skins(std::span<const ContactPair> pairs);

  std::span<const Skin> skins() const { return skins_; }
  /// One per contact pair; of meaning where `first` or `second` is a skin.
  std::span<const Law> laws() const { return laws_; }
  /// The pair whose law holds between two skins, or none.
  int pair_of(int skin, int other) const {
    return pair_of_[static_cast<std::size_t>(skin) * skins_.size() + static_cast<std::size_t>(other)];
  }

  /// Of each skin, whether it has a law with itself.
  std::vector<char> meeting_themselves() const;

  /// First dof of each vertex, or of the rigid body that carries it.
  std::span<const int> vertex_dof() const { return vertex_dof_; }
  math::Vec3 position(int vertex, std::span<const double> q) const {
    const Skin& skin = skin_of(vertex);
    return skin.mesh->position(static_cast<std::size_t>(vertex - skin.first_vertex), q);
  }
  math::Vec3 velocity(int vertex, std::span<const double> q, std::span<const double> p,
                      std::span<const double> inverse_mass) const {
    const Skin& skin = skin_of(vertex);
    return skin.mesh->velocity(static_cast<std::size_t>(vertex - skin.first_vertex), q, p, inverse_mass);
  }
  /// Of the ball around a vertex (m).
  double radius(int vertex) const {
    const Skin& skin = skin_of(vertex);
    return skin.mesh->radius(static_cast<std::size_t>(vertex - skin.first_vertex));
  }
  /// By how much that is less than the largest of its skin (m).
  double shortfall(int vertex) const { return skin_of(vertex).mesh->radius() - radius(vertex); }
  /// Distance at which two vertices of a pair, or the features to which they belong, touch (m).
  double thickness(int pair, int vertex, int other) const {
    return laws_[static_cast<std::size_t>(pair)].thickness - shortfall(vertex) - shortfall(other);
  }
  /// Whether the vertex is a node.
  bool is_node(int vertex) const {
    const model::SurfaceMesh& mesh = *skin_of(vertex).mesh;
    return !mesh.has_frames() && !mesh.is_guided();
  }
  /// Whether a rigid body, a section of a beam or a part of a system with coordinates of its own carries the vertex.
  bool has_frame(int vertex) const { return skin_of(vertex).mesh->has_frames(); }
  /// Whether the vertices of a skin move along guides or with coordinates of their own; `none` has no vertices.
  bool is_guided(int skin) const { return skin != none && skins_[static_cast<std::size_t>(skin)].mesh->is_guided(); }
  /// Appends the row of a force on a vertex; see SurfaceMesh.
  void pull_back(int vertex, std::span<const double> q, const math::Vec3& point, const math::Vec3& force,
                 std::vector<model::RowEntry>& row) const {
    const Skin& skin = skin_of(vertex);
    skin.mesh->pull_back(static_cast<std::size_t>(vertex - skin.first_vertex), q, point, force, row);
  }
  /// Whether one rigid body carries both vertices.
  bool one_body(int vertex, int other) const {
    return vertex_dof_[static_cast<std::size_t>(vertex)] == vertex_dof_[static_cast<std::size_t>(other)];
  }
  /// What carries a vertex, if that is a rigid body or a section, which have momenta.
  std::optional<model::RigidFrame> frame(int vertex, std::span<const double> q) const {
    const Skin& skin = skin_of(vertex);
    return skin.mesh->free_frame(static_cast<std::size_t>(vertex - skin.first_vertex), q);
  }
  std::span<const std::array<int, 3>> triangles() const { return triangles_; }
  std::span<const std::array<int, 2>> edges() const { return edges_; }
  /// Edges of a triangle, opposite to its vertices in order.
  std::span<const std::array<int, 3>> triangle_edges() const { return triangle_edges_; }
  std::span<const std::array<int, 2>> edge_triangles() const { return edge_triangles_; }
  std::span<const int> vertex_skin() const { return vertex_skin_; }
  std::span<const int> edge_skin() const { return edge_skin_; }
  std::span<const int> triangle_skin() const { return triangle_skin_; }
  /// The vertices at the other ends of a vertex's edges.
  std::span<const int> neighbours(int vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    const auto begin = static_cast<std::size_t>(first_neighbour_[v]),
               end = static_cast<std::size_t>(first_neighbour_[v + 1]);
    return std::span(neighbours_).subspan(begin, end - begin);
  }
  /// One triangle of each vertex and edge, which answers for it.
  std::span<const int> vertex_owner() const { return vertex_owner_; }
  std::span<const int> edge_owner() const { return edge_owner_; }

 private:
  const Skin& skin_of(int vertex) const {
    return skins_[static_cast<std::size_t>(vertex_skin_[static_cast<std::size_t>(vertex)])];
  }
  int find_or_add(const model::SurfaceMesh& mesh);
  void append(const model::SurfaceMesh& mesh);
  void find_neighbours();

  std::vector<Skin> skins_;
  std::vector<Law> laws_;
  std::vector<int> pair_of_;
  std::vector<int> vertex_dof_, vertex_skin_, edge_skin_, triangle_skin_, vertex_owner_, edge_owner_;
  std::vector<std::array<int, 3>> triangles_, triangle_edges_;
  std::vector<std::array<int, 2>> edges_, edge_triangles_;
  std::vector<int> first_neighbour_, neighbours_;
};

}  // namespace ictus::contact
