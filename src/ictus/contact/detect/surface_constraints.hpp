#pragma once

#include <array>
#include <ictus/contact/detect/skins.hpp>
#include <ictus/math/vector.hpp>
#include <ictus/model/constraint_set.hpp>
#include <ictus/model/rigid_frame.hpp>
#include <optional>
#include <span>

namespace ictus::contact {

/// Four vertices, of which two points Σ w_k x_k of two surfaces are made: h = Σ w_k x_k leads from the one to the
/// other, Σ w_k = 0. A vertex p and a triangle have w = (1, −l₀, −l₁, −l₂), two edges w = (−(1−s), −s, 1−t, t).
struct FourPoints {
  std::array<int, 4> dof;  ///< first dof of each vertex
  std::array<math::Vec3, 4> x;
  std::array<double, 4> weight;
  std::size_t first = 1;  ///< so many of them belong to the first feature
  /// What carries the vertices where some are no nodes.
  struct Carriers {
    const Skins* skins;
    std::array<int, 4> vertex;
    std::span<const double> q;
  };
  std::optional<Carriers> carriers = {};

  bool only_nodes() const { return !carriers; }
  math::Vec3 separation() const { return weight[0] * x[0] + weight[1] * x[1] + weight[2] * x[2] + weight[3] * x[3]; }
};

/// What a pair of features amounts to, besides its points.
struct Touch {
  double distance;       ///< d = |h| (m)
  math::Vec3 direction;  ///< n = h/d
  int pair;
  bool towards_second;  ///< whether n pushes the second body of the pair
  model::ConstraintSet::Name name = {};
};

/// Kinds of features by which constraints of surfaces are named, in the order in which they are found: a pair of a body
/// with its surroundings, a vertex and a triangle, two edges, a pair with a plane and a vertex.
enum FeatureKind : int { point_and_surroundings, vertex_and_triangle, two_edges, plane_and_vertex };

/// Appends the constraint d − δ ≥ 0 of nodes with the row w_k n, acting ahead [eq. exact-contact-14]: the gradient of
/// a distance, which no rigid motion changes.
void add_distance(const FourPoints& points, const Touch& touch, double thickness, model::ConstraintSet& constraints);

/// The same where not only nodes carry the vertices, with the two slip rates where it rubs: of rigid bodies and
/// sections the material point is taken that is at the touching point of the other side, so that nothing has to be
/// taken away of them [eq. mixed-3].
void add_carried(const FourPoints& points, const Touch& touch, double thickness, bool rubs,
                 model::ConstraintSet& constraints);

/// Writes the six entries of the row of a force on a rigid body or section at a point [eq. mixed-3], whose dofs begin
/// at `first`; returns where they end.
inline model::RowEntry* write_carried(const model::RigidFrame& frame, const math::Vec3& point, const math::Vec3& force,
                                      int first, model::RowEntry* entry) {
  const math::Vec3 moment = frame.moment(point, force);
  for (int c = 0; c < 3; ++c) *entry++ = {first + c, force[c]};
  for (int c = 0; c < 3; ++c)
    *entry++ = {first + static_cast<int>(model::RigidFrame::angular) + c, moment[c], model::RowEntry::Kind::turning};
  return entry;
}

/// Appends the constraint that two points which meet later in the step do not approach each other along n, the
/// direction from the one to the other at that time [eq. exact-contact-28]. Its row is that of the points at their
/// present positions less what it has in common with a rotation of all four vertices, so that it is objective too.
void add_meeting(const FourPoints& points, const Touch& touch, model::ConstraintSet& constraints);

/// The gap at a configuration q, any one, of the features by which a constraint of a pair is named, wherever their
/// nearest points are there.
double gap_of_features(const Skins& skins, std::span<const ContactPair> pairs, int pair,
                       const model::ConstraintSet::Name& name, std::span<const double> q);

/// Appends the two slip rates of the constraint that was added last, of a vertex over a triangle [eq. exact-contact-18]
/// or of two edges [eq. exact-contact-19]. They are objective: a rigid motion of both surfaces together has none, at
/// any distance, so that friction leaves the angular momentum alone.
void add_slip_of_vertex(const FourPoints& points, const Touch& touch, model::ConstraintSet& constraints);
void add_slip_of_edges(const FourPoints& points, const Touch& touch, model::ConstraintSet& constraints);
/// The same of points at sides and corners of triangles, and on edges that are nearly parallel: what the rates have in
/// common with a rotation of all four vertices is taken away [eq. exact-contact-30].
void add_slip_of_points(const FourPoints& points, const Touch& touch, model::ConstraintSet& constraints);

}  // namespace ictus::contact
