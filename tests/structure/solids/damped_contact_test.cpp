// Contact of bodies whose masses are damped: what it reports is what pushes them, not what is left after damping.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/coupled/coupled.hpp>
#include <ictus/dynamics/scheme/capture_return.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/scheme/discrete_gradient.hpp>
#include <ictus/dynamics/scheme/reflection.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <ictus/mechanics/frame/beam_frame.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>
#include <ictus/mechanics/solid/solid.hpp>

#include "structure/bar_run.hpp"

namespace ictus {
namespace {

using dynamics::System;
using math::Vec3;
using mechanics::Rayleigh;
using mechanics::Solid;
using mechanics::SolidMaterial;
using mechanics::SolidProperties;

constexpr double weight_gravity = 0.02;

std::unique_ptr<Solid> falling_block(const std::string& name, double bottom, double damping, SolidMaterial material,
                                     std::size_t first_dof) {
  SolidProperties properties;
  properties.material = material;
  properties.lame = mechanics::lame(1.0, 0.3);
  properties.density = 1;
  properties.gravity = {0, 0, -weight_gravity};
  properties.velocity = {0, 0, -0.05};
  properties.damping.mass = damping;
  geometry::VolumeMesh mesh = geometry::box_mesh({0.4, 0.4, 0.2}, {2, 2, 1}, geometry::VolumeElement::tetrahedron);
  for (Vec3& x : mesh.nodes) x.z() += bottom;
  return std::make_unique<Solid>(name, mesh, properties, first_dof);
}

contact::ContactPair touching(const mechanics::Body& first, const mechanics::Body& second) {
  contact::ContactPair pair{};
  pair.first = first.name(), pair.second = second.name();
  pair.first_surface = &first.surface(), pair.second_surface = &second.surface();
  return pair;
}

/// Two blocks of different damping, the upper about to fall on the lower and that on the floor.
System damped_blocks(SolidMaterial material) {
  constexpr double thickness = 0.01;
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(falling_block("lower", 1e-3, 5.0, material, 0));
  bodies.push_back(falling_block("upper", 0.2 + thickness + 3e-3, 1.0, material, bodies[0]->dofs().end()));
  bodies.push_back(std::make_unique<mechanics::Obstacle>("floor", model::Plane{{0, 0, 0}, {0, 0, 1}}));
  std::vector<contact::ContactPair> pairs{touching(*bodies[0], *bodies[1]), touching(*bodies[0], *bodies[2])};
  pairs[0].thickness = thickness;
  return {std::move(bodies), std::move(pairs), exec::Executor(1)};
}

System damped_block() {
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(falling_block("block", 1e-3, 5.0, SolidMaterial::linear, 0));
  bodies.push_back(std::make_unique<mechanics::Obstacle>("floor", model::Plane{{0, 0, 0}, {0, 0, 1}}));
  std::vector<contact::ContactPair> pairs{touching(*bodies[0], *bodies[1])};
  return {std::move(bodies), std::move(pairs), exec::Executor(1)};
}

/// A column of beams that falls on its foot: contact of a point.
System damped_column() {
  const model::Section section{.area = 0.01,
                               .inertia_y = 1e-5,
                               .inertia_z = 2e-5,
                               .torsion = 1e-5,
                               .shear_area_y = 0.008,
                               .shear_area_z = 0.008};
  mechanics::FrameProperties frame;
  frame.joints = {{0, 0, 0}, {0, 0, 1}};
  frame.members = {{0, 1, 4, section, 1.0, 0.4, 1.0}};
  frame.supports = {{0, {true, true, false, true, true, true}}, {1, {true, true, false, true, true, true}}};
  frame.gravity = {0, 0, -weight_gravity};
  frame.damping.mass = 3;
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<mechanics::BeamFrame>("column", frame, 0));
  bodies.push_back(std::make_unique<mechanics::Obstacle>("floor", model::Plane{{0, 0, -1e-3}, {0, 0, 1}}));
  std::vector<contact::ContactPair> pairs{touching(*bodies[0], *bodies[1])};
  return {std::move(bodies), std::move(pairs), exec::Executor(1)};
}

/// Of one body: its dofs along z, its damping and the pairs that push it, with the sign of Impulse::normal.
struct Balance {
  const mechanics::NodalBody* body;
  std::vector<std::pair<int, double>> pushed_by;
};

std::vector<Balance> balances(const System& system) {
  std::vector<Balance> all;
  for (const mechanics::NodalBody* body : system.nodal_bodies()) {
    Balance balance{body, {}};
    for (std::size_t i = 0; i < system.pairs().size(); ++i) {
      if (system.pairs()[i].first == body->name()) balance.pushed_by.push_back({static_cast<int>(i), -1.0});
      if (system.pairs()[i].second == body->name()) balance.pushed_by.push_back({static_cast<int>(i), 1.0});
    }
    all.push_back(balance);
  }
  return all;
}

/// Σ over the dofs along z of a body that move.
template <class F>
double sum_along_z(const System& system, const mechanics::NodalBody& body, F&& f) {
  const auto [begin, size] = body.dofs();
  const bool by_node = dynamic_cast<const Solid*>(&body) != nullptr;  // frames: by direction, six of them
  const std::size_t nodes = size / (by_node ? 3 : 6);
  double sum = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::size_t k = begin + (by_node ? 3 * i + 2 : 2 * nodes + i);
    if (system.inverse_mass()[k] > 0) sum += f(k);
  }
  return sum;
}

