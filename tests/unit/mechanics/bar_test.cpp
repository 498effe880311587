#include <gtest/gtest.h>

#include <cmath>
#include <ictus/mechanics/bar/bar.hpp>
#include <random>

#include "unit/mechanics/serial.hpp"

namespace ictus::mechanics {
namespace {

BarProperties sample(BarMaterial material) {
  BarProperties bar{};
  bar.length = 2.0;
  bar.elements = 7;
  bar.mass_per_length = 3.0;
  bar.stiffness = 11.0;
  bar.material = material;
  bar.start = {0.3, -1.0, 0.5};
  bar.direction = math::Vec3(1, 2, -2) / 3;
  bar.velocity = 0.4;
  bar.gravity = {0.0, 0.5, -9.0};
  return bar;
}

std::vector<double> random_displacements(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-0.05, 0.05);
  std::vector<double> u(n);
  for (double& x : u) x = value(random);
  return u;
}

class BarEnergy : public ::testing::TestWithParam<BarMaterial> {};

TEST_P(BarEnergy, ForceIsMinusTheGradient) {
  const Bar bar("bar", sample(GetParam()), 0);
  std::vector<double> q = random_displacements(bar.dofs().size, 1), force(q.size(), 0.0);
  bar.kick(serial, q, 1.0, force);
  const auto energy = [&] {
    const PotentialEnergy e = bar.potential_energy(serial, q);
    return e.strain + e.gravity;
  };
  // Central differences of step d: truncation ~ d² V‴, round-off ~ 1e-16 |V|/d with |V| ~ 40.
  const double d = 1e-5;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double kept = q[i];
    q[i] = kept + d;
    const double up = energy();
    q[i] = kept - d;
    const double down = energy();
    q[i] = kept;
    EXPECT_NEAR(force[i], -(up - down) / (2 * d), 1e-8) << "unknown " << i;
  }
}

TEST_P(BarEnergy, StiffnessIsTheGradientOfMinusTheForce) {
  const Bar bar("bar", sample(GetParam()), 0);
  std::vector<double> q = random_displacements(bar.dofs().size, 2);
  const std::size_t n = q.size();
  std::vector<double> matrix(n * n, 0.0);
  std::vector<StiffnessEntry> entries;
  bar.stiffness(q, entries);
  for (const auto& [row, column, value] : entries) {
    matrix[static_cast<std::size_t>(row) * n + static_cast<std::size_t>(column)] += value;
  }
  const double d = 1e-5;
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> up(n, 0.0), down(n, 0.0), moved = q;
    moved[j] = q[j] + d;
    bar.kick(serial, moved, 1.0, up);
    moved[j] = q[j] - d;
    bar.kick(serial, moved, 1.0, down);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(matrix[i * n + j], -(up[i] - down[i]) / (2 * d), 1e-7);
  }
}

TEST_P(BarEnergy, RigidTranslationIsUnstressed) {
  BarProperties properties = sample(GetParam());
  properties.gravity.setZero();
  const Bar bar("bar", properties, 0);
  const std::vector<double> q(bar.dofs().size, 0.7);
  std::vector<double> force(q.size(), 0.0);
  bar.kick(serial, q, 1.0, force);
  for (const double f : force) EXPECT_EQ(f, 0.0);
  EXPECT_EQ(bar.potential_energy(serial, q).strain, 0.0);
}

TEST_P(BarEnergy, UniformStretchGivesTheForceOfTheLaw) {
  const Bar bar("bar", sample(GetParam()), 0);
  const double strain = 0.1, k = bar.properties().stiffness;
  std::vector<double> q(bar.dofs().size), v(q.size(), 0.0);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = strain * static_cast<double>(i) * bar.element_length();
  std::vector<double> values(3);
  bar.probe(0.37, {q, v}, values);
  const double expected =
      GetParam() == BarMaterial::linear ? k * strain : k * (strain + strain * strain / 2) * (1 + strain);
  EXPECT_NEAR(values[0], 0.37 * strain * 2.0, 1e-15);
  EXPECT_NEAR(values[2], expected, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Materials, BarEnergy,
                         ::testing::Values(BarMaterial::linear, BarMaterial::st_venant_kirchhoff));

TEST(Bar, LumpedMassesSumToTheMassOfTheBar) {
  const Bar bar("bar", sample(BarMaterial::linear), 0);
  double sum = 0;
  for (const double m : bar.mass()) sum += m;
  EXPECT_NEAR(sum, 6.0, 1e-14);
  EXPECT_NEAR(bar.mass().front(), bar.mass()[1] / 2, 1e-15);
}

TEST(Bar, MomentumIsThatOfAParticleOnTheAxis) {
  const Bar bar("bar", sample(BarMaterial::linear), 0);
  std::vector<double> q(bar.dofs().size), p(q.size());
  bar.initialise(q, p);
  const Momentum momentum = bar.momentum(q, p);
  const math::Vec3 linear = 6.0 * 0.4 * bar.properties().direction;
  EXPECT_NEAR((momentum.linear - linear).norm(), 0, 1e-14);
  EXPECT_NEAR((momentum.angular - bar.properties().start.cross(linear)).norm(), 0, 1e-14);
}

TEST(Bar, CriticalStepIsTheCrossingTimeOfAnElement) {
  const Bar bar("bar", sample(BarMaterial::linear), 0);
  EXPECT_NEAR(bar.critical_step().step, 2.0 / 7 * std::sqrt(3.0 / 11.0), 1e-15);
}

TEST(Bar, FixedEndsHoldNoMomentum) {
  BarProperties properties = sample(BarMaterial::linear);
  properties.fixed_start = true;
  const Bar bar("bar", properties, 5);
  std::vector<double> q(5 + bar.dofs().size), p(q.size());
  bar.initialise(q, p);
  ASSERT_EQ(bar.fixed().size(), 1u);
  EXPECT_EQ(bar.fixed()[0], 5);
  EXPECT_EQ(p[5], 0.0);
  EXPECT_NE(p[6], 0.0);
}

}  // namespace
}  // namespace ictus::mechanics
