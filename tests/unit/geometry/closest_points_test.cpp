#include <gtest/gtest.h>

#include <ictus/geometry/proximity/approach_time.hpp>
#include <ictus/geometry/proximity/closest_points.hpp>
#include <ictus/geometry/proximity/triangle_intersection.hpp>
#include <random>

namespace ictus::geometry {
namespace {

using math::Vec3;
using Region = TrianglePoint::Region;

struct Random {
  std::mt19937 engine{7};
  std::uniform_real_distribution<double> uniform{-1, 1};
  double number() { return uniform(engine); }
  Vec3 vector() { return {number(), number(), number()}; }
};

Vec3 foot(const TrianglePoint& point, const Vec3& a, const Vec3& b, const Vec3& c) {
  return point.weights[0] * a + point.weights[1] * b + point.weights[2] * c;
}

/// No point of the triangle is closer than the one found, and its region agrees with its weights.
TEST(ClosestOnTriangle, BeatsAGridOfPoints) {
  Random random;
  std::array<int, 7> regions{};
  for (int n = 0; n < 400; ++n) {
    const Vec3 p = 1.5 * random.vector(), a = random.vector(), b = random.vector(), c = random.vector();
    const TrianglePoint point = closest_on_triangle(p, a, b, c);
    const double distance = (p - foot(point, a, b, c)).norm();
    ++regions[static_cast<std::size_t>(point.region)];
    int zeros = 0;
    for (const double weight : point.weights) {
      EXPECT_GE(weight, 0);
      zeros += weight == 0 ? 1 : 0;
    }
    EXPECT_EQ(zeros, point.region == Region::inside ? 0 : point.region <= Region::side2 ? 1 : 2);
    constexpr int grid = 20;
    for (int i = 0; i <= grid; ++i) {
      for (int j = 0; i + j <= grid; ++j) {
        const double l1 = double(i) / grid, l2 = double(j) / grid;
        EXPECT_LE(distance, (p - ((1 - l1 - l2) * a + l1 * b + l2 * c)).norm() + 1e-12);
      }
    }
  }
  for (const int count : regions) EXPECT_GT(count, 5);  // every region was met
}

TEST(ClosestOnSegments, BeatsAGridOfPoints) {
  Random random;
  int inside = 0;
  for (int n = 0; n < 400; ++n) {
    const Vec3 a0 = random.vector(), a1 = random.vector(), b0 = random.vector(), b1 = random.vector();
    const SegmentPoints points = closest_on_segments(a0, a1, b0, b1, 1e-10);
    const Vec3 h = (1 - points.t) * b0 + points.t * b1 - (1 - points.s) * a0 - points.s * a1;
    if (points.inside) {
      ++inside;
      EXPECT_NEAR(h.dot(a1 - a0), 0, 1e-12);
      EXPECT_NEAR(h.dot(b1 - b0), 0, 1e-12);
    }
    constexpr int grid = 20;
    for (int i = 0; i <= grid; ++i) {
      for (int j = 0; j <= grid; ++j) {
        const double s = double(i) / grid, t = double(j) / grid;
        EXPECT_LE(h.norm(), ((1 - t) * b0 + t * b1 - (1 - s) * a0 - s * a1).norm() + 1e-12);
      }
    }
  }
  EXPECT_GT(inside, 40);
  EXPECT_LT(inside, 360);
}

TEST(ClosestOnSegments, ParallelSegmentsAreNotInside) {
  EXPECT_FALSE(closest_on_segments({0, 0, 0}, {1, 0, 0}, {0.2, 1, 0}, {0.8, 1, 0}, 1e-10).inside);
}

/// Features that fly through each other are caught before they meet, and those that pass are let go: sampled along the
/// way, they are never nearer than wanted before the time found, and nearly so at that time.
TEST(FindMeeting, ComesBeforeTheFeaturesMeet) {
  Random random;
  constexpr double near = 0.02;
  for (const std::size_t first : {1, 2}) {
    int met = 0;
    for (int n = 0; n < 400; ++n) {
      MovingFeatures features{{}, {}, first};
      for (std::size_t k = 0; k < 4; ++k) features.x[k] = random.vector(), features.by[k] = 2 * random.vector();
      const auto distance = [&](double time) {
        const auto x = features.at(time);
        const auto w = features.weights(x);
        return (w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3]).norm();
      };
      if (distance(0) < 2 * near) continue;
      const auto meeting = find_meeting(features, near);
      met += meeting ? 1 : 0;
      for (int i = 0; i <= 200; ++i) EXPECT_GE(distance((meeting ? meeting->time : 1.0) * i / 200), near - 1e-12);
      if (!meeting) continue;
      EXPECT_LT(distance(meeting->time), 1.11 * near);
      EXPECT_NEAR(meeting->separation.norm(), distance(meeting->time), 1e-12);
    }
    EXPECT_GT(met, 20);
    EXPECT_LT(met, 380);
  }
}

/// What cubic equations for coplanar points stumble over: motion in one plane, and edges that stay parallel.
TEST(FindMeeting, KnowsNoSpecialCases) {
  const Vec3 still = Vec3::Zero();
  const MovingFeatures in_plane{
      {Vec3(-1, 0.2, 0), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, {Vec3(2, 0, 0), still, still, still}, 1};
  ASSERT_TRUE(find_meeting(in_plane, 1e-3));
  EXPECT_NEAR(find_meeting(in_plane, 1e-3)->time, 0.5, 1e-3);
  MovingFeatures parallel{{Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(0.5, 0, 0), Vec3(1.5, 0, 0)},
                          {Vec3(0, 0, -2), Vec3(0, 0, -2), still, still},
                          2};
  ASSERT_TRUE(find_meeting(parallel, 1e-3));
  EXPECT_NEAR(find_meeting(parallel, 1e-3)->time, 0.5, 1e-3);
  for (std::size_t k = 0; k < 4; ++k) parallel.by[k] = Vec3(3, 2, 1);  // fly together
  EXPECT_FALSE(find_meeting(parallel, 1e-3));
}

TEST(TrianglesCross, TouchingIsNotCrossing) {
  const TriangleCorners flat{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const auto standing = [](double z) {
    return TriangleCorners{Vec3(0.25, 0.25, z), Vec3(0.3, 0.2, z + 1), Vec3(0.2, 0.3, z + 1)};
  };
  EXPECT_TRUE(triangles_cross(flat, standing(-0.5)));
  EXPECT_TRUE(triangles_cross(flat, standing(-1e-15)));
  EXPECT_FALSE(triangles_cross(flat, standing(0)));
  EXPECT_FALSE(triangles_cross(flat, standing(1e-15)));
  EXPECT_FALSE(triangles_cross(flat, flat));
}

/// A point moved off a plane by the last digit of its coordinates is on the right side of it.
TEST(SideOfPlane, SeesTheLastDigit) {
  const Vec3 a(0.1, 0.2, 0.7), b(1.1, 0.3, 0.7), c(0.4, 1.7, 0.7);
  const double up = std::nextafter(0.7, 1), down = std::nextafter(0.7, 0);
  EXPECT_EQ(side_of_plane(a, b, c, {0.5, 0.5, 0.7}), 0);
  EXPECT_EQ(side_of_plane(a, b, c, {0.5, 0.5, up}), -side_of_plane(a, b, c, {0.5, 0.5, down}));
  EXPECT_NE(side_of_plane(a, b, c, {0.5, 0.5, up}), 0);
}

/// A triangle of which two corners coincide is a segment, one of which all do a point.
TEST(ClosestOnTriangle, TakesSegmentsAndPoints) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto any = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
  for (int n = 0; n < 20000; ++n) {
    const Vec3 a = any(), b = n % 10 == 0 ? a : any(), p = any();
    const TrianglePoint point = closest_on_triangle(p, a, b, b);
    const Vec3 foot = point.weights[0] * a + (point.weights[1] + point.weights[2]) * b;
    const double along = n % 10 == 0 ? 0 : std::clamp((b - a).dot(p - a) / (b - a).squaredNorm(), 0.0, 1.0);
    EXPECT_NEAR((foot - (a + along * (b - a))).norm(), 0, 1e-14);
    EXPECT_NE(point.region, TrianglePoint::Region::inside);
  }
}

}  // namespace
}  // namespace ictus::geometry
