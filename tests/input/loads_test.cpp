// Mistakes that people make with loads on bodies of all families: what the program says.
#include <gmock/gmock.h>

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
      {"{type: traction, body: shell, set: top", {"loads.0.body", "tractions are for solids"}},
      {"{type: support-motion, body: ball", {"loads.0.body", "no nodes that could be moved"}},
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
