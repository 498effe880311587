#pragma once

#include <ictus/contact/box_grid.hpp>
#include <ictus/contact/skins.hpp>

namespace ictus::contact {

/// The features of triangulated surfaces that may come near each other: every vertex with triangles, and every edge
/// with edges, of two surfaces that have a law between them, but not features that share a vertex. Kept from step to
/// step and made again only when the surfaces have moved by the margin with which it was made.
///
/// What it offers depends on its history, but the pairs found to be within reach do not, nor does their order, which is
/// that of the features' numbers: a run that is resumed has the same bits.
class NeighbourList {
 public:
  struct Candidate {
    int first;   ///< vertex or edge
    int second;  ///< triangle, or edge of a higher number
    int pair;    ///< whose law holds
  };

  void prepare(const Skins& skins);

  /// Takes over the positions of q. Afterwards the list holds every pair within reach[pair] of each other, for pairs of
  /// laws (m).
  void update(const Skins& skins, std::span<const double> q, std::span<const double> reach);

  /// Positions of the vertices at the last update.
  std::span<const math::Vec3> positions() const { return x_; }

  /// Calls narrow(candidate) → distance for the pairs that may be within reach, vertices with triangles and edges with
  /// edges. The distance, or any lower bound of it, spares looking at the pair again before it can have come near.
  template <class Narrow>
  void for_each_vertex_triangle(Narrow&& narrow) {
    visit(vertex_triangle_, vertex_triangle_clear_, narrow);
  }
  template <class Narrow>
  void for_each_edge_edge(Narrow&& narrow) {
    visit(edge_edge_, edge_edge_clear_, narrow);
  }

  /// How often the list was made.
  long rebuilds() const { return rebuilds_; }

 private:
  template <class Narrow>
  void visit(std::span<const Candidate> candidates, std::span<double> clear, Narrow& narrow) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto pair = static_cast<std::size_t>(candidates[i].pair);
      if (clear[i] > look_[pair]) continue;
      clear[i] = narrow(candidates[i]) + travel_of_pair_[pair];
    }
  }
  void advance(const Skins& skins, std::span<const double> q);
  void rebuild(const Skins& skins);
  void find_regions(const Skins& skins);
  void find_vertex_triangle(const Skins& skins);
  void find_edge_edge(const Skins& skins);

  std::vector<math::Vec3> x_;           // positions of the vertices
  std::vector<double> travel_;          // of each skin since the list was made: Σ over updates of its fastest vertex
  std::vector<double> travel_of_pair_;  // what two skins may have come nearer to each other
  std::vector<double> look_;            // travel + reach of each pair: candidates that are clear beyond it are skipped
  double margin_ = 0;                   // distance up to which the list is complete, when it was made
  double reach_ = 0;                    // largest of all pairs, now
  double edge_ = 0;                     // smallest mean edge
  bool made_ = false;
  long rebuilds_ = 0;

  std::vector<Candidate> vertex_triangle_, edge_edge_;
  std::vector<double> vertex_triangle_clear_, edge_edge_clear_;  // distance + travel at which it was measured

  // Buffers of a rebuild.
  std::vector<Box> skin_boxes_, regions_, boxes_;
  std::vector<int> features_, skin_of_feature_, found_;
  BoxGrid grid_;
};

}  // namespace ictus::contact
