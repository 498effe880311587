// Rayleigh damping and supports that move, with explicit and implicit steps, of solids and frames.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/equilibrium/natural_modes.hpp>
#include <ictus/dynamics/explicit/central_difference.hpp>
#include <ictus/dynamics/implicit/newmark.hpp>
#include <ictus/dynamics/scheme/capture_return.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <ictus/mechanics/frame/beam_frame.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>
#include <ictus/mechanics/solid/solid.hpp>

#include "structure/bar_run.hpp"

namespace ictus {
namespace {

using dynamics::System;
using geometry::VolumeElement;
using math::Vec3;
using mechanics::Rayleigh;
using mechanics::Solid;
using mechanics::SolidMaterial;
using mechanics::SolidProperties;

SolidProperties unit_solid(SolidMaterial material, const Rayleigh& damping) {
  SolidProperties properties;
  properties.material = material;
  properties.lame = mechanics::lame(1.0, 0.3);
  properties.density = 1;
  properties.damping = damping;
  return properties;
}

System alone(std::unique_ptr<const mechanics::NodalBody> body, std::vector<mechanics::Load> loads = {},
             std::vector<mechanics::SupportMotion> motions = {}) {
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::move(body));
  return {std::move(bodies), {}, exec::Executor(1), std::move(loads), {}, std::move(motions)};
}

std::unique_ptr<Solid> held_block(SolidProperties properties, VolumeElement element) {
  const auto mesh = geometry::box_mesh({1, 0.3, 0.2}, {5, 2, 2}, element);
  for (const int node : mesh.node_sets.at("left")) properties.held.push_back({node, {true, true, true}});
  return std::make_unique<Solid>("block", mesh, properties, 0);
}

std::unique_ptr<mechanics::BeamFrame> cantilever(const Rayleigh& damping) {
  const model::Section section{.area = 0.01,
                               .inertia_y = 1e-5,
                               .inertia_z = 2e-5,
                               .torsion = 1e-5,
                               .shear_area_y = 0.008,
                               .shear_area_z = 0.008};
  mechanics::FrameProperties frame;
  frame.joints = {{0, 0, 0}, {1, 0, 0}};
  frame.members = {{0, 1, 6, section, 1.0, 0.4, 1.0}};
  frame.supports = {{0, {true, true, true, true, true, true}}};
  frame.damping = damping;
  return std::make_unique<mechanics::BeamFrame>("beam", frame, 0);
}

/// The factor by which the square of the amplitude of the slowest mode changes in a step. The motion of a mode obeys
/// y_{n+1} = s y_n − r y_{n−1}, so that y_n² − y_{n−1} y_{n+1} changes by the factor r, the product of the two roots.
struct Decay {
  double measured, omega, h;
};

template <class Scheme>
Decay decay_of(const System& system, Scheme&& scheme, double periods_per_step, double largest_step) {
  constexpr double amplitude = 1e-4;
  const std::vector<double> rest = system.initial_state().q;
  const dynamics::NaturalMode mode = dynamics::natural_modes(system, rest, 1)[0];
  const double h = std::min(periods_per_step * 2 * std::numbers::pi / mode.angular_frequency, largest_step);
  model::State state = system.initial_state();
  const auto inverse_mass = system.inverse_mass();
  for (std::size_t k = 0; k < rest.size(); ++k) {
    if (inverse_mass[k] > 0) state.p[k] = amplitude * mode.angular_frequency * mode.shape[k] / inverse_mass[k];
  }
  scheme.prepare(system);
  scheme.start(system, h, state);
  double y[3] = {0, 0, 0}, first = 0, last = 0;
  constexpr int steps = 200;
  for (int n = 1; n <= steps + 1; ++n) {
    scheme.step(system, h, state);
    y[0] = y[1], y[1] = y[2], y[2] = 0;
    for (std::size_t k = 0; k < rest.size(); ++k) {
      if (inverse_mass[k] > 0) y[2] += mode.shape[k] * (state.q[k] - rest[k]) / inverse_mass[k];
    }
    if (n == 2) first = y[1] * y[1] - y[0] * y[2];
    last = y[1] * y[1] - y[0] * y[2];
  }
  return {std::pow(last / first, 1.0 / (steps - 1)), mode.angular_frequency, h};
}

/// r = (1 − ½hα − hβω²)/(1 + ½hα): the closed form of the recurrence, and exp(−h(α + βω²)) of the motion itself.
void expect_explicit_decay(const System& system, const Rayleigh& damping, double tolerance) {
  const double stable = 0.5 * dynamics::explicit_step_limit(system).step;
  const Decay decay = decay_of(system, dynamics::CentralDifference(), 0.002, stable);
  const double h = decay.h, a = 0.5 * h * damping.mass;
  const double rate = damping.mass + damping.stiffness * decay.omega * decay.omega;
  EXPECT_NEAR((decay.measured - (1 - a - h * (rate - damping.mass)) / (1 + a)) / (h * rate), 0, tolerance);
  EXPECT_NEAR(std::log(decay.measured) / (-h * rate), 1, 0.01);
}

TEST(Damping, ExplicitDecayIsThatOfTheClosedForm) {
  const Rayleigh damping{0.05, 0.03};
  for (const VolumeElement element : {VolumeElement::tetrahedron, VolumeElement::hexahedron}) {
    expect_explicit_decay(alone(held_block(unit_solid(SolidMaterial::linear, damping), element)), damping, 1e-7);
    // Strains of 1e-4 change frequency and stress by as much.
    expect_explicit_decay(alone(held_block(unit_solid(SolidMaterial::neo_hookean, damping), element)), damping, 1e-2);
  }
  expect_explicit_decay(alone(cantilever({0.001, 0.02})), {0.001, 0.02}, 1e-7);
}

/// r = (1 − ζωh + ¼ω²h²)/(1 + ζωh + ¼ω²h²), 2ζω = α + βω².
TEST(Damping, ImplicitDecayIsThatOfTheClosedForm) {
  const Rayleigh damping{0.05, 0.03};
  const auto expect = [&](const System& system) {
    const Decay decay = decay_of(system, dynamics::Newmark({0.5, 0.25}), 0.02, 1e6);
    const double h = decay.h, turn = 0.25 * std::pow(decay.omega * h, 2);
    const double half = 0.5 * h * (damping.mass + damping.stiffness * decay.omega * decay.omega);
    EXPECT_NEAR((decay.measured - (1 - half + turn) / (1 + half + turn)) / half, 0, 1e-7);
  };
  expect(alone(held_block(unit_solid(SolidMaterial::linear, damping), VolumeElement::hexahedron)));
  expect(alone(cantilever(damping)));
}

/// √(β² + 4/ω²) − β is the limit of the explicit step: below it a frame calms down, above it explodes.
TEST(Damping, LimitsTheExplicitStep) {
  for (const double beta : {0.0, 0.02, 0.5}) {
    const System system = alone(cantilever({0.01, beta}));
    const double critical = dynamics::explicit_step_limit(system).step;
    for (const double share : {0.98, 1.02}) {
      dynamics::CentralDifference scheme;
      model::State state = system.initial_state();
      for (std::size_t k = 6; k < state.p.size(); ++k)
        if (system.inverse_mass()[k] > 0) state.p[k] = 1e-3 * (k % 2 == 0 ? 1 : -1) / system.inverse_mass()[k];
      scheme.prepare(system);
      scheme.start(system, share * critical, state);
      const double before = system.kinetic_energy(state.p);
      for (int n = 0; n < 400; ++n) scheme.step(system, share * critical, state);
      EXPECT_EQ(system.kinetic_energy(state.p) > 1e4 * before, share > 1) << "beta " << beta << ", share " << share;
    }
  }
}

/// A block thrown at a wall, damped.
System thrown_block(SolidMaterial material) {
  SolidProperties properties = unit_solid(material, {0.1, 0.01});
  properties.velocity = {-0.05, 0.01, 0};
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<Solid>(
      "block", geometry::box_mesh({0.4, 0.3, 0.2}, {4, 3, 2}, VolumeElement::tetrahedron), properties, 0));
  bodies.push_back(std::make_unique<mechanics::Obstacle>("wall", model::Plane{{-0.01, 0, 0}, Vec3(1, 0, 0)}));
  contact::ContactPair pair{"block", "wall", &bodies[0]->surface(), &bodies[1]->surface(), {}, 0.0, 0, 0};
  pair.every_point = true;
  std::vector<contact::ContactPair> pairs{pair};
  return {std::move(bodies), std::move(pairs), exec::Executor(1)};
}

