// Balls of one group with radii of their own: each touches at its own, what is elastic, what is rigid and each other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ictus/build/build.hpp>
#include <ictus/contact/audit/surface_gaps.hpp>
#include <ictus/mechanics/rigid/rigid_bodies.hpp>
#include <ictus/scene/text/document.hpp>
#include <set>

namespace ictus {
namespace {

constexpr const char* balls_of_sizes =
    "balls: {type: rigid, shape: {type: sphere, radii: {type: uniform, from: 0.02, to: 0.04}}, density: 1000, "
    "position: "
    "[-0.1, 0.003, 0.05], copies: {type: grid, count: [3, 1, 1], spacing: [0.1, 0.1, 0.1]}";

build::Simulation with_balls(const std::string& keys, const std::string& others, const std::string& contacts) {
  return build::build(
      scene::read_text(fmt::format("{}\nbodies:\n  {}}}\n{}contacts: [{}]\n", keys, balls_of_sizes, others, contacts),
                       "scene.yaml"),
      1);
}

const mechanics::RigidBodies& balls_in(const build::Simulation& simulation) {
  return *simulation.system.find_body("balls")->rigid_bodies();
}

math::Vec3 centre(const build::Simulation& simulation, const model::State& state, std::size_t ball) {
  return math::Vec3::Map(&state.q[balls_in(simulation).dofs().begin + mechanics::RigidBodies::stride * ball]);
}

model::State run_to_end(build::Simulation& simulation) {
  simulation.integrator->prepare(simulation.system);
  model::State state = simulation.system.initial_state();
  simulation.integrator->start(simulation.system, simulation.step, state);
  for (std::int64_t n = 0; n < simulation.steps; ++n)
    simulation.integrator->step(simulation.system, simulation.step, state);
  return state;
}

/// On a plane, on a box that is held and on a block that hardly yields.
TEST(Sizes, EachBallComesToRestAtItsOwnRadius) {
  const std::string elastic =
      "type: solid, shape: {type: box, size: [0.4, 0.2, 0.05], cells: [8, 4, 1]}, position: [-0.2, -0.1, -0.05], "
      "material: linear, density: 1000, youngs_modulus: 1.0e+7, poissons_ratio: 0.3, supports: [{set: bottom}], "
      "damping: {mass: 300}";
  for (const auto& [ground, gap, tolerance] :
       {std::tuple{std::string("type: plane, position: [0, 0, 0], normal: [0, 0, 1]"), 0.0, 1e-9},
        {"type: rigid, shape: {type: box, size: [1, 1, 0.1]}, position: [0, 0, -0.05], fixed: true", 1e-3, 1e-9},
        {elastic, 1e-3, 2e-5}}) {
    build::Simulation simulation =
        with_balls("time: {end: 0.3, step: 0.05 ms}\ngravity: [0, 0, -9.81]\nintegrator: {type: cd-lagrange}",
                   fmt::format("  ground: {{{}}}\n", ground),
                   fmt::format("{{between: [balls, ground]{}}}", gap > 0 ? fmt::format(", gap: {}", gap) : ""));
    const model::State state = run_to_end(simulation);
    std::set<double> radii;
    for (std::size_t i = 0; i < 3; ++i) {
      const double radius = balls_in(simulation).shape(i).radius;
      radii.insert(radius);
      EXPECT_NEAR(centre(simulation, state, i).z(), radius + gap, tolerance) << ground << " " << i;
    }
    EXPECT_EQ(radii.size(), 3u);
    contact::SurfaceGaps gaps(simulation.system.pairs());
    gaps.move(state.q);
    EXPECT_NEAR(gaps.smallest(0), 0, 2e-6) << ground;
  }
}

/// A striker passes its motion from ball to ball: they touch where the sum of their own radii says, never before.
TEST(Sizes, BallsOfAGroupMeetAtTheSumOfTheirRadii) {
  for (const std::string scheme : {"cd-lagrange", "capture-return", "moreau-variational", "reflection"}) {
    build::Simulation simulation = with_balls(
        fmt::format("time: {{end: 0.2, step: 0.05 ms}}\nintegrator: {{type: {}}}", scheme),
        "  striker: {type: rigid, shape: {type: sphere, radius: 0.03}, density: 1000, position: [-0.3, 0.003, 0.05], "
        "velocity: [4, 0, 0]}\n  far: {type: bar, position: [9, 0, 0], length: 0.1, cells: 1, density: 1000, "
        "youngs_modulus: 1.0e+5, area: 1.0e-4}\n",
        fmt::format("{{between: [balls, balls]{0}}}, {{between: [balls, striker]{0}}}",
                    scheme == "cd-lagrange" ? "" : ", restitution: 0.5"));
    simulation.integrator->prepare(simulation.system);
    model::State state = simulation.system.initial_state();
    simulation.integrator->start(simulation.system, simulation.step, state);
    const double first_two = balls_in(simulation).shape(0).radius + balls_in(simulation).shape(1).radius;
    double nearest = 1, at_impulse = 0;
    for (std::int64_t n = 0; n < simulation.steps; ++n) {
      const dynamics::StepReport report = simulation.integrator->step(simulation.system, simulation.step, state);
      const double apart = (centre(simulation, state, 1) - centre(simulation, state, 0)).norm();
      nearest = std::min(nearest, apart);
      for (const dynamics::Impulse& one : report.impulses) {
        if (one.pair == 0 && at_impulse == 0) at_impulse = apart;
      }
    }
    const double in_a_step = 4 * simulation.step;
    EXPECT_NEAR(at_impulse, first_two, in_a_step) << scheme;
    EXPECT_GT(nearest, first_two - in_a_step) << scheme;
    EXPECT_GT(centre(simulation, state, 2).x(), 0.11) << scheme;
  }
}

}  // namespace
}  // namespace ictus
