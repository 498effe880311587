// Rigid bodies of all shapes, in motion and at rest, against closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/run/session.hpp>

#include "support/complaint_of.hpp"
#include "support/temporary_folder.hpp"

namespace ictus::run {
namespace {

files::CsvTable history_of(const std::string& scene) {
  const testing::TemporaryFolder folder;
  const LoadedScene loaded{scene::read_text(scene, "scene.yaml"), ""};
  Session::begin(loaded, folder.path(), 1, true).run([] { return false; }, {});
  return files::read_history(folder.path() / files::result_files::history);
}

/// Down a slope of 30° a cylinder rolls by a = 2/3 g sin θ; its inscribed prism loses by an inelastic blow on each
/// side, the share (1 − cos 2π/n)/1.5 of its speed, the less the more sides it has.
TEST(RigidShapes, ACylinderRollsDownASlope) {
  const auto distance = [](int around) {
    const files::CsvTable history = history_of(fmt::format(R"(
time: {{end: 0.2, step: 1.0e-4}}
gravity: [4.905, 0, -8.495709]
bodies:
  floor: {{type: plane, position: [0, 0, 0], normal: [0, 0, 1]}}
  roller: {{type: rigid, shape: {{type: cylinder, radius: 0.1, length: 0.3, cells: {0}}}, position: [0, 0, {1}], rotation: [1.5707963267948966, 0, 0]}}
contacts: [{{between: [floor, roller], friction: 0.8}}]
probes: {{roller: {{body: roller, at: start}}}}
)",
                                                           around, 0.1 + 1e-9));
    return history.find("probe.roller.x")->numbers.back();
  };
  const double ideal = 0.5 * 2.0 / 3 * 4.905 * 0.04;
  EXPECT_NEAR(distance(64) / ideal, 1, 0.005);
  EXPECT_NEAR(distance(256) / ideal, 1, 0.005);
}

/// In a bowl of radius R a ball of radius r slides without friction as a pendulum of length R − r.
TEST(RigidShapes, ABallSwingsInABowlOfHeights) {
  const double radius = 1, ball = 0.2, spacing = 0.02;
  const int half = 15;
  std::string rows;
  for (int j = -half; j <= half; ++j) {
    std::string row;
    for (int i = -half; i <= half; ++i) {
      const double d = spacing * std::hypot(i, j);
      row += fmt::format("{}{}", i > -half ? ", " : "", radius - std::sqrt(radius * radius - d * d));
    }
    rows += fmt::format("\n      - [{}]", row);
  }
  const double x = 0.08, z = radius - std::sqrt((radius - ball) * (radius - ball) - x * x);
  const files::CsvTable history = history_of(fmt::format(R"(
time: {{end: 0.6, step: 2.0e-4}}
gravity: [0, 0, -9.81]
bodies:
  bowl:
    type: rigid
    fixed: true
    shape:
      type: heightfield
      spacing_x: {}
      spacing_y: {}
      heights:{}
  ball: {{type: rigid, shape: {{type: sphere, radius: {}}}, position: [{}, 0, {}]}}
contacts: [{{between: [bowl, ball], gap: 1.0e-4}}]
probes: {{ball: {{body: ball, at: start}}}}
)",
                                                         spacing, spacing, rows, ball, x, z + 3e-4));
  const auto &t = history.find("time")->numbers, &at = history.find("probe.ball.x")->numbers;
  std::size_t crossing = 0;
  while (crossing < at.size() && at[crossing] > 0) ++crossing;
  ASSERT_LT(crossing, at.size());
  const double quarter = M_PI / 2 * std::sqrt((radius - ball) / 9.81);
  EXPECT_NEAR(t[crossing] / quarter, 1, 0.04);
}

/// Stands on its base, its tip up; its centre is a quarter of its height above the base.
TEST(RigidShapes, AConeStands) {
  const files::CsvTable history = history_of(R"(
time: {end: 0.3, step: 1 ms}
gravity: [0, 0, -9.81]
bodies:
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
  cone: {type: rigid, shape: {type: cone, radius: 0.2, length: 0.4, cells: 24}, mass: 2}
contacts: [{between: [floor, cone], friction: 0.5}]
probes: {cone: {body: cone, at: start}}
)");
  EXPECT_NEAR(history.find("probe.cone.z")->numbers.back(), 0.1, 1e-6);
  EXPECT_NEAR(history.find("probe.cone.spin_1")->numbers.back(), 0, 1e-9);
}

