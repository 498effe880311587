// Solids in motion: modes against closed forms, contact with a wall, implicit steps.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/equilibrium/natural_modes.hpp>
#include <ictus/dynamics/implicit/newmark.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>
#include <ictus/mechanics/solid/solid.hpp>
#include <numbers>

#include "structure/bar_run.hpp"

namespace ictus {
namespace {

using dynamics::System;
using geometry::VolumeElement;
using math::Vec3;
using mechanics::Solid;
using mechanics::SolidMaterial;
using mechanics::SolidProperties;
using std::numbers::pi;

SolidProperties unit_solid(SolidMaterial material, double poissons_ratio) {
  SolidProperties properties;
  properties.material = material;
  properties.lame = mechanics::lame(1.0, poissons_ratio);
  properties.density = 1;
  return properties;
}

System alone(const geometry::VolumeMesh& mesh, const SolidProperties& properties) {
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<Solid>("block", mesh, properties, 0));
  return {std::move(bodies), {}, exec::Executor(1)};
}

std::vector<dynamics::NaturalMode> modes(const System& system, int count) {
  return dynamics::natural_modes(system, system.initial_state().q, count);
}

/// A rod with ν = 0 held at its end, guided along x: ω = (π/2) c/L. The error falls with the square of the element.
TEST(SolidModes, GuidedRodConvergesToTheWaveEquation) {
  for (const VolumeElement element : {VolumeElement::tetrahedron, VolumeElement::hexahedron}) {
    double error[2];
    for (const int fine : {0, 1}) {
      const int cells = fine == 0 ? 5 : 10;
      const auto mesh = geometry::box_mesh({1, 0.2, 0.2}, {cells, 1, 1}, element);
      SolidProperties properties = unit_solid(SolidMaterial::neo_hookean, 0.0);
      for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
        properties.held.push_back({static_cast<int>(i), {mesh.nodes[i].x() == 0, true, true}});
      const double omega = modes(alone(mesh, properties), 1)[0].angular_frequency;
      error[fine] = std::abs(omega - pi / 2);
    }
    EXPECT_LT(error[1], 3e-3);
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1);
  }
}

/// A slender clamped beam: ω = 1.8751² √(EI/(ρAL⁴)), less the little that shear and rotary inertia take. Hexahedra,
/// ν = 0 and fine across the depth, since linear elements are stiff in bending.
TEST(SolidModes, CantileverBendsLikeABeam) {
  const double length = 1, side = 0.05;
  const auto mesh = geometry::box_mesh({length, side, side}, {80, 4, 4}, VolumeElement::hexahedron);
  SolidProperties properties = unit_solid(SolidMaterial::linear, 0.0);
  for (const int node : mesh.node_sets.at("left")) properties.held.push_back({node, {true, true, true}});
  const auto found = modes(alone(mesh, properties), 2);
  const double beam = 1.8751 * 1.8751 * std::sqrt(side * side / 12) / (length * length);
  EXPECT_NEAR(found[0].angular_frequency / beam, 1, 0.03);
  // The square section bends alike both ways: a frequency twice over, which one Lanczos run may miss.
  EXPECT_NEAR(found[1].angular_frequency / found[0].angular_frequency, 1, 1e-8);
}

/// Nearly incompressible hexahedra do not lock: the frequency of a block in bending hardly depends on how near ν is to
/// one half. With full integration of the dilatation it grows without bound.
TEST(SolidModes, HexahedraDoNotLock) {
  double omega[2];
  for (const int i : {0, 1}) {
    const auto mesh = geometry::box_mesh({1, 0.25, 0.25}, {8, 2, 2}, VolumeElement::hexahedron);
    SolidProperties properties = unit_solid(SolidMaterial::linear, 0);
    const double nu = i == 0 ? 0.49 : 0.4999;
    properties.lame = mechanics::lame(2 * (1 + nu) / 3, nu);  // the same shear modulus
    for (const int node : mesh.node_sets.at("left")) properties.held.push_back({node, {true, true, true}});
    omega[i] = modes(alone(mesh, properties), 1)[0].angular_frequency;
  }
  EXPECT_NEAR(omega[1] / omega[0], 1, 0.01);
}

/// Nor do tetrahedra, above a ratio of 0.45: then they keep the volume around their nodes, and bend nearly as hexahedra
/// of the same nodes do.
TEST(SolidModes, TetrahedraDoNotLock) {
  double omega[2];
  for (const VolumeElement element : {VolumeElement::tetrahedron, VolumeElement::hexahedron}) {
    const auto mesh = geometry::box_mesh({1, 0.25, 0.25}, {16, 4, 4}, element);
    SolidProperties properties = unit_solid(SolidMaterial::linear, 0.4999);
    for (const int node : mesh.node_sets.at("left")) properties.held.push_back({node, {true, true, true}});
    omega[element == VolumeElement::hexahedron] = modes(alone(mesh, properties), 1)[0].angular_frequency;
  }
  EXPECT_NEAR(omega[0] / omega[1], 1, 0.1);
}

