// Rigid bodies, sections and planes that follow motions, and obstacles that vanish: closed forms, and books that close.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/math/so3.hpp>

#include "support/scene_run.hpp"

namespace ictus {
namespace {

using testing::run_scene;
using testing::SceneRun;

void expect_closed_books(const SceneRun& run, double drift = 1e-12) {
  EXPECT_EQ(run.books.failure, "");
  EXPECT_LE(run.books.residual, 1e-12);
  EXPECT_LE(run.books.linear_drift, drift);
  EXPECT_LE(run.books.angular_drift, drift);
}

std::span<const double> place_of(const SceneRun& run, std::string_view body) {
  return std::span(run.state.q).subspan(run.body(body).dofs().begin, 7);
}

constexpr const char* moving_schemes[] = {"capture-return", "reflection", "cd-lagrange", "moreau-variational"};

/// A wall that comes with v sends a box off with (1 + e) v; its work is what the box gets and what the impact takes.
TEST(Motions, AWallThatComesWorksByWhatItsBoxGets) {
  const std::string scene = R"(time: {{end: 0.1, step: 1 ms}}
integrator: {{type: moreau-variational}}
bodies:
  box: {{type: rigid, shape: {{type: sphere, radius: 0.1}}, mass: 2, position: [0.15, 0, 0]}}
  wall: {{type: {}}}
contacts: [{{between: [wall, box], restitution: {}}}]
loads:
  - {{type: support-motion, body: wall, direction: [1, 0, 0], signal: {{type: ramp, amplitude: 0.3, rise: 0.1}}}}
)";
  for (const std::string wall :
       {"plane, position: [0, 0, 0], normal: [1, 0, 0]",
        "rigid, shape: {type: box, size: [0.1, 1, 1]}, position: [-0.05, 0, 0], fixed: true"}) {
    for (const double e : {0.0, 0.5, 1.0}) {
      const SceneRun run = run_scene(fmt::format(fmt::runtime(scene), wall, e));
      const double v = 3, m = 2, gained = 0.5 * m * std::pow((1 + e) * v, 2);
      EXPECT_NEAR(run.v[run.body("box").dofs().begin], (1 + e) * v, 1e-12) << wall;
      EXPECT_NEAR(run.kinetic(), gained, 1e-12);
      EXPECT_NEAR(run.work, m * (1 + e) * v * v, 1e-12);
      EXPECT_NEAR(run.work - gained, run.books.lost[model::Loss::restitution], 1e-12);
      expect_closed_books(run);
    }
  }
}

/// What is held goes where the signals say, turns first and then its way, and the axis goes along.
TEST(Motions, ARigidBodyIsWhereItsSignalsSay) {
  const SceneRun run = run_scene(R"(time: {end: 1, step: 1 ms}
integrator: {type: capture-return}
bodies:
  drum: {type: rigid, shape: {type: cylinder, radius: 0.2, length: 0.1}, position: [1, 0, 0], fixed: true}
loads:
  - {type: support-rotation, body: drum, position: [0, 0, 0], axis: [0, 0, 1], signal: {type: ramp, amplitude: 90 deg, rise: 1}}
  - {type: support-motion, body: drum, direction: [0, 0, 1], signal: {type: ramp, amplitude: 2, rise: 1}}
)");
  const auto q = place_of(run, "drum");
  EXPECT_NEAR(q[0], 0, 1e-12);
  EXPECT_NEAR(q[1], 1, 1e-12);
  EXPECT_NEAR(q[2], 2, 1e-12);
  const auto v = std::span(run.v).subspan(run.body("drum").dofs().begin, 7);
  // The ramp ends here: half of the step after the last node stands still.
  EXPECT_NEAR(v[2], 0.5 * 2, 1e-9);
}

/// A paddle that turns strikes a ball: the books close under every scheme, and the ball is struck.
TEST(Motions, APaddleStrikesABall) {
  for (const std::string scheme : moving_schemes) {
    const SceneRun run = run_scene("time: {end: 0.4, step: 0.5 ms}\nintegrator: {type: " + scheme + R"(}
bodies:
  paddle: {type: rigid, shape: {type: box, size: [1, 0.05, 0.4]}, fixed: true}
  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, density: 500, position: [0.3, 0.25, 0.02]}
contacts: [{between: [paddle, ball], friction: 0.4}]
loads:
  - {type: support-rotation, body: paddle, position: [-0.5, 0, 0], axis: [0, 0, 1], signal: {type: ramp, amplitude: 1.2 rad, rise: 0.4}}
)");
    EXPECT_GT(run.v[run.body("ball").dofs().begin + 1], 1) << scheme;
    EXPECT_GT(run.work, 0);
    expect_closed_books(run);
  }
}

