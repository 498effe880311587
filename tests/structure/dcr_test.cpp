#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/dcr/dcr.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>
#include <ictus/mechanics/solid/solid.hpp>

#include "structure/bar_run.hpp"
#include "structure/two_bars.hpp"

namespace ictus {
namespace {

using testing::BarRun;

/// Two bars of cirak-2005 §6.1: 100 elements each, touching at the start.
std::vector<mechanics::BarProperties> cirak_bars() {
  std::vector<mechanics::BarProperties> bars = testing::demoures_bars(1);
  bars[0].elements = bars[1].elements = 100;
  bars[0].start.x() = -10;
  bars[1].start.x() = 0;
  return bars;
}

struct Reference {
  double step, last_contact, velocity_rms, final_energy;
};

class DcrReference : public ::testing::TestWithParam<Reference> {};

TEST_P(DcrReference, TwoBars) {
  const Reference ref = GetParam();
  const dynamics::System system = testing::bars_in_a_row(cirak_bars());
  dynamics::Dcr integrator(false);
  double sum = 0;
  int count = 0;
  std::vector<double> v(system.dofs());
  const int steps = static_cast<int>(std::lround(30 / ref.step));
  const BarRun run =
      testing::run_bars(system, integrator, ref.step, steps, [&](const model::State& state, const auto&) {
        if (state.time <= 1 || state.time >= 19) return;
        integrator.velocity(system, ref.step, state, v);
        sum += v[100] * v[100];
        ++count;
      });
  EXPECT_NEAR(run.last_impulse_time, ref.last_contact, 0.006);
  EXPECT_NEAR(std::sqrt(sum / count), ref.velocity_rms, 0.00006);
  EXPECT_NEAR(run.final_energy / run.initial_energy - 1, ref.final_energy, 0.006e-3);
  EXPECT_LT(run.max_residual, 1e-12);
  EXPECT_LT(run.max_momentum_drift, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Cirak, DcrReference,
                         ::testing::Values(Reference{0.05, 20.05, 0.0134, -5.80e-3},
                                           Reference{0.01, 20.08, 0.0049, -9.00e-3}));

TEST(Dcr, TheEnergyCorrectionTakesOutWhatTheImpactHas) {
  // In lasting contact a projection puts in more than the closing motion holds: the correction then stops the closing,
  // which is counted, and takes out no more than the projection put in.
  const dynamics::System system = testing::bars_in_a_row(cirak_bars());
  dynamics::Dcr corrected(true);
  const BarRun run = testing::run_bars(system, corrected, 0.01, 3000);
  EXPECT_LT(run.max_residual, 1e-12);
  EXPECT_LT(run.lost[model::Loss::projection], 0.0);
  EXPECT_GT(run.lost[model::Loss::restitution], 0.3 * -run.lost[model::Loss::projection]);
  EXPECT_LT(run.lost[model::Loss::restitution], -run.lost[model::Loss::projection]);
  EXPECT_GT(run.fallbacks, 0);
}

/// A block about to meet a plane with a normal, with what is held of its nodes.
dynamics::System block_over(const math::Vec3& normal, const std::array<bool, 3>& held) {
  mechanics::SolidProperties properties;
  properties.material = mechanics::SolidMaterial::linear;
  properties.lame = mechanics::lame(1.0, 0.3);
  properties.density = 1;
  properties.velocity = {0.02, 0, -0.05};
  const auto mesh = geometry::box_mesh({0.4, 0.3, 0.2}, {2, 2, 1}, geometry::VolumeElement::tetrahedron);
  for (const int node : mesh.node_sets.at("bottom")) properties.held.push_back({node, held});
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<mechanics::Solid>("block", mesh, properties, 0));
  bodies.push_back(std::make_unique<mechanics::Obstacle>("floor", model::Plane{{0, 0, -1e-3}, normal.normalized()}));
  std::vector<contact::ContactPair> pairs{
      {"block", "floor", &bodies[0]->surface(), &bodies[1]->surface(), {}, 0.0, 0, 0}};
  pairs[0].friction = 0.2;
  return {std::move(bodies), std::move(pairs), exec::Executor(1)};
}

/// A node on a plane carries along the normal and in sliding all the kinetic energy that it has.
TEST(Dcr, PartsOfTheMomentumOfANodeOnAPlane) {
  const dynamics::System system = block_over({0, 0, 1}, {false, false, false});
  dynamics::Dcr integrator(false);
  int pushes = 0;
  testing::run_bars(system, integrator, 0.002, 300, [&](const model::State&, const dynamics::StepReport& report) {
    for (const dynamics::Impulse& impulse : report.impulses) {
      ASSERT_TRUE(impulse.split);
      EXPECT_GT(impulse.split->normal, 0);
      EXPECT_TRUE(std::isfinite(impulse.split->slide));
      EXPECT_EQ(impulse.split->rigid, 0);
      EXPECT_EQ(impulse.split->shape, 0);
      ++pushes;
    }
  });
  EXPECT_GT(pushes, 0);
}

/// What a support holds stays where it is, in the directions that it holds and in no others; the ledger knows.
TEST(Dcr, PartlyHeldNodesStayWhereTheyAreHeld) {
  for (const int direction : {0, 1}) {  // held upright, they would not come near the floor
    std::array<bool, 3> held{};
    held[static_cast<std::size_t>(direction)] = true;
    const dynamics::System system = block_over({0.3, 0.2, 1}, held);
    dynamics::Dcr integrator(false);
    const std::vector<double> start = system.initial_state().q;
    int pushes = 0;
    double moved = 0;
    const BarRun run = testing::run_bars(
        system, integrator, 0.002, 300, [&](const model::State& state, const dynamics::StepReport& report) {
          pushes += static_cast<int>(report.impulses.size());
          for (const int k : system.nodal_bodies()[0]->fixed()) {
            ASSERT_EQ(state.q[static_cast<std::size_t>(k)], start[static_cast<std::size_t>(k)]);
            const auto other = static_cast<std::size_t>(k - direction + (direction + 1) % 3);
            moved = std::max(moved, std::abs(state.q[other] - start[other]));
          }
        });
    EXPECT_GT(pushes, 0);
    EXPECT_GT(moved, 1e-4);
    EXPECT_LT(run.max_residual, 1e-12);
  }
}

TEST(Dcr, RestitutionIsBookedByName) {
  std::vector<mechanics::BarProperties> bars = testing::demoures_bars(1);
  dynamics::System system = testing::bars_in_a_row(bars, exec::Executor(1), 0.5);
  dynamics::Dcr integrator(false);
  const BarRun run = testing::run_bars(system, integrator, 0.05, 30);
  EXPECT_LT(run.max_residual, 1e-12);
  EXPECT_GT(run.lost[model::Loss::restitution], 0.0);
}

}  // namespace
}  // namespace ictus