TEST(SolidModes, FreeBodyHasSixRigidMotions) {
  const auto mesh = geometry::box_mesh({1, 0.8, 0.7}, {3, 3, 3}, VolumeElement::tetrahedron);
  const auto found = modes(alone(mesh, unit_solid(SolidMaterial::neo_hookean, 0.3)), 8);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(found[static_cast<std::size_t>(i)].angular_frequency, 0);
  EXPECT_GT(found[6].angular_frequency, 0.5);
}

TEST(SolidModes, RefusesMoreModesThanThereAre) {
  const auto mesh = geometry::box_mesh({1, 1, 1}, {1, 1, 1}, VolumeElement::hexahedron);
  const System system = alone(mesh, unit_solid(SolidMaterial::linear, 0.3));
  EXPECT_THROW(modes(system, 24), base::InputError);
  EXPECT_THROW(modes(system, 0), base::InputError);
}

/// A block thrown at a wall with every surface node a contact.
System thrown_block(VolumeElement element, SolidMaterial material, const Vec3& velocity) {
  SolidProperties properties = unit_solid(material, 0.3);
  properties.velocity = velocity;
  const auto mesh = geometry::box_mesh({0.4, 0.3, 0.2}, {4, 3, 2}, element);
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<Solid>("block", mesh, properties, 0));
  bodies.push_back(std::make_unique<mechanics::Obstacle>("wall", model::Plane{{-0.01, 0, 0}, Vec3(1, 0, 0)}));
  contact::ContactPair pair{"block", "wall", &bodies[0]->surface(), &bodies[1]->surface(), {}, 0.0, 0, 0};
  pair.every_point = true;
  std::vector<contact::ContactPair> pairs{pair};
  return {std::move(bodies), std::move(pairs), exec::Executor(1)};
}

TEST(SolidContact, CdLagrangeOnAWallClosesItsLedger) {
  for (const VolumeElement element : {VolumeElement::tetrahedron, VolumeElement::hexahedron}) {
    const System system = thrown_block(element, SolidMaterial::linear, {-0.05, 0.01, 0});
    dynamics::CdLagrange scheme;
    const double h = 0.7 * dynamics::explicit_step_limit(system).step;
    const auto run = testing::run_bars(system, scheme, h, static_cast<int>(2.0 / h));
    EXPECT_LT(run.max_residual, 1e-11);
    EXPECT_LT(run.max_momentum_drift, 1e-13);
    EXPECT_GT(run.lost[model::Loss::impact], 0.01 * run.initial_energy);
    EXPECT_GT(run.last_impulse_time, 0.5);
    // It is on its way back.
    EXPECT_GT(system.momentum(run.state.q, run.state.p).linear.x(), 0.5 * 0.05 * 0.024);
  }
}

/// On nonlinear bodies the leapfrog's energy swings with the square of the step; the ledger knows by how much.
TEST(SolidContact, NeoHookeanLedgerClosesAndItsSwingFallsWithTheStep) {
  double swing[2];
  for (const int half : {0, 1}) {
    const System system = thrown_block(VolumeElement::hexahedron, SolidMaterial::neo_hookean, {-0.05, 0, 0});
    dynamics::CdLagrange scheme;
    const double h = (half == 0 ? 0.4 : 0.2) * dynamics::explicit_step_limit(system).step;
    swing[half] = 0;
    const auto run = testing::run_bars(
        system, scheme, h, static_cast<int>(1.5 / h), [&](const model::State& state, const dynamics::StepReport&) {
          swing[half] = std::max(swing[half], std::abs(scheme.quadrature(system, h, state)));
        });
    EXPECT_LT(run.max_residual, 1e-11);
    EXPECT_LT(run.max_momentum_drift, 1e-13);
  }
  EXPECT_NEAR(std::log2(swing[0] / swing[1]), 2, 0.2);
}

TEST(SolidNewmark, SpinningNeoHookeanBlockKeepsItsMomentumAndLedger) {
  SolidProperties properties = unit_solid(SolidMaterial::neo_hookean, 0.3);
  properties.spin = {0.1, 0.2, 1.0};
  const System system = alone(geometry::box_mesh({0.4, 0.3, 0.2}, {3, 2, 2}, VolumeElement::tetrahedron), properties);
  dynamics::Newmark newmark({0.5, 0.25});
  const double h = 5 * dynamics::explicit_step_limit(system).step;
  const auto run = testing::run_bars(system, newmark, h, 100);
  EXPECT_LT(run.max_residual, 1e-10);  // Newton's tolerance
  EXPECT_LT(run.max_momentum_drift, 1e-13);
}

}  // namespace
}  // namespace ictus
