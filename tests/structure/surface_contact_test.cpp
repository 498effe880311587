#include <gtest/gtest.h>

#include <ictus/dynamics/dcr/dcr.hpp>
#include <ictus/dynamics/scheme/capture_return.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/scheme/discrete_gradient.hpp>
#include <ictus/dynamics/scheme/reflection.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <ictus/mechanics/solid/solid.hpp>

#include "support/surface_run.hpp"

namespace ictus {
namespace {

using dynamics::CaptureReturn;
using dynamics::DiscreteGradient;
using model::Loss;
using testing::SurfaceRun;
using testing::TwoSpheres;

/// The spheres approach by about two hundredths of an edge in a step, and have parted at the end.
constexpr double step = 0.005;
constexpr int steps = 1000;

/// Ledger, momenta and non-intersection of every scheme: exact whatever friction, restitution, speed and self-contact.
void expect_exact(const SurfaceRun& run) {
  EXPECT_GT(run.contacts, 20);
  EXPECT_LT(run.residual, 1e-12);
  EXPECT_LT(run.linear_drift, 1e-12);
  EXPECT_LT(run.angular_drift, 1e-12);
  EXPECT_EQ(run.crossings, 0);
}

template <class Scheme, class... Options>
SurfaceRun collide(const TwoSpheres& spheres, Options... options) {
  Scheme scheme(options...);
  const dynamics::System system = testing::make(spheres);
  return testing::run_surfaces(system, scheme, step / spheres.speed, steps, 10);
}

TwoSpheres with_friction(double friction) {
  TwoSpheres spheres;
  spheres.friction = friction;
  return spheres;
}

TEST(SurfaceContact, EverySchemeClosesItsLedgerAndKeepsItsMomenta) {
  for (const double friction : {0.0, 0.3}) {
    SCOPED_TRACE(friction);
    expect_exact(collide<CaptureReturn>(with_friction(friction)));
    expect_exact(collide<CaptureReturn>(with_friction(friction), dynamics::CaptureReturnOptions{.control = false}));
    expect_exact(collide<dynamics::Reflection>(with_friction(friction)));
    expect_exact(collide<dynamics::CdLagrange>(with_friction(friction)));
    expect_exact(collide<DiscreteGradient>(with_friction(friction)));
  }
}

/// What is left of the energy error of capture-return is that of the leapfrog, which the control removes.
TEST(SurfaceContact, CaptureReturnGivesEverythingBack) {
  const SurfaceRun controlled = collide<CaptureReturn>({});
  const SurfaceRun free = collide<CaptureReturn>({}, dynamics::CaptureReturnOptions{.control = false});
  EXPECT_LT(std::abs(controlled.final_error), 1e-6);
  EXPECT_LT(free.energy_error, 1e-3);
  EXPECT_EQ(free.lost[Loss::control], 0);
}

/// Elastic reflections take nothing, whatever the sweeps left.
TEST(SurfaceContact, ReflectionTakesNothing) {
  const SurfaceRun run = collide<dynamics::Reflection>({});
  EXPECT_LT(std::abs(run.lost[Loss::restitution]), 1e-12);
}

TEST(SurfaceContact, FrictionOnlyTakes) {
  for (const double friction : {0.1, 0.3, 1.0}) {
    for (const SurfaceRun& run :
         {collide<CaptureReturn>(with_friction(friction)), collide<DiscreteGradient>(with_friction(friction))}) {
      EXPECT_GT(run.lost[Loss::friction], 0);
      EXPECT_LT(run.largest_gain, 1e-4);  // the leapfrog's own error between looks of the control
    }
  }
}

/// The paper's scheme on surfaces: what it moves is known, though not zero.
TEST(SurfaceContact, DcrBooksWhatItMoves) {
  for (const double friction : {0.0, 0.3}) {
    dynamics::Dcr scheme(false);
    const dynamics::System system = testing::make(with_friction(friction));
    double normal = 0, rigid = 0;
    const SurfaceRun run =
        testing::run_surfaces(system, scheme, step / 4, 4 * steps, 10, [&](const auto&, const auto& report) {
          for (const dynamics::Impulse& impulse : report.impulses) {
            normal += impulse.split->normal;
            rigid += impulse.split->rigid;
          }
        });
    EXPECT_GT(run.contacts, 20);
    EXPECT_LT(run.residual, 1e-12);
    EXPECT_LT(run.linear_drift, 1e-12);
    EXPECT_LT(run.largest_gain, 0.01);
    EXPECT_GT(std::abs(run.lost[Loss::projection]), 1e-3);
    EXPECT_LT(std::abs(run.lost[Loss::restitution]), 1e-12);  // e = 1
    EXPECT_EQ(run.lost[Loss::friction] > 0, friction > 0);
    EXPECT_GT(normal, 0);
    EXPECT_GT(rigid, 0);
  }
}

TEST(SurfaceContact, RestitutionIsALossWithAName) {
  TwoSpheres spheres;
  spheres.restitution = 0.5;
  for (const SurfaceRun& run :
       {collide<CaptureReturn>(spheres), collide<dynamics::Reflection>(spheres), collide<DiscreteGradient>(spheres)}) {
    expect_exact(run);
    EXPECT_GT(run.lost[Loss::restitution], 0);
  }
}

/// Hollow, soft spheres fold in on themselves; faster ones approach by up to a third of an edge in a step.
TEST(SurfaceContact, NothingPassesThroughItselfOrOthers) {
  TwoSpheres spheres;
  spheres.self_contact = true;
  spheres.hub = false;
  expect_exact(collide<CaptureReturn>(spheres));
  expect_exact(collide<DiscreteGradient>(spheres));
  TwoSpheres fast;
  fast.speed = 4;
  CaptureReturn capture;
  DiscreteGradient gradient;
  const dynamics::System system = testing::make(fast);
  for (dynamics::Integrator* scheme :
       {static_cast<dynamics::Integrator*>(&capture), static_cast<dynamics::Integrator*>(&gradient)}) {
    expect_exact(testing::run_surfaces(system, *scheme, 4 * step, 200, 1));
  }
}

/// The bank of discrete-gradient holds what changing features left, a little of what the layers hold; whatever their
/// stiffness, the step stays that of the bodies.
TEST(SurfaceContact, LayersOfAnyStiffnessKeepTheEnergy) {
  for (const double stiffness : {0.1, 1.0, 10.0, 1000.0}) {
    SCOPED_TRACE(stiffness);
    DiscreteGradient scheme({stiffness});
    const dynamics::System system = testing::make({});
    double layer = 0, bank = 0;
    const SurfaceRun run = testing::run_surfaces(system, scheme, step, steps, 10, [&](const auto& state, const auto&) {
      const model::Stored stored = scheme.energy(system, step, state);
      layer = std::max(layer, stored[model::Store::layer]);
      bank = std::max(bank, std::abs(stored[model::Store::bank]));
    });
    expect_exact(run);
    EXPECT_GT(layer, 0);
    const double energy = scheme.energy(system, step, run.state).total();
    EXPECT_LT(bank, 0.01 * energy);
    EXPECT_LT(run.energy_error, 1e-3);  // the leapfrog's own
  }
}

/// Sweeps that end early leave impulses that are not those of their layers. What these do is no matter of the bank:
/// settled sweeps leave next to nothing, and the solver is reported for the rest.
TEST(SurfaceContact, UnfinishedSweepsAreTheSolversNotTheBanks) {
  const SurfaceRun settled = collide<DiscreteGradient>({});
  dynamics::DiscreteGradientOptions hasty;
  hasty.sweeps.max_sweeps = 1;
  const SurfaceRun early = collide<DiscreteGradient>({}, hasty);
  const dynamics::System system = testing::make({});
  const double energy = DiscreteGradient().energy(system, step, settled.state).total();
  EXPECT_LT(std::abs(settled.lost[Loss::solver]), 1e-5 * energy);
  EXPECT_GT(std::abs(early.lost[Loss::solver]), 1e-3 * energy);
  EXPECT_GT(early.fallbacks, 20);
  for (const SurfaceRun& run : {settled, early}) EXPECT_LT(run.residual, 1e-12);
}

/// Up to an edge and a half in a step, at which spheres crumple: features are followed through it, and what would still
/// pass is kept apart.
TEST(SurfaceContact, LongStepsAreFollowedThrough) {
  TwoSpheres fast;
  fast.self_contact = true;
  fast.hub = false;  // crushed to a disc, the springs to a hub would be too stiff for the step
  fast.speed = 8;
  CaptureReturn capture;
  expect_exact(testing::run_surfaces(testing::make(fast), capture, 4 * step, 40, 1));
  fast.offset = 0.8;
  dynamics::Reflection reflection;
  expect_exact(testing::run_surfaces(testing::make(fast), reflection, 4 * step, 40, 1));
  fast.speed = 20;
  const SurfaceRun run = testing::run_surfaces(testing::make(fast), capture, 4 * step, 20, 1);
  expect_exact(run);
  EXPECT_GT(run.fallbacks, 0);
}

/// Nor does anything pass in the first step, at whose start nothing has acted yet.
TEST(SurfaceContact, SurfacesMayMeetInTheFirstStep) {
  TwoSpheres fast = with_friction(0.3);
  fast.self_contact = true;
  fast.hub = false;
  fast.speed = 8;
  CaptureReturn capture;
  expect_exact(testing::run_surfaces(testing::make(fast), capture, 4 * step, 40, 1));
  dynamics::Reflection reflection;
  expect_exact(testing::run_surfaces(testing::make(fast), reflection, 4 * step, 40, 1));
}

/// Asked for, it is done in every step, with the same contract.
TEST(SurfaceContact, EveryStepMayBeFollowed) {
  TwoSpheres spheres = with_friction(0.3);
  spheres.continuous = true;
  spheres.self_contact = true;
  spheres.hub = false;
  expect_exact(collide<CaptureReturn>(spheres));
}

/// A thin sphere and a block of tetrahedra, turned and off centre: masses and critical steps that differ by body.
dynamics::System sphere_and_block(double friction) {
  mechanics::ShellProperties sphere;
  sphere.mesh = geometry::sphere(1, geometry::SphereBase::octahedron, 2);
  for (math::Vec3& x : sphere.mesh.positions) x += math::Vec3(-1.05, 0.2, 0.1);
  sphere.thickness = 0.05, sphere.youngs_modulus = 2.1e5, sphere.poissons_ratio = 0.3, sphere.density = 0.0785;
  sphere.velocity = {100, 0, 10};
  sphere.spin = {20, 30, -10};
  sphere.spin_centre = {-1.05, 0.2, 0.1};
  geometry::VolumeMesh block = geometry::box_mesh({0.6, 1, 1}, {2, 4, 4}, geometry::VolumeElement::tetrahedron);
  for (math::Vec3& x : block.nodes) x += math::Vec3(0.05, -0.5, -0.5);
  mechanics::SolidProperties properties;
  properties.lame = mechanics::lame(1e4, 0.3);
  properties.density = 0.02;
  properties.velocity = {-50, 0, 0};
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<mechanics::Shell>("sphere", sphere, 0));
  bodies.push_back(std::make_unique<mechanics::Solid>("block", block, properties, bodies[0]->dofs().end()));
  contact::ContactPair pair{};
  pair.first = "sphere", pair.second = "block";
  pair.first_surface = &bodies[0]->surface(), pair.second_surface = &bodies[1]->surface();
  pair.friction = friction;
  return {std::move(bodies), {pair}, exec::Executor(1)};
}

TEST(SurfaceContact, ShellsMeetSolids) {
  for (const double friction : {0.0, 0.3}) {
    SCOPED_TRACE(friction);
    const dynamics::System system = sphere_and_block(friction);
    CaptureReturn capture;
    DiscreteGradient gradient;
    for (dynamics::Integrator* scheme :
         {static_cast<dynamics::Integrator*>(&capture), static_cast<dynamics::Integrator*>(&gradient)}) {
      SCOPED_TRACE(scheme->name());
      const double h = 0.2 * scheme->step_limit(system).step;
      const SurfaceRun run = testing::run_surfaces(system, *scheme, h, 1500, 10);
      expect_exact(run);
      EXPECT_EQ(run.lost[Loss::friction] > 0, friction > 0);
      EXPECT_LT(run.largest_gain, 1e-3);  // of the leapfrog; contact adds nothing
    }
  }
}

/// A sphere that slides and bounces on a plane: the plane's impulses are in the momentum account.
TEST(SurfaceContact, PlanesPushAndRub) {
  for (const bool plane_first : {false, true}) {
    std::vector<dynamics::BodyPtr> bodies;
    testing::SpringMeshProperties ball;
    ball.position = {0, 0, 1.02};
    ball.velocity = {0.5, 0.2, -1};
    ball.stiffness = 200;
    auto sphere = std::make_unique<testing::SpringMesh>("ball", testing::sphere(2), ball, 0);
    auto floor = std::make_unique<mechanics::Obstacle>("floor", model::Plane{{0, 0, 0}, {0, 0, 1}});
    contact::ContactPair pair{};
    pair.first = plane_first ? "floor" : "ball";
    pair.second = plane_first ? "ball" : "floor";
    pair.first_surface = plane_first ? &floor->surface() : &sphere->surface();
    pair.second_surface = plane_first ? &sphere->surface() : &floor->surface();
    pair.friction = 0.4;
    bodies.push_back(std::move(sphere));
    bodies.push_back(std::move(floor));
    const dynamics::System system(std::move(bodies), {pair}, exec::Executor(1));
    CaptureReturn capture;
    DiscreteGradient gradient;
    for (dynamics::Integrator* scheme :
         {static_cast<dynamics::Integrator*>(&capture), static_cast<dynamics::Integrator*>(&gradient)}) {
      double lowest = 0;
      const SurfaceRun run = testing::run_surfaces(system, *scheme, step, 800, 10, [&](const auto& state, const auto&) {
        for (std::size_t k = 2; k < state.q.size() - 3; k += 3) lowest = std::min(lowest, state.q[k]);
      });
      expect_exact(run);
      // Capture acts ahead, and no vertex passes the plane but by round-off; a layer gives way.
      EXPECT_GE(lowest, scheme == &capture ? -1e-15 : -0.05);
      EXPECT_GT(run.lost[Loss::friction], 0);
      EXPECT_LT(std::abs(run.final_error + run.lost[Loss::friction] / scheme->energy(system, step, run.state).total()),
                0.05);
    }
  }
}

/// A run continued from a copy of its state by a new integrator, and one on two threads, have the same bits.
template <class Scheme>
void expect_same_bits() {
  TwoSpheres spheres = with_friction(0.3);
  const auto run = [&](int threads, int restart_at) {
    spheres.threads = threads;
    const dynamics::System system = testing::make(spheres);
    auto scheme = std::make_unique<Scheme>();
    scheme->prepare(system);
    model::State state = system.initial_state();
    scheme->start(system, step, state);
    for (int n = 0; n < 400; ++n) {
      if (n == restart_at) {
        scheme = std::make_unique<Scheme>();
        scheme->prepare(system);
      }
      scheme->step(system, step, state);
    }
    return state;
  };
  const model::State reference = run(1, -1);
  EXPECT_EQ(reference, run(1, 201));
  EXPECT_EQ(reference, run(2, -1));
}

TEST(SurfaceContact, SameBitsAfterARestartAndOnTwoThreads) {
  expect_same_bits<CaptureReturn>();
  expect_same_bits<DiscreteGradient>();
}

}  // namespace
}  // namespace ictus