template <class Scheme>
void expect_closed_ledger(const System& system, Scheme&& scheme, double courant, double end, double tolerance) {
  const double h = courant * dynamics::explicit_step_limit(system).step;
  const auto run = testing::run_bars(system, scheme, h, static_cast<int>(end / h));
  EXPECT_LT(run.max_residual, tolerance);
  EXPECT_LT(run.max_momentum_drift, 1e-12);
  EXPECT_GT(run.lost[model::Loss::damping], 0.01 * run.initial_energy);
}

TEST(Damping, LedgerClosesInContact) {
  for (const SolidMaterial material : {SolidMaterial::linear, SolidMaterial::neo_hookean}) {
    const System system = thrown_block(material);
    expect_closed_ledger(system, dynamics::CdLagrange(), 0.6, 2.0, 1e-11);
    expect_closed_ledger(system, dynamics::CaptureReturn(), 0.6, 2.0, 1e-11);
  }
}

TEST(Damping, LedgerClosesWithImplicitSteps) {
  for (const SolidMaterial material : {SolidMaterial::linear, SolidMaterial::st_venant_kirchhoff}) {
    SolidProperties properties = unit_solid(material, {0.1, 0.01});
    properties.velocity = {0, 0.02, 0.05};
    const System system = alone(held_block(properties, VolumeElement::hexahedron));
    expect_closed_ledger(system, dynamics::Newmark({0.5, 0.25}), 4.0, 5.0, 1e-10);  // Newton's tolerance
    expect_closed_ledger(system, dynamics::Newmark({0.6, 0.3025}), 4.0, 5.0, 1e-10);
  }
}

