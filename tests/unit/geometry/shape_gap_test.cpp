#include <gtest/gtest.h>

#include <cmath>
#include <ictus/geometry/shape/narrow_phase.hpp>

// Distances of rigid shapes from each other.

namespace ictus::geometry {
namespace {

Pose pose_at(const Vec& position, const Vec& turn = {}) { return {position, matrix(math::cayley(turn))}; }

RigidShape cube(double edge) { return RigidShape::convex(box_polytope({edge, edge, edge})); }

TEST(ShapeGap, IsTheDistanceAtAnyDistance) {
  NarrowPhase narrow;
  const RigidShape ball = RigidShape::sphere(0.5), rod = RigidShape::capsule(0.1, 2), box = cube(2);
  EXPECT_NEAR(narrow.gap(ball, pose_at({0, 0, 0}), ball, pose_at({30, 40, 0})), 49, 1e-12);
  EXPECT_NEAR(narrow.gap(box, pose_at({0, 0, 0}), ball, pose_at({4, 5, 0})), 5 - 0.5, 1e-12) << "from the edge";
  EXPECT_NEAR(narrow.gap(ball, pose_at({0, 0, 3}), box, pose_at({0, 0, 0})), 1.5, 1e-12);
  EXPECT_NEAR(narrow.gap(rod, pose_at({5, 0, 0}), box, pose_at({0, 0, 0})), 3.9, 1e-12);
  EXPECT_NEAR(narrow.gap(box, pose_at({0, 0, 0}), box, pose_at({0, 0, 5})), 3, 1e-12) << "faces";
  EXPECT_NEAR(narrow.gap(box, pose_at({0, 0, 0}), box, pose_at({5, 6, 7})), std::sqrt(9.0 + 16 + 25), 1e-12)
      << "corners";
  // A cube turned by 45° about z looks at the other with an edge.
  const Vec eighth{0, 0, 2 * std::tan(std::acos(-1.0) / 8)};
  EXPECT_NEAR(narrow.gap(box, pose_at({0, 0, 0}), box, pose_at({6, 0, 0.3}, eighth)), 5 - std::sqrt(2.0), 1e-12);
}

TEST(ShapeGap, IsNegativeWhereShapesOverlap) {
  NarrowPhase narrow;
  EXPECT_NEAR(narrow.gap(cube(2), pose_at({0, 0, 0}), cube(2), pose_at({0.1, 0, 1.7})), -0.3, 1e-12);
  EXPECT_NEAR(narrow.gap(cube(2), pose_at({0, 0, 0}), RigidShape::sphere(0.5), pose_at({0, 0, 1.4})), -0.1, 1e-12);
}

TEST(ShapeGap, OfAHalfSpace) {
  const auto gap = [](const RigidShape& shape, const Pose& pose) {
    return NarrowPhase::gap_to_plane({0, 0, 1}, {0, 0, 1}, shape, pose);
  };
  EXPECT_NEAR(gap(RigidShape::sphere(0.5), pose_at({7, 0, 11})), 9.5, 1e-12);
  EXPECT_NEAR(gap(cube(2), pose_at({7, 0, 11})), 9, 1e-12);
  EXPECT_NEAR(gap(RigidShape::capsule(0.1, 2), pose_at({0, 0, 1})), -1.1, 1e-12);
}

}  // namespace
}  // namespace ictus::geometry