/// A floor tilts to an angle whose slope is below the friction: the block goes round with it, and stays where it is on
/// it.
TEST(Motions, AFloorThatTiltsTakesItsBlockAlong) {
  for (const std::string scheme : moving_schemes) {
    const SceneRun run =
        run_scene("time: {end: 2, step: 1 ms}\ngravity: [0, 0, -9.81]\nintegrator: {type: " + scheme + R"(}
bodies:
  block: {type: rigid, shape: {type: box, size: [0.2, 0.2, 0.2]}, density: 1000, position: [0.5, 0, 0.1]}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
contacts: [{between: [floor, block], restitution: 0, friction: 0.8}]
loads:
  - {type: support-rotation, body: floor, axis: [0, 1, 0], signal: {type: ramp, amplitude: -0.4 rad, rise: 2}}
)");
    const auto q = place_of(run, "block");
    const double angle = 0.4, x = 0.5, z = 0.1;
    // The block begins to turn by a jerk of 0.2 rad/s; it keeps its place on the floor to the size of that blow.
    EXPECT_NEAR(q[0], x * std::cos(angle) - z * std::sin(angle), 2e-3) << scheme;
    EXPECT_NEAR(q[2], x * std::sin(angle) + z * std::cos(angle), 2e-3) << scheme;
    expect_closed_books(run);
  }
}

/// A clamp that turns a beam by a half sine and back: the books close, and forces and moments of the clamp are in them.
TEST(Motions, AClampThatTurnsBendsItsBeam) {
  const SceneRun run = run_scene(R"(time: {end: 0.05, courant: 0.5}
integrator: {type: central-difference}
bodies:
  beam: {type: beam, length: 0.5, cells: 8, section: {type: circle, radius: 5 mm}, density: 1000, youngs_modulus: 1.0e+9, supports: [{at: start}]}
loads:
  - {type: support-rotation, body: beam, at: [start], axis: [0, 1, 0], signal: {type: half-sine, amplitude: 0.5 rad, duration: 30 ms}}
  - {type: support-motion, body: beam, direction: [1, 0, 0], signal: {type: half-sine, amplitude: 0.1, duration: 40 ms}}
)");
  EXPECT_GT(std::abs(run.work), 1e-3);
  EXPECT_LE(run.books.error, 1e-2);
  expect_closed_books(run);
}

/// A bar that a plane pushes, and a shell that a moved rigid body strikes.
TEST(Motions, DeformableBodiesMeetWhatIsMoved) {
  const SceneRun pushed = run_scene(R"(time: {end: 0.02, courant: 0.9}
integrator: {type: capture-return}
bodies:
  bar: {type: bar, length: 1, cells: 20, density: 1000, youngs_modulus: 1.0e+6, area: 0.01, position: [0.01, 0, 0]}
  wall: {type: plane, position: [0, 0, 0], normal: [1, 0, 0]}
contacts: [{between: [wall, bar]}]
loads:
  - {type: support-motion, body: wall, direction: [1, 0, 0], signal: {type: ramp, amplitude: 0.05, rise: 0.02}}
)");
  EXPECT_GT(pushed.work, 0);
  expect_closed_books(pushed);
  const SceneRun struck = run_scene(R"(time: {end: 0.01, courant: 0.5}
integrator: {type: capture-return}
bodies:
  plate: {type: shell, shape: {type: plate, size: [1, 1], cells: [6, 6]}, thickness: 0.02, density: 1000, youngs_modulus: 1.0e+8, supports: [{edge: all, type: pinned}]}
  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0.02, 0.03, 0.13], fixed: true}
