// Mistakes that people make with loads on bodies of all families: what the program says.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "run_in_folder.hpp"

namespace ictus {
namespace {

using testing::Ended;
using ::testing::HasSubstr;
using testing::RunFolder;

constexpr std::string_view loaded_scene = R"(time: {end: 0.1, courant: 0.5}
integrator: {type: central-difference}
bodies:
  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, density: 1000}
  wall: {type: rigid, shape: {type: box, size: [1, 1, 0.1]}, position: [0, 0, 5], fixed: true}
  balls: {type: rigid, shape: {type: sphere, radius: 0.1}, density: 1000, copies: {type: grid, count: [3, 1, 1], spacing: [1, 1, 1]}, position: [0, 2, 0]}
  beam: {type: beam, length: 1, cells: 4, section: {type: circle, radius: 0.02}, density: 1000, youngs_modulus: 2.0e+6, position: [4, 0, 0]}
  shell: {type: shell, shape: {type: plate, size: [1, 1], cells: [4, 4]}, thickness: 0.05, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3, position: [0, 0, 9]}
  block: {type: solid, shape: {type: box, size: [1, 1, 1], cells: [1, 1, 1]}, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3, position: [0, 0, 20]}
  post: {type: bar, length: 1, cells: 4, density: 1000, youngs_modulus: 1.0e+6, area: 1, position: [0, 0, 30]}
loads:
)";

TEST(Loads, MistakesAreToldWithTheirKeys) {
  const std::string ramp = ", signal: {type: ramp, amplitude: 1}}\n";
  const std::vector<std::pair<std::string, std::vector<std::string>>> told{
      {"{type: moment, body: block", {"loads.0.body", "moments are for rigid bodies, beams and frames"}},
      {"{type: force, body: block", {"loads.0", "must say where the force acts"}},
      {"{type: force, body: block, node: top, follows: true", {"loads.0.follows", "do not turn"}},
      {"{type: force, body: block, node: top, position: [0, 0, 20]", {"loads.0.position", "either node or position"}},
      {"{type: force, body: shell, node: top", {"loads.0.node", "give the position of a point"}},
      {"{type: force, body: post, position: [0, 0, 30]", {"loads.0.position", "give one as `node`"}},
      {"{type: force, body: balls, position: [0, 2, 0]", {"loads.0.position", "balls are 3 bodies"}},
      {"{type: force, body: ball, node: start", {"loads.0.node", "ball is rigid"}},
      {"{type: force, body: beam, node: middle", {"loads.0.node", "must be start or end of the beam beam"}},
      {"{type: force, body: beam", {"loads.0", "start or end, or a position"}},
      {"{type: moment, body: beam", {"loads.0", "node, start or end"}},
      {"{type: force, body: wall", {"loads.0.body", "wall is held there"}},
      {"{type: traction, body: shell, set: top", {"loads.0.set", "shell is a shell, all of which is loaded"}},
      {"{type: support-motion, body: ball", {"loads.0.body", "ball is not held", "hold it first"}},
      {"{type: support-motion, body: wall, at: [start]", {"loads.0.at", "wall moves as a whole"}},
      {"{type: support-motion, body: beam, at: [middle]", {"loads.0.at.0", "must be start or end of the beam beam"}},
      {"{type: support-motion, body: beam, at: [end]", {"loads.0.at.0", "the end of beam is not held"}},
      {"{type: support-rotation, body: block", {"loads.0.body", "has nodes, which do not turn"}},
      {"{type: force, body: bal", {"loads.0.body", "did you mean 'ball'?"}},
  };
  for (const auto& [load, parts] : told) {
    RunFolder folder("scene.yaml", std::string(loaded_scene) + "  - " + load + ramp);
    const Ended ended = folder.run({"check", "scene.yaml"});
    EXPECT_EQ(ended.code, 2) << load << ended.out;
    EXPECT_THAT(ended.err, HasSubstr("scene.yaml:12")) << load;
    for (const std::string& part : parts) EXPECT_THAT(ended.err, HasSubstr(part)) << load;
  }
}

/// Scenes with one mistake each, and what is said of it.
TEST(Loads, MotionsThatNobodyMeansAreTold) {
  const std::string scene = R"(time: {end: 0.1, step: 1 ms}
bodies:
  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, density: 1000, position: [0, 0, 1]}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
  drum: {type: rigid, shape: {type: sphere, radius: 0.1}, fixed: true, position: [0, 0, 3]}
