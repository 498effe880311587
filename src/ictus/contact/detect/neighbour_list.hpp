#pragma once

#include <ictus/contact/detect/box_grid.hpp>
#include <ictus/contact/detect/skins.hpp>
#include <ictus/exec/collect.hpp>

namespace ictus::contact {

/// The features of triangulated surfaces that may come near each other: every vertex with triangles, and every edge
/// with edges, of two surfaces that have a law between them, but not features that share a vertex. Kept from step to
/// step and made again only when two surfaces may have come nearer to each other by the margin with which it was made;
/// motion that they have in common does not count.
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

  void prepare(const Skins& skins, const exec::Executor& exec);

  /// Takes over the positions of q. Afterwards the list holds every pair within reach[pair] of each other, for pairs of
  /// laws (m).
  void update(const Skins& skins, std::span<const double> q, std::span<const double> reach);

  /// Positions of the vertices at the last update.
  std::span<const math::Vec3> positions() const { return x_; }

  std::size_t vertex_triangle_count() const { return vertex_triangle_.all().size(); }
  std::size_t edge_edge_count() const { return edge_edge_.all().size(); }
  /// Calls narrow(candidate) → distance for those of the candidates begin … end − 1 that may be within reach, vertices
  /// with triangles and edges with edges. The distance, or any lower bound of it, spares looking at the pair again
  /// before it can have come near. Separate ranges may be looked at by separate threads.
  template <class Narrow>
  void for_vertex_triangle(std::size_t begin, std::size_t end, Narrow&& narrow) {
    visit(vertex_triangle_.all(), vertex_triangle_clear_, begin, end, narrow);
  }
  template <class Narrow>
  void for_edge_edge(std::size_t begin, std::size_t end, Narrow&& narrow) {
    visit(edge_edge_.all(), edge_edge_clear_, begin, end, narrow);
  }

  /// How often the list was made.
  long rebuilds() const { return rebuilds_; }

 private:
  template <class Narrow>
  void visit(std::span<const Candidate> candidates, std::span<double> clear, std::size_t begin, std::size_t end,
             Narrow& narrow) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto pair = static_cast<std::size_t>(candidates[i].pair);
      if (clear[i] > look_[pair]) continue;
      clear[i] = narrow(candidates[i]) + travel_[pair];
    }
  }
  /// The range of the vertices' displacements, by component.
  struct Motion {
    Box in_update, since_made;
  };
  void advance(const Skins& skins, std::span<const double> q);
  Motion move(const model::SurfaceMesh& mesh, std::size_t begin, std::size_t end, std::size_t first,
              std::span<const double> q);
  bool is_complete(const Skins& skins, std::span<const double> reach);
  void rebuild(const Skins& skins);
  void find_regions(const Skins& skins);
  template <class Corners>
  void fill_grid(Corners corners, std::span<const int> skin_of, double margin);
  void find_vertex_triangle(const Skins& skins);
  void find_edge_edge(const Skins& skins);

  exec::Executor exec_;
  std::vector<math::Vec3> x_;       // positions of the vertices
  std::vector<math::Vec3> made_x_;  // when the list was made
  std::vector<Motion> motion_;      // of each skin
  std::vector<Motion> part_;        // of blocks of vertices
  std::vector<double> travel_;      // what two skins may have come nearer since then: Σ over updates
  std::vector<double> look_;        // travel + reach of each pair: candidates that are clear beyond it are skipped
  std::vector<double> margin_;      // distance of each pair up to which the list is complete, when it was made
  double reach_ = 0;                // largest of all pairs, now
  double edge_ = 0;                 // smallest mean edge
  bool made_ = false;
  long rebuilds_ = 0;

  exec::Collection<Candidate> vertex_triangle_, edge_edge_;
  std::vector<double> vertex_triangle_clear_, edge_edge_clear_;  // distance + travel at which it was measured

  /// A triangle or edge that is near another surface.
  struct Feature {
    Box box;
    int number, skin;
  };
  // Buffers of a rebuild.
  std::vector<Box> skin_boxes_, regions_;
  exec::Collection<Feature> features_;
  std::vector<Box> boxes_;
  std::vector<int> groups_;
  std::vector<char> meets_itself_;  // by skin
  BoxGrid grid_;
  struct Search {
    BoxGrid::Hits hits;
    std::vector<int> found;
  };
  std::vector<Search> searches_;  // one for each block of features
};

}  // namespace ictus::contact
