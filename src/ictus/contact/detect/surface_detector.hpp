#pragma once

#include <ictus/contact/detect/moving_surfaces.hpp>
#include <ictus/contact/detect/surface_constraints.hpp>
#include <ictus/exec/collect.hpp>
#include <ictus/model/constraint_set.hpp>

namespace ictus::contact {

/// Surfaces nearer than this share of an edge touch.
inline constexpr double touching_share = 1e-6;

/// Finds where triangulated surfaces are near each other, themselves, or a plane, by unsigned distances: each vertex
/// with the closest point of each triangle, each edge with each edge whose closest points lie inside both. No
/// orientation, no depth limit, no memory of sides. A vertex nearest to a side or corner of a triangle counts once, for
/// the triangle that owns the side or corner: the others' constraint would be the same; and only where no triangle
/// beside it is nearer. Of triangles in one plane only the nearest counts. Nearly parallel constraints would hand their
/// impulses to each other through hundreds of sweeps, for ever where they stick at points that do not agree. In long
/// steps features are followed to where they meet, and have a second constraint for that.
class SurfaceDetector {
 public:
  /// How far beyond what a step can close constraints are wanted, in mean edges: contacts that part are given back what
  /// they are owed up to this gap.
  static constexpr double sight_share = 0.1;

  void prepare(std::span<const ContactPair> pairs, const exec::Executor& exec = exec::Executor());
  /// Whether the constraints stand for elastic layers; they do not unless this says so. Layers have an energy, which
  /// every pair of features in sight must keep: nothing is left out because others are nearer, and nothing is added for
  /// points that meet later in the step.
  void expect_layers(bool layers) {
    has_layers_ = layers;
    moving_.expect_layers(layers);
  }
  /// Whether constraints are wanted that no step can close, up to sight_share edges; they are unless this says so.
  void expect_parting(bool parting) { sees_parting_ = parting; }
  /// Whether any pair has a triangulated surface.
  bool any() const { return any_; }

  /// Appends the constraints in sight: gaps that a step could close, sight_share edges beyond where wanted, and those
  /// that may have been closed before the step that led here, where it is given. All are those of the relative motion:
  /// whatever moves all bodies alike changes nothing.
  void detect(std::span<const ContactPair> pairs, const StepMotion& motion, model::ConstraintSet& constraints);

  /// After all impulses of the step, whose momenta are p: keeps apart what would still pass through each other in a
  /// long step. Returns the changes of p, or nothing; see MovingSurfaces.
  std::span<const model::RowEntry> keep_apart(const StepMotion& motion, std::span<double> p) {
    return moving_.keep_apart(skins_, list_, motion, p);
  }
  const MovingSurfaces& moving() const { return moving_; }
  /// A triangle of each side, numbered as in Skins, of a pair of features that meet in the motion of the last
  /// detection, if it was followed.
  std::optional<std::array<int, 2>> meeting_of(int pair) const;

  /// The gap of each pair that a step could close in the last detection (m).
  std::span<const double> approach() const { return approach_; }
  /// The gap of each pair up to which contacts that part are in sight (m).
  std::span<const double> sight() const { return sight_; }
  const Skins& skins() const { return skins_; }
  /// How often the list of neighbours was made.
  long lists_made() const { return list_.rebuilds(); }

 private:
  /// Features within reach of each other, with the weights of their closest points as in FourPoints.
  struct Near {
    NeighbourList::Candidate features;
    std::array<double, 4> weight;
    bool inside;                                 ///< a vertex over the inside of a triangle, or edges that cross
    std::optional<math::Vec3> meets_along = {};  ///< direction at the time at which they meet in the step
  };

  void find_velocities(const StepMotion& motion, std::span<const double> p);
  void find_reach(const StepMotion& motion);
  void leave_out_gone(std::span<const ContactPair> pairs, double time);
  double way(std::size_t pair, const StepMotion& motion, std::span<const double> p) const;
  void find_near(const StepMotion& motion);
  double vertex_on_triangle(const NeighbourList::Candidate& candidate, const StepMotion& motion,
                            std::vector<Near>& near) const;
  bool is_nearest_on_edge(int edge, const math::Vec3& apart) const;
  bool is_nearest_in_vertex(int vertex, const math::Vec3& apart) const;
  void leave_out_parallel();
  math::Vec3 separation(const Near& near) const;
  double edge_on_edge(const NeighbourList::Candidate& candidate, const StepMotion& motion,
                      std::vector<Near>& near) const;
  void follow(const NeighbourList::Candidate& candidate, const std::array<int, 4>& vertices, std::size_t first,
              double distance, const StepMotion& motion, std::vector<Near>& near) const;
  void add_vertex(const Near& near, std::span<const double> q, model::ConstraintSet& constraints) const;
  void add_edges(const Near& near, std::span<const double> q, model::ConstraintSet& constraints) const;
  FourPoints four_points(const std::array<int, 4>& vertex, const std::array<double, 4>& weight, std::size_t first,
                         std::span<const double> q) const;
  Touch touch_of(const FourPoints& points, const Near& near, int skin, FeatureKind kind) const;
  void vertices_on_plane(const model::Surface& obstacle, std::size_t pair, bool plane_is_second,
                         const StepMotion& motion, model::ConstraintSet& constraints) const;

  bool any_ = false, any_meshes_ = false;
  bool has_layers_ = false, sees_parting_ = true;
  Skins skins_;
  NeighbourList list_;
  MovingSurfaces moving_;
  exec::Executor exec_;
  exec::Collection<Near> vertices_near_, edges_near_;
  std::vector<Near> vertices_kept_;
  std::vector<const model::Surface*> planes_;  // of each pair that has one that moves
  std::vector<Box> velocities_;                // range of each skin's (m/s)
  std::vector<Box> part_;                      // of blocks of vertices
  std::vector<double> approach_;               // of each pair
  std::vector<double> sight_;                  // of each pair
  std::vector<double> open_reach_;             // gap up to which pairs are wanted
  std::vector<double> reach_;                  // the distance of that gap
};

}  // namespace ictus::contact
