#include <gtest/gtest.h>

#include <cmath>

#include <ictus/math/pack.hpp>
#include <ictus/math/se3.hpp>

namespace ictus::math {
namespace {

constexpr double eps = 2.220446049250313e-16;

TEST(Rotation, CayleyTurnsByTwiceTheArctangentOfHalf) {
  const double angle = 0.7;
  const Rotation<double> q = cayley(Vector3<double>{0.0, 0.0, 2.0 * std::tan(0.5 * angle)});
  const Vector3<double> turned = rotate(q, {1.0, 0.0, 0.0});
  EXPECT_NEAR(turned.x, std::cos(angle), 2 * eps);
  EXPECT_NEAR(turned.y, std::sin(angle), 2 * eps);
  EXPECT_EQ(turned.z, 0.0);
}

TEST(Rotation, MatrixAndQuaternionTurnAlike) {
  const Rotation<double> q = cayley(Vector3<double>{0.3, -1.1, 0.8});
  const Vector3<double> a{0.2, 0.5, -0.9};
  const Vector3<double> by_matrix = matrix(q) * a, by_quaternion = rotate(q, a);
  EXPECT_NEAR(by_matrix.x, by_quaternion.x, 4 * eps);
  EXPECT_NEAR(by_matrix.y, by_quaternion.y, 4 * eps);
  EXPECT_NEAR(by_matrix.z, by_quaternion.z, 4 * eps);
  const Vector3<double> back = transpose_times(matrix(q), by_matrix);
  EXPECT_NEAR(back.x, a.x, 4 * eps);
  EXPECT_NEAR(back.y, a.y, 4 * eps);
  EXPECT_NEAR(back.z, a.z, 4 * eps);
}

TEST(Rotation, CayleyOfSE3SolvesTheFourByFourFormula) {
  // τ(x) = (I − x/2)⁻¹ (I + x/2) in 4×4 matrices: (I − ŵ/2) r = c.
  const Twist<double> x{{0.4, -0.7, 1.2}, {0.1, 0.9, -0.3}};
  const Vector3<double> r = cayley(x).r;
  const Vector3<double> residual = r - cross(0.5 * x.w, r) - x.c;
  EXPECT_NEAR(residual.x, 0.0, 4 * eps);
  EXPECT_NEAR(residual.y, 0.0, 4 * eps);
  EXPECT_NEAR(residual.z, 0.0, 4 * eps);
}

TEST(Matrix3, SolveInvertsTheProduct) {
  const Matrix3<double> m{{2.0, 0.1, -0.3}, {0.4, 1.5, 0.2}, {-0.6, 0.7, 3.0}};
  const Vector3<double> x{0.3, -0.8, 1.9};
  const Vector3<double> solved = solve(m, m * x);
  EXPECT_NEAR(solved.x, x.x, 8 * eps);
  EXPECT_NEAR(solved.y, x.y, 8 * eps);
  EXPECT_NEAR(solved.z, x.z, 8 * eps);
}

TEST(Pack, LanesDoWhatOneNumberDoes) {
  double w[3][Pack::lanes], r[3][Pack::lanes], s[Pack::lanes];
  for (int lane = 0; lane < Pack::lanes; ++lane) {
    for (int i = 0; i < 3; ++i) w[i][lane] = std::sin(1.0 + 3.0 * lane + i);
  }
  const Twist<Pack> x{{Pack::load(w[0]), Pack::load(w[1]), Pack::load(w[2])},
                      {Pack::load(w[2]), Pack::load(w[0]), Pack::load(w[1])}};
  const Pose<Pack> g = cayley(x);
  g.r.x.store(r[0]);
  g.r.y.store(r[1]);
  g.r.z.store(r[2]);
  g.q.s.store(s);
  for (int lane = 0; lane < Pack::lanes; ++lane) {
    const Pose<double> one =
        cayley(Twist<double>{{w[0][lane], w[1][lane], w[2][lane]}, {w[2][lane], w[0][lane], w[1][lane]}});
    EXPECT_NEAR(r[0][lane], one.r.x, 4 * eps);
    EXPECT_NEAR(r[1][lane], one.r.y, 4 * eps);
    EXPECT_NEAR(r[2][lane], one.r.z, 4 * eps);
    EXPECT_NEAR(s[lane], one.q.s, 2 * eps);
  }
}

TEST(Pack, ShiftsMoveLanesAcrossBlocks) {
  double left[Pack::lanes], right[Pack::lanes];
  for (int lane = 0; lane < Pack::lanes; ++lane) {
    left[lane] = lane;
    right[lane] = Pack::lanes + lane;
  }
  const Pack in = shift_in(Pack::load(left), Pack::load(right));
  const Pack out = shift_out(Pack::load(left), Pack::load(right));
  for (int lane = 0; lane < Pack::lanes; ++lane) {
    EXPECT_EQ(in[lane], Pack::lanes - 1 + lane);
    EXPECT_EQ(out[lane], 1 + lane);
  }
}

TEST(Pack, MaximumKeepsTheSecondWhereTheFirstIsNaN) {
  const double nan = std::nan("");
  EXPECT_EQ(max(Pack(nan), Pack(1.0))[0], 1.0);
  EXPECT_TRUE(std::isnan(max(Pack(1.0), Pack(nan))[0]));
  EXPECT_EQ(sum(Pack(0.25)), 2.0);
}

}  // namespace
}  // namespace ictus::math