struct DampedRun {
  double imbalance = 0;      ///< of momentum: largest of all bodies, over the impulse of the weight
  double force = 0;          ///< of the floor in the last steps, over the weight
  double least_damping = 0;  ///< least that damping took in a step, over the energy at the start
  testing::BarRun run;
};

/// Momenta by themselves: the impulses that contact reports, less the weight, less α times the way of the mass, must be
/// what the momentum changed by [eq. newmark-14]. Nothing of the ledger is asked.
DampedRun run_damped(const System& system, dynamics::Integrator& scheme, double end) {
  const double h = 0.8 * dynamics::explicit_step_limit(system).step;
  const int steps = static_cast<int>(end / h), last = steps / 10;
  const std::vector<Balance> bodies = balances(system);
  std::vector<double> pushed(bodies.size()), start(bodies.size()), momentum(bodies.size()), late(bodies.size());
  int n = 0;
  DampedRun result;
  const auto after = [&](const model::State& state, const dynamics::StepReport& report) {
    ++n;
    result.least_damping = std::min(result.least_damping, report.lost[model::Loss::damping]);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const mechanics::NodalBody& body = *bodies[b].body;
      double received = 0;
      for (const dynamics::Impulse& impulse : report.impulses) {
        for (const auto& [pair, sign] : bodies[b].pushed_by)
          if (impulse.pair == pair) received += sign * impulse.normal_impulse * impulse.normal.z();
      }
      const auto mass = [&](std::size_t k) { return 1 / system.inverse_mass()[k]; };
      const double alpha = system.mass_damping()[body.dofs().begin];
      const double way_ahead = sum_along_z(system, body, [&](std::size_t k) {
        return mass(k) * (state.q[k] + 0.5 * h * system.inverse_mass()[k] * state.p[k]);
      });
      const double p = sum_along_z(system, body, [&](std::size_t k) { return state.p[k]; });
      if (n == 1) {
        start[b] = p + alpha * way_ahead;
        continue;
      }
      pushed[b] += received;
      if (n > steps - last) late[b] += received / h / last;
      const double weight = weight_gravity * sum_along_z(system, body, mass);
      const double changed = p + alpha * way_ahead - start[b];
      result.imbalance =
          std::max(result.imbalance, std::abs(changed - pushed[b] + weight * h * (n - 1)) / (weight * h * n));
    }
  };
  result.run = testing::run_bars(system, scheme, h, steps, after);
  double weight = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    result.force += late[b];  // what the bodies give each other cancels
    weight += weight_gravity *
              sum_along_z(system, *bodies[b].body, [&](std::size_t k) { return 1 / system.inverse_mass()[k]; });
  }
  result.force /= weight;
  result.least_damping /= result.run.initial_energy;
  return result;
}

void expect_true_impulses(const System& system, dynamics::Integrator& scheme) {
  SCOPED_TRACE(scheme.name());
  const DampedRun result = run_damped(system, scheme, 20);
  EXPECT_LT(result.imbalance, 1e-11);
  EXPECT_LT(result.run.max_residual, 1e-11);
  EXPECT_LT(result.run.max_momentum_drift, 1e-11);
  EXPECT_GE(result.least_damping, 0);
  EXPECT_GT(result.run.lost[model::Loss::damping], 0.1 * result.run.initial_energy);
}

TEST(DampedContact, ReportedImpulsesAreWhatMovesTheBodies) {
  for (const SolidMaterial material : {SolidMaterial::linear, SolidMaterial::neo_hookean}) {
    const System blocks = damped_blocks(material);
    dynamics::CaptureReturn capture;
    dynamics::CdLagrange inelastic;
    dynamics::Reflection reflection;
    dynamics::DiscreteGradient gradient;
    for (dynamics::Integrator* scheme :
         std::initializer_list<dynamics::Integrator*>{&capture, &inelastic, &reflection, &gradient})
      expect_true_impulses(blocks, *scheme);
  }
}

TEST(DampedContact, ReportedImpulsesAreWhatMovesAColumn) {
  const System column = damped_column();
  dynamics::CaptureReturn capture;
  dynamics::CdLagrange inelastic;
  dynamics::Reflection reflection;
  for (dynamics::Integrator* scheme : std::initializer_list<dynamics::Integrator*>{&capture, &inelastic, &reflection})
    expect_true_impulses(column, *scheme);
}

TEST(DampedContact, WhatHasComeToRestPressesByItsWeight) {
  const System blocks = damped_blocks(SolidMaterial::linear), block = damped_block(), column = damped_column();
  dynamics::CaptureReturn capture;
  dynamics::CdLagrange inelastic;
  dynamics::Coupled coupled({});
  dynamics::DiscreteGradient gradient;
  for (const System* system : {&blocks, &block, &column}) {
    EXPECT_GT(0.5 * 0.8 * dynamics::explicit_step_limit(*system).step * system->mass_damping()[0], 0.1);
    for (dynamics::Integrator* scheme :
         std::initializer_list<dynamics::Integrator*>{&capture, &inelastic, &coupled, &gradient}) {
      if (system == &column && scheme == &gradient) continue;  // points of frames have no layer
      SCOPED_TRACE(scheme->name());
      // Sweeps over contacts that share nodes, and over layers, settle to 1e-5.
      const double tolerance = system == &blocks || scheme == &gradient ? 1e-5 : 1e-12;
      EXPECT_NEAR(run_damped(*system, *scheme, 60).force, 1, tolerance);
    }
  }
}

}  // namespace
}  // namespace ictus