/// The part of the stiffness resists no rotation: a body that spins keeps its angular momentum while it stops
/// vibrating.
TEST(Damping, LeavesRigidMotionAlone) {
  SolidProperties properties = unit_solid(SolidMaterial::neo_hookean, {0, 0.2});
  properties.spin = {0.1, 0.2, 0.5};
  const System system = alone(std::make_unique<Solid>(
      "block", geometry::box_mesh({0.4, 0.3, 0.2}, {3, 2, 2}, VolumeElement::hexahedron), properties, 0));
  dynamics::CentralDifference scheme;
  const double h = 0.5 * dynamics::explicit_step_limit(system).step;
  const Vec3 before = system.momentum(system.initial_state().q, system.initial_state().p).angular;
  const auto run = testing::run_bars(system, scheme, h, static_cast<int>(20.0 / h));
  const Vec3 after = system.momentum(run.state.q, run.state.p).angular;
  EXPECT_LT((after - before).norm() / before.norm(), 1e-12);
  EXPECT_LT(run.max_residual, 1e-11);
  EXPECT_GT(run.lost[model::Loss::damping], 1e-4 * run.initial_energy);
  EXPECT_LT(run.lost[model::Loss::damping], 0.2 * run.initial_energy);
}

class Parabola final : public mechanics::Signal {
 public:
  explicit Parabola(double acceleration) : acceleration_(acceleration) {}
  double at(double time) const override { return 0.5 * acceleration_ * time * time; }

 private:
  double acceleration_;
};

/// Supports that accelerate evenly move a body as an inertial load does that sees from the supports: to round-off,
/// since central differences and average acceleration know parabolas.
template <class Scheme>
void expect_equivalence(Scheme&& scheme, double courant) {
  const double acceleration = 0.01;
  SolidProperties properties = unit_solid(SolidMaterial::linear, {});
  properties.velocity = {0, 0, 0.02};
  auto driven_body = held_block(properties, VolumeElement::hexahedron);
  mechanics::SupportMotion motion{std::make_shared<Parabola>(acceleration), {}};
  for (const int k : driven_body->fixed()) {
    if (k % 3 == 1) motion.entries.push_back({k, 1.0});
  }
  const System driven = alone(std::move(driven_body), {}, {motion});
  auto shaken_body = held_block(properties, VolumeElement::hexahedron);
  const auto constant = std::make_shared<mechanics::Ramp>(acceleration, 0.0, 0.0);
  mechanics::Load load = mechanics::inertial_load(*shaken_body, constant, Vec3::UnitY(), -1.0);
  const System shaken = alone(std::move(shaken_body), {load});

  const double h = courant * dynamics::explicit_step_limit(driven).step;
  const int steps = static_cast<int>(8.0 / h);
  const auto moved = testing::run_bars(driven, scheme, h, steps);
  const auto seen = testing::run_bars(shaken, scheme, h, steps);
  const double shift = 0.5 * acceleration * moved.state.time * moved.state.time;
  double worst = 0;
  for (std::size_t k = 0; k < moved.state.q.size(); ++k) {
    const double expected = seen.state.q[k] + (k % 3 == 1 ? shift : 0);
    worst = std::max(worst, std::abs(moved.state.q[k] - expected));
  }
  EXPECT_LT(worst, 1e-12);
  for (const auto* run : {&moved, &seen}) {
    EXPECT_LT(run->max_residual, 1e-11);
    EXPECT_LT(run->max_momentum_drift, 1e-11);
    EXPECT_GT(std::abs(run->external_work), 0.1 * run->initial_energy);
  }
}

