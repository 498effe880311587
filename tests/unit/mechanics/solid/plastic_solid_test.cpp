#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <random>

#include "support/plastic_block.hpp"

namespace ictus::mechanics {
namespace {

using math::Vec3;

class PlasticSolid : public ::testing::TestWithParam<geometry::VolumeElement> {
 protected:
  exec::Executor exec;
  const geometry::VolumeElement element = GetParam();
  const Solid solid{"block", testing::skewed_box(element), testing::soft_metal(), 0};

  std::vector<double> rest() const {
    std::vector<double> q(solid.dofs().end() + solid.history()), p(solid.dofs().end());
    solid.initialise(q, p);
    solid.begin_history(q);
    return q;
  }
  /// Strained at random, so that most points flow or, small, none do.
  static void shake(std::vector<double>& q, std::size_t dofs, double by, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> value(-by, by);
    for (std::size_t k = 0; k < dofs; ++k) q[k] += value(random);
  }
  std::vector<double> force(const std::vector<double>& q) const {
    std::vector<double> f(solid.dofs().size);
    solid.kick(exec, q, 1.0, f);
    return f;
  }
  void advance(std::vector<double>& q) const {
    std::vector<double> p(solid.dofs().size);
    solid.advance(exec, 0.0, q, 0.0, p);
  }
};

/// The forces are the gradient of the potential of the step while points flow, from any history [eq. plasticity-2].
TEST_P(PlasticSolid, ForceIsTheGradientWhileItFlows) {
  std::vector<double> q = rest();
  for (unsigned round = 1; round <= 3; ++round) {
    shake(q, solid.dofs().size, 0.01, round);
    const std::vector<double> f = force(q);
    const double d = 1e-6;
    for (std::size_t k = 0; k < solid.dofs().size; k += 5) {
      const double at = q[k];
      q[k] = at + d;
      const double above = solid.potential_energy(exec, q).strain;
      q[k] = at - d;
      const double below = solid.potential_energy(exec, q).strain;
      q[k] = at;
      EXPECT_NEAR(f[k], -(above - below) / (2 * d), 3e-8);
    }
    const double before = solid.dissipated(exec, q).heat;
    advance(q);
    EXPECT_GT(solid.dissipated(exec, q).heat, before);
  }
}

/// Once the history has been taken to a configuration nothing flows any more there: same forces, and the energy has
/// given up what flow took.
TEST_P(PlasticSolid, HistoryThatWasTakenToAPlaceRestsThere) {
  std::vector<double> q = rest();
  shake(q, solid.dofs().size, 0.01, 4);
  const std::vector<double> before = force(q);
  const double potential = solid.potential_energy(exec, q).strain;
  advance(q);
  const std::vector<double> after = force(q);
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(after[k], before[k], 1e-12);
  const Dissipated taken = solid.dissipated(exec, q);
  EXPECT_GT(taken.hardening, 1e-5);
  EXPECT_NEAR(solid.potential_energy(exec, q).strain + taken.heat + taken.hardening, potential, 1e-13);
  std::vector<double> again = q;
  advance(again);
  for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(again[k], q[k], 1e-11 * std::max(1.0, std::abs(q[k])));
}

TEST_P(PlasticSolid, ElasticCyclesClose) {
  const std::vector<double> start = rest();
  std::vector<double> q = start;
  for (unsigned round = 1; round <= 20; ++round) {
    std::vector<double> moved = q;
    shake(moved, solid.dofs().size, 1e-4, round);
    std::copy(moved.begin(), moved.begin() + static_cast<std::ptrdiff_t>(solid.dofs().size), q.begin());
    advance(q);
  }
  std::copy(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(solid.dofs().size), q.begin());
  EXPECT_EQ(q, start);
  EXPECT_EQ(solid.dissipated(exec, q).heat, 0);
  EXPECT_LT(std::abs(solid.potential_energy(exec, q).strain), 1e-25);
}

TEST_P(PlasticSolid, PassesThePatchTestWhileItFlows) {
  std::vector<double> q = rest();
  Eigen::Matrix3d a;
  a << 1.05, 0.03, -0.02, 0.015, 0.97, 0.04, 0.02, -0.03, 1.01;
  for (std::size_t k = 0; k < solid.dofs().size; k += 3) {
    const Vec3 x = a * Vec3::Map(q.data() + k);
    for (int c = 0; c < 3; ++c) q[k + static_cast<std::size_t>(c)] = x[c];
  }
  const std::vector<double> f = force(q);
  const geometry::VolumeMesh box = geometry::box_mesh({1, 1.1, 0.8}, {3, 3, 2}, element);
  int inner = 0;
  for (std::size_t k = 0; k < f.size(); k += 3) {
    const Vec3& x = box.nodes[k / 3];
    if ((x.array() < 1e-9).any() || ((Vec3(1, 1.1, 0.8) - x).array() < 1e-9).any()) continue;
    ++inner;
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(f[k + c], 0, 1e-13);
  }
  EXPECT_EQ(inner, 4);
  advance(q);
  EXPECT_GT(solid.dissipated(exec, q).heat, 0.03);
}

TEST_P(PlasticSolid, ForcesAndMomentsComeInPairs) {
  std::vector<double> q = rest();
  shake(q, solid.dofs().size, 0.01, 6);
  const Momentum total = solid.momentum(q, force(q));
  EXPECT_LT(total.linear.norm(), 1e-14);
  EXPECT_LT(total.angular.norm(), 1e-14);
}

/// Small uniform strains are Hooke's.
TEST_P(PlasticSolid, IsHookeanForSmallStrains) {
  SolidProperties hooke = testing::soft_metal();
  hooke.material = SolidMaterial::linear;
  const Solid linear("block", testing::skewed_box(element), hooke, 0);
  std::vector<double> q = rest();
  Eigen::Matrix3d a;
  a << 3, 1, -2, 1, -1, 2, -2, 2, 1;
  a *= 1e-8;
  for (std::size_t k = 0; k < solid.dofs().size; k += 3) {
    const Vec3 x = Vec3::Map(q.data() + k), moved = x + a * x;
    for (int c = 0; c < 3; ++c) q[k + static_cast<std::size_t>(c)] = moved[c];
  }
  std::vector<double> expected(solid.dofs().size);
  linear.kick(exec, q, 1.0, expected);
  const std::vector<double> f = force(q);
  for (std::size_t k = 0; k < f.size(); ++k) EXPECT_NEAR(f[k], expected[k], 1e-12) << "of 1e-6";
}

TEST_P(PlasticSolid, ThreadsGiveTheSameBits) {
  const Solid large("block", geometry::box_mesh({1, 1, 1}, {20, 20, 20}, element), testing::soft_metal(), 0);
  std::vector<double> one(large.dofs().end() + large.history()), p(large.dofs().end()), r(p.size());
  large.initialise(one, p);
  large.begin_history(one);
  shake(one, large.dofs().size, 1e-3, 9);
  std::vector<double> three = one;
  large.advance(exec::Executor(1), 0.1, one, 0.1, p);
  large.advance(exec::Executor(3), 0.1, three, 0.1, r);
  EXPECT_EQ(p, r);
  EXPECT_EQ(one, three);
  EXPECT_EQ(large.dissipated(exec::Executor(1), one).heat, large.dissipated(exec::Executor(3), one).heat);
  EXPECT_GT(large.dissipated(exec::Executor(1), one).heat, 0);
}

/// Two bodies that remember share the end of q, each its own part.
TEST_P(PlasticSolid, BodiesKeepTheirOwnHistory) {
  const Solid second("second", testing::skewed_box(element), testing::soft_metal(), solid.dofs().end(),
                     solid.history());
  std::vector<double> q(second.dofs().end() + solid.history() + second.history()), p(second.dofs().end());
  solid.initialise(q, p);
  second.initialise(q, p);
  solid.begin_history(q);
  second.begin_history(q);
  for (const double value : q) EXPECT_TRUE(std::isfinite(value));
  for (std::size_t k = 0; k < second.dofs().size; ++k) q[second.dofs().begin + k] *= k % 3 == 0 ? 1.05 : 1;
  solid.advance(exec, 0.0, q, 0.0, p);
  second.advance(exec, 0.0, q, 0.0, p);
  EXPECT_EQ(solid.dissipated(exec, q).heat, 0);
  EXPECT_GT(second.dissipated(exec, q).heat, 0.01);
}

/// Metals of each law, in the units of soft_metal().
std::vector<Plasticity> soft_metals() {
  // A hundred kelvin to melting, of which each unit of plastic work takes 30.
  const JohnsonCook heated{1.0, 2.0, 0.4, 0.05, 1.0, 1.1, 0.3, 293, 393};
  JohnsonCook cold = heated;
  cold.rate_factor = 0;
  return {{LinearHardening{1.0, 4.0}, {}, 3.0}, {VoceHardening{1.0, 0.5, 0.7, 9}, {}, 3.0}, {cold, 0.9}, {heated, 0.9}};
}

/// Forces are the gradient of the potential of the step, whatever hardens, also after a history; and the history that
/// was taken to a place rests there. A flow stress that depends on the rate has no potential while it flows.
TEST_P(PlasticSolid, EveryLawHasItsPotential) {
  for (const Plasticity& plasticity : soft_metals()) {
    SolidProperties properties = testing::soft_metal();
    properties.plasticity = plasticity;
    const Solid metal("block", testing::skewed_box(element), properties, 0);
    std::vector<double> q(metal.dofs().end() + metal.history()), p(metal.dofs().end());
    metal.initialise(q, p);
    metal.begin_history(q);
    double before = 0;
    for (unsigned round = 1; round <= 3; ++round) {
      shake(q, metal.dofs().size, 0.01, round);
      std::vector<double> f(metal.dofs().size);
      metal.kick(exec, q, 1.0, f);
      const double d = 1e-6;
      for (std::size_t k = 0; k < metal.dofs().size; k += 7) {
        const double at = q[k];
        q[k] = at + d;
        const double above = metal.potential_energy(exec, q).strain;
        q[k] = at - d;
        const double below = metal.potential_energy(exec, q).strain;
        q[k] = at;
        EXPECT_NEAR(f[k], -(above - below) / (2 * d), 1e-6 * (1 + std::abs(f[k])));
      }
      std::vector<double> kicked(metal.dofs().size), again(metal.dofs().size);
      metal.advance(exec, 0.01, q, 1.0, kicked);
      metal.kick(exec, q, 1.0, again);
      for (std::size_t k = 0; k < again.size(); ++k) EXPECT_NEAR(again[k], kicked[k], 1e-12);
      const Dissipated taken = metal.dissipated(exec, q);
      EXPECT_GT(taken.heat + taken.hardening, before);
      before = taken.heat + taken.hardening;
    }
  }
}

/// The potential of a step in which a metal flows in a time grows by V + D, and its heat is what the temperature tells.
TEST_P(PlasticSolid, HeatMakesTheTemperature) {
  SolidProperties properties = testing::soft_metal();
  properties.plasticity = soft_metals().back();
  const Solid metal("block", testing::skewed_box(element), properties, 0);
  std::vector<double> q(metal.dofs().end() + metal.history()), p(metal.dofs().end());
  metal.initialise(q, p);
  metal.begin_history(q);
  for (std::size_t k = 0; k < metal.dofs().size; k += 3) q[k] *= 1.2;
  std::vector<double> still(p.size(), 0.0);
  const double after = 2 * metal.trapezoid_energy(exec, q, still, 0.1).strain - metal.potential_energy(exec, q).strain;
  metal.advance(exec, 0.1, q, 0.0, p);
  const Dissipated taken = metal.dissipated(exec, q);
  EXPECT_NEAR(metal.potential_energy(exec, q).strain + taken.heat + taken.hardening, after, 1e-12);
  EXPECT_NEAR(taken.hardening / taken.heat, 1.0 / 9, 1e-12);
  const Picture picture = metal.draw(q, q);
  double heat = 0, strain_rate = 0;
  const geometry::VolumeMesh mesh = testing::skewed_box(element);
  for (const Picture::Field& field : picture.fields) {
    if (field.name == "plastic_strain_rate") strain_rate = field.values.front();
    if (field.name != "temperature") continue;
    for (std::size_t e = 0; e < field.values.size(); ++e)
      heat += 0.9 * (field.values[e] - 293) / 100 / 0.3 * metal.blocks().shape(0).total_volume();
  }
  EXPECT_NEAR(heat / taken.heat, 1, 0.1);  // elements are about as large as the first
  EXPECT_NEAR(strain_rate, 2.0 / 3 * std::log(1.2) / 0.1, 0.15);
}

/// The highest frequency by iteration on differences of the forces, without flow: a bound that is above it, and not by
/// far.
double highest_frequency_sq(const Solid& solid, const exec::Executor& exec, const std::vector<double>& q) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const std::size_t n = solid.dofs().size;
  std::vector<double> v(n), moved = q, above(n), below(n);
  for (double& x : v) x = normal(random);
  double frequency_sq = 0;
  for (int iteration = 0; iteration < 300; ++iteration) {
    double norm = 0;
    for (const double x : v) norm += x * x;
    const double d = 1e-6 / std::sqrt(norm);
    std::fill(above.begin(), above.end(), 0.0);
    std::fill(below.begin(), below.end(), 0.0);
    for (std::size_t k = 0; k < n; ++k) moved[k] = q[k] + d * v[k];
    solid.kick(exec, moved, 1.0, above);
    for (std::size_t k = 0; k < n; ++k) moved[k] = q[k] - d * v[k];
    solid.kick(exec, moved, 1.0, below);
    double size = 0;
    for (std::size_t k = 0; k < n; ++k) {
      v[k] = (below[k] - above[k]) / (2 * d) / solid.mass()[k] / std::sqrt(norm);
      size += v[k] * v[k];
    }
    frequency_sq = std::sqrt(size);
  }
  return frequency_sq;
}

/// What never yields has energies, and loses none.
TEST_P(PlasticSolid, ElasticMetalLosesNothing) {
  SolidProperties elastic = testing::soft_metal();
  elastic.plasticity.reset();
  const Solid metal("block", testing::skewed_box(element), elastic, 0);
  std::vector<double> q = rest(), p(metal.dofs().size);
  shake(q, metal.dofs().size, 0.02, 3);
  metal.advance(exec, 0.1, q, 0.0, p);
  EXPECT_GT(metal.potential_energy(exec, q).strain, 0.1);
  EXPECT_EQ(metal.dissipated(exec, q).heat, 0);
  EXPECT_EQ(metal.dissipated(exec, q).hardening, 0);
}

TEST_P(PlasticSolid, StableStepIsBelowTheCriticalOneAndNotFar) {
  SolidProperties elastic = testing::soft_metal();
  elastic.plasticity.reset();
  const Solid metal("block", testing::skewed_box(element), elastic, 0);
  std::vector<double> q = rest();
  double least = 1;
  for (const double squeeze : {1.0, 0.75, 0.55}) {
    std::vector<double> moved = q;
    for (std::size_t k = 0; k < metal.dofs().size; k += 3) {
      moved[k] *= squeeze;
      moved[k + 1] /= std::sqrt(squeeze);
      moved[k + 2] += 0.2 * (1 - squeeze) * moved[k];
    }
    shake(moved, metal.dofs().size, 0.01, 5);
    const double bound = metal.stable_step(exec, moved);
    const double ratio = bound * std::sqrt(highest_frequency_sq(metal, exec, moved)) / 2;
    EXPECT_LT(ratio, 1);
    least = std::min(least, ratio);
    if (squeeze < 0.6) {
      EXPECT_LT(bound, 0.75 * metal.stable_step(exec, q));
    }
  }
  EXPECT_GT(least, 0.3);
}

TEST_P(PlasticSolid, NamesAnInvertedElement) {
  std::vector<double> q = rest();
  for (std::size_t k = 0; k < 3; ++k) q[k] += 0.5;
  EXPECT_THROW(force(q), base::NumericalFailure);
}

TEST_P(PlasticSolid, PictureShowsTheFlowStress) {
  std::vector<double> q = rest();
  for (std::size_t k = 0; k < solid.dofs().size; k += 3) q[k] *= 1.1;
  advance(q);
  const Picture picture = solid.draw(q, q);
  double strain = 0;
  for (const Picture::Field& field : picture.fields) {
    if (field.name == "plastic_strain") {
      for (const double value : field.values) strain = std::max(strain, value);
    }
  }
  EXPECT_NEAR(strain, 2.0 / 3 * std::log(1.1), 0.01);
  for (const Picture::Field& field : picture.fields) {
    if (field.name != "von_mises") continue;
    for (const double value : field.values) EXPECT_NEAR(value, (1 + 4 * strain) / 1.1, 0.03);
  }
}

INSTANTIATE_TEST_SUITE_P(Elements, PlasticSolid,
                         ::testing::Values(geometry::VolumeElement::hexahedron, geometry::VolumeElement::tetrahedron),
                         [](const auto& of) {
                           return of.param == geometry::VolumeElement::hexahedron ? "hexahedra" : "tetrahedra";
                         });

}  // namespace
}  // namespace ictus::mechanics
