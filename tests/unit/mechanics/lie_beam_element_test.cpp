#include <gtest/gtest.h>

#include <cmath>
#include <ictus/math/dual.hpp>
#include <ictus/mechanics/beam/lie_beam_element.hpp>
#include <random>

namespace ictus::mechanics {
namespace {

using math::Dual;
using math::Pose;
using math::Twist;
using math::Vector3;
using math::Wrench;

constexpr double eps = 2.220446049250313e-16;

class LieBeamElement : public testing::Test {
 protected:
  Vector3<double> random_vector(double size) {
    return {size * uniform_(random_), size * uniform_(random_), size * uniform_(random_)};
  }
  Twist<double> random_twist(double w, double c) { return {random_vector(w), random_vector(c)}; }

  LieBeamSection section_{.mass = 1.3, .inertia = {0.2, 0.5, 0.7}, .stretch = {3.0, 4.0, 7.0}, .bend = {0.6, 0.9, 0.4}};
  std::mt19937 random_{11};
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

Vector3<Dual> constant(const Vector3<double>& a) { return {a.x, a.y, a.z}; }
Vector3<Dual> line(const Vector3<double>& a, const Vector3<double>& b) { return {{a.x, b.x}, {a.y, b.y}, {a.z, b.z}}; }
Pose<Dual> constant(const Pose<double>& g) { return {{g.q.s, constant(g.q.v)}, constant(g.r)}; }

// g moved along the space twist z: d/dε (1 + ε ẑ) g.
Pose<Dual> moved(const Pose<double>& g, const Twist<double>& z) {
  const Pose<Dual> shift{{1.0, line({}, 0.5 * z.w)}, line({}, z.c)};
  return shift * constant(g);
}

TEST_F(LieBeamElement, StressIsTheDerivativeOfItsEnergy) {
  const double length = 0.3;
  for (int trial = 0; trial < 100; ++trial) {
    const Pose<double> left = cayley(random_twist(2.0, 1.0));
    const Pose<double> right = left * cayley(length * (random_twist(2.0, 0.3) + Twist<double>{{}, {0.0, 0.0, 1.0}}));
    const ElementStress<double> stress =
        element_stress(left.q, matrix(left.q), right.q, right.r - left.r, length, section_.stretch, section_.bend);
    const auto energy = [&](const Pose<Dual>& a, const Pose<Dual>& b) {
      return length *
             strain_energy_density(strain(a, b, Dual(length)), constant(section_.stretch), constant(section_.bend)).d;
    };
    EXPECT_NEAR(stress.energy,
                length * strain_energy_density(strain(left, right, length), section_.stretch, section_.bend), 64 * eps);
    const Twist<double> z = random_twist(1.0, 1.0);
    // Turning about the origin by w and moving by c does the work m·w + f·(c + w × r) on a force f and moment m at r.
    const auto work = [&](const Vector3<double>& force, const Vector3<double>& moment, const Vector3<double>& r) {
      return dot(moment, z.w) + dot(force, z.c + cross(z.w, r));
    };
    EXPECT_NEAR(energy(moved(left, z), constant(right)), -work(stress.force, stress.left_moment, left.r), 1e-13);
    EXPECT_NEAR(energy(constant(left), moved(right, z)), work(stress.force, stress.right_moment, right.r), 1e-13);
  }
}

TEST_F(LieBeamElement, StressIsTheDiscreteMomentumOfStrain) {
  const double length = 0.3;
  const Pose<double> left = cayley(random_twist(2.0, 1.0));
  const Twist<double> eta = random_twist(2.0, 0.3) + Twist<double>{{}, {0.0, 0.0, 1.0}};
  const Pose<double> right = left * cayley(length * eta);
  const Wrench<double> lambda = dcayley_inverse_dual(
      length * eta,
      Wrench<double>{scale(section_.bend, eta.w), scale(section_.stretch, eta.c - Vector3<double>{0.0, 0.0, 1.0})});
  const Wrench<double> in_space = coadjoint_inverse(left, lambda);
  const ElementStress<double> stress =
      element_stress(left.q, matrix(left.q), right.q, right.r - left.r, length, section_.stretch, section_.bend);
  const Vector3<double> moment = stress.left_moment + cross(left.r, stress.force);
  const Vector3<double> same = stress.right_moment + cross(right.r, stress.force);
  EXPECT_NEAR(norm_sq(stress.force - in_space.n), 0.0, 1e-28);
  EXPECT_NEAR(norm_sq(moment - in_space.m), 0.0, 1e-28);
  EXPECT_NEAR(norm_sq(same - in_space.m), 0.0, 1e-28);
}

TEST_F(LieBeamElement, KineticEnergyIsQuadraticWithTheMomentumAsDerivative) {
  const Twist<double> xi = random_twist(2.0, 3.0), y = random_twist(1.0, 1.0);
  const Twist<Dual> along{line(xi.w, y.w), line(xi.c, y.c)};
  const double derivative = kinetic_energy_density(along, constant(section_.inertia), Dual(section_.mass)).d;
  const Wrench<double> momentum{scale(section_.inertia, xi.w), section_.mass * xi.c};
  EXPECT_NEAR(derivative, pairing(momentum, y), 64 * eps);
}

// Solves the Legendre equation as the kernel does, and gives the velocity and the iterations.
struct Solved {
  Twist<double> xi;
  int iterations;
};
Solved solve_legendre(const LieBeamSection& section, double h, const Wrench<double>& mu, Vector3<double> u,
                      int limit = 60) {
  const NodeLegendre<double> legendre{section.inertia, h * h / (4.0 * section.mass), 0.5 * h * mu.m, mu.n,
                                      norm_sq(mu.n)};
  for (int i = 1; i <= limit; ++i) {
    const Vector3<double> step = legendre.newton_step(u);
    u += step;
    if (norm_sq(step) <= 1e-15 * std::sqrt(norm_sq(u)))
      return {{2.0 / h * u, 1.0 / section.mass * solve_one_minus_hat(-u, mu.n)}, i};
  }
  return {{}, limit + 1};
}

TEST_F(LieBeamElement, LegendreComesBackFromTheMomentum) {
  for (const double turn : {1e-12, 1e-8, 1e-4, 1e-2, 0.3}) {
    for (int trial = 0; trial < 100; ++trial) {
      const double h = 0.01;
      const Twist<double> xi = random_twist(2.0 * turn / h, 20.0);  // κ|n|²/J up to 0.1
      const Wrench<double> mu =
          dcayley_inverse_dual(h * xi, Wrench<double>{scale(section_.inertia, xi.w), section_.mass * xi.c});
      const NodeLegendre<double> legendre{section_.inertia, h * h / (4.0 * section_.mass), 0.5 * h * mu.m, mu.n,
                                          norm_sq(mu.n)};
      const Vector3<double> guess =
          legendre.guess({1.0 / section_.inertia.x, 1.0 / section_.inertia.y, 1.0 / section_.inertia.z});
      const Solved solved = solve_legendre(section_, h, mu, guess);
      EXPECT_LE(solved.iterations, 6);
      // Rounding of μ alone changes ξ by this much: the moment of n about a position h γ away is part of m.
      const double scale_w = eps * (turn / h + h * 400.0 * section_.mass / 0.2);
      EXPECT_NEAR(std::sqrt(norm_sq(solved.xi.w - xi.w)), 0.0, 100 * scale_w) << turn;
      EXPECT_NEAR(std::sqrt(norm_sq(solved.xi.c - xi.c)), 0.0, 100 * (20.0 * eps + 20.0 * h * scale_w)) << turn;
    }
  }
}

TEST_F(LieBeamElement, LegendreConvergesQuadratically) {
  const double h = 0.05;
  const Twist<double> xi{{12.0, -7.0, 9.0}, {3.0, 2.0, -4.0}};
  const Wrench<double> mu =
      dcayley_inverse_dual(h * xi, Wrench<double>{scale(section_.inertia, xi.w), section_.mass * xi.c});
  const NodeLegendre<double> legendre{section_.inertia, h * h / (4.0 * section_.mass), 0.5 * h * mu.m, mu.n,
                                      norm_sq(mu.n)};
  const Vector3<double> exact = 0.5 * h * xi.w;
  Vector3<double> u = 1.05 * exact;
  double error = std::sqrt(norm_sq(u - exact));
  for (int i = 0; i < 3; ++i) {
    u += legendre.newton_step(u);
    const double next = std::sqrt(norm_sq(u - exact));
    EXPECT_LT(next, std::max(5.0 * error * error, 4 * eps)) << "iteration " << i;
    error = next;
  }
}

TEST_F(LieBeamElement, LegendreOfANodeThatJumpsItsOwnThicknessConvergesFromRest) {
  for (int trial = 0; trial < 100; ++trial) {
    const double h = 0.01;
    const Twist<double> xi = random_twist(30.0, 500.0);  // κ|n|²/J up to 100
    const Wrench<double> mu =
        dcayley_inverse_dual(h * xi, Wrench<double>{scale(section_.inertia, xi.w), section_.mass * xi.c});
    const Solved solved = solve_legendre(section_, h, mu, {}, 25);
    EXPECT_LE(solved.iterations, 25);
    const Wrench<double> back = dcayley_inverse_dual(
        h * solved.xi, Wrench<double>{scale(section_.inertia, solved.xi.w), section_.mass * solved.xi.c});
    EXPECT_NEAR(std::sqrt(norm_sq(back.m - mu.m)), 0.0, 1e-12 * std::sqrt(norm_sq(mu.m)));
  }
}

TEST(LieBeamSection, InertiaAndStiffnessFollowFromMaterialAndShape) {
  const BeamMaterial material{.density = 7800.0, .youngs_modulus = 210e9, .poisson_ratio = 0.3};
  const LieBeamSection steel = section(model::rectangle_section(0.3, 0.2), material);
  const double i1 = 0.2 * 0.3 * 0.3 * 0.3 / 12.0, i2 = 0.3 * 0.2 * 0.2 * 0.2 / 12.0, g = 210e9 / 2.6;
  EXPECT_DOUBLE_EQ(steel.mass, 468.0);
  EXPECT_DOUBLE_EQ(steel.inertia.x, 7800.0 * i1);
  EXPECT_DOUBLE_EQ(steel.inertia.y, 7800.0 * i2);
  EXPECT_DOUBLE_EQ(steel.inertia.z, 7800.0 * (i1 + i2));
  EXPECT_DOUBLE_EQ(steel.stretch.x, 0.06 * g);
  EXPECT_DOUBLE_EQ(steel.stretch.z, 0.06 * 210e9);
  EXPECT_DOUBLE_EQ(steel.bend.x, 210e9 * i1);
  EXPECT_DOUBLE_EQ(steel.bend.y, 210e9 * i2);
}

// Timoshenko and Goodier, table of β in J = β a b³; G (I₁ + I₂) would be 19 % and 82 % too stiff.
TEST(LieBeamSection, TorsionIsSaintVenants) {
  const BeamMaterial material{.density = 1.0, .youngs_modulus = 2.6, .poisson_ratio = 0.3};
  EXPECT_NEAR(section(model::rectangle_section(1.0, 1.0), material).bend.z, 0.1406, 5e-4);
  EXPECT_NEAR(section(model::rectangle_section(2.0, 1.0), material).bend.z, 0.229 * 2.0, 1e-3);
  EXPECT_NEAR(section(model::rectangle_section(1.0, 2.0), material).bend.z, 0.229 * 2.0, 1e-3);
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(section(model::pipe_section(0.4, 0.1), material).bend.z, pi / 2.0 * (std::pow(0.2, 4) - std::pow(0.1, 4)),
              1e-15);
}

}  // namespace
}  // namespace ictus::mechanics
