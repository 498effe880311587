#include <gtest/gtest.h>

#include <ictus/dynamics/explicit/central_difference.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/mechanics/shell/shell.hpp>

namespace ictus::dynamics {
namespace {

mechanics::ShellProperties ball() {
  mechanics::ShellProperties properties;
  properties.mesh = geometry::sphere(1, geometry::SphereBase::icosahedron, 2);
  properties.thickness = 0.02;
  properties.youngs_modulus = 2.1e5;
  properties.poissons_ratio = 0.3;
  properties.density = 0.0785;
  properties.velocity = {3, 0, 1};
  properties.spin = {2, -1, 5};
  properties.gravity = {0, 0, -9.81};
  return properties;
}

System falling_shells() {
  mechanics::ShellProperties held = ball();
  held.velocity = held.spin = math::Vec3::Zero();
  held.held = {4, 5};
  std::vector<BodyPtr> bodies;
  bodies.push_back(std::make_unique<mechanics::Shell>("free", ball(), 0));
  bodies.push_back(std::make_unique<mechanics::Shell>("held", std::move(held), bodies[0]->dofs().end()));
  return System(std::move(bodies), {}, exec::Executor(1));
}

TEST(FreeMotion, ManyStepsAtOnceAreThoseOfTheLeapfrog) {
  const System system = falling_shells();
  EXPECT_TRUE(FreeMotion::obstacles(system).empty());
  CentralDifference leapfrog;
  leapfrog.prepare(system);
  const double h = 0.8 * leapfrog.step_limit(system).step;
  model::State one_by_one = system.initial_state();
  leapfrog.start(system, h, one_by_one);
  model::State at_once = one_by_one;

  mechanics::Momentum impulse, of_supports;
  double work = 0;
  for (int n = 0; n < 40; ++n) {
    const StepReport report = leapfrog.step(system, h, one_by_one);
    impulse += report.external_impulse;
    of_supports += report.supports[1];
  }
  FreeMotion free;
  free.prepare(system);
  std::vector<mechanics::Momentum> supports(2);
  mechanics::Momentum together = free.run(system, h, 15, at_once, work, supports).external_impulse;
  together += free.run(system, h, 25, at_once, work, supports).external_impulse;

  EXPECT_EQ(at_once.step, one_by_one.step);
  EXPECT_EQ(at_once.time, one_by_one.time);
  const double scale = system.momentum_scale(one_by_one.p);
  for (std::size_t k = 0; k < system.dofs(); ++k) {
    ASSERT_NEAR(at_once.q[k], one_by_one.q[k], 1e-12) << k;
    ASSERT_NEAR(at_once.p[k], one_by_one.p[k], 1e-12 * scale) << k;
  }
  EXPECT_LT((together.linear - impulse.linear).norm(), 1e-12 * scale);
  EXPECT_LT((together.angular - impulse.angular).norm(), 1e-12 * scale);
  EXPECT_LT((supports[1].linear - of_supports.linear).norm(), 1e-12 * scale);
  EXPECT_LT((supports[1].angular - of_supports.angular).norm(), 1e-12 * scale);
  EXPECT_EQ(supports[0].linear.norm(), 0);
  // The work of the forces, which the ledger's quadrature stands on.
  const double of_leapfrog = one_by_one.memory[3].values[0];
  EXPECT_NE(of_leapfrog, 0);
  EXPECT_NEAR(work, of_leapfrog, 1e-11 * std::abs(of_leapfrog));
}

/// A state that somebody has changed is taken anew.
TEST(FreeMotion, GoesOnFromTheStateThatItIsGiven) {
  const System system = falling_shells();
  CentralDifference leapfrog;
  leapfrog.prepare(system);
  const double h = 0.8 * leapfrog.step_limit(system).step;
  model::State state = system.initial_state();
  leapfrog.start(system, h, state);
  FreeMotion free, fresh;
  free.prepare(system);
  fresh.prepare(system);
  double work = 0;
  std::vector<mechanics::Momentum> supports(2);
  free.run(system, h, 3, state, work, supports);
  for (double& p : state.p) p *= 0.5;
  model::State copy = state;
  free.run(system, h, 3, state, work, supports);
  fresh.run(system, h, 3, copy, work, supports);
  EXPECT_EQ(state.q, copy.q);
  EXPECT_EQ(state.p, copy.p);
}

TEST(FreeMotion, NamesWhatStandsAgainstIt) {
  mechanics::ShellProperties properties = ball();
  properties.mesh = geometry::plate(1, 1, 4, 4);
  properties.clamped = {0, 1, 2, 3, 4};
  std::vector<BodyPtr> bodies;
  properties.damping.mass = 1;
  bodies.push_back(std::make_unique<mechanics::Shell>("plate", std::move(properties), 0));
  const System system(std::move(bodies), {}, exec::Executor(1));
  EXPECT_EQ(FreeMotion::obstacles(system), (std::vector<std::string>{"damping", "plate (clamped edges)"}));
}

}  // namespace
}  // namespace ictus::dynamics
