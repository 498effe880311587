// Steps that follow the deformation of metals.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/explicit/central_difference.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/system/run_steps.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>

#include "support/plastic_block.hpp"

namespace ictus {
namespace {

using model::Loss;

/// A soft metal that runs into a wall and loses half of its length.
dynamics::System blow(const mechanics::SolidProperties& of, double speed, int threads = 1) {
  mechanics::SolidProperties properties = of;
  properties.velocity = {0, 0, -speed};
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<mechanics::Solid>(
      "block", geometry::box_mesh({1, 1, 2}, {3, 3, 6}, geometry::VolumeElement::hexahedron), properties, 0));
  bodies.push_back(std::make_unique<mechanics::Obstacle>("wall", model::Plane{{0, 0, -1e-9}, {0, 0, 1}}));
  contact::ContactPair pair{"block", "wall", &bodies[0]->surface(), &bodies[1]->surface(), 0.0};
  pair.every_point = true;
  return {std::move(bodies), {pair}, exec::Executor(threads)};
}

struct Followed {
  model::State state;
  double energy = 0;   ///< at the start
  double account = 0;  ///< energy with all that was lost but quadrature − energy
  double residual = 0;
  double sub_step = 0;
  double least = 0, changes = 0;
  double stretch_of_step = 0;  ///< largest step over the share of what is stable where it begins
};

/// From a state, or the start.
Followed run(const dynamics::System& system, double share, double end, const model::State* from = nullptr) {
  dynamics::CdLagrange scheme;
  scheme.follow(share);
  scheme.prepare(system);
  const double h = share * dynamics::explicit_step_limit(system).step;
  Followed run{from ? *from : system.initial_state()};
  model::State& state = run.state;
  if (!from) scheme.start(system, h, state);
  run.energy = scheme.energy(system, h, state).total();
  const double taken = system.dissipated(state.q).total(), quadrature = scheme.quadrature(system, h, state);
  model::Lost lost;
  double stable = 0;
  while (state.time < end) {
    const double before = state.time;
    if (state.step % 10 == 0) stable = system.nodal_bodies().front()->stable_step(system.exec(), state.q);
    lost += scheme.step(system, h, state).lost;
    run.stretch_of_step = std::max(run.stretch_of_step, (state.time - before) / (share * stable));
  }
  run.account =
      scheme.energy(system, h, state).total() + lost.total() + system.dissipated(state.q).total() - taken - run.energy;
  run.residual = run.account + scheme.quadrature(system, h, state) - quadrature;
  run.sub_step = lost[Loss::sub_step];
  for (const auto& [name, value] : scheme.extras(state)) {
    if (name == "step_smallest") run.least = value / h;
    if (name == "step_changes") run.changes = value;
  }
  return run;
}

TEST(FollowingStep, ShrinksWithTheElementsAndKeepsTheAccount) {
  const dynamics::System system = blow(testing::soft_metal(), 1.6);
  const Followed coarse = run(system, 0.5, 1.0), fine = run(system, 0.25, 1.0);
  EXPECT_LT(coarse.least, 0.75);
  EXPECT_GT(coarse.changes, 5);
  EXPECT_LT(coarse.changes, 0.2 * static_cast<double>(coarse.state.step));
  EXPECT_LT(coarse.stretch_of_step, 1.02);
  EXPECT_LT(std::abs(coarse.residual), 1e-13 * coarse.energy);
  EXPECT_LT(std::abs(coarse.account), 2e-3 * coarse.energy);
  EXPECT_LT(std::abs(fine.account), std::abs(coarse.account) / 2.5);
  EXPECT_NE(coarse.sub_step, 0);
  EXPECT_LT(std::abs(coarse.sub_step), 2e-3 * coarse.energy);
}

TEST(FollowingStep, IsTheSameOnThreadsAndAfterARestart) {
  const dynamics::System one = blow(testing::soft_metal(), 1.6, 1), two = blow(testing::soft_metal(), 1.6, 2);
  const Followed whole = run(one, 0.5, 0.8), half = run(one, 0.5, 0.3), rest = run(one, 0.5, 0.8, &half.state);
  EXPECT_EQ(whole.state, rest.state);
  EXPECT_EQ(whole.state, run(two, 0.5, 0.8).state);
}

/// A body that does not yield, and whose step is cut to a quarter while it swings: the energy of the interval jumps, by
/// what is booked.
TEST(FollowingStep, WhatAChangeOfTheStepDoesIsBooked) {
  mechanics::SolidProperties elastic = testing::soft_metal();
  elastic.plasticity.reset();
  elastic.velocity = {0.02, 0, 0};
  const auto mesh = geometry::box_mesh({1, 0.5, 0.5}, {6, 2, 2}, geometry::VolumeElement::hexahedron);
  for (const int node : mesh.node_sets.at("left")) elastic.held.push_back({node, {true, true, true}});
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<mechanics::Solid>("bar", mesh, elastic, 0));
  const dynamics::System system(std::move(bodies), {}, exec::Executor(1));
  const Followed before = run(system, 0.9, 0.05);
  EXPECT_EQ(before.sub_step, 0);
  const Followed after = run(system, 0.2, before.state.time + 0.02, &before.state);
  EXPECT_EQ(after.changes, 1);
  EXPECT_GT(std::abs(after.sub_step), 1e-4 * after.energy);
  EXPECT_LT(std::abs(after.account), 0.05 * std::abs(after.sub_step));
  EXPECT_LT(std::abs(after.residual), 1e-13 * after.energy);
}

/// Runs end with the first step that reaches the end, and Python's and the program's with it.
TEST(FollowingStep, RunsEndAtTheirTime) {
  const dynamics::System system = blow(testing::soft_metal(), 1.6);
  dynamics::CdLagrange scheme;
  scheme.follow(0.5);
  scheme.prepare(system);
  const double h = 0.5 * dynamics::explicit_step_limit(system).step;
  model::State state = system.initial_state();
  scheme.start(system, h, state);
  const auto steps = static_cast<std::int64_t>(std::ceil(0.6 / h));
  dynamics::run_steps(system, scheme, h, steps, state, {}, [] { return false; });
  EXPECT_GT(state.step, steps);
  EXPECT_GE(state.time, (static_cast<double>(steps) - 1e-6) * h);
  EXPECT_LT(state.time, static_cast<double>(steps + 1) * h);
}

}  // namespace
}  // namespace ictus
