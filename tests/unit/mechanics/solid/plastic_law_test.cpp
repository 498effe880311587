#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <ictus/math/vector.hpp>
#include <ictus/mechanics/material/plastic_law.hpp>
#include <random>

namespace ictus::mechanics {
namespace {

using math::Matrix3;
using math::Pack;
using math::Symmetric3;
using math::Vec3;

constexpr double mu = 43e9, yield_stress = 400e6, modulus = 100e6;

Matrix3<double> columns(const Eigen::Matrix3d& f) {
  return {{f(0, 0), f(1, 0), f(2, 0)}, {f(0, 1), f(1, 1), f(2, 1)}, {f(0, 2), f(1, 2), f(2, 2)}};
}
Symmetric3<double> symmetric(const Eigen::Matrix3d& a) {
  return {a(0, 0), a(1, 1), a(2, 2), a(0, 1), a(1, 2), a(2, 0)};
}
Eigen::Matrix3d full(const Symmetric3<double>& a) {
  Eigen::Matrix3d f;
  f << a.xx, a.xy, a.zx, a.xy, a.yy, a.yz, a.zx, a.yz, a.zz;
  return f;
}

PlasticPoint<double> fresh() { return {{1, 1, 1, 0, 0, 0}, 0}; }

template <class Hardening>
PlasticResponse<double> bring(const Eigen::Matrix3d& f, const Hardening& hardening, PlasticPoint<double>& point) {
  const Matrix3<double> m = columns(f), cofactor{cross(m.b, m.c), cross(m.c, m.a), cross(m.a, m.b)};
  double determinant = dot(m.a, cofactor.a);
  bool good = true;
  const auto response = respond<true>(m, cofactor, determinant, mu, hardening, point, good);
  EXPECT_TRUE(good);
  EXPECT_NEAR(determinant * f.determinant(), 1, 1e-14);
  return response;
}

double von_mises(const PlasticResponse<double>& response) {
  return std::sqrt(6.0) * mu * std::sqrt(contract(response.strain, response.strain));
}

Eigen::Matrix3d stretch(double strain) {
  return Vec3(std::exp(strain), std::exp(-strain / 2), std::exp(-strain / 2)).asDiagonal();
}

TEST(PlasticLaw, PacksHaveTheFunctionsOfDoubles) {
  for (const double base : {1e-300, 0.3, 0.70710678, 1.0, 1.4142, 3.0, 7e12}) {
    Pack a;
    for (int lane = 0; lane < Pack::lanes; ++lane) a.v[lane] = base * (1 + 0.01 * lane);
    const Pack log = math::log(a);
    for (int lane = 0; lane < Pack::lanes; ++lane)
      EXPECT_NEAR(log[lane], std::log(a[lane]), 4e-16 * std::max(std::abs(std::log(a[lane])), 1e-2));
  }
  for (const double base : {-700.0, -40.0, -1e-9, 0.0, 0.3, 20.0, 700.0}) {
    Pack a;
    for (int lane = 0; lane < Pack::lanes; ++lane) a.v[lane] = base + 0.1 * lane;
    const Pack exp = math::exp(a);
    for (int lane = 0; lane < Pack::lanes; ++lane) EXPECT_NEAR(exp[lane] / std::exp(a[lane]), 1, 1e-15);
  }
  EXPECT_EQ(math::exp(Pack(-800.0))[3], 0);
  EXPECT_TRUE(std::isnan(math::log(Pack(-1.0))[0]));
}

/// The series against eigenvectors, from the strains of metals to those of rubber.
TEST(PlasticLaw, LogarithmIsThatOfEigenvectors) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (const double size : {1e-12, 1e-6, 1e-3, 4e-3, 0.02, 0.1, 0.4}) {
    for (int sample = 0; sample < 50; ++sample) {
      Eigen::Matrix3d f = Eigen::Matrix3d::Identity();
      for (double& x : f.reshaped()) x += size * normal(random);
      const Eigen::Matrix3d b = 0.3 * f * f.transpose();
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(b);
      const Vec3 log = 0.5 * solver.eigenvalues().array().log();
      const Vec3 shape = (log.array() - log.mean()).matrix();
      const Eigen::Matrix3d expected = solver.eigenvectors() * shape.asDiagonal() * solver.eigenvectors().transpose();
      Symmetric3<double> strain;
      double other = 4;
      if (!hencky::deviator(symmetric(b), strain, other)) {
        EXPECT_GT(size, 0.3);  // far beyond any metal: it is refused
        continue;
      }
      EXPECT_DOUBLE_EQ(other, 0.25);
      EXPECT_LT((full(strain) - expected).norm(), 2e-15 + 4e-15 * expected.norm());
    }
  }
}

/// Isochoric tension to a strain of one half has one path: any number of steps ends at the same stress,
/// q = σ_y(ε − q/3μ).
TEST(PlasticLaw, TensionIsExactInAnyNumberOfSteps) {
  const LinearHardening linear{yield_stress, modulus};
  const VoceHardening voce{yield_stress, modulus, 200e6, 12};
  TableHardening table;
  for (const auto& [strain, value] : {std::pair{0.0, 400e6}, {0.02, 450e6}, {0.1, 470e6}, {0.3, 520e6}}) {
    table.strain[table.points] = strain;
    table.value[table.points++] = value;
  }
  const double strain = 0.5;
  const auto check = [&](const auto& hardening) {
    for (const int steps : {1, 10, 100}) {
      PlasticPoint<double> point = fresh();
      PlasticResponse<double> response{};
      for (int n = 1; n <= steps; ++n) response = bring(stretch(strain * n / steps), hardening, point);
      const double q = von_mises(response);
      EXPECT_NEAR(q / hardening.stress(point.alpha), 1, 2e-13);
      EXPECT_NEAR(point.alpha, strain - q / (3 * mu), 1e-13);
      EXPECT_NEAR(full(point.shape).determinant(), 1, 1e-13);
    }
  };
  check(linear);
  check(voce);
  check(table);
  PlasticPoint<double> point = fresh();
  const double q = von_mises(bring(stretch(strain), linear, point));
  EXPECT_NEAR(q / ((yield_stress + modulus * strain) / (1 + modulus / (3 * mu))), 1, 4e-14);
}

/// ∫ σ_y in closed form is the integral.
TEST(PlasticLaw, WorkIsTheIntegralOfTheFlowStress) {
  TableHardening table;
  for (const auto& [strain, value] : {std::pair{0.0, 3.0}, {0.1, 3.5}, {0.4, 3.6}}) {
    table.strain[table.points] = strain;
    table.value[table.points++] = value;
  }
  const auto check = [](const auto& hardening) {
    constexpr int n = 20000;
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += hardening.stress(0.6 * (i + 0.5) / n) * 0.6 / n;
    EXPECT_NEAR(hardening.work(0.6), sum, 1e-8);
    EXPECT_EQ(hardening.work(0.0), 0);
    EXPECT_LE(hardening.heat(0.6), hardening.work(0.6));
  };
  check(LinearHardening{3, 0.7});
  check(VoceHardening{3, 0.7, 2, 9});
  check(table);
}

/// Ideal plasticity in simple shear flows at σ_y/√3 however far it goes; frames that add plastic strains lose a third.
TEST(PlasticLaw, LargeShearKeepsTheFlowStress) {
  PlasticPoint<double> point = fresh();
  PlasticResponse<double> response{};
  for (int n = 1; n <= 6000; ++n) {
    Eigen::Matrix3d f = Eigen::Matrix3d::Identity();
    f(0, 1) = 1e-3 * n;
    response = bring(f, LinearHardening{yield_stress, 0}, point);
  }
  EXPECT_NEAR(2 * mu * response.strain.xy * std::sqrt(3.0) / yield_stress, 1, 1e-4);
  EXPECT_NEAR(point.alpha, 6 / std::sqrt(3.0), 0.01);
}

/// A growing turn on top of any history turns the stress and nothing else; plastic work never falls.
TEST(PlasticLaw, IsObjectiveAndDissipates) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const VoceHardening hardening{yield_stress, modulus, 200e6, 12};
  PlasticPoint<double> still = fresh(), turning = fresh();
  Eigen::Matrix3d f = Eigen::Matrix3d::Identity(), turn = f;
  double alpha = 0;
  for (int n = 0; n < 200; ++n) {
    Eigen::Matrix3d step;
    for (double& x : step.reshaped()) x = 3e-3 * normal(random);
    f = (Eigen::Matrix3d::Identity() + step) * f;
    turn = Eigen::AngleAxisd(0.13, Vec3(normal(random), normal(random), normal(random)).normalized()) * turn;
    const Eigen::Matrix3d one = full(bring(f, hardening, still).strain);
    const Eigen::Matrix3d other = full(bring(turn * f, hardening, turning).strain);
    EXPECT_LT(2 * mu * (turn * one * turn.transpose() - other).norm(), 1e-11 * yield_stress);
    EXPECT_NEAR(still.alpha, turning.alpha, 1e-12);
    EXPECT_GE(still.alpha, alpha);
    alpha = still.alpha;
  }
  EXPECT_GT(alpha, 0.3);
  EXPECT_NEAR(full(still.shape).determinant(), 1, 1e-12);
}

