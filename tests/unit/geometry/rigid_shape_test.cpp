#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/geometry/shape/rigid_shape.hpp>
#include <numbers>

namespace ictus::geometry {
namespace {

constexpr double pi = std::numbers::pi;

TEST(VolumeProperties, OfABoxAreKnown) {
  const VolumeProperties p = volume_properties(RigidShape::convex(box_polytope({1, 2, 3})));
  EXPECT_NEAR(p.volume, 6, 1e-14);
  EXPECT_NEAR(p.inertia.a.x, 6 * (4 + 9) / 12.0, 1e-13);
  EXPECT_NEAR(p.inertia.b.y, 6 * (1 + 9) / 12.0, 1e-13);
  EXPECT_NEAR(p.inertia.c.z, 6 * (1 + 4) / 12.0, 1e-13);
  EXPECT_NEAR(p.inertia.a.y, 0, 1e-13);
}

TEST(VolumeProperties, OfRoundShapesAreKnown) {
  const VolumeProperties ball = volume_properties(RigidShape::sphere(2));
  EXPECT_NEAR(ball.volume, 32 * pi / 3, 1e-12);
  EXPECT_NEAR(ball.inertia.a.x, 0.4 * ball.volume * 4, 1e-12);
  EXPECT_NEAR(ball.inertia.c.z, 0.4 * ball.volume * 4, 1e-12);
  // A capsule by slices: ∫ π ρ² (ρ²/4 + z²) dz across and ∫ π ρ⁴/2 dz along, ρ the radius at height z.
  const double r = 0.5, half = 1;
  double across = 0, along = 0, volume = 0;
  const int slices = 200000;
  const double step = 2 * (r + half) / slices;
  for (int i = 0; i < slices; ++i) {
    const double z = -(r + half) + (i + 0.5) * step, over = std::max(0.0, std::abs(z) - half);
    const double rho_sq = r * r - over * over;
    volume += pi * rho_sq * step;
    across += pi * rho_sq * (rho_sq / 4 + z * z) * step;
    along += pi * rho_sq * rho_sq / 2 * step;
  }
  const VolumeProperties capsule = volume_properties(RigidShape::capsule(r, 2 * half));
  EXPECT_NEAR(capsule.volume, volume, 1e-9);  // midpoint rule: (slices)^-2
  EXPECT_NEAR(capsule.inertia.a.x, across, 1e-9);
  EXPECT_NEAR(capsule.inertia.c.z, along, 1e-9);
}

TEST(VolumeProperties, OfATetrahedronAwayFromTheOrigin) {
  const Polytope tetrahedron = convex_hull({{5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, 0, 1}});
  const VolumeProperties p = volume_properties(RigidShape::convex(tetrahedron));
  EXPECT_NEAR(p.volume, 1.0 / 6, 1e-14);
  EXPECT_NEAR(p.centroid.x, 5.25, 1e-13);
  // ∫ (y² + z²) − volume · 2/16 = 2/60 − 2/96 = 1/80; round-off of the parallel axes, 5² times as large.
  EXPECT_NEAR(p.inertia.a.x, 1.0 / 80, 1e-13);
  EXPECT_NEAR(p.inertia.b.x, 1.0 / 480, 1e-13);
}

TEST(ConvexHull, OfACubeWithPointsInFacesEdgesAndInside) {
  std::vector<Vec> points{{0.5, 0.5, 0.5}, {0, 0.5, 0.5}, {0.5, 0, 0}, {0.25, 0.25, 1}};
  for (const double x : {0.0, 1.0}) {
    for (const double y : {0.0, 1.0}) {
      for (const double z : {0.0, 1.0}) points.push_back({x, y, z});
    }
  }
  const Polytope cube = convex_hull(points);
  EXPECT_EQ(cube.vertices.size(), 8u);
  EXPECT_EQ(cube.faces.size(), 6u);
  EXPECT_EQ(cube.edges.size(), 12u);
  EXPECT_EQ(cube.directions.size(), 3u);
  EXPECT_NEAR(volume_properties(RigidShape::convex(cube)).volume, 1, 1e-14);
  for (const Polytope::Face& face : cube.faces) {
    EXPECT_EQ(face.corners.size(), 4u);
    for (const Vec& v : cube.vertices) EXPECT_LE(math::dot(face.normal, v), face.offset + 1e-14);
  }
}

TEST(ConvexHull, TakesPointsThatAreGivenTwiceOnce) {
  // Whole coordinates: many points are equal, and many lie in one plane or on one line.
  std::vector<Vec> points;
  for (unsigned i = 0; i < 60; ++i) {
    const unsigned k = 2654435761u * (i + 1);
    points.push_back({double((k >> 8) % 5), double((k >> 16) % 5), double((k >> 24) % 5)});
  }
  const Polytope hull = convex_hull(points);
  std::size_t corners = 0;
  for (const Polytope::Face& face : hull.faces) {
    corners += face.corners.size();
    for (const Vec& p : points) EXPECT_LE(math::dot(face.normal, p), face.offset + 1e-12);
  }
  EXPECT_EQ(corners, 2 * hull.edges.size());
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);  // Euler
}

TEST(ConvexHull, RefusesWhatHasNoVolume) {
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), base::InputError);
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), base::InputError);
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}), base::InputError);
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}}), base::InputError);
}

}  // namespace
}  // namespace ictus::geometry
