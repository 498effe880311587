#include <gtest/gtest.h>

#include <ictus/contact/audit/surface_gaps.hpp>
#include <ictus/geometry/proximity/closest_points.hpp>

#include "support/spring_mesh.hpp"

namespace ictus::contact {
namespace {

using math::Vec3;

/// The gaps of two spheres that pass each other are those of all vertices and triangles and all edges, one by one.
TEST(SurfaceGaps, AreTheSmallestDistancesHoweverFar) {
  const testing::SpringMesh left("left", testing::sphere(2, 0.3), {}, 0);
  const testing::SpringMesh right("right", testing::sphere(1, 1.1), {}, left.dofs().end());
  std::vector<ContactPair> pairs(2);
  pairs[0].first_surface = &left.surface(), pairs[0].second_surface = &right.surface();
  pairs[0].thickness = 0.01;
  pairs[1].first_surface = pairs[1].second_surface = &left.surface();
  std::vector<double> q(right.dofs().end()), p(q.size());
  left.initialise(q, p);
  right.initialise(q, p);
  SurfaceGaps gaps(pairs);
  for (const Vec3& way : {Vec3(2.1, 0.3, -0.2), Vec3(-3, 4, 1), Vec3(0, -20, 3), Vec3(0.1, 0.2, 2.4)}) {
    std::vector<double> moved = q;
    for (std::size_t k = right.dofs().begin; k < q.size(); ++k) moved[k] += way[static_cast<int>(k % 3)];
    gaps.move(moved);
    double least = std::numeric_limits<double>::infinity();
    const auto look = [&](const testing::SpringMesh& one, const testing::SpringMesh& other) {
      const auto at = [&](const testing::SpringMesh& body, int v) {
        return model::vertex_at(moved, body.surface().mesh()->dof(v));
      };
      for (int v = 0; v < static_cast<int>(one.surface().mesh()->vertex_count()); ++v) {
        for (const auto& [a, b, c] : other.surface().mesh()->triangles()) {
          const Vec3 x = at(one, v);
          const auto [l0, l1, l2] = geometry::closest_on_triangle(x, at(other, a), at(other, b), at(other, c)).weights;
          least = std::min(least, (x - l0 * at(other, a) - l1 * at(other, b) - l2 * at(other, c)).norm());
        }
      }
      for (const auto& [a, b] : one.surface().mesh()->edges()) {
        for (const auto& [c, d] : other.surface().mesh()->edges()) {
          const Vec3 xa = at(one, a), xb = at(one, b), xc = at(other, c), xd = at(other, d);
          const auto [s, t, inside] = geometry::closest_on_segments(xa, xb, xc, xd, 0.0);
          least = std::min(least, ((1 - s) * xa + s * xb - (1 - t) * xc - t * xd).norm());
        }
      }
    };
    look(left, right);
    look(right, left);
    EXPECT_NEAR(gaps.smallest(0), least - 0.01, 1e-14);
    EXPECT_EQ(gaps.smallest(1), std::numeric_limits<double>::infinity());
  }
}

}  // namespace
}  // namespace ictus::contact
