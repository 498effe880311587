#pragma once

#include <ictus/contact/neighbour_list.hpp>
#include <ictus/contact/surface_constraints.hpp>
#include <ictus/exec/collect.hpp>
#include <ictus/model/constraint_set.hpp>

namespace ictus::contact {

/// The motion that a step is about to make, as far as detection must know it.
struct StepMotion {
  std::span<const double> q;
  std::span<const double> p;
  std::span<const double> inverse_mass;
  double h;
};

/// Finds where triangulated surfaces are near each other, themselves, or a plane, by unsigned distances: each vertex
/// with the closest point of each triangle, each edge with each edge whose closest points lie inside both. No
/// orientation, no depth limit, no memory of sides. A vertex nearest to a side or corner of a triangle counts once, for
/// the triangle that owns the side or corner: the others' constraint would be the same.
class SurfaceDetector {
 public:
  /// How far beyond what a step can close constraints are wanted, in mean edges: contacts that part are given back what
  /// they are owed up to this gap.
  static constexpr double sight_share = 0.1;

  void prepare(std::span<const ContactPair> pairs, const exec::Executor& exec = exec::Executor());
  /// Whether any pair has a triangulated surface.
  bool any() const { return any_; }

  /// Appends the constraints in sight: gaps up to twice what the fastest vertices approach in a step plus sight_share
  /// edges.
  void detect(std::span<const ContactPair> pairs, const StepMotion& motion, model::ConstraintSet& constraints);

  /// The gap of each pair that a step could close in the last detection: twice the way of the faster body's fastest
  /// vertex (m).
  std::span<const double> approach() const { return approach_; }
  const Skins& skins() const { return skins_; }
  /// How often the list of neighbours was made.
  long lists_made() const { return list_.rebuilds(); }

 private:
  /// Features within reach of each other, with the weights of their closest points as in FourPoints.
  struct Near {
    NeighbourList::Candidate features;
    std::array<double, 4> weight;
    bool may_slip;  ///< the points lie inside, where friction acts
  };

  void find_reach(const StepMotion& motion);
  void find_near();
  double vertex_on_triangle(const NeighbourList::Candidate& candidate, std::vector<Near>& near) const;
  double edge_on_edge(const NeighbourList::Candidate& candidate, std::vector<Near>& near) const;
  void add_vertex(const Near& near, model::ConstraintSet& constraints) const;
  void add_edges(const Near& near, model::ConstraintSet& constraints) const;
  FourPoints four_points(const std::array<int, 4>& vertex, const std::array<double, 4>& weight) const;
  Touch touch_of(const FourPoints& points, int pair, int skin) const;
  void vertices_on_plane(const model::Plane& plane, std::size_t pair, bool plane_is_second, const StepMotion& motion,
                         model::ConstraintSet& constraints) const;

  bool any_ = false, any_meshes_ = false;
  Skins skins_;
  NeighbourList list_;
  exec::Executor exec_;
  exec::Collection<Near> vertices_near_, edges_near_;
  std::vector<double> fastest_;   // of blocks of vertices
  std::vector<double> speed_;     // of each skin's fastest vertex (m/s)
  std::vector<double> approach_;  // of each pair
  std::vector<double> reach_;     // distance up to which pairs are wanted
};

}  // namespace ictus::contact
