// How often the force of a contact goes on and off while bodies lie on each other and vibrate: laws that let contacts
// last switch as often as bodies really part, reflection chatters.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ictus/build/build.hpp>
#include <ictus/scene/text/document.hpp>
#include <map>
#include <set>
#include <utility>

#include "support/ledger_run.hpp"

namespace ictus {
namespace {

struct Switches {
  int count = 0;
  double pressed = 0;  ///< N s
  testing::LedgerRun run;
};

/// Counts for each place that `place_of` tells apart when a force begins or ends there.
template <class PlaceOf>
Switches count_switches(const std::string& text, PlaceOf&& place_of) {
  build::Simulation simulation = build::build(scene::read_text(text, "scene.yaml"), 1);
  Switches switches;
  std::set<int> before, now;
  switches.run = testing::run_with_ledger(simulation.system, *simulation.integrator, simulation.step,
                                          static_cast<int>(simulation.steps),
                                          [&](const auto&, auto&, const dynamics::StepReport& report) {
                                            now.clear();
                                            for (const dynamics::Impulse& one : report.impulses) {
                                              now.insert(place_of(one));
                                              switches.pressed += one.normal_impulse;
                                            }
                                            for (const int place : now)
                                              switches.count += before.contains(place) ? 0 : 1;
                                            for (const int place : before)
                                              switches.count += now.contains(place) ? 0 : 1;
                                            std::swap(before, now);
                                          });
  return switches;
}

/// A plate of 600 kg on four round feet, set down on an elastic block, which it makes vibrate for a second.
Switches plate_on_feet(const std::string& scheme) {
  const std::string text = fmt::format(
      "time: {{end: 1, courant: 0.5}}\ngravity: [0, 0, -9.81]\nintegrator: {{type: {}}}\nbodies:\n  block: {{type: "
      "solid, shape: {{type: box, size: [1.2, 1.2, 0.3], cells: [4, 4, 2], element: hexahedron}}, position: [-0.6, "
      "-0.6, -0.3], material: linear, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3, supports: [{{set: "
      "bottom}}]}}\n  plate: {{type: rigid, shape: {{type: compound, parts: [{{shape: {{type: box, size: [1, 1, "
      "0.1]}}}}, {{shape: {{type: sphere, radius: 0.05}}, position: [-0.42, -0.41, -0.1]}}, {{shape: {{type: sphere, "
      "radius: 0.05}}, position: [0.42, -0.41, -0.1]}}, {{shape: {{type: sphere, radius: 0.05}}, position: [-0.42, "
      "0.41, -0.1]}}, {{shape: {{type: sphere, radius: 0.05}}, position: [0.42, 0.41, -0.1]}}]}}, mass: 600, position: "
      "[0, 0, 0.15]}}\ncontacts:\n  - {{between: [plate, block], friction: "
      "0.3}}\n",
      scheme);
  return count_switches(
      text, [](const dynamics::Impulse& one) { return (one.point.x() > 0 ? 1 : 0) + (one.point.y() > 0 ? 2 : 0); });
}

TEST(Switches, APlateOnFourFeetStaysOnThem) {
  const Switches captured = plate_on_feet("capture-return"), inelastic = plate_on_feet("cd-lagrange"),
                 reflected = plate_on_feet("reflection");
  for (const Switches* one : {&captured, &inelastic}) {
    EXPECT_EQ(one->run.failure, "");
    EXPECT_GE(one->count, 4);  // each foot once
    EXPECT_LE(one->count, 6);
    EXPECT_NEAR(one->pressed, 600 * 9.81, 0.15 * 600 * 9.81);
    EXPECT_LE(one->run.residual, 1e-12);
  }
  EXPECT_GE(reflected.count, 174);
}

/// A ball that drops on a beam, which lies on two blocks that do not move.
Switches ball_on_beam(const std::string& scheme) {
  const std::string text = fmt::format(
      "time: {{end: 0.5, courant: 0.5}}\ngravity: [0, 0, -9.81]\nintegrator: {{type: {}}}\nbodies:\n  beam: {{type: "
      "beam, length: 1, cells: 10, section: {{type: circle, radius: 0.02}}, density: 1000, youngs_modulus: "
      "2.0e+7, poissons_ratio: 0.3, position: [-0.5, 0, 0.02], rotation: [0, 1.5707963267948966, 0]}}\n  left: {{type: "
      "rigid, shape: {{type: box, size: [0.1, 0.4, 0.1]}}, mass: 20, position: [-0.4, 0, -0.05]}}\n  right: {{type: "
      "rigid, shape: {{type: box, size: [0.1, 0.4, "
      "0.1]}}, mass: 20, position: [0.4, 0, -0.05]}}\n  ball: {{type: rigid, shape: {{type: sphere, radius: 0.05}}, "
      "mass: 0.2, position: "
      "[0.02, 0, 0.1]}}\n  floor: {{type: plane, position: [0, 0, -0.1], normal: [0, 0, 1]}}\ncontacts:\n  - "
      "{{between: "
      "[ball, beam], friction: 0.4}}\n  - {{between: [beam, left], friction: 0.4}}\n  - {{between: [beam, right], "
      "friction: 0.4}}\n  - {{between: [left, floor], friction: 0.4}}\n  - {{between: [right, floor], friction: "
      "0.4}}\n",
      scheme);
  return count_switches(text, [](const dynamics::Impulse& one) { return one.pair; });
}

TEST(Switches, ABallOnABeamOnTwoBlocks) {
  const Switches captured = ball_on_beam("capture-return"), inelastic = ball_on_beam("cd-lagrange"),
                 reflected = ball_on_beam("reflection");
  for (const Switches* one : {&captured, &inelastic}) {
    EXPECT_EQ(one->run.failure, "");
    EXPECT_LE(one->count, 100);
    EXPECT_LE(one->run.residual, 1e-12);
  }
  EXPECT_GE(reflected.count, 10 * captured.count);
}

}  // namespace
}  // namespace ictus