contacts: [{between: [floor, ball]}]
loads:
  - {type: support-motion, body: floor, signal: {type: ramp, amplitude: 1}}
)";
  const std::vector<std::pair<std::string, std::vector<std::string>>> told{
      {"  - {type: support-motion, body: floor, direction: [0, 0, -2], signal: {type: ramp, amplitude: 1}}\n",
       {"loads.1.body", "floor is moved that way by loads.0 already"}},
      {"  - {type: support-motion, body: drum, signal: {type: table, times: [0, 50 ms], values: [0, 1]}}\n",
       {"loads.1.signal", "ends at 0.05 s, before time.end = 0.1 s"}},
      {"  - {type: force, body: drum, signal: {type: ramp, amplitude: 1}}\n", {"loads.1.body", "drum is held there"}},
      {"  - {type: support-rotation, body: drum, signal: {type: ramp, amplitude: 1 m}}\n",
       {"loads.1.signal.amplitude"}},
  };
  for (const auto& [load, parts] : told) {
    RunFolder folder("scene.yaml", scene + load);
    const Ended ended = folder.run({"check", "scene.yaml"});
    EXPECT_EQ(ended.code, 2) << load << ended.out;
    EXPECT_THAT(ended.err, HasSubstr("scene.yaml:9")) << load;
    for (const std::string& part : parts) EXPECT_THAT(ended.err, HasSubstr(part)) << load;
  }
}

TEST(Loads, WhatVanishesIsHeldAndHasASchemeThatKnowsIt) {
  const std::string scene =
      "time: {end: 0.1, step: 1 ms}\nbodies:\n  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, density: 1000";
  const std::vector<std::pair<std::string, std::string>> told{
      {", until: 1 s}\n", "bodies.ball.until"},
      {"}\n  floor: {type: plane, position: [0, 0, -1], normal: [0, 0, 1], until: 1 s}\n"
       "contacts: [{between: [ball, floor], friction: 0}]\nintegrator: {type: discrete-gradient}\n",
       "bodies.floor.until"}};
  for (const auto& [rest, key] : told) {
    RunFolder folder("scene.yaml", scene + rest);
    const Ended ended = folder.run({"check", "scene.yaml"});
    EXPECT_EQ(ended.code, 2) << ended.out;
    EXPECT_THAT(ended.err, HasSubstr(key));
  }
}

/// Where a scene rests, as numbers for scripts.
TEST(Rest, TellsWhatHoldsABodyAndHowWell) {
  RunFolder folder("scene.yaml", R"(time: {end: 0.1, step: 1 ms}
gravity: [0, 0, -10]
bodies:
  box: {type: rigid, shape: {type: box, size: [0.4, 0.4, 0.2]}, mass: 3, position: [0, 0, 0.1]}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
contacts: [{between: [floor, box], friction: 0.3}]
probes:
  box: {body: box, at: start}
)");
  const Ended ended = folder.run({"rest", "scene.yaml", "--json", "--out", "rest"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto told = nlohmann::json::parse(ended.out);
  EXPECT_LE(told["residual"].get<double>(), 1e-6);
  EXPECT_NEAR(told["contacts"][0]["normal_force"].get<double>(), 30, 1e-6);
  EXPECT_NEAR(told["probes"]["box.z"].get<double>(), 0.1, 1e-9);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "rest" / "rest.vtu"));
}

TEST(Loads, ASchemeThatHasNoneSaysSo) {
  RunFolder folder("scene.yaml",
                   "time: {end: 0.1, step: 1 ms}\nintegrator: {type: moreau}\nbodies:\n  ball: {type: rigid, shape: "
                   "{type: sphere, radius: "
                   "0.1}, density: 1000}\nloads:\n  - {type: force, body: ball, signal: {type: ramp, amplitude: 1}}\n");
  const Ended ended = folder.run({"check", "scene.yaml"});
  EXPECT_EQ(ended.code, 2) << ended.out;
  EXPECT_THAT(ended.err, HasSubstr("moreau has no loads in time"));
}

/// Rigid bodies under loads are stepped without anybody naming a scheme.
TEST(Loads, RigidBodiesNeedNoSchemeToBeNamed) {
  RunFolder folder("scene.yaml",
                   "time: {end: 0.1, step: 1 ms}\nbodies:\n  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, "
                   "density: 1000}\nloads:\n  "
                   "- {type: force, body: ball, signal: {type: ramp, amplitude: 1}}\n");
  const Ended ended = folder.run({"run", "scene.yaml", "--out", "out"});
  EXPECT_EQ(ended.code, 0) << ended.err;
}

}  // namespace
}  // namespace ictus
