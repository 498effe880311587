#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ictus/geometry/shape/body_grid.hpp>
#include <ictus/geometry/shape/narrow_phase.hpp>
#include <numbers>
#include <random>

namespace ictus::geometry {
namespace {

Pose at(double x, double y, double z) { return {{x, y, z}}; }
Pose turned(const Vec& position, const Vec& rotation) { return {position, math::matrix(math::cayley(rotation))}; }

Manifold meet(const RigidShape& a, const Pose& at_a, const RigidShape& b, const Pose& at_b, double margin = 0.1) {
  NarrowPhase narrow;
  Manifold manifold;
  narrow.collide(a, at_a, b, at_b, margin, manifold);
  return manifold;
}

double lowest_gap(const Manifold& manifold) {
  double gap = INFINITY;
  for (const ContactPoint& point : manifold.points()) gap = std::min(gap, point.gap);
  return gap;
}

const RigidShape unit_ball = RigidShape::sphere(0.5);
const RigidShape unit_cube = RigidShape::convex(box_polytope({1, 1, 1}));
const RigidShape unit_rod = RigidShape::capsule(0.25, 2);

TEST(NarrowPhase, TwoBalls) {
  const Manifold m = meet(unit_ball, at(0, 0, 0), unit_ball, at(0, 0.9, 0));
  ASSERT_EQ(m.size(), 1u);
  EXPECT_NEAR(m.points()[0].gap, -0.1, 1e-15);
  EXPECT_EQ(m.points()[0].normal, (Vec{0, 1, 0}));
  EXPECT_NEAR(m.points()[0].point.y, 0.45, 1e-15);
  EXPECT_EQ(meet(unit_ball, at(0, 0, 0), unit_ball, at(0, 1.2, 0)).size(), 0u);
}

TEST(NarrowPhase, ABallOnFaceEdgeCornerAndInsideABox) {
  const Manifold face = meet(unit_cube, at(0, 0, 0), unit_ball, at(0.2, 0, 1.01));
  ASSERT_EQ(face.size(), 1u);
  EXPECT_NEAR(face.points()[0].gap, 0.01, 1e-15);
  EXPECT_EQ(face.points()[0].normal, (Vec{0, 0, 1}));
  // Beyond an edge the gap is √2 · 0.4 − 0.5, beyond a corner √3 · 0.3 − 0.5.
  EXPECT_NEAR(meet(unit_cube, at(0, 0, 0), unit_ball, at(0.9, 0, 0.9)).points()[0].gap, std::sqrt(0.32) - 0.5, 1e-14);
  EXPECT_NEAR(meet(unit_cube, at(0, 0, 0), unit_ball, at(0.8, 0.8, 0.8)).points()[0].gap, std::sqrt(0.27) - 0.5, 1e-14);
  const Manifold inside = meet(unit_cube, at(0, 0, 0), unit_ball, at(0, 0.3, 0.1));
  EXPECT_NEAR(inside.points()[0].gap, -0.7, 1e-15);
  EXPECT_EQ(inside.points()[0].normal, (Vec{0, 1, 0}));
}

TEST(NarrowPhase, ABoxOnABoxTouchesAtTheCornersOfTheCommonFace) {
  const Manifold m = meet(unit_cube, at(0, 0, 0), unit_cube, at(0.25, 0.5, 1.001));
  ASSERT_EQ(m.size(), 4u);
  Vec sum{};
  for (const ContactPoint& point : m.points()) {
    EXPECT_NEAR(point.gap, 0.001, 1e-15);
    EXPECT_NEAR(point.normal.z, 1, 1e-15);
    sum += point.point;
  }
  EXPECT_NEAR(sum.x / 4, 0.125, 1e-15);  // the common face is 0.75 × 0.5
  EXPECT_NEAR(sum.y / 4, 0.25, 1e-15);
}

TEST(NarrowPhase, ATurnedBoxOnABoxMakesAnOctagon) {
  const Manifold m =
      meet(unit_cube, at(0, 0, 0), unit_cube, turned({0, 0, 1}, {0, 0, 2 * std::tan(std::numbers::pi / 8)}));
  EXPECT_EQ(m.size(), 8u);
  for (const ContactPoint& point : m.points()) EXPECT_NEAR(point.gap, 0, 1e-15);
}

/// By their features the impulses of points are found again: a square that another clips at one corner has two points
/// on sides that both end at the corner inside.
TEST(NarrowPhase, NoTwoPointsOfAPairHaveTheSameFeature) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(-0.8, 0.8), angle(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec shift{share(random), share(random), 1};
    const Pose above = turned(shift, {0, 0, trial % 2 == 0 ? 0 : angle(random)});
    for (const bool swapped : {false, true}) {
      const Manifold m =
          swapped ? meet(unit_cube, above, unit_cube, at(0, 0, 0)) : meet(unit_cube, at(0, 0, 0), unit_cube, above);
      std::vector<int> features;
      for (const ContactPoint& point : m.points()) features.push_back(point.feature);
      std::sort(features.begin(), features.end());
      ASSERT_GE(features.size(), 3u);
      EXPECT_EQ(std::adjacent_find(features.begin(), features.end()), features.end()) << trial;
      // They are the same when the boxes have moved a little.
      Pose moved = above;
      moved.position += {1e-6, -2e-6, 1e-7};
      const Manifold later =
          swapped ? meet(unit_cube, moved, unit_cube, at(0, 0, 0)) : meet(unit_cube, at(0, 0, 0), unit_cube, moved);
      ASSERT_EQ(later.size(), m.size());
      for (std::size_t k = 0; k < m.size(); ++k) {
        EXPECT_EQ(later.points()[k].feature, m.points()[k].feature) << trial;
        EXPECT_LT(math::norm_sq(later.points()[k].point - m.points()[k].point), 1e-8) << trial;
      }
    }
  }
}

TEST(NarrowPhase, CrossedEdgesTouchInOnePoint) {
  // Both stand on edges: a along x, b along y, √2/2 from centre to edge.
  const double quarter = 2 * std::tan(std::numbers::pi / 8);
  const double height = std::sqrt(2.0) + 0.01;
  const Manifold m =
      meet(unit_cube, turned({0, 0, 0}, {quarter, 0, 0}), unit_cube, turned({0.1, 0.2, height}, {0, quarter, 0}));
  ASSERT_EQ(m.size(), 1u);
  EXPECT_NEAR(m.points()[0].gap, 0.01, 1e-14);
  EXPECT_NEAR(m.points()[0].normal.z, 1, 1e-14);
  EXPECT_NEAR(m.points()[0].point.x, 0.1, 1e-14);
  EXPECT_NEAR(m.points()[0].point.y, 0, 1e-14);
}

TEST(NarrowPhase, CapsulesLieOnBoxesAndOnEachOther) {
  const Pose flat = turned({0, 0, 0.74}, {0, 2, 0});  // along x
  const Manifold on_box = meet(unit_cube, at(0, 0, 0), unit_rod, flat);
  ASSERT_EQ(on_box.size(), 2u);  // at the box's edges, since the rod is longer
  for (const ContactPoint& point : on_box.points()) {
    EXPECT_NEAR(point.gap, -0.01, 1e-14);
    EXPECT_NEAR(point.normal.z, 1, 1e-14);
    EXPECT_NEAR(std::abs(point.point.x), 0.5, 1e-14);
  }
  const Manifold along = meet(unit_rod, turned({0, 0, 0}, {0, 2, 0}), unit_rod, turned({0.5, 0, 0.5}, {0, 2, 0}));
  ASSERT_EQ(along.size(), 2u);
  EXPECT_NEAR(std::abs(along.points()[0].point.x - along.points()[1].point.x), 1.5, 1e-14);
  const Manifold across = meet(unit_rod, turned({0, 0, 0}, {0, 2, 0}), unit_rod, turned({0, 0, 0.49}, {2, 0, 0}));
  ASSERT_EQ(across.size(), 1u);
  EXPECT_NEAR(across.points()[0].gap, -0.01, 1e-14);
  // Standing on its cap.
  EXPECT_NEAR(lowest_gap(meet(unit_cube, at(0, 0, 0), unit_rod, at(0, 0, 1.75))), 0, 1e-15);
  Manifold plane;
  NarrowPhase::collide_plane({0, 0, 0}, {0, 0, 1}, unit_rod, turned({0, 0, 0.2}, {0, 2, 0}), 0.1, plane);
  ASSERT_EQ(plane.size(), 2u);
  EXPECT_NEAR(plane.points()[0].gap, -0.05, 1e-15);
}

/// The normal turns round and the gap stays when the shapes change positions.
TEST(NarrowPhase, DoesNotDependOnTheOrderOfTheShapes) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto any = [&] { return Vec{number(random), number(random), number(random)}; };
  const RigidShape wedge =
      RigidShape::convex(convex_hull({{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0.3, 1}, {0.2, 0.5, -0.5}}));
  const RigidShape* shapes[] = {&unit_ball, &unit_cube, &unit_rod, &wedge};
  int met = 0;
  for (int i = 0; i < 2000; ++i) {
    const RigidShape &a = *shapes[i % 4], &b = *shapes[(i / 4) % 4];
    const Pose at_a = turned(any(), any()), at_b = turned(any(), any());
    const Manifold m = meet(a, at_a, b, at_b, 0.05), n = meet(b, at_b, a, at_a, 0.05);
    ASSERT_EQ(m.size() > 0, n.size() > 0) << i;
    if (m.size() == 0) continue;
    ++met;
    // Faces and edges of nearly equal depth may be reported apart differently, up to the bias for faces.
    EXPECT_NEAR(lowest_gap(m), lowest_gap(n), 3e-3) << i;
    for (const ContactPoint& point : m.points()) EXPECT_NEAR(math::norm_sq(point.normal), 1, 1e-12);
  }
  EXPECT_GT(met, 500);
}

TEST(BodyGrid, FindsWhatAllPairsFind) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Bounds> boxes;
  for (int i = 0; i < 500; ++i) {
    const double size = i % 100 == 0 ? 1.0 : 0.05 + 0.03 * number(random);
    boxes.push_back({{number(random), number(random), number(random)}, {size, 0.8 * size, size}});
  }
  boxes.push_back({{1e12, 0, 0}, {0.1, 0.1, 0.1}});  // lost far away
  BodyGrid grid;
  grid.assign(boxes);
  std::vector<int> found;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    grid.partners(i, found);
    std::vector<int> expected;
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (boxes[i].meets(boxes[j])) expected.push_back(static_cast<int>(j));
    }
    EXPECT_EQ(found, expected) << i;
    pairs += found.size();
  }
  EXPECT_GT(pairs, 200u);
}

}  // namespace
}  // namespace ictus::geometry