constexpr const char* corner_mesh =
    R"(type: rigid, shape: {type: mesh, vertices: [[0, 0, 0], [2, 0, 0], [2, 1, 0], [1, 1, 0], [1, 2, 0], [0, 2, 0],
      [0, 0, 1], [2, 0, 1], [2, 1, 1], [1, 1, 1], [1, 2, 1], [0, 2, 1]], triangles: [[0, 2, 1], [0, 3, 2], [0, 5, 3], [3, 5, 4],
      [6, 7, 8], [6, 8, 9], [6, 9, 11], [9, 10, 11], [0, 1, 7], [0, 7, 6], [1, 2, 8], [1, 8, 7], [2, 3, 9], [2, 9, 8],
      [3, 4, 10], [3, 10, 9], [4, 5, 11], [4, 11, 10], [5, 0, 6], [5, 6, 11]]})";

/// An angle of three cubes: its centre of mass is outside none of them, and a ball fits into its corner, where the hull
/// would push it out.
TEST(RigidShapes, AMeshIsNotItsHull) {
  const files::CsvTable history = history_of(fmt::format(R"(
time: {{end: 0.02, step: 1.0e-4}}
bodies:
  angle: {{{}, mass: 3, velocity: [0, 0, 1], angular_velocity: [0, 0, 0]}}
  ball: {{type: rigid, shape: {{type: sphere, radius: 0.2}}, position: [1.4, 1.4, 0.5], velocity: [0, 0, 1]}}
contacts: [{{between: [angle, ball]}}]
probes: {{angle: {{body: angle, at: start}}, ball: {{body: ball, at: start}}}}
)",
                                                         corner_mesh));
  EXPECT_NEAR(history.find("probe.angle.x")->numbers.front(), 5.0 / 6, 1e-12);
  EXPECT_NEAR(history.find("probe.angle.z")->numbers.front(), 0.5, 1e-12);
  EXPECT_EQ(history.find("contact.0.force")->numbers.back(), 0);
  EXPECT_NEAR(history.find("contact.0.gap")->numbers.back(), 0.2, 1e-9);
}

TEST(RigidShapes, MistakesSayWhatIsAllowed) {
  const auto complaint = [](const std::string& body, const std::string& more = "") {
    return testing::complaint_of(
        [&] { history_of("time: {end: 1, step: 1 ms}\n" + more + "bodies:\n  b: {" + body + "}\n"); });
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  std::string text = complaint(
      "type: rigid, shape: {type: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[0, 2, 1], "
      "[0, 1, 3], [0, 3, 2]]}");
  EXPECT_TRUE(has(text, "bodies.b.shape.triangles") && has(text, "not closed: 3 of its edges")) << text;
  text = complaint("type: rigid, shape: {type: compound, parts: [{shape: {type: box}}]}");
  EXPECT_TRUE(has(text, "parts.0.shape.size: is missing")) << text;
  text = complaint("type: rigid, shape: {type: compound, parts: [{shape: {type: box, radius: 1}}]}");
  EXPECT_TRUE(has(text, "parts.0.shape.radius: unknown key")) << text;
  text = complaint("type: rigid, shape: {type: compound, parts: []}");
  EXPECT_TRUE(has(text, "bodies.b.shape.parts")) << text;
  text = complaint(
      "type: rigid, shape: {type: heightfield, spacing_x: 1, spacing_y: 1, heights: [[0, 1], [0]]}, fixed: true");
  EXPECT_TRUE(has(text, "row 1 has 1 heights and the first has 2")) << text;
  text = complaint("type: rigid, shape: {type: compound, parts: [{shape: {type: sphere, radius: 1}}]}",
                   "integrator: {type: moreau}\n");
  EXPECT_TRUE(has(text, "choose capture-return")) << text;
  text = complaint("type: rigid, shape: {type: cylinder, radius: 1, length: 1, cells: 2}");
  EXPECT_TRUE(has(text, "bodies.b.shape.cells: must be an integer ≥ 3")) << text;
}

}  // namespace
}  // namespace ictus::run
