#pragma once

#include <array>
#include <ictus/geometry/shape/rigid_shape.hpp>
#include <span>
#include <vector>

namespace ictus::geometry {

/// A point where two shapes touch or nearly do.
struct ContactPoint {
  Vec point;        ///< halfway between the two surfaces (m)
  Vec normal;       ///< unit, from the first shape to the second
  double gap = 0;   ///< m; negative: penetration
  int feature = 0;  ///< which parts of the shapes meet: the same from step to step while the contact lasts
};

/// The contact points of a pair of shapes: enough of them to hold a face on a face. Points beyond the room are dropped.
class Manifold {
 public:
  void clear() { size_ = 0; }
  void add(const ContactPoint& point) {
    if (size_ < points_.size()) points_[size_++] = point;
  }
  std::size_t size() const { return size_; }
  std::span<ContactPoint> points() { return std::span(points_).first(size_); }
  std::span<const ContactPoint> points() const { return std::span(points_).first(size_); }

 private:
  std::array<ContactPoint, 32> points_;
  std::size_t size_ = 0;
};

/// Finds where two convex shapes meet: spheres and capsules by closest points, polytopes by separating axes and clipped
/// faces [eq. rigid-bodies-14]. Keeps its memory.
class NarrowPhase {
 public:
  /// Replaces the manifold by the points whose gap is at most `margin`.
  void collide(const RigidShape& a, const Pose& at_a, const RigidShape& b, const Pose& at_b, double margin,
               Manifold& manifold);
  /// The same for a half-space n·(x − point) ≤ 0, the first shape, and a shape above it.
  static void collide_plane(const Vec& point, const Vec& normal, const RigidShape& b, const Pose& at_b, double margin,
                            Manifold& manifold);

  /// How far two shapes are from each other, at any distance; negative: how deep they are in each other (m).
  double gap(const RigidShape& a, const Pose& at_a, const RigidShape& b, const Pose& at_b);
  /// The same of a half-space and a shape.
  static double gap_to_plane(const Vec& point, const Vec& normal, const RigidShape& b, const Pose& at_b);

 private:
  void polytopes(const Polytope& a, const Pose& at_a, const Polytope& b, const Pose& at_b, double margin, double reach,
                 Manifold& manifold);

  struct Corner {
    Vec position;
    int edge;  ///< the one that goes from here
  };
  struct Axis {
    double separation;
    int face_a = -1, face_b = -1;            ///< one of them for a face
    int direction_a = -1, direction_b = -1;  ///< both for a pair of edges
    Vec normal{};                            ///< of edges, from a to b
  };

  bool try_faces(const Polytope& a, std::span<const Vec> b, double margin, bool of_a, Axis& best) const;
  bool try_edges(const Polytope& a, const Polytope& b, double margin, double bias, Axis& best) const;
  void clip_faces(const Polytope& reference, std::span<const Vec> reference_vertices, int face, const Vec& normal,
                  double offset, const Polytope& incident, std::span<const Vec> incident_vertices,
                  std::span<const Vec> incident_normals, double margin, bool flip, Manifold& manifold);
  void cross_edges(const Polytope& a, const Polytope& b, const Axis& axis, Manifold& manifold) const;

  // The second polytope in the axes of the first.
  std::vector<Vec> vertices_b_, normals_b_, directions_b_, vertices_a_in_b_;
  std::vector<Corner> polygon_, clipped_;
  Manifold nearest_;
};

}  // namespace ictus::geometry
