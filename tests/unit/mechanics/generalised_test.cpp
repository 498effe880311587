// Hand derivatives of the generalised bodies against dual numbers on the formulas of their energies.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/mechanics/generalised/formula_derivatives.hpp>
#include <ictus/mechanics/generalised/point_mass.hpp>
#include <ictus/mechanics/generalised/slider.hpp>
#include <ictus/mechanics/generalised/spring_pendulum.hpp>
#include <ictus/mechanics/generalised/woodpecker.hpp>
#include <random>

namespace ictus::mechanics {
namespace {

/// A few units of round-off of the size of the terms.
constexpr double close = 1e-13;

template <class Formula>
void check(const GeneralisedBody& body, const Formula& formula) {
  const std::size_t n = body.coordinates();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(0.2, 1.5);
  for (int sample = 0; sample < 20; ++sample) {
    std::vector<double> q(n), v(n);
    for (std::size_t i = 0; i < n; ++i) q[i] = value(random), v[i] = value(random) - 1;
    Inertia hand{}, dual{};
    CoordinateVector hand_force{}, dual_force{};
    body.inertia(q, v, hand);
    derive_inertia(formula, q, v, dual);
    body.force(q, hand_force);
    derive_force(formula, q, dual_force);
    const auto near = [](double a, double b) { EXPECT_NEAR(a, b, close * (1e-6 + std::abs(b))); };
    for (std::size_t i = 0; i < n; ++i) {
      near(hand.momentum[i], dual.momentum[i]);
      near(hand.configuration_force[i], dual.configuration_force[i]);
      EXPECT_NEAR(hand_force[i], dual_force[i], close * (1 + std::abs(dual_force[i])));
      for (std::size_t j = 0; j < n; ++j) {
        near(hand.mass(i, j), dual.mass(i, j));
        near(hand.coupling(i, j), dual.coupling(i, j));
      }
    }
    near(body.kinetic_energy(q, v), formula.kinetic(q.data(), v.data()));
    const PotentialEnergy potential = body.potential_energy(q);
    near(potential.strain, formula.strain(q.data()));
    near(potential.gravity, formula.gravity(q.data()));
    if constexpr (requires { formula.gap(std::size_t{0}, q.data()); }) {
      std::vector<double> gaps(body.contacts());
      body.gaps(q, gaps);
      for (std::size_t i = 0; i < gaps.size(); ++i) {
        CoordinateVector w{};
        ContactGeometry geometry{};
        EXPECT_NEAR(gaps[i], formula.gap(i, q.data()), 1e-16);
        derive_gap(formula, i, q, w);
        body.contact(i, q, geometry);
        for (std::size_t k = 0; k < n; ++k) near(geometry.normal[k], w[k]);
      }
    }
  }
}

TEST(GeneralisedBodies, SpringPendulumAgreesWithItsFormula) {
  SpringPendulumProperties p;
  p.formula = {1.3, 90.0, 0.8, {0.4, 0, -9.81}};
  check(SpringPendulum("pendulum", p, 0), p.formula);
}

TEST(GeneralisedBodies, PointMassAgreesWithItsFormula) {
  PointMassProperties p;
  p.mass = 2.1;
  p.gravity = {0.4, -0.2, -9.81};
  check(PointMass("mass", p, 0), PointMassFormula{p.mass, p.gravity});
}

TEST(GeneralisedBodies, SliderAgreesWithItsFormula) {
  SliderProperties p;
  p.mass = 2.1;
  p.gravity = {0.4, -0.2, -9.81};
  check(Slider("block", p, 0), SliderFormula{p.mass, p.gravity});
}

TEST(GeneralisedBodies, WoodpeckerAgreesWithItsFormula) {
  WoodpeckerProperties p;
  check(Woodpecker("woodpecker", p, 0), p.formula);
}

/// The surfaces that other code sees tell the same gap and gradient as the body.
TEST(GeneralisedBodies, SurfacesTellTheGap) {
  SpringPendulumProperties p;
  p.formula = {1.0, 100.0, 1.0, {0, 0, -9.81}};
  const SpringPendulum body("pendulum", p, 0);
  const std::vector<double> q{1.2, 0.3};
  const math::Vec3 n = body.surface().outward_normal(0, q);
  const math::Vec3 apart = body.surroundings().position(0, q) - body.surface().position(0, q);
  EXPECT_NEAR(n.dot(apart), 1.2 * 0.3, 1e-15);
  std::vector<model::RowEntry> row;
  body.surface().pull_back(0, q, n, -1.0, row);
  ASSERT_EQ(row.size(), 2u);
  EXPECT_EQ(row[0].weight, 0);
  EXPECT_NEAR(row[1].weight, 1.2, 1e-15);
}

}  // namespace
}  // namespace ictus::mechanics