TEST(SupportMotion, IsTheInertialLoadSeenFromOutside) {
  expect_equivalence(dynamics::CentralDifference(), 0.7);
  expect_equivalence(dynamics::Newmark({0.5, 0.25}), 5.0);
}

TEST(SupportMotion, LedgerClosesOnNonlinearAndDampedBodies) {
  for (const Rayleigh& damping : {Rayleigh{}, Rayleigh{0.2, 0.02}}) {
    SolidProperties properties = unit_solid(SolidMaterial::neo_hookean, damping);
    properties.velocity = {0, 0, 0.02};
    auto body = held_block(properties, VolumeElement::tetrahedron);
    mechanics::SupportMotion motion{std::make_shared<mechanics::HalfSine>(0.05, 0.5, 2.0), {}};
    for (const int k : body->fixed()) motion.entries.push_back({k, k % 3 == 0 ? 0.0 : 0.8});
    const System system = alone(std::move(body), {}, {motion});
    const double h = 0.5 * dynamics::explicit_step_limit(system).step;
    dynamics::CentralDifference explicit_scheme;
    const auto run = testing::run_bars(system, explicit_scheme, h, static_cast<int>(3.0 / h));
    EXPECT_LT(run.max_residual, 1e-11);
    EXPECT_LT(run.max_momentum_drift, 1e-11);
    EXPECT_GT(std::abs(run.external_work), 0.1 * run.initial_energy);
    dynamics::Newmark implicit_scheme({0.5, 0.25});
    const auto coarse = testing::run_bars(system, implicit_scheme, 4 * h, static_cast<int>(0.75 / h));
    EXPECT_LT(coarse.max_residual, 1e-10);
    EXPECT_LT(coarse.max_momentum_drift, 1e-11);
    // Both tell the same story, up to their errors in time.
    EXPECT_NEAR(coarse.external_work / run.external_work, 1, 0.05);
  }
}

/// A constant pressure on one side of a free block: p = p₀ A t, at the time of the momenta.
TEST(PressureLoad, GivesTheMomentumOfPressureTimesArea) {
  const auto mesh = geometry::box_mesh({0.4, 0.3, 0.2}, {3, 2, 2}, VolumeElement::hexahedron);
  auto body = std::make_unique<Solid>("block", mesh, unit_solid(SolidMaterial::neo_hookean, {}), 0);
  const auto constant = std::make_shared<mechanics::Ramp>(0.01, 0.0, 0.0);
  const mechanics::Load load = mechanics::pressure_load(*body, *body->node_set("left"), constant);
  const mechanics::Load pull = mechanics::shared_load(*body, *body->node_set("top"), constant, -Vec3::UnitZ());
  const System system = alone(std::move(body), {load, pull});
  const double h = 0.5 * dynamics::explicit_step_limit(system).step;
  dynamics::CentralDifference leapfrog;
  dynamics::Newmark newmark({0.5, 0.25});
  for (dynamics::Integrator* scheme : std::initializer_list<dynamics::Integrator*>{&leapfrog, &newmark}) {
    model::State state = system.initial_state();
    scheme->prepare(system);
    scheme->start(system, h, state);
    for (int n = 0; n < 50; ++n) scheme->step(system, h, state);
    const double time = state.time + (scheme == &leapfrog ? h / 2 : 0);
    const Vec3 momentum = system.momentum(state.q, state.p).linear;
    EXPECT_NEAR(momentum.x(), 0.01 * 0.06 * time, 1e-14);
    EXPECT_NEAR(momentum.y(), 0, 1e-15);
    EXPECT_NEAR(momentum.z(), -0.01 * time, 1e-14);
  }
}

}  // namespace
}  // namespace ictus
