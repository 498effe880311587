#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/solve/cone/island_solver.hpp>

#include "support/sphere_pyramid.hpp"

namespace ictus::solve {
namespace {

struct Islands {
  std::vector<RigidInertia> inertias;
  std::vector<RigidVelocity> velocities;
  std::vector<RigidContact> contacts;

  /// Pyramids that do not touch, their contacts in turns; the bodies of all stand on one that does not move.
  Islands(const std::vector<int>& layers, const std::vector<double>& speeds) {
    inertias.push_back({});
    velocities.push_back({});
    std::vector<SpherePyramid> pyramids;
    std::vector<int> first;
    for (std::size_t k = 0; k < layers.size(); ++k) {
      pyramids.emplace_back(layers[k], 0.3, speeds[k]);
      first.push_back(static_cast<int>(inertias.size()));
      const SpherePyramid& own = pyramids.back();
      inertias.insert(inertias.end(), own.inertias.begin(), own.inertias.end());
      velocities.insert(velocities.end(), own.velocities.begin(), own.velocities.end());
    }
    for (std::size_t i = 0, taken = 1; taken > 0; ++i) {
      taken = 0;
      for (std::size_t k = 0; k < pyramids.size(); ++k) {
        if (i >= pyramids[k].contacts.size()) continue;
        RigidContact c = pyramids[k].contacts[i];
        c.body_a = c.body_a < 0 ? 0 : first[k] + c.body_a;
        c.body_b += first[k];
        contacts.push_back(c);
        ++taken;
      }
    }
  }
};

std::vector<double> solve(const Islands& scene, const ConeOptions& options, int threads, ConeReport* report = nullptr,
                          std::size_t* parts = nullptr) {
  IslandSolver solver(options, exec::Executor(threads));
  std::vector<double> reactions(3 * scene.contacts.size(), 0.0);
  const ConeReport solved = solver.solve(scene.inertias, scene.velocities, scene.contacts, reactions, {});
  if (report != nullptr) *report = solved;
  if (parts != nullptr) *parts = solver.parts();
  return reactions;
}

/// Error of reactions in the problem as a whole.
double error_of(const Islands& scene, std::span<const double> reactions) {
  RigidContacts whole;
  whole.assign(scene.inertias, scene.velocities, scene.contacts);
  std::vector<double> state(whole.state_size(), 0.0);
  whole.put(reactions, {}, state);
  whole.rebuild(exec::Executor(), state);
  return contact_error(whole, exec::Executor(), state);
}

TEST(IslandSolver, SolvesTheWholeProblem) {
  const Islands scene({2, 9, 1, 6, 3, 15}, {0.01, 0.02, 0.01, 0.005, 0.03, 0.01});
  ConeReport report;
  std::size_t parts = 0;
  const std::vector<double> reactions = solve(scene, {.tolerance = 1e-8}, 1, &report, &parts);
  ASSERT_TRUE(report.solved());
  EXPECT_EQ(parts, 4u) << "the three small ones together";
  EXPECT_LT(error_of(scene, reactions), 1e-8);
  // The error told is that of the whole, but for the unit of reactions, the mean of W_NN, which each part has for
  // itself.
  EXPECT_NEAR(report.error, error_of(scene, reactions), 0.3 * report.error);
}

TEST(IslandSolver, SameBitsOnAnyNumberOfThreads) {
  const Islands scene({2, 9, 1, 6, 3, 15}, {0.01, 0.02, 0.01, 0.005, 0.03, 0.01});
  ASSERT_GT(SpherePyramid(15).contacts.size(), SweepPlanner::single_chunk) << "one has loops that threads share";
  const std::vector<double> one = solve(scene, {.tolerance = 1e-6}, 1);
  for (const int threads : {2, 3}) EXPECT_EQ(one, solve(scene, {.tolerance = 1e-6}, threads));
}

/// What another island does is nothing to one that is apart: same bits beside it and alone.
TEST(IslandSolver, IslandsAreSolvedApart) {
  const Islands alone({8}, {0.01}), beside({8, 9}, {0.01, 0.02});
  const std::vector<double> own = solve(alone, {.tolerance = 1e-6}, 1), both = solve(beside, {.tolerance = 1e-6}, 1);
  for (std::size_t i = 0; i < alone.contacts.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(own[3 * i + k], both[6 * i + k]) << i;
  }
}

/// An island that is pushed by rounding alone is as good as at rest, not a problem to be solved to the last bit.
TEST(IslandSolver, WhatIsHardlyPushedNeedNoSweeps) {
  const Islands scene({9, 8}, {0.01, 1e-17});
  ConeReport report;
  solve(scene, {.tolerance = 1e-6}, 1, &report);
  EXPECT_TRUE(report.solved());
  const Islands first({9}, {0.01});
  ConeReport alone;
  solve(first, {.tolerance = 1e-6}, 1, &alone);
  EXPECT_EQ(report.iterations, alone.iterations);
}

TEST(IslandSolver, SaysWhatIsWrong) {
  Islands scene({2}, {0.01});
  scene.contacts[1].body_b = 99;
  EXPECT_THROW(solve(scene, {}, 1), base::InputError);
  Islands held({2}, {0.01});
  held.contacts[0].body_b = 0;
  held.contacts[0].body_a = RigidContact::held;
  EXPECT_THROW(solve(held, {}, 1), base::InputError);
  EXPECT_THROW(IslandSolver({.tolerance = 0}), base::InputError);
}

}  // namespace
}  // namespace ictus::solve
