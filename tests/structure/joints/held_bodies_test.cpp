// Joints on bars, frames and sets of nodes, and ties in the leapfrog.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "structure/joints/jointed_run.hpp"

namespace ictus::testing {
namespace {

/// A block of 10 kg on the free end of a bar of 0.1 kg swings as a mass on a spring: half a period after a force g M
/// has set in, it is 2 g M/k away, up to the weight of the bar and its waves.
TEST(JointsOnBars, HoldAMassThatSwings) {
  const double stiffness = 1e4 * 0.01, omega = std::sqrt(stiffness / (10 + 0.1 / 3));
  const std::string text = fmt::format(
      "time: {{end: {}, step: 2 ms}}\nintegrator: {{type: capture-return}}\ngravity: [0.1, 0, 0]\nbodies:\n  bar: "
      "{{type: bar, length: 1, cells: 4, density: 10, youngs_modulus: 1.0e+4, area: 0.01, supports: [{{at: "
      "start}}]}}\n  block: "
      "{{type: rigid, shape: {{type: box, size: [0.2, 0.2, 0.2]}}, mass: 10, position: [1.1, 0, 0]}}\njoints:\n  - "
      "{{name: weld, type: "
      "spherical, between: [bar, block], position: [1, 0, 0], first: {{at: end}}}}\n",
      std::numbers::pi / omega);
  const JointedRun run = run_scene(text);
  EXPECT_EQ(run.ledger.failure, "");
  EXPECT_NEAR(run.q[5] - 1.1, 2 * 0.1 * (10 + 0.1 / 2) / stiffness, 2e-5);
  EXPECT_LE(run.gap, 1e-14);
  EXPECT_LE(run.ledger.residual, 1e-12);
  EXPECT_LE(run.ledger.error, 1e-6);
  EXPECT_LE(run.ledger.linear_drift, 1e-12);
}

std::string mast(const std::string& tip, const std::string& rest) {
  return "time: {end: 0.2, step: 20 us}\nintegrator: {type: capture-return}\nbodies:\n  mast:\n    type: frame\n    "
         "nodes: {a: [0, 0, 0], b: [0, 0, 1]}\n    sections: {s: {type: pipe, diameter: 20 mm, thickness: 10 mm}}\n    "
         "materials: {m: "
         "{youngs_modulus: 1 GPa, density: 1000}}\n    members: [{from: a, to: b, section: s, material: m, "
         "element_size: 0.25}]\n    supports: [{node: a, type: clamped}]\n" +
         tip +
         "loads:\n  - {type: force, body: mast, node: b, direction: [1, 0, 0], signal: {type: half-sine, amplitude: "
         "0.02, duration: 0.05}}\n" +
         rest;
}

/// A cube fixed to the tip of a mast moves it as the same mass and inertia given to its node: turning by small angles.
TEST(JointsOnFrames, FixACubeAsAMassWithItsInertia) {
  const JointedRun reference =
      run_scene(mast("    point_masses: {b: {mass: 0.5, inertia: 0.00083333333333333333}}\n", ""));
  const JointedRun run = run_scene(
      mast("  cube: {type: rigid, shape: {type: box, size: [0.1, 0.1, 0.1]}, mass: 0.5, position: [0, 0, 1]}\n",
           "joints:\n  - {name: weld, type: fixed, between: [mast, cube], position: [0, 0, 1], first: {node: b}}\n"));
  EXPECT_EQ(run.ledger.failure, "");
  const std::size_t nodes = reference.q.size() / 6;  // component by component
  const double tip = reference.q[1], turn = reference.q[4 * nodes + 1];
  EXPECT_GT(std::abs(tip), 1e-4);
  EXPECT_NEAR(run.q[1], tip, 1e-6 * std::abs(tip));
  EXPECT_NEAR(run.q[4 * nodes + 1], turn, 1e-6 * std::abs(turn));
  EXPECT_LE(run.gap, 1e-14);
  EXPECT_LE(run.ledger.residual, 1e-12);
  EXPECT_LE(run.ledger.error, 1e-6);
}

/// A hinge lets the cube turn: no moment reaches the mast about its axis.
TEST(JointsOnFrames, HingesGiveNoMomentAboutTheirAxis) {
  const JointedRun run = run_scene(
      mast("  cube: {type: rigid, shape: {type: box, size: [0.1, 0.1, 0.1]}, mass: 0.5, position: [0, 0, 1.05]}\n",
           "joints:\n  - {name: pin, type: revolute, between: [mast, cube], position: [0, 0, 1], axis: [0, 1, 0]}\n"));
  EXPECT_EQ(run.ledger.failure, "");
  EXPECT_NEAR(run.joints[0].moment.y(), 0, 1e-15);
  EXPECT_GT(std::abs(run.joints[0].angle), 1e-6);
  EXPECT_LE(run.gap, 1e-14);
  EXPECT_LE(run.ledger.residual, 1e-12);
}

std::string solid(const std::string& name, double x, double length, int cells) {
  return fmt::format(
      "  {}: {{type: solid, shape: {{type: box, size: [{}, 0.1, 0.1], cells: [{}, 2, 2]}}, position: [{}, 0, 0], "
      "material: neo-hookean, density: 1000, youngs_modulus: 1.0e+5, poissons_ratio: 0.3}}\n",
      name, length, cells, x);
}

class Ties : public ::testing::TestWithParam<std::string> {};

/// Two blocks with the same nodes on their common face are one, in every scheme of the leapfrog.
TEST_P(Ties, MakeTwoBlocksOne) {
  const std::string head =
      fmt::format("time: {{end: 0.05, step: 0.2 ms}}\nintegrator: {{type: {}}}\nbodies:\n", GetParam());
  const std::string ends =
      "  ball: {type: rigid, shape: {type: sphere, radius: 0.05}, mass: 0.3, position: [0.46, 0.05, 0.05], velocity: "
      "[-2, 0, 0]}\n";
  const std::string meet = "contacts:\n  - {between: [ball, all]}\n";
  const JointedRun one = run_scene(head + solid("near", 0, 0.4, 4) + ends + meet);
  const JointedRun two = run_scene(head + solid("near", 0, 0.2, 2) + solid("far", 0.2, 0.2, 2) + ends + meet +
                                   "ties:\n  - {between: [near, far]}\n");
  EXPECT_EQ(two.ledger.failure, "");
  EXPECT_LE(two.ledger.residual, 1e-12);
  EXPECT_LE(two.ledger.linear_drift, 1e-12);
  EXPECT_LE(two.ledger.angular_drift, 1e-12);
  const std::size_t last = one.q.size() - 7;  // the ball
  // Layers of discrete-gradient are as stiff as the mean vertex of a body, which two bodies do not share.
  const double tolerance = GetParam() == "discrete-gradient" ? 2e-4 : 1e-6;
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(two.q[two.q.size() - 7 + c], one.q[last + c], tolerance) << c;
}

/// A coarse face on a fine one.
TEST_P(Ties, JoinMeshesThatDoNotMatch) {
  const JointedRun run = run_scene(
      fmt::format("time: {{end: 0.05, step: 0.2 ms}}\nintegrator: {{type: {}}}\nbodies:\n", GetParam()) +
      solid("near", 0, 0.2, 2) +
      "  far: {type: solid, shape: {type: box, size: [0.2, 0.1, 0.1], cells: [2, 3, 3]}, position: [0.2, 0, 0], "
      "material: "
      "neo-hookean, density: 1000, youngs_modulus: 1.0e+5, poissons_ratio: 0.3, velocity: [-1, 0, 0]}\nties:\n  - "
      "{between: [near, far]}\n");
  EXPECT_EQ(run.ledger.failure, "");
  EXPECT_LE(run.ledger.residual, 1e-12);
  EXPECT_LE(run.ledger.error, 2e-2);
  EXPECT_LE(run.ledger.linear_drift, 1e-12);
  EXPECT_LE(run.ledger.angular_drift, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Ties,
                         ::testing::Values("moreau-variational", "capture-return", "reflection", "cd-lagrange",
                                           "discrete-gradient"),
                         [](const auto& one) { return one.param.substr(0, one.param.find('-')); });

/// Two bars tied are one bar, with the waves that run through it.
TEST(Ties, MakeTwoBarsOne) {
  const auto bar = [](const std::string& name, double x, double length, int elements) {
    return fmt::format(
        "  {}: {{type: bar, length: {}, cells: {}, density: 1000, youngs_modulus: 1.0e+6, area: 0.01, position: "
        "[{}, 0, "
        "0], velocity: [{}, 0, 0]}}\n",
        name, length, elements, x, name == "striker" ? 1 : 0);
  };
  const std::string head = "time: {end: 0.05, courant: 0.5}\nintegrator: {type: capture-return}\nbodies:\n";
  const std::string meet = "contacts:\n  - {between: [striker, near]}\n";
  const JointedRun one = run_scene(head + bar("striker", -0.501, 0.5, 5) + bar("near", 0, 1, 10) + meet);
  const JointedRun two = run_scene(head + bar("striker", -0.501, 0.5, 5) + bar("near", 0, 0.5, 5) +
                                   bar("far", 0.5, 0.5, 5) + meet + "ties:\n  - {between: [near, far]}\n");
  EXPECT_EQ(two.ledger.failure, "");
  EXPECT_NEAR(two.q.back(), one.q.back(), 1e-12);
  EXPECT_LE(two.ledger.residual, 1e-12);
}

/// A box hangs on all points of a shell that lie in a region.
TEST(JointsOnSets, HoldABoxOnAShell) {
  const JointedRun run = run_scene(
      "time: {end: 0.02, courant: 0.5}\nintegrator: {type: capture-return}\ngravity: [0, 0, -9.81]\nbodies:\n  sheet: "
      "{type: shell, shape: {type: plate, size: [0.4, 0.4], cells: [6, 6]}, thickness: 4 mm, "
      "density: 1000, youngs_modulus: 1.0e+7, poissons_ratio: 0.3}\n  box: {type: rigid, shape: {type: box, size: "
      "[0.1, 0.1, 0.1]}, "
      "position: "
      "[0, 0, -0.06]}\njoints:\n  - {name: glue, type: fixed, between: [sheet, box], first: {box: {from: [-0.1, -0.1, "
      "-0.01], to: [0.1, 0.1, 0.01]}}}\n");
  EXPECT_EQ(run.ledger.failure, "");
  EXPECT_GE(run.joints.size(), 4u);
  EXPECT_LE(run.gap, 1e-14);
  EXPECT_LE(run.ledger.residual, 1e-12);
  EXPECT_LE(run.ledger.error, 1e-3);
}

}  // namespace
}  // namespace ictus::testing
