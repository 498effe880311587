#include <gtest/gtest.h>

#include <ictus/contact/audit/crossing_audit.hpp>
#include <ictus/contact/detect/surface_detector.hpp>
#include <ictus/geometry/proximity/closest_points.hpp>
#include <ictus/mechanics/body/mesh_surface.hpp>
#include <random>

#include "support/spring_mesh.hpp"

namespace ictus::contact {
namespace {

using math::Vec3;
using model::ConstraintSet;
using testing::SpringMesh;

/// Two spheres that nearly touch, with a law between them and each with itself.
class Spheres : public ::testing::Test {
 protected:
  Spheres()
      : left_("left", testing::sphere(2, 0.3), {.position = {-1.02, 0, 0}}, 0),
        right_("right", testing::sphere(2, 1.1), {.position = {1.02, 0.1, 0}}, left_.dofs().end()) {
    const auto add = [&](const SpringMesh& a, const SpringMesh& b) {
      ContactPair& pair = pairs_.emplace_back();
      pair.first = a.name(), pair.second = b.name();
      pair.first_surface = &a.surface(), pair.second_surface = &b.surface();
      pair.friction = 0.5;
    };
    add(left_, right_);
    add(left_, left_);
    q_.resize(right_.dofs().end());
    p_.resize(q_.size());
    inverse_mass_.assign(q_.size(), 1.0);
    left_.initialise(q_, p_);
    right_.initialise(q_, p_);
    // One fast vertex on each: a step could close gaps of 0.3.
    std::fill(p_.begin(), p_.end(), 0.0);
    p_[0] = p_[right_.dofs().begin] = 0.15;
  }

  StepMotion motion() const { return {q_, p_, inverse_mass_, 1.0}; }

  /// Moves every dof a little.
  void jiggle(double size) {
    std::uniform_real_distribution<double> uniform(-size, size);
    for (double& x : q_) x += uniform(engine_);
  }

  std::mt19937 engine_{11};
  SpringMesh left_, right_;
  std::vector<ContactPair> pairs_;
  std::vector<double> q_, p_, inverse_mass_;
};

/// The pairs found with a list kept over many small moves are those found with a new list, in the same order.
TEST_F(Spheres, AKeptListFindsWhatANewOneFinds) {
  SurfaceDetector kept;
  kept.prepare(pairs_);
  std::size_t largest = 0;
  for (int n = 0; n < 60; ++n) {
    jiggle(2e-3);
    for (std::size_t k = 0; k < left_.dofs().end(); k += 3) q_[k] += 1e-3;
    SurfaceDetector fresh;
    fresh.prepare(pairs_);
    ConstraintSet a, b;
    kept.detect(pairs_, motion(), a);
    fresh.detect(pairs_, motion(), b);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a.gap(i), b.gap(i));
      EXPECT_EQ(a.row(i)[0].dof, b.row(i)[0].dof);
    }
    largest = std::max(largest, a.size());
  }
  EXPECT_GT(largest, 20u);
}

