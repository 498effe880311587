// What every integrator must hold, for the one of beams.
#include <gtest/gtest.h>

#include <ictus/dynamics/beam/multisymplectic_beam.hpp>
#include <ictus/mechanics/beam/lie_beam.hpp>
#include <ictus/mechanics/beam/lie_beam_stability.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>

#include "allocation_count.hpp"

namespace ictus::dynamics {
namespace {

/// A metre of flat steel that falls on a floor, slightly tilted, at 3 m/s: end first, then all along.
System steel_on_floor(double restitution, double friction) {
  mechanics::LieBeamProperties beam;
  beam.model.section = mechanics::section(model::rectangle_section(0.01, 0.02), {7850.0, 2.1e11, 0.3});
  beam.model.nodes = 21;
  beam.model.spacing = 0.05;
  beam.model.gravity = {0.0, 0.0, -9.81};
  const double half_tilt = 0.5 * 1.53;
  beam.start = {{std::cos(half_tilt), {0.0, std::sin(half_tilt), 0.0}}, {0.0, 0.0, 0.001}};
  beam.strains.assign(20, {{}, {0.0, 0.0, 1.0}});
  const math::Vector3<double> fall = rotate(inverse(beam.start.q), math::Vector3<double>{0.5, 0.0, -3.0});
  beam.velocities.assign(21, {{}, fall});
  std::vector<BodyPtr> bodies;
  bodies.push_back(std::make_unique<mechanics::LieBeam>("beam", beam, 0));
  bodies.push_back(
      std::make_unique<mechanics::Obstacle>("floor", model::Plane{math::Vec3::Zero(), math::Vec3::UnitZ()}));
  contact::ContactPair pair{"beam", "floor", &bodies[0]->surface(), &bodies[1]->surface(), restitution, friction};
  pair.every_point = true;
  return {std::move(bodies), {pair}, exec::Executor(1)};
}

double step_of(const System& system) {
  return 0.8 * mechanics::lie_beam_critical_step(dynamic_cast<const mechanics::LieBeam&>(*system.bodies()[0]).model());
}

TEST(LieBeamConformance, WarmStepAllocatesNothing) {
  const System system = steel_on_floor(0.7, 0.2);
  MultisymplecticBeam integrator({.noether_rectangles = 5});
  integrator.prepare(system);
  model::State state = system.initial_state();
  const double h = step_of(system);
  integrator.start(system, h, state);
  for (int n = 0; n < 2000; ++n) integrator.step(system, h, state);
  int contacts = 0;
  const std::size_t before = testing::allocation_count();
  for (int n = 0; n < 2000; ++n) contacts += integrator.step(system, h, state).contacts;
  EXPECT_EQ(testing::allocation_count(), before);
  EXPECT_GT(contacts, 0);
}

// Impulses of nodes that are held, or that rub, are found by iteration: what is reported must be what acted.
TEST(LieBeamConformance, ReportedImpulsesExplainTheMomentum) {
  for (const auto& [restitution, friction] : {std::pair{1.0, 0.0}, {0.7, 0.0}, {0.0, 0.3}}) {
    const System system = steel_on_floor(restitution, friction);
    MultisymplecticBeam integrator({});
    integrator.prepare(system);
    model::State state = system.initial_state();
    const mechanics::Momentum first = system.momentum(state.q, state.p);
    const double h = step_of(system), scale = system.momentum_scale(state.p);
    mechanics::Momentum from_outside = integrator.start(system, h, state).external_impulse;
    int contacts = 0;
    for (int n = 0; n < 4000; ++n) {
      const StepReport report = integrator.step(system, h, state);
      from_outside += report.external_impulse;
      contacts += report.contacts;
    }
    const mechanics::Momentum last = system.momentum(state.q, state.p);
    EXPECT_GT(contacts, 10);
    EXPECT_LE((last.linear - first.linear - from_outside.linear).norm(), 2e-13 * scale) << restitution;
    EXPECT_LE((last.angular - first.angular - from_outside.angular).norm(), 2e-13 * scale) << restitution;
  }
}

}  // namespace
}  // namespace ictus::dynamics
