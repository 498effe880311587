// How many steps a run has, and which it cannot have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ictus/build/build.hpp>

#include "structure/studies/small_scene.hpp"

namespace ictus::build {
namespace {

using ictus::testing::refusal;
using ::testing::HasSubstr;

constexpr std::string_view two_bars = R"(
time: {end: 1, step: 0.1}
integrator: {type: cd-lagrange}
bodies:
  left: {type: bar, length: 1, cells: 2, density: 1, youngs_modulus: 1}
  right: {type: bar, length: 1, cells: 2, density: 1, youngs_modulus: 1, position: [1, 0, 0]}
)";

Simulation make(const std::vector<scene::Override>& changes) {
  return build(scene::read_text(two_bars, "scene.yaml", changes), 1);
}
std::string refused(const std::vector<scene::Override>& changes) {
  return refusal([&] { make(changes); });
}

TEST(Steps, ReachTheEnd) {
  EXPECT_EQ(make({}).steps, 10);
  EXPECT_EQ(make({{"time.step", "0.3"}}).steps, 4);
  EXPECT_EQ(make({{"time.end", "0.1"}}).steps, 1);
  EXPECT_EQ(make({{"time.end", "1e12"}}).steps, 10'000'000'000'000);
}

TEST(Steps, AreHalfOfTheLargestStableOneUnlessTheSceneSaysSo) {
  const Simulation usual = make({{"time.step", "null"}, {"time.end", "100"}});
  EXPECT_EQ(usual.step, 0.5 * usual.limit.step);
  EXPECT_THAT(refusal([] {
                build(scene::read_text(
                          "time: {end: 1}\nbodies:\n  ball: {type: rigid, shape: {type: sphere, radius: 1}, mass: 1}\n",
                          "scene.yaml", {}),
                      1);
              }),
              HasSubstr("time: these bodies have no largest stable step to take a fraction of; give time.step"));
}

TEST(Steps, DoNotGoPastTheEndAtOnce) {
  EXPECT_THAT(refused({{"time.step", "0.3"}, {"time.end", "0.2"}}),
              HasSubstr("time.step: a step of 0.3 s goes past the end of the run at 0.2 s"));
  const Simulation brief = make({{"time.step", "null"}, {"time.courant", "0.5"}, {"time.end", "1e-3"}});
  EXPECT_EQ(brief.step, 1e-3);
  EXPECT_EQ(brief.steps, 1);
  // Whole steps of coupled domains are as long as those of the slowest.
  EXPECT_THAT(refused({{"integrator", "{type: coupled, ratio: 20, implicit: [{bodies: [right]}]}"},
                       {"ties", "[{between: [left, right]}]"}}),
              HasSubstr("time.step: a step of 2 s goes past the end of the run at 1 s"));
}

TEST(Frames, AreAHundredUnlessTheSceneSaysSo) {
  EXPECT_EQ(make({{"time.end", "50"}}).scene.output.frames_every, 0.5);
  EXPECT_EQ(make({}).scene.output.frames_every, 0.1) << "no more than there are steps";
  EXPECT_EQ(make({{"output.frames_every", "0.3"}}).scene.output.frames_every, 0.3);
  EXPECT_EQ(make({{"output.frames_every", "none"}}).scene.output.frames_every, 0.0);
}

TEST(Frames, OfLargeBodiesAreFewer) {
  constexpr std::string_view spheres = R"(
time: {end: 10, step: 0.001}
bodies:
  balls: {type: rigid, shape: {type: sphere, radius: 0.1}, density: 1, copies: {type: grid, count: [20, 20, 20], spacing: [1, 1, 1]}}
)";
  const Simulation large = build(scene::read_text(spheres, "scene.yaml", {}), 1);
  ASSERT_TRUE(large.scene.output.frames_every.has_value());
  double bytes = 0;
  const model::State state = large.system.initial_state();
  for (const dynamics::BodyPtr& body : large.system.bodies()) {
    const mechanics::Picture picture = body->draw(state.q, state.q);
    bytes += 24.0 * static_cast<double>(picture.points.size()) + 8.0 * static_cast<double>(picture.connectivity.size());
    for (const auto& field : picture.fields) bytes += 8.0 * static_cast<double>(field.values.size());
  }
  ASSERT_GT(100 * bytes, 256e6) << "a hundred would be too many";
  EXPECT_LE(10 / *large.scene.output.frames_every * bytes, 256e6);
  EXPECT_GE(10 / *large.scene.output.frames_every * bytes, 0.7 * 256e6) << "and as many as the room allows";
}

TEST(Steps, CanBeCounted) {
  EXPECT_THAT(refused({{"time.end", "1e300"}}),
              HasSubstr("time.end: 1e+300 s would be 1e+301 steps of 0.1 s, more than"));
}

}  // namespace
}  // namespace ictus::build