/// The smallest gap that detection sees is the smallest distance of any vertex and triangle or two edges, taken one by
/// one.
TEST_F(Spheres, NothingIsNearerThanWhatIsFound) {
  pairs_.resize(1);
  for (std::size_t k = 0; k < left_.dofs().end(); k += 3) q_[k] += 0.02;
  SurfaceDetector detector;
  detector.prepare(pairs_);
  ConstraintSet constraints;
  detector.detect(pairs_, motion(), constraints);
  ASSERT_GT(constraints.size(), 0u);
  double found = std::numeric_limits<double>::infinity(), least = found;
  for (std::size_t i = 0; i < constraints.size(); ++i) found = std::min(found, constraints.gap(i));
  const auto x = [&](const SpringMesh& body, int v) { return model::vertex_at(q_, body.surface().mesh()->dof(v)); };
  const auto vertices_on = [&](const SpringMesh& a, const SpringMesh& b) {
    for (std::size_t v = 0; v < a.surface().mesh()->vertex_count(); ++v) {
      for (const auto& [i, j, k] : b.surface().mesh()->triangles()) {
        const Vec3 p = x(a, static_cast<int>(v)), c[3] = {x(b, i), x(b, j), x(b, k)};
        const auto foot = geometry::closest_on_triangle(p, c[0], c[1], c[2]);
        const Vec3 h = p - foot.weights[0] * c[0] - foot.weights[1] * c[1] - foot.weights[2] * c[2];
        least = std::min(least, h.norm());
      }
    }
  };
  vertices_on(left_, right_);
  vertices_on(right_, left_);
  for (const auto& [a, b] : left_.surface().mesh()->edges()) {
    for (const auto& [c, d] : right_.surface().mesh()->edges()) {
      const Vec3 e[4] = {x(left_, a), x(left_, b), x(right_, c), x(right_, d)};
      const auto s = geometry::closest_on_segments(e[0], e[1], e[2], e[3], 1e-10);
      least = std::min(least, ((1 - s.t) * e[2] + s.t * e[3] - (1 - s.s) * e[0] - s.s * e[1]).norm());
    }
  }
  EXPECT_NEAR(found + detector.skins().laws()[0].thickness, least, 1e-14);
}

/// Rows are gradients of invariants: a rigid motion of everything has no rate, along the normal and along the tangents;
/// and the normal row is the derivative of the gap.
TEST_F(Spheres, RowsAreObjectiveAndRight) {
  for (std::size_t k = 0; k < left_.dofs().end(); k += 3) q_[k] += 0.02;
  jiggle(5e-3);
  SurfaceDetector detector;
  detector.prepare(pairs_);
  ConstraintSet constraints;
  detector.detect(pairs_, motion(), constraints);
  int with_tangents = 0;
  const Vec3 shift(0.3, -0.5, 0.8), spin(0.7, 0.2, -0.4);
  std::vector<double> rigid(q_.size());
  for (std::size_t k = 0; k < q_.size(); k += 3) {
    Vec3::Map(rigid.data() + k) = shift + spin.cross(Vec3::Map(q_.data() + k));
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    EXPECT_NEAR(model::dot(constraints.row(i), rigid), 0, 1e-13);
    if (!constraints.has_tangents(i)) continue;
    ++with_tangents;
    for (const std::size_t k : {0, 1}) EXPECT_NEAR(model::dot(constraints.tangent(i, k), rigid), 0, 1e-12);
  }
  EXPECT_GT(with_tangents, 5);
  // The same pair a little later: detection finds pairs in the same order as long as none comes or goes.
  std::vector<double> rate(q_.size());
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (double& v : rate) v = uniform(engine_);
  const double eps = 1e-7;
  const std::vector<double> now = q_;
  ConstraintSet before, after;
  for (std::size_t k = 0; k < q_.size(); ++k) q_[k] = now[k] - eps * rate[k];
  detector.detect(pairs_, motion(), before);
  for (std::size_t k = 0; k < q_.size(); ++k) q_[k] = now[k] + eps * rate[k];
  detector.detect(pairs_, motion(), after);
  ASSERT_EQ(before.size(), constraints.size());
  ASSERT_EQ(after.size(), constraints.size());
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    EXPECT_NEAR((after.gap(i) - before.gap(i)) / (2 * eps), model::dot(constraints.row(i), rate), 1e-6);
  }
}

/// Surfaces that would meet in the step have constraints for it, as objective as the others.
TEST_F(Spheres, MeetingsOnTheWayAreConstraints) {
  for (std::size_t k = 0; k < left_.dofs().end(); k += 3) p_[k] = 0.3;
  SurfaceDetector detector;
  detector.prepare(pairs_);
  ConstraintSet constraints;
  detector.detect(pairs_, motion(), constraints);
  std::vector<double> rigid(q_.size());
  for (std::size_t k = 0; k < q_.size(); k += 3) {
    Vec3::Map(rigid.data() + k) = Vec3(0.3, -0.5, 0.8) + Vec3(0.7, 0.2, -0.4).cross(Vec3::Map(q_.data() + k));
  }
  int meetings = 0;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    EXPECT_NEAR(model::dot(constraints.row(i), rigid), 0, 1e-12);
    if (constraints.gap(i) != 0) continue;
    ++meetings;
    EXPECT_LT(model::rate(constraints.row(i), inverse_mass_, p_), 0);
  }
  EXPECT_GT(meetings, 3);
  EXPECT_TRUE(detector.meeting_of(0));
}