contacts: [{between: [plate, ball]}]
loads:
  - {type: support-motion, body: ball, direction: [0, 0, -1], signal: {type: ramp, amplitude: 0.04, rise: 10 ms}}
)");
  EXPECT_GT(struck.work, 0);
  EXPECT_EQ(struck.books.failure, "");
  EXPECT_LE(struck.books.residual, 1e-12);
}

/// From the step at whose beginning the floor is gone the ball falls freely: −½ g (τ² + τh) with the kick of that step.
TEST(Vanishing, ABallOnAFloorThatVanishesFallsFreely) {
  const std::string scene = R"(time: {{end: 1, step: 1 ms}}
gravity: [0, 0, -10]
integrator: {{type: {}}}
bodies:
  ball: {{type: {}, density: 1000, position: [0, 0, 0.1]}}
  floor: {{type: {}, until: 0.5 s}}
contacts: [{{between: [floor, ball], friction: 0.3, restitution: 0}}]
)";
  const double fallen = -0.5 * 10 * (0.25 + 0.5e-3);
  for (const std::string scheme : moving_schemes) {
    for (const std::string shape :
         {"rigid, shape: {type: sphere, radius: 0.1}", "rigid, shape: {type: box, size: [0.2, 0.2, 0.2]}"}) {
      for (const std::string floor :
           {"plane, position: [0, 0, 0], normal: [0, 0, 1]",
            "rigid, shape: {type: box, size: [2, 2, 0.2]}, position: [0, 0, -0.1], fixed: true"}) {
        if (shape.find("box") != std::string::npos && floor.starts_with("rigid"))
          continue;  // these keep a thickness between them
        const SceneRun run = run_scene(fmt::format(fmt::runtime(scene), scheme, shape, floor));
        EXPECT_NEAR(place_of(run, "ball")[2] - 0.1, fallen, 1e-6) << scheme << " " << shape << " " << floor;
        EXPECT_EQ(run.books.failure, "");
        EXPECT_LE(run.books.residual, 1e-12);
      }
    }
  }
}

/// In a heap all that the floor carried falls.
TEST(Vanishing, AHeapFallsThroughItsFloor) {
  const SceneRun run = run_scene(R"(time: {end: 0.6, step: 1 ms}
gravity: [0, 0, -10]
bodies:
  balls: {type: rigid, shape: {type: sphere, radius: 0.05}, density: 1000, position: [0, 0, 0.05], copies: {type: grid, count: [3, 3, 3], spacing: [0.1, 0.1, 0.1]}}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1], until: 0.2 s}
contacts:
  - {between: [floor, balls], friction: 0.3}
  - {between: [balls, balls], friction: 0.3}
)");
  EXPECT_EQ(run.simulation.integrator->name(), "moreau-variational");
  for (std::size_t i = 0; i < 27; ++i) EXPECT_LT(run.state.q[7 * i + 2], -0.4);
  EXPECT_LE(run.books.residual, 1e-12);
}

/// What a contact owes whose floor vanishes while it presses is lost, by name.
TEST(Vanishing, WhatTheBankHeldIsBooked) {
  const SceneRun run = run_scene(R"(time: {end: 0.05, courant: 0.5}
integrator: {type: capture-return}
bodies:
  block: {type: solid, shape: {type: box, size: [0.2, 0.2, 0.2], cells: [2, 2, 2]}, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3, material: st-venant-kirchhoff, position: [0, 0, 0.01], velocity: [0, 0, -2]}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1], until: 10 ms}
contacts: [{between: [floor, block]}]
)");
  EXPECT_GT(run.books.lost[model::Loss::restitution], 0);
  EXPECT_EQ(run.books.extra("bank"), 0);
  EXPECT_LE(run.books.residual, 1e-12);
}

}  // namespace
}  // namespace ictus
