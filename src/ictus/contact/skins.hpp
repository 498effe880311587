#pragma once

#include <array>
#include <ictus/contact/contact_pair.hpp>
#include <ictus/math/vector.hpp>
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
    double thickness = 0;  ///< δ (m)
    double edge = 0;       ///< mean edge of the finer surface (m)
    double friction = 0;   ///< μ
    int first = -1;        ///< skins of the pair's bodies; −1: a plane or no triangulated surface
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

  std::span<const int> vertex_unknown() const { return vertex_unknown_; }
  std::span<const std::array<int, 3>> triangles() const { return triangles_; }
  std::span<const std::array<int, 2>> edges() const { return edges_; }
  /// Edges of a triangle, opposite to its vertices in order.
  std::span<const std::array<int, 3>> triangle_edges() const { return triangle_edges_; }
  std::span<const std::array<int, 2>> edge_triangles() const { return edge_triangles_; }
  std::span<const int> vertex_skin() const { return vertex_skin_; }
  std::span<const int> edge_skin() const { return edge_skin_; }
  std::span<const int> triangle_skin() const { return triangle_skin_; }
  /// One triangle of each vertex and edge, which answers for it.
  std::span<const int> vertex_owner() const { return vertex_owner_; }
  std::span<const int> edge_owner() const { return edge_owner_; }

 private:
  int find_or_add(const model::SurfaceMesh& mesh);
  void append(const model::SurfaceMesh& mesh);

  std::vector<Skin> skins_;
  std::vector<Law> laws_;
  std::vector<int> pair_of_;
  std::vector<int> vertex_unknown_, vertex_skin_, edge_skin_, triangle_skin_, vertex_owner_, edge_owner_;
  std::vector<std::array<int, 3>> triangles_, triangle_edges_;
  std::vector<std::array<int, 2>> edges_, edge_triangles_;
};

}  // namespace ictus::contact