/// Whatever the velocities, up to several edges in a step: afterwards no triangles intersect, and the momenta are the
/// same.
TEST_F(Spheres, KeptApartNothingPasses) {
  pairs_[0].continuous = pairs_[1].continuous = true;
  pairs_.push_back(pairs_[0]);
  pairs_[2].first_surface = pairs_[2].second_surface = &right_.surface();
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Skins skins(pairs_);
  CrossingAudit audit;
  const auto crossings = [&](std::span<const double> momenta) {
    std::vector<double> next = q_;
    for (std::size_t k = 0; k < q_.size(); ++k) next[k] += momenta[k];
    std::vector<Crossing> found;
    audit.find(skins, next, found);
    return found.size();
  };
  const auto momentum = [&](std::span<const double> momenta) {
    std::array<Vec3, 2> sum{Vec3::Zero(), Vec3::Zero()};
    for (std::size_t k = 0; k < q_.size(); k += 3) {
      const Vec3 p = Vec3::Map(momenta.data() + k);
      sum[0] += p;
      sum[1] += Vec3::Map(q_.data() + k).cross(p);
    }
    return sum;
  };
  for (const double size : {0.15, 0.4, 1.0}) {
    for (double& p : p_) p = size * uniform(engine_);
    for (std::size_t k = 0; k < left_.dofs().end(); k += 3) p_[k] += 2 * size;
    SurfaceDetector detector;
    detector.prepare(pairs_);
    ConstraintSet constraints;
    detector.detect(pairs_, motion(), constraints);
    std::vector<double> p = p_;
    const auto push = detector.keep_apart(motion(), p);
    EXPECT_GT(crossings(p_), 0u);
    EXPECT_FALSE(push.empty());
    EXPECT_EQ(crossings(p), 0u);
    for (const std::size_t k : {0, 1}) EXPECT_LT((momentum(p)[k] - momentum(p_)[k]).norm(), 1e-11 * size);
  }
}

TEST_F(Spheres, AuditCountsTrianglesThatPassThroughEachOther) {
  const Skins skins(pairs_);
  CrossingAudit audit;
  std::vector<Crossing> crossings;
  audit.find(skins, q_, crossings);
  EXPECT_TRUE(crossings.empty());
  for (std::size_t k = 0; k < left_.dofs().end(); k += 3) q_[k] += 0.3;
  audit.find(skins, q_, crossings);
  EXPECT_GT(crossings.size(), 5u);
  for (const Crossing& crossing : crossings) EXPECT_EQ(crossing.pair, 0);
}

/// What the last step may have opened is in sight where that step is given.
TEST_F(Spheres, WhatTheLastStepOpenedIsInSight) {
  SurfaceDetector detector;
  detector.prepare(pairs_);
  const std::vector<double> still(p_.size(), 0.0);
  ConstraintSet now, back;
  detector.detect(pairs_, {q_, still, inverse_mass_, 1.0}, now);
  detector.detect(pairs_, {q_, still, inverse_mass_, 1.0, p_}, back);
  const auto farthest = [](const ConstraintSet& constraints) {
    double gap = 0;
    for (std::size_t i = 0; i < constraints.size(); ++i) gap = std::max(gap, constraints.gap(i));
    return gap;
  };
  EXPECT_LT(farthest(now), 0.1);
  EXPECT_GT(farthest(back), 0.13);
  EXPECT_LE(farthest(back), 0.15 + 1e-12);  // h times what the velocities differ by
}

