// Point masses among bodies of all families.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <ictus/build/build.hpp>
#include <ictus/scene/text/document.hpp>

#include "support/ledger_run.hpp"

namespace ictus {
namespace {

std::string with_mass(const std::string& integrator, const std::string& other, const std::string& contact) {
  return fmt::format(
      "time: {{end: 0.02, courant: 0.3}}\n{}bodies:\n  other: {{{}}}\n  mass: {{type: point-mass, mass: 0.05, "
      "position: "
      "[0.012, 0.007, 0.011], velocity: [0.3, 0.1, -3]}}\ncontacts:\n  - {{between: [mass, other]{}}}\n",
      integrator, other, contact);
}

TEST(PointMassesAmongOthers, StrikeShellsSolidsBeamsAndRigidBodies) {
  const std::vector<std::string> others{
      "type: shell, shape: {type: plate, size: [0.3, 0.3], cells: [8, 8]}, thickness: 0.004, "
      "density: 1200, youngs_modulus: 3.0e+6, poissons_ratio: 0.3",
      "type: solid, shape: {type: box, size: [0.2, 0.2, 0.08], cells: [4, 4, 2]}, position: [-0.1, -0.1, -0.08], "
      "material: st-venant-kirchhoff, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3",
      "type: beam, length: 0.3, cells: 8, section: {type: circle, radius: 0.01}, density: 1500, youngs_modulus: "
      "1.0e+7, position: [0.01, 0.15, -0.01], rotation: [1.5707963, 0, 0]"};
  for (const std::string& other : others) {
    for (const std::string scheme :
         {"cd-lagrange", "reflection", "capture-return", "moreau-variational", "discrete-gradient"}) {
      for (const double friction : {0.0, 0.5}) {
        build::Simulation simulation =
            build::build(scene::read_text(with_mass(fmt::format("integrator: {{type: {}}}\n", scheme), other,
                                                    fmt::format(", friction: {}", friction)),
                                          "scene.yaml"),
                         1);
        double impulse = 0;
        const testing::LedgerRun run = testing::run_with_ledger(
            simulation.system, *simulation.integrator, simulation.step, static_cast<int>(simulation.steps),
            [&](const auto&, auto&, const dynamics::StepReport& report) {
              for (const dynamics::Impulse& one : report.impulses) impulse += one.normal_impulse;
            });
        EXPECT_EQ(run.failure, "") << scheme;
        EXPECT_GT(impulse, 0.02) << scheme;
        EXPECT_LE(run.linear_drift, 1e-12) << scheme;
        EXPECT_LE(run.angular_drift, 1e-12) << scheme;
        EXPECT_LE(run.residual, 1e-12) << scheme;
      }
    }
  }
}

/// With a rigid ball there is nothing elastic, and the default still steps both: it bounces as its restitution says.
TEST(PointMassesAmongOthers, BounceOffABallAsTheirRestitutionSays) {
  build::Simulation simulation = build::build(
      scene::read_text("time: {end: 0.02, step: 1.0e-4}\nbodies:\n  ball: {type: rigid, shape: {type: sphere, radius: "
                       "0.1}, mass: 1, position: "
                       "[0, 0, -0.1]}\n  mass: {type: point-mass, mass: 0.25, position: [0, 0, 0.01], velocity: [0, 0, "
                       "-2]}\ncontacts:\n  - {between: [mass, ball], restitution: 0.5}\n",
                       "scene.yaml"),
      1);
  EXPECT_EQ(simulation.integrator->name(), "capture-return");
  simulation.integrator->prepare(simulation.system);
  model::State state = simulation.system.initial_state();
  simulation.integrator->start(simulation.system, simulation.step, state);
  for (std::int64_t n = 0; n < simulation.steps; ++n)
    simulation.integrator->step(simulation.system, simulation.step, state);
  const std::size_t ball = simulation.system.find_body("ball")->dofs().begin,
                    mass = simulation.system.find_body("mass")->dofs().begin;
  // Common velocity −0.4, and ±(1 + e) shares of the relative one.
  EXPECT_NEAR(state.p[mass + 2] / 0.25, -2 + 1.5 * 0.8 * 2, 1e-9);
  EXPECT_NEAR(state.p[ball + 2], -1.5 * 0.2 * 2, 1e-9);
}

std::string refusal_of(const std::string& text) {
  try {
    build::build(scene::read_text(text, "scene.yaml"), 1);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PointMassesAmongOthers, MistakesSayWhatToDo) {
  EXPECT_THAT(
      refusal_of(with_mass("integrator: {type: dcr}\n",
                           "type: shell, shape: {type: plate, size: [0.3, 0.3], cells: [8, 8]}, thickness: 0.004, "
                           "density: 1200, youngs_modulus: 3.0e+6",
                           "")),
      ::testing::HasSubstr("dcr does not let surfaces meet bars, frames, point masses and pendulums, such as mass"));
  EXPECT_THAT(refusal_of("time: {end: 0.01, step: 1.0e-4}\nintegrator: {type: capture-return}\nbodies:\n  a: {type: "
                         "point-mass, mass: 1}\n  b: {type: point-mass, mass: 1, position: [0, 0, 1]}\ncontacts:\n  - "
                         "{between: [a, b]}\n"),
              ::testing::HasSubstr("a and b are points, which have no size and never meet"));
  EXPECT_THAT(refusal_of("time: {end: 0.01, courant: 0.5}\nbodies:\n  beam: {type: beam, length: 0.3, cells: 8, "
                         "section: {type: circle, radius: 0.01}, density: 1500, youngs_modulus: 1.0e+7, position: [0, "
                         "0.15, 0.02], rotation: [1.5707963, 0, 0]}\n  ball: {type: rigid, shape: {type: sphere, "
                         "radius: 0.02}, position: [0, 0, "
                         "0.025]}\ncontacts:\n  - {between: [beam, ball]}\n"),
              ::testing::AllOf(::testing::HasSubstr("beam and ball overlap at the start by 0.025 m"),
                               ::testing::HasSubstr("move ball by 0.025 m along (")));
}

}  // namespace
}  // namespace ictus
