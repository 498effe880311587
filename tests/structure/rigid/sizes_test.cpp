#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/build/build.hpp>
#include <ictus/scene/text/document.hpp>

#include "structure/rigid_run.hpp"

namespace ictus::dynamics {
namespace {

/// 400 balls at random in a box, with `radii` or `radius` as told.
std::string scene_of(const std::string& size, const std::string& place = "") {
  const std::string anywhere = "copies: {type: random, count: 400, from: [0, 0, 0.1], to: [1, 1, 2.5], seed: 3}";
  return "time: {end: 1, step: 2 ms}\nintegrator: {type: moreau-variational, contact_solver: {tolerance: "
         "1.0e-3}}\ngravity: [0, 0, -9.81]\nbodies:\n"
         "  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}\n"
         "  balls: {type: rigid, density: 2000, shape: {type: sphere, " +
         size + "}, " + (place.empty() ? anywhere : place) +
         "}\ncontacts:\n  - {between: [balls, all], restitution: 0.2, friction: 0.4}\n"
         "  - {between: [balls, balls], restitution: 0.2, friction: 0.4}\n";
}

const RigidBodies& balls(const System& system) { return *system.bodies()[1]->rigid_bodies(); }

std::vector<double> radii(const System& system) {
  std::vector<double> all;
  for (std::size_t i = 0; i < balls(system).size(); ++i) all.push_back(balls(system).shape(i).radius);
  return all;
}

build::Simulation built(const std::string& text, int threads = 1) {
  return build::build(scene::read_text(text, "test"), threads);
}

TEST(SizesOfBalls, FollowTheirDistribution) {
  struct Case {
    std::string size;
    double low, high, median, allowed;
  };
  for (const Case& c :
       {Case{"radii: {type: uniform, from: 2 cm, to: 6 cm}", 0.02, 0.06, 0.04, 0.003},
        {"radii: {type: normal, mean: 4 cm, deviation: 1 cm, from: 1 cm, to: 6 cm}", 0.01, 0.06, 0.0395, 0.0015},
        {"radii: {type: lognormal, median: 3 cm, deviation: 0.3, from: 1 cm, to: 6 cm}", 0.01, 0.06, 0.0297, 0.0015},
        {"radii: {type: table, values: [2 cm, 5 cm], shares: [3, 1]}", 0.02, 0.05, 0.02, 1e-12}}) {
    std::vector<double> all = radii(built(scene_of(c.size)).system);
    ASSERT_EQ(all.size(), 400U);
    std::sort(all.begin(), all.end());
    EXPECT_GE(all.front(), c.low) << c.size;
    EXPECT_LE(all.back(), c.high) << c.size;
    EXPECT_GT(all.back() - all.front(), 0.7 * (c.high - c.low)) << c.size;
    EXPECT_NEAR(all[200], c.median, c.allowed) << c.size;
  }
  const std::vector<double> sieved =
      radii(built(scene_of("radii: {type: table, values: [2 cm, 5 cm], shares: [3, 1]}")).system);
  EXPECT_NEAR(static_cast<double>(std::count(sieved.begin(), sieved.end(), 0.05)), 100, 30);
}

TEST(SizesOfBalls, DependOnTheSeedAlone) {
  const std::string some = "radii: {type: uniform, from: 2 cm, to: 6 cm, seed: 4}";
  const std::string others = "radii: {type: uniform, from: 2 cm, to: 6 cm, seed: 5}";
  EXPECT_EQ(radii(built(scene_of(some)).system), radii(built(scene_of(some)).system));
  EXPECT_NE(radii(built(scene_of(some)).system), radii(built(scene_of(others)).system));
  // The same bodies wherever they are.
  const std::string grid = "copies: {type: grid, count: [20, 20, 1], spacing: [0.13, 0.13, 0]}, position: [0, 0, 0.1]";
  EXPECT_EQ(radii(built(scene_of(some)).system), radii(built(scene_of(some, grid)).system));
}

TEST(SizesOfBalls, GiveTheMassOfTheDensity) {
  const build::Simulation simulation = built(scene_of("radii: {type: uniform, from: 2 cm, to: 6 cm}"));
  const RigidBodies& all = balls(simulation.system);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double r = all.shape(i).radius, expected = 2000 * 4.0 / 3.0 * M_PI * r * r * r;
    EXPECT_NEAR(all.mass(i), expected, 1e-12 * expected);
    EXPECT_NEAR(all.inertia(i).x, 0.4 * expected * r * r, 1e-12 * expected * r * r);
  }
}

/// They start apart, fall, rebound and lie still within their own radii, with every joule under a name and the same
/// bits on two threads.
TEST(SizesOfBalls, SettleWithAClosedLedger) {
  std::vector<double> first;
  for (const int threads : {1, 2}) {
    const build::Simulation simulation =
        built(scene_of("radii: {type: lognormal, median: 4 cm, deviation: 0.3, from: 1.5 cm, to: 9 cm}"), threads);
    const System& system = simulation.system;
    model::State state = system.initial_state();
    simulation.integrator->prepare(system);
    simulation.integrator->start(system, simulation.step, state);
    const double before = simulation.integrator->energy(system, simulation.step, state).total();
    model::Lost lost;
    double deepest = 0;
    for (int n = 0; n < 300; ++n) {
      const StepReport report = simulation.integrator->step(system, simulation.step, state);
      lost += report.lost;
      deepest = std::max(deepest, report.max_penetration);
    }
    const double after = simulation.integrator->energy(system, simulation.step, state).total();
    EXPECT_NEAR(after + lost.total(), before, 1e-9 * std::abs(before));
    EXPECT_GT(lost.total(), 0.1 * before);
    for (std::size_t i = 0; i < balls(system).size(); ++i) {
      EXPECT_GT(state.q[RigidBodies::stride * i + 2], 0.9 * balls(system).shape(i).radius) << i;
    }
    if (first.empty()) first = state.q;
    EXPECT_EQ(state.q, first);
  }
}

TEST(SizesOfBalls, RefuseWhatTheyCannotBe) {
  const auto complaint = [](const std::string& size, const std::string& place = "") -> std::string {
    try {
      built(scene_of(size, place));
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint("radii: {type: uniform, from: 6 cm, to: 2 cm}").find("must be below to"), std::string::npos);
  EXPECT_NE(
      complaint("radii: {type: normal, mean: 5 cm, deviation: 1 mm, from: 1 cm, to: 2 cm}").find("next to nothing"),
      std::string::npos);
  EXPECT_NE(complaint("radii: {type: table, values: [2 cm], shares: [1, 2]}").find("as many shares"),
            std::string::npos);
  EXPECT_NE(complaint("radius: 2 cm, radii: {type: uniform, from: 1 cm, to: 2 cm}").find("radii"), std::string::npos);
  const std::string mass = "mass: 1, copies: {type: grid, count: [2, 1, 1], spacing: [1, 1, 1]}";
  EXPECT_NE(complaint("radii: {type: uniform, from: 1 cm, to: 2 cm}", mass).find("give the density"),
            std::string::npos);
}

}  // namespace
}  // namespace ictus::dynamics
