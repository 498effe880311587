// The bridge crane at rest and in its first twentieth of a second.
#include "../../crane.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/equilibrium/natural_modes.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <numbers>

namespace ictus::testing {
namespace {

const mechanics::BeamFrame& frame(const dynamics::System& system, std::string_view name) {
  return dynamic_cast<const mechanics::BeamFrame&>(*system.find_body(name));
}

double deflection(const dynamics::System& system, const model::State& state, std::string_view body, std::size_t node) {
  return state.q[static_cast<std::size_t>(frame(system, body).dof(node, 0))];
}

TEST(Crane, RestsOnItsWheels) {
  const dynamics::System system = Crane::whole();
  const double mass = frame(system, "bridge").total_mass() + frame(system, "trolley").total_mass();
  EXPECT_NEAR(mass, 18997, 0.5);
  const model::State state = system.initial_state();
  // To the digits of the reference.
  EXPECT_NEAR(deflection(system, state, "bridge", 0), -8.081981e-3, 5e-10);
  EXPECT_NEAR(deflection(system, state, "bridge", 4), -8.241194e-3, 1e-9);
  double sum = 0;
  for (const double force : system.initial_contact_force()) {
    EXPECT_NEAR(force, 12875, 0.01);
    sum += force;
  }
  // Round-off of the weights, 1e-16 of elastic forces of 1e10 N.
  EXPECT_NEAR(sum, 10 * frame(system, "trolley").total_mass(), 1e-5);
}

TEST(Crane, CriticalStep) {
  const dynamics::System system = Crane::whole();
  double step = 1;
  for (const mechanics::NodalBody* body : system.nodal_bodies()) step = std::min(step, body->critical_step().step);
  EXPECT_NEAR(step, 7.967e-7, 5e-11);
}

TEST(Crane, FrequenciesWithClosedContacts) {
  // To the digits of the reference, for the crane in one piece and, on elements of 100 mm too, in two that are tied.
  for (const auto make : {+[] { return Crane::whole(); }, +[] { return Crane::divided(2); }}) {
    const dynamics::System system = make();
    const std::vector<dynamics::NaturalMode> modes =
        dynamics::natural_modes(system, system.initial_state().q, 3, dynamics::ContactInModes::closed);
    std::size_t mode = 0;
    for (const auto& [frequency, digits] : {std::pair{5.9655, 5e-5}, {7.4665, 5e-5}, {24.658, 5e-4}})
      EXPECT_NEAR(modes[mode++].angular_frequency / (2 * std::numbers::pi), frequency, digits);
  }
}

TEST(Crane, StaysAtRestWithoutAnEarthquake) {
  dynamics::System loaded = Crane::whole();
  auto bridge = std::make_unique<mechanics::BeamFrame>("bridge", Crane::bridge_frame(), 0);
  auto on_top = std::make_unique<mechanics::BeamFrame>("trolley", Crane::trolley_frame(), bridge->dofs().end());
  std::vector<contact::ContactPair> pairs = Crane::wheels(*bridge, *on_top);
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::move(bridge));
  bodies.push_back(std::move(on_top));
  dynamics::System system(std::move(bodies), std::move(pairs), exec::Executor(1));
  system.begin_at(dynamics::static_equilibrium(system));
  dynamics::CdLagrange scheme;
  const double h = 2.85e-7;
  model::State state = system.initial_state();
  const double before = deflection(system, state, "trolley", 0);
  scheme.prepare(system);
  scheme.start(system, h, state);
  for (int i = 0; i < 2000; ++i) {
    const dynamics::StepReport report = scheme.step(system, h, state);
    EXPECT_EQ(report.closings, 0);
    ASSERT_EQ(report.contacts, 4);
    // Noise of the elastic forces, 1e-16 · 4.8e12 N/m · 8e-3 m, on 12875 N.
    for (const dynamics::Impulse& impulse : report.impulses) ASSERT_NEAR(impulse.normal_impulse / h, 12875, 0.1);
  }
  EXPECT_NEAR(deflection(system, state, "trolley", 0), before, 1e-13);
}

TEST(Crane, AfterATwentiethOfASecond) {
  const dynamics::System system = Crane::whole();
  dynamics::CdLagrange scheme;
  const double h = 2.85e-7;
  model::State state = system.initial_state();
  scheme.prepare(system);
  scheme.start(system, h, state);
  const double energy_before = scheme.energy(system, h, state).total();
  double work = 0, lost = 0, force = 0;
  // The reference is a sample of every 200 steps, the first past 0.05 s: at t = 0.050046 s.
  while (state.step < 175600) {
    const dynamics::StepReport report = scheme.step(system, h, state);
    work += report.external_work;
    lost += report.lost.total();
    force = report.impulses.empty() ? 0 : report.impulses[0].normal_impulse / h;
  }
  EXPECT_NEAR(deflection(system, state, "bridge", 0), -1.069295e-2, 1e-8);
  EXPECT_NEAR(force, 14535.8, 0.5);
  EXPECT_NEAR(scheme.energy(system, h, state).total(), energy_before + work - lost, 1e-10 * std::abs(energy_before));
}

}  // namespace
}  // namespace ictus::testing