/// A point over a valley is over both its sides. Where these are as good as one plane the nearer counts.
TEST(Valley, SidesInOnePlaneCountOnce) {
  const auto sides_that_count = [](double slope, double across, double height = 0.05) {
    const std::vector<Vec3> valley{{0, -1, 0}, {0, 1, 0}, {-1, 0, slope}, {1, 0, slope}},
        above{{across, 0, height}, {0.5, 0, height + 1}, {0, 0.5, height + 1}};
    const mechanics::MeshSurface first(model::SurfaceMesh({{0, 1, 2}, {1, 0, 3}}, {0, 3, 6, 9}, valley)),
        second(model::SurfaceMesh({{0, 1, 2}}, {12, 15, 18}, above));
    std::vector<ContactPair> pairs(1);
    pairs[0].first_surface = &first, pairs[0].second_surface = &second;
    pairs[0].thickness = height - 0.05;
    std::vector<double> q;
    for (const auto& mesh : {valley, above}) {
      for (const Vec3& x : mesh) q.insert(q.end(), x.begin(), x.end());
    }
    const std::vector<double> still(q.size(), 0.0), unit(q.size(), 1.0);
    SurfaceDetector detector;
    detector.prepare(pairs);
    ConstraintSet constraints;
    detector.detect(pairs, {q, still, unit, 1.0}, constraints);
    std::vector<int> sides;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      if (constraints.name(i).kind == vertex_and_triangle && constraints.name(i).first == 4)
        sides.push_back(constraints.name(i).second);
    }
    return sides;
  };
  EXPECT_EQ(sides_that_count(0.1, 0), (std::vector{0, 1}));
  EXPECT_EQ(sides_that_count(1e-4, 0), (std::vector{0}));
  EXPECT_EQ(sides_that_count(1e-4, 2e-6), (std::vector{0}));      // nearer to the other by 4e-10, as good as nothing
  EXPECT_EQ(sides_that_count(4e-4, 5e-3, 20), (std::vector{1}));  // nearer to the other by 4e-6
}

/// Features are where their vertices are, and their nearest points with them.
TEST(GapOfFeatures, IsThatOfTheSameFeaturesElsewhere) {
  const std::vector<Vec3> low{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, high{{0.2, 0.3, 0.1}, {0.2, 0.3, 1.1}, {1.2, 0.3, 1.1}};
  const mechanics::MeshSurface first(model::SurfaceMesh({{0, 1, 2}}, {0, 3, 6}, low)),
      second(model::SurfaceMesh({{0, 1, 2}}, {9, 12, 15}, high));
  std::vector<ContactPair> pairs(1);
  pairs[0].first_surface = &first, pairs[0].second_surface = &second;
  pairs[0].thickness = 0.01;
  const Skins skins(pairs);
  std::vector<double> q(18);
  const auto put = [&](std::size_t vertex, const Vec3& x) { std::copy(x.begin(), x.end(), &q[3 * vertex]); };
  for (std::size_t v = 0; v < 3; ++v) put(v, low[v]), put(3 + v, high[v]);
  const ConstraintSet::Name vertex{vertex_and_triangle, 3, 0}, edges{two_edges, 0, 3};
  EXPECT_NEAR(gap_of_features(skins, pairs, 0, vertex, q), 0.1 - 0.01, 1e-15);
  put(3, {-3, -4, 0});  // beyond a corner
  EXPECT_NEAR(gap_of_features(skins, pairs, 0, vertex, q), 5 - 0.01, 1e-14);
  put(3, {0.5, -1, 0.3}), put(4, {0.5, 2, 0.3});  // across
  EXPECT_NEAR(gap_of_features(skins, pairs, 0, edges, q), 0.3 - 0.01, 1e-15);
  put(3, {1.4, -1, 0.3}), put(4, {1.4, 2, 0.3});  // beyond an end
  EXPECT_NEAR(gap_of_features(skins, pairs, 0, edges, q), 0.5 - 0.01, 1e-15);
}

}  // namespace
}  // namespace ictus::contact