/// Every lane of a pack flows as a single point would, whether its neighbours flow or not.
TEST(PlasticLaw, LanesFlowAsPointsDo) {
  const VoceHardening hardening{yield_stress, modulus, 200e6, 12};
  PlasticPoint<Pack> points{{Pack(1.0), Pack(1.0), Pack(1.0), Pack(0.0), Pack(0.0), Pack(0.0)}, Pack(0.0)};
  std::array<PlasticPoint<double>, Pack::lanes> single;
  single.fill(fresh());
  for (int n = 1; n <= 5; ++n) {
    Matrix3<Pack> m{};
    std::array<PlasticResponse<double>, Pack::lanes> expected;
    for (int lane = 0; lane < Pack::lanes; ++lane) {
      Eigen::Matrix3d f = stretch(1e-3 * n * lane);
      f(0, 1) += 5e-4 * n * lane;
      f *= 1 + 0.01 * lane;
      const auto l = static_cast<std::size_t>(lane);
      expected[l] = bring(f, hardening, single[l]);
      const Matrix3<double> c = columns(f);
      m.a.x.v[lane] = c.a.x, m.a.y.v[lane] = c.a.y, m.a.z.v[lane] = c.a.z;
      m.b.x.v[lane] = c.b.x, m.b.y.v[lane] = c.b.y, m.b.z.v[lane] = c.b.z;
      m.c.x.v[lane] = c.c.x, m.c.y.v[lane] = c.c.y, m.c.z.v[lane] = c.c.z;
    }
    const Matrix3<Pack> cofactor{cross(m.b, m.c), cross(m.c, m.a), cross(m.a, m.b)};
    Pack determinant = dot(m.a, cofactor.a);
    bool good = true;
    const auto response = respond<true>(m, cofactor, determinant, mu, hardening, points, good);
    for (int lane = 0; lane < Pack::lanes; ++lane) {
      const auto l = static_cast<std::size_t>(lane);
      EXPECT_NEAR(response.strain.xx[lane], expected[l].strain.xx, 1e-15);
      EXPECT_NEAR(response.strain.xy[lane], expected[l].strain.xy, 1e-15);
      EXPECT_NEAR(points.alpha[lane], single[l].alpha, 1e-14);
      EXPECT_NEAR(points.shape.xy[lane], single[l].shape.xy, 1e-14);
    }
  }
  EXPECT_EQ(points.alpha[0], 0);
  EXPECT_GT(points.alpha[7], 0.02);
}

}  // namespace
}  // namespace ictus::mechanics
