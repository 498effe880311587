#include <gtest/gtest.h>

#include <cmath>
#include <ictus/mechanics/material/formula_material.hpp>
#include <random>

#include "install/own_metal.hpp"
#include "support/plastic_block.hpp"

namespace ictus::mechanics {
namespace {

using math::Matrix3;

constexpr double shear_of_own = 80, lambda_of_own = 120;

/// That of the library, told by its energy.
struct OwnNeoHookean {
  template <class S>
  S shape(const Matrix3<S>& f) const {
    using std::log;
    const S growth = dot(f.a, cross(f.b, f.c));
    return shear_of_own * (0.5 * (norm_sq(f.a) + norm_sq(f.b) + norm_sq(f.c) - 3.0) - log(growth));
  }
  template <class S>
  S volume(S growth) const {
    return 0.5 * lambda_of_own * (growth - 1.0) * (growth - 1.0);
  }
};

/// Fibres along x in a matrix, stiffer than any isotropic law of its mean.
struct Fibres {
  template <class S>
  S shape(const Matrix3<S>& f) const {
    const S stretch = norm_sq(f.a) - 1.0;
    return OwnNeoHookean{}.shape(f) + OwnNeoHookean{}.volume(S(dot(f.a, cross(f.b, f.c)))) + 50.0 * stretch * stretch;
  }
};

/// Without strain it pulls.
struct Stressed {
  template <class S>
  S shape(const Matrix3<S>& f) const {
    return 40.0 * (norm_sq(f.a) + norm_sq(f.b) + norm_sq(f.c));
  }
};

SolidProperties of(std::shared_ptr<const Material> material) {
  SolidProperties properties;
  properties.own = std::move(material);
  properties.density = 1;
  return properties;
}

SolidProperties neo_hookean() {
  SolidProperties properties;
  properties.lame = {lambda_of_own, shear_of_own};
  properties.density = 1;
  return properties;
}

geometry::VolumeMesh skewed_tetrahedra() {
  return geometry::box_mesh({1, 1.1, 0.8}, {2, 2, 3}, geometry::VolumeElement::tetrahedron);
}

struct Place {
  std::vector<double> q, p;
};

/// Strained at random, and moving.
Place shaken(const Solid& solid, double by, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-by, by);
  Place place{std::vector<double>(solid.dofs().end() + solid.history()), std::vector<double>(solid.dofs().end())};
  solid.initialise(place.q, place.p);
  solid.begin_history(place.q);
  for (std::size_t k = 0; k < solid.dofs().size; ++k) place.q[k] += value(random), place.p[k] = value(random);
  return place;
}

std::vector<double> force(const Solid& solid, const std::vector<double>& q) {
  std::vector<double> f(solid.dofs().size);
  solid.kick(exec::Executor(), q, 1.0, f);
  return f;
}

double total(const Dissipated& taken) { return taken.heat + taken.hardening; }

TEST(OwnMaterial, ALawOfTheLibraryToldByItsEnergyIsThatLaw) {
  const exec::Executor exec;
  for (const auto& mesh : {testing::skewed_box(), skewed_tetrahedra()}) {
    const Solid own("own", mesh, of(std::make_shared<FormulaMaterial<OwnNeoHookean>>(OwnNeoHookean{})), 0);
    const Solid library("library", mesh, neo_hookean(), 0);
    const auto& [q, p] = shaken(own, 0.05, 1);
    const std::vector<double> f = force(own, q), expected = force(library, q);
    for (std::size_t k = 0; k < f.size(); ++k) EXPECT_NEAR(f[k], expected[k], 1e-12);
    const double h = 1e-3, scale = library.potential_energy(exec, q).strain;
    EXPECT_NEAR(own.potential_energy(exec, q).strain, scale, 1e-13 * scale);
    EXPECT_NEAR(own.interval_energy(exec, q, p, h).strain, library.interval_energy(exec, q, p, h).strain,
                1e-13 * scale);
    EXPECT_NEAR(own.trapezoid_energy(exec, q, p, h).strain, library.trapezoid_energy(exec, q, p, h).strain,
                1e-13 * scale);
    EXPECT_NEAR(own.chord_energy(exec, q, p, h), library.chord_energy(exec, q, p, h), 1e-13 * scale);
    EXPECT_NEAR(own.critical_step().step, library.critical_step().step, 1e-8 * library.critical_step().step);
    EXPECT_EQ(own.history(), 0u);

    std::vector<StiffnessEntry> k_own, k_library;
    own.stiffness(q, k_own);
    library.stiffness(q, k_library);
    ASSERT_EQ(k_own.size(), k_library.size());
    for (std::size_t i = 0; i < k_own.size(); ++i)
      EXPECT_NEAR(k_own[i].value, k_library[i].value, 1e-6 * (lambda_of_own + shear_of_own));

    const auto field = [&](const Solid& solid, const char* name) {
      for (const auto& one : solid.draw(q, p).fields)
        if (one.name == name) return one.values;
      return std::vector<double>{};
    };
    for (const char* name : {"von_mises", "strain_energy_density"}) {
      const auto shown = field(own, name), wanted = field(library, name);
      ASSERT_EQ(shown.size(), wanted.size());
      for (std::size_t e = 0; e < shown.size(); ++e) EXPECT_NEAR(shown[e], wanted[e], 1e-11 * std::abs(wanted[e]));
    }
  }
}

TEST(OwnMaterial, ThreadsGiveTheSameBits) {
  const Solid solid("block", geometry::box_mesh({1, 1, 1}, {12, 12, 12}, geometry::VolumeElement::hexahedron),
                    of(std::make_shared<FormulaMaterial<Fibres>>(Fibres{})), 0);
  const auto& [q, p] = shaken(solid, 0.01, 2);
  std::vector<double> two(solid.dofs().size);
  solid.kick(exec::Executor(2), q, 1.0, two);
  EXPECT_EQ(force(solid, q), two);
}

TEST(OwnMaterial, IsMeasuredAtRest) {
  const MaterialAtRest isotropic = at_rest(FormulaMaterial<OwnNeoHookean>(OwnNeoHookean{}));
  EXPECT_NEAR(isotropic.lame.mu, shear_of_own, 1e-7);
  EXPECT_NEAR(isotropic.lame.lambda, lambda_of_own, 1e-6);
  EXPECT_NEAR(isotropic.stiffening, 1, 1e-8);
  EXPECT_NEAR(isotropic.stress, 0, 1e-13);
  EXPECT_NEAR(isotropic.smallest, 2 * shear_of_own, 1e-6);
  EXPECT_NEAR(at_rest(FormulaMaterial<Stressed>(Stressed{})).stress, 80, 1e-12);
  // Of the fibres the stiffness along x is λ + 2μ + 400; the isotropic law nearest to it has less.
  const MaterialAtRest fibres = at_rest(FormulaMaterial<Fibres>(Fibres{}));
  EXPECT_NEAR(fibres.lame.lambda + 2 * fibres.lame.mu,
              lambda_of_own + 2 * shear_of_own + 400.0 / 9 + 4.0 / 3 * (400.0 - 400.0 / 3) / 10, 1e-5);
  EXPECT_GT(fibres.stiffening, 1.5);
}

/// The step that is called critical is below that of the true stiffness.
TEST(OwnMaterial, ItsCriticalStepIsSafe) {
  const geometry::VolumeMesh mesh = geometry::box_mesh({1, 1, 1}, {1, 1, 1}, geometry::VolumeElement::hexahedron);
  const Solid solid("block", mesh, of(std::make_shared<FormulaMaterial<Fibres>>(Fibres{})), 0);
  const auto& [q, p] = shaken(solid, 0, 3);
  std::vector<StiffnessEntry> entries;
  solid.stiffness(q, entries);
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(24, 24);
  for (const auto& [row, column, value] : entries)
    k(row, column) +=
        value / std::sqrt(solid.mass()[static_cast<std::size_t>(row)] * solid.mass()[static_cast<std::size_t>(column)]);
  const double exact = 2 / std::sqrt(k.operatorNorm());
  EXPECT_LT(solid.critical_step().step, exact * (1 + 1e-6));
  EXPECT_GT(solid.critical_step().step, 0.7 * exact);
}

class MetalOfOnesOwn : public ::testing::Test {
 protected:
  exec::Executor exec;
  const Solid solid{"block", testing::skewed_box(), of(std::make_shared<FormulaMaterial<::OwnMetal>>(::OwnMetal{})), 0};
};

TEST_F(MetalOfOnesOwn, BooksWhatFlowTakes) {
  const Place place = shaken(solid, 0.01, 4);
  std::vector<double> q = place.q, p(solid.dofs().size);
  const std::vector<double> before = force(solid, q);
  const double potential = solid.potential_energy(exec, q).strain;
  EXPECT_EQ(total(solid.dissipated(exec, q)), 0);
  EXPECT_TRUE(solid.history() > 0);
  solid.advance(exec, 0.0, q, 1.0, p);
  EXPECT_EQ(p, before);
  const double taken = total(solid.dissipated(exec, q));
  EXPECT_GT(taken, 1e-3);
  EXPECT_NEAR(solid.potential_energy(exec, q).strain + taken, potential, 1e-12);
  // Where it has come to it stays.
  const std::vector<double> after = force(solid, q);
  for (std::size_t k = 0; k < after.size(); ++k) EXPECT_NEAR(after[k], before[k], 1e-12);
}

/// Against the metal of the library: the same flow stress and hardening at small elastic strains.
TEST_F(MetalOfOnesOwn, FlowsAsThatOfTheLibrary) {
  SolidProperties metal = testing::soft_metal();
  metal.lame = {::OwnMetal::bulk - 2.0 / 3 * ::OwnMetal::shear_modulus, ::OwnMetal::shear_modulus};
  metal.plasticity = Plasticity{LinearHardening{::OwnMetal::yield_stress, ::OwnMetal::hardening}};
  const geometry::VolumeMesh mesh = geometry::box_mesh({1, 1, 1}, {1, 1, 1}, geometry::VolumeElement::hexahedron);
  const Solid library("library", mesh, metal, 0);
  const Solid own("own", mesh, of(std::make_shared<FormulaMaterial<::OwnMetal>>(::OwnMetal{})), 0);
  const auto sheared = [&](const Solid& body) {
    Place place = shaken(body, 0, 5);
    std::vector<double> p(body.dofs().size);
    for (int step = 1; step <= 200; ++step) {  // to γ = 0.1, some thirteen times the elastic limit
      for (std::size_t node = 0; node < 8; ++node)
        place.q[3 * node] = mesh.nodes[node].x() + 5e-4 * step * mesh.nodes[node].z();
      body.advance(exec, 0.0, place.q, 0.0, p);
    }
    double along = 0;
    const std::vector<double> f = force(body, place.q);
    for (std::size_t node = 0; node < 8; ++node) along += mesh.nodes[node].z() > 0.5 ? -f[3 * node] : 0;
    return std::pair{along, total(body.dissipated(exec, place.q))};
  };
  const auto [stress, work] = sheared(own);
  const auto [expected_stress, expected_work] = sheared(library);
  EXPECT_NEAR(stress, expected_stress, 5e-3 * expected_stress);
  EXPECT_NEAR(work, expected_work, 5e-3 * expected_work);
  // Flow in shear: σ_y/√3 with the strain γ/√3 less its elastic part.
  using M = ::OwnMetal;
  const double elastic = M::yield_stress / std::sqrt(3.0) / M::shear_modulus;
  const double flow = (M::yield_stress + M::hardening * (0.1 - elastic) / std::sqrt(3.0)) / std::sqrt(3.0);
  EXPECT_NEAR(stress, flow, 1e-2 * flow);
}

}  // namespace
}  // namespace ictus::mechanics
