#include <gtest/gtest.h>

#include <cmath>
#include <ictus/solve/cone/friction_cone.hpp>

#include "support/random_cones.hpp"

namespace ictus::solve {
namespace {

bool inside(const FrictionCone& cone, const Local& x, double slack) {
  const auto over = [](double t, double mu) { return mu > 0.0 ? t / mu : (t == 0.0 ? 0.0 : HUGE_VAL); };
  return std::hypot(over(x.y, cone.mu1), over(x.z, cone.mu2)) <= x.x + slack;
}
/// K* = { z : z_N ≥ |D z_T| }.
bool inside_dual(const FrictionCone& cone, const Local& z, double slack) {
  return std::hypot(cone.mu1 * z.y, cone.mu2 * z.z) <= z.x + slack;
}

TEST(FrictionCone, DefectsOfEightCircularConesAreThoseOfEach) {
  RandomCones random(3);
  const double friction[] = {0.0, 0.2, 0.5, 1.0, 2.0, 0.0, 0.7, 0.1};
  for (int k = 0; k < 500; ++k) {
    math::Vector3<math::Pack> r, u;
    math::Pack mu;
    for (int lane = 0; lane < 8; ++lane) {
      const std::vector<double> v = random.normals(6);
      mu.v[lane] = friction[lane];
      r.x.v[lane] = v[0], r.y.v[lane] = v[1], r.z.v[lane] = v[2];
      u.x.v[lane] = v[3], u.y.v[lane] = v[4], u.z.v[lane] = v[5];
      if (k % 5 == 0) r.y.v[lane] = r.z.v[lane] = u.y.v[lane] = u.z.v[lane] = 0.0;  // on the axis of the cone
    }
    const math::Vector3<math::Pack> defect = circular_law_defect(mu, r, u);
    for (int lane = 0; lane < 8; ++lane) {
      const Local expected = law_defect(FrictionCone(friction[lane]), {r.x[lane], r.y[lane], r.z[lane]},
                                        {u.x[lane], u.y[lane], u.z[lane]});
      EXPECT_NEAR(defect.x[lane], expected.x, 1e-15 * 16);
      EXPECT_NEAR(defect.y[lane], expected.y, 1e-15 * 16);
      EXPECT_NEAR(defect.z[lane], expected.z, 1e-15 * 16);
    }
  }
}

class ConeProjection : public ::testing::TestWithParam<FrictionCone> {};

TEST_P(ConeProjection, SplitsEveryVectorIntoConeAndPolar) {
  // Moreau: x = y − z with y ∈ K, z ∈ K*, y ⟂ z, and only the projection does this.
  const FrictionCone cone = GetParam();
  RandomCones random(1);
  for (int k = 0; k < 2000; ++k) {
    const std::vector<double> v = random.normals(3);
    const Local x = load(v, 0);
    const Local y = project(cone, x);
    const Local z = y - x;
    const double slack = 1e-14 * std::sqrt(math::norm_sq(x));
    EXPECT_TRUE(inside(cone, y, 10.0 * slack));
    EXPECT_TRUE(inside_dual(cone, z, 10.0 * slack));
    EXPECT_NEAR(math::dot(y, z), 0.0, 10.0 * slack);
  }
}

INSTANTIATE_TEST_SUITE_P(Cones, ConeProjection,
                         ::testing::Values(FrictionCone(0.0), FrictionCone(0.3), FrictionCone(2.0),
                                           FrictionCone(0.2, 0.9), FrictionCone(1.5, 0.1), FrictionCone(0.9, 0.01),
                                           FrictionCone(0.4, 0.0), FrictionCone(0.0, 0.7)));

TEST(FrictionCone, EllipseAgreesWithTheClosedFormOnACircle) {
  RandomCones random(2);
  for (int k = 0; k < 500; ++k) {
    const std::vector<double> v = random.normals(3);
    const Local closed = project(FrictionCone(0.6), load(v, 0));
    const Local elliptic = project_elliptic(FrictionCone(0.6), load(v, 0));
    EXPECT_NEAR(std::sqrt(math::norm_sq(closed - elliptic)), 0.0, 1e-14);
  }
}

TEST(FrictionCone, WithoutFrictionAPullIsProjectedToNothing) {
  // The cone is a ray here, and a vector along its line, with no tangential part, must not pass for one inside.
  const Local y = project(FrictionCone(0.0), {-1.0, 0.0, 0.0});
  EXPECT_EQ(y.x, 0.0);
  EXPECT_EQ(project(FrictionCone(0.0), {2.0, 0.0, 0.0}).x, 2.0);
}

TEST(FrictionCone, LawHoldsForOpenStickAndSlideAlone) {
  const FrictionCone cone(0.5);
  const auto broken = [&](const Local& r, const Local& u) { return std::sqrt(math::norm_sq(law_defect(cone, r, u))); };
  EXPECT_NEAR(broken({0, 0, 0}, {1, 2, 3}), 0.0, 1e-15) << "open";
  EXPECT_NEAR(broken({2, 0.6, -0.8}, {0, 0, 0}), 0.0, 1e-15) << "stick";
  EXPECT_NEAR(broken({2, -0.6, 0.8}, {0, 3, -4}), 0.0, 1e-15) << "slide";
  EXPECT_GT(broken({1, 0, 0}, {1, 0, 0}), 0.1) << "pushes what leaves";
  EXPECT_GT(broken({0, 0, 0}, {-1, 0, 0}), 0.1) << "penetrates";
  EXPECT_GT(broken({-1, 0, 0}, {0, 0, 0}), 0.1) << "pulls";
  EXPECT_GT(broken({2, 0.6, -0.8}, {0, 3, -4}), 0.1) << "friction helps";
  EXPECT_GT(broken({2, -0.3, 0.4}, {0, 3, -4}), 0.1) << "slides below the limit";
  EXPECT_GT(broken({2, -1.2, 1.6}, {0, 0, 0}), 0.1) << "sticks beyond the limit";
}

TEST(FrictionCone, EllipticSlidingDissipatesMost) {
  // r_T = −r_N D²u_T/|Du_T| minimises r_T·u_T over the ellipse.
  const FrictionCone cone(0.5, 0.2);
  const double a = 0.5 * 3.0, b = 0.2 * -4.0;
  const Local r{2.0, -2.0 * 0.5 * a / std::hypot(a, b), -2.0 * 0.2 * b / std::hypot(a, b)};
  EXPECT_NEAR(std::sqrt(math::norm_sq(law_defect(cone, r, {0, 3, -4}))), 0.0, 1e-14);
}

TEST(ProxStep, FixedPointIsTheLaw) {
  const LocalMatrix diagonal{{2, 0.1, 0.2}, {0.1, 3, 0.5}, {0.2, 0.5, 4}};
  for (const FrictionCone& cone : {FrictionCone(0.5), FrictionCone(0.5, 0.2), FrictionCone(0.5, 0.0)}) {
    const ProxStep prox(cone, diagonal);
    const double a = cone.mu1 * 3.0, b = cone.mu2 * -4.0;
    const Local slide{2.0, -2.0 * cone.mu1 * a / std::hypot(a, b), -2.0 * cone.mu2 * b / std::hypot(a, b)};
    EXPECT_NEAR(std::sqrt(math::norm_sq(prox.update(slide, {0, 3, -4}, 1.0) - slide)), 0.0, 1e-14);
    const Local stick{2.0, 0.3 * cone.mu1, 0.4 * cone.mu2};
    EXPECT_EQ(prox.update(stick, {}, 1.0), stick);
    EXPECT_EQ(prox.update({}, {0.1, 3, 4}, 1.0), Local{});
  }
}

}  // namespace
}  // namespace ictus::solve
