#include <gmock/gmock.h>

#include <ictus/ictus.hpp>

#include "install/own_metal.hpp"

namespace ictus::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double shear_modulus = 80, lame_lambda = 120;

struct Rubber {
  template <class S>
  S shape(const math::Matrix3<S>& f) const {
    using std::log;
    return shear_modulus *
           (0.5 * (norm_sq(f.a) + norm_sq(f.b) + norm_sq(f.c) - 3.0) - log(S(dot(f.a, cross(f.b, f.c)))));
  }
  template <class S>
  S volume(S j) const {
    return 0.5 * lame_lambda * (j - 1.0) * (j - 1.0);
  }
};

/// It pulls before it is strained.
struct Stretched : Rubber {
  template <class S>
  S shape(const math::Matrix3<S>& f) const {
    return Rubber::shape(f) + 3.0 * f.a.x;
  }
};

/// Nothing resists a change of shape.
struct Liquid : Rubber {
  template <class S>
  S shape(const math::Matrix3<S>& f) const {
    return 0.0 * f.a.x;
  }
};

/// A metal that tells nine tenths of what flow takes.
struct Forgetful : ::OwnMetal {
  mechanics::Taken taken(const double* m) const {
    const mechanics::Taken all = ::OwnMetal::taken(m);
    return {0.9 * all.heat, 0.9 * all.hardening};
  }
};

template <class Formula>
std::shared_ptr<const mechanics::Material> made(Formula formula) {
  return std::make_shared<mechanics::FormulaMaterial<Formula>>(formula);
}

/// A bar that stands on the ground and is thrown at a wall, as far as a material says the rest.
scene::Scene thrown() {
  scene::Scene scene;
  scene.time = {.end = 1, .step = {}, .courant = 0.5};
  scene::MaterialSpec matter;
  matter.law = scene::SolidLaw::own;
  matter.density = 1;
  scene.materials.add("matter", matter);
  scene::SolidSpec bar;
  bar.shape =
      scene::BoxShapeSpec{.size = {2, 0.5, 0.5}, .cells = {8, 2, 2}, .element = scene::SolidElement::hexahedron};
  bar.material.name = "matter";
  bar.position = {0.01, 0, 0};
  bar.velocity = {-1, 0, 0.2};
  scene.bodies.add("bar", bar);
  scene.bodies.add("wall", scene::PlaneSpec{.position = {0, 0, 0}, .normal = {1, 0, 0}});
  scene.contacts.push_back({.between = {"bar", "wall"}, .restitution = {}});
  return scene;
}

std::string mistakes_of(const scene::Scene& scene, const build::Own& own = {}) {
  try {
    run::Simulation simulation(scene, own);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no mistake";
}

TEST(OwnMaterial, MovesAsThatOfTheLibraryWhoseEnergyItTells) {
  scene::Scene library = thrown();
  library.materials.find("matter")->law = scene::SolidLaw::neo_hookean;
  const double youngs = shear_modulus * (3 * lame_lambda + 2 * shear_modulus) / (lame_lambda + shear_modulus);
  library.materials.find("matter")->youngs_modulus = youngs;
  library.materials.find("matter")->poissons_ratio = lame_lambda / (2 * (lame_lambda + shear_modulus));
  run::Simulation wanted(library), own(thrown(), {.materials = {{"matter", made(Rubber{})}}});
  EXPECT_NEAR(own.step_size(), wanted.step_size(), 1e-8 * wanted.step_size());
  own.run_until(0.3);
  wanted.run_until(0.3);
  EXPECT_GT(own.energies().stored[model::Store::strain], 0.05 * own.energies().initial);
  for (std::size_t k = 0; k < own.positions().size(); ++k) EXPECT_NEAR(own.positions()[k], wanted.positions()[k], 1e-7);
}

TEST(OwnMaterial, RestsUnderGravityWithTheTangentOfItsEnergy) {
  scene::Scene scene = thrown();
  scene.gravity = {0, 0, -4};
  scene.initial = scene::Initial::at_rest;
  scene.contacts.clear();
  auto& bar = std::get<scene::SolidSpec>(*scene.bodies.find("bar"));
  bar.velocity = {0, 0, 0};
  bar.supports.push_back({.set = "left", .box = {}, .surface = {}});
  run::Simulation simulation(scene, {.materials = {{"matter", made(Rubber{})}}});
  const std::vector<double> start(simulation.positions().begin(), simulation.positions().end());
  EXPECT_LT(*std::min_element(start.begin(), start.end()), -0.02);  // it hangs
  simulation.run_until(1);
  for (std::size_t k = 0; k < start.size(); ++k) EXPECT_NEAR(simulation.positions()[k], start[k], 1e-9);
}

TEST(OwnMaterial, AMetalBooksItsFlowAndGoesOnFromASavedState) {
  const build::Own own{.materials = {{"matter", made(::OwnMetal{})}}};
  run::Simulation simulation(thrown(), own), other(thrown(), own);
  simulation.run_until(0.3);
  const model::State state = simulation.state();
  simulation.run_until(0.6);
  other.restore(state);
  other.run_until(0.6);
  EXPECT_EQ(simulation.state(), other.state());
  const run::Energies energies = simulation.energies();
  EXPECT_GT(energies.lost[model::Loss::heat], 0.3 * energies.initial);
  EXPECT_GT(energies.lost[model::Loss::hardening], 0.002 * energies.initial);
  EXPECT_NEAR(energies.error(), 0, 2e-3 * energies.initial);

  run::Simulation forgetful(thrown(), {.materials = {{"matter", made(Forgetful{})}}});
  forgetful.run_until(0.6);
  EXPECT_GT(std::abs(forgetful.energies().error()), 10 * std::abs(energies.error()));
}

/// What materials remember lies behind the dofs in the state, and is none of them.
TEST(OwnMaterial, MetalsInABatchHaveARowOfTheirDofs) {
  const build::Own own{.materials = {{"matter", made(::OwnMetal{})}}};
  const scene::Document document = scene::check(thrown());
  run::Batch batch(std::vector(3, document), 2, std::vector(3, own));
  run::Simulation alone(document, own);
  EXPECT_EQ(alone.positions().size(), alone.system().dofs());
  EXPECT_GT(alone.state().q.size(), alone.system().dofs());
  EXPECT_EQ(batch.positions().size(), 3 * batch.dofs());
  batch.velocities();
  alone.velocities();
  for (int round = 0; round < 2; ++round) {
    batch.step(50);
    alone.step(50);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(batch[i].state(), alone.state());
      EXPECT_EQ(batch.positions()[i * batch.dofs() + 7], alone.positions()[7]);
    }
    batch.velocities()[2 * batch.dofs()] += 0.1;  // the last goes its own way, and comes back
    batch.step(1);
    batch.restore(2, batch[0].state());
    alone.step(1);
  }
}

TEST(OwnMaterial, AnswersMistakes) {
  const scene::Scene scene = thrown();
  EXPECT_THAT(mistakes_of(scene),
              HasSubstr("bodies.bar.material: a program must bring a material named 'matter', and this one does not"));
  EXPECT_THAT(mistakes_of(scene, {.materials = {{"matter", made(Stretched{})}}}),
              HasSubstr("bodies.bar.material: the material 'matter' has a stress of 3 Pa before it is strained"));
  EXPECT_THAT(mistakes_of(scene, {.materials = {{"matter", made(Liquid{})}}}),
              HasSubstr("the material 'matter' does not resist every small strain"));

  scene::Scene with_modulus = scene;
  std::get<scene::SolidSpec>(*with_modulus.bodies.find("bar")).youngs_modulus = 200;
  with_modulus.materials.find("matter")->poissons_ratio = 0.3;
  EXPECT_THAT(mistakes_of(with_modulus),
              AllOf(HasSubstr("bodies.bar.youngs_modulus: has no meaning with law: own, which has its own"),
                    HasSubstr("materials.matter.poissons_ratio: has no meaning with law: own, which has its own")));

  scene::Scene without_name = scene;
  auto& bar = std::get<scene::SolidSpec>(*without_name.bodies.find("bar"));
  bar.material = {.name = "", .own = *scene.materials.find("matter")};
  EXPECT_THAT(mistakes_of(without_name), HasSubstr("bodies.bar.material: law own needs a name"));

  scene::Scene implicit = scene;
  implicit.contacts.clear();
  implicit.time = {.end = 1, .step = 1e-2, .courant = {}};
  implicit.integrator = scene::NewmarkSpec{};
  EXPECT_THAT(mistakes_of(implicit, {.materials = {{"matter", made(::OwnMetal{})}}}),
              HasSubstr("newmark does not know materials that remember"));
}

}  // namespace
}  // namespace ictus::testing
