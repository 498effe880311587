// The elastic layers of discrete-gradient between bodies of all families: rows that are gradients of the gaps that
// layers are pressed by, a bank that stays empty where gaps are linear, and rigid bodies on layers.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <ictus/build/build.hpp>
#include <ictus/contact/detect/surface_constraints.hpp>
#include <ictus/contact/detect/surface_detector.hpp>
#include <ictus/scene/text/document.hpp>
#include <random>

#include "support/ledger_run.hpp"

namespace ictus {
namespace {

build::Simulation build_layers(const std::string& time, const std::string& rest) {
  return build::build(
      scene::read_text(fmt::format("time: {{{}}}\nintegrator: {{type: discrete-gradient}}\n{}", time, rest),
                       "scene.yaml"),
      1);
}

testing::LedgerRun run_layers(const std::string& time, const std::string& rest, const testing::ReportFault& look = {}) {
  build::Simulation simulation = build_layers(time, rest);
  return testing::run_with_ledger(simulation.system, *simulation.integrator, simulation.step,
                                  static_cast<int>(simulation.steps), look);
}

double bank_of(const testing::LedgerRun& run) { return run.extra("bank_max") / run.scale; }

constexpr const char* beam_across_beam =
    "bodies:\n  above: {type: beam, length: 0.3, cells: 10, section: {type: circle, radius: 0.012}, density: "
    "2000, youngs_modulus: 2.0e+7, position: [-0.13, 0.013, 0.045], rotation: [0.02, 1.5, 0.1], velocity: [0.5, 0.2, "
    "-4]}\n  below: {type: beam, length: 0.3, cells: 8, section: {type: circle, radius: 0.01}, density: 1500, "
    "youngs_modulus: 1.0e+7, position: [0.01, 0.15, -0.01], rotation: [1.5707963, 0, 0]}\ncontacts:\n  - {between: "
    "[above, below], friction: 0.5}\n";

/// w·M⁻¹p is the rate of the gap of the features that name a constraint, whatever carries them.
TEST(Layers, RowsAreGradientsOfTheirGaps) {
  const std::string square =
      "type: beam, length: 0.3, cells: 8, section: {type: square, side: 0.02}, density: 1500, youngs_modulus: "
      "1.0e+7, position: [0.01, 0.15, -0.015], rotation: [1.5707963, 0, 0]";
  const std::string pipes =
      "type: frame, nodes: {left: [-0.15, 0, 0], right: [0.15, 0, 0]}, sections: {s: {type: pipe, diameter: 0.02, "
      "thickness: 0.004}}, materials: {m: {youngs_modulus: 2.0e+8, poissons_ratio: 0.3, density: 1500}}, members: "
      "[{from: left, to: right, section: s, material: m, element_size: 0.03}], supports: [{node: left, type: clamped}]";
  const std::string round =
      "type: beam, length: 0.3, cells: 10, section: {type: circle, radius: 0.012}, density: 2000, "
      "youngs_modulus: 2.0e+7, position: [-0.13, 0.013, 0.035], rotation: [0.02, 1.5, 0.1]";
  const std::string box =
      "type: rigid, shape: {type: box, size: [0.1, 0.06, 0.04]}, density: 1000, rotation: [0.3, 0.2, 0], position: "
      "[0.01, 0.02, 0.07]";
  const std::string shell =
      "type: shell, shape: {type: plate, size: [0.3, 0.3], cells: [8, 8]}, thickness: 0.004, "
      "density: 1200, youngs_modulus: 3.0e+6, poissons_ratio: 0.3";
  const std::string block =
      "type: rigid, shape: {type: box, size: [0.2, 0.2, 0.04]}, density: 1000, position: [0.01, 0, -0.025]";
  const std::string plane = "type: plane, position: [0, 0, -0.02], normal: [0.1, 0.2, 0.9746794344808963]";
  const std::vector<std::pair<std::string, std::string>> pairs{{round, square}, {round, pipes}, {round, shell},
                                                               {box, square},   {box, pipes},   {box, shell},
                                                               {box, plane},    {round, plane}, {round, block}};
  for (const auto& [above, below] : pairs) {
    SCOPED_TRACE(above + "\n" + below);
    build::Simulation simulation = build_layers(
        "end: 0.01, step: 1.0e-6",
        fmt::format("bodies:\n  above: {{{}}}\n  below: {{{}}}\ncontacts:\n  - {{between: [above, below]}}\n", above,
                    below));
    const dynamics::System& system = simulation.system;
    const model::State state = system.initial_state();
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<double> p(state.p.size());
    for (std::size_t k = 0; k < p.size(); ++k) {
      if (system.inverse_mass()[k] > 0) p[k] = uniform(random) / system.inverse_mass()[k];
    }
    contact::SurfaceDetector detector;
    detector.prepare(system.pairs());
    model::ConstraintSet constraints;
    detector.detect(system.pairs(), {state.q, p, system.inverse_mass(), 0.04}, constraints);  // far enough to see many
    const auto gap_after = [&](std::size_t i, double time) {
      std::vector<double> q = state.q, momenta = p;
      system.drift(momenta, time, q);
      system.fly(time, q, momenta);
      return contact::gap_of_features(detector.skins(), system.pairs(), constraints.contact(i).pair,
                                      constraints.name(i), q);
    };
    EXPECT_GT(constraints.size(), 1u);
    const double s = 1e-6;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      if (constraints.name(i).kind == model::ConstraintSet::nameless) continue;  // meets later
      EXPECT_NEAR(gap_after(i, 0), constraints.gap(i), 1e-15);
      const double rate = model::rate(constraints.row(i), system.inverse_mass(), p);
      EXPECT_NEAR((gap_after(i, s) - gap_after(i, -s)) / (2 * s), rate, 1e-6);
    }
  }
}

/// Exact: the striker leaves with −0.687619. Its gap is linear in the motion, and all energy is that of the layer.
TEST(Layers, SaintVenantsImpactNeedsNoBank) {
  double velocity = 0;
  const testing::LedgerRun run = run_layers("end: 3.9, courant: 0.5",
                                            "bodies:\n  bar: {type: bar, length: 1, cells: 100, density: 1, "
                                            "youngs_modulus: 1, area: 1, supports: [{at: end}]}\n  "
                                            "striker: {type: rigid, shape: {type: sphere, radius: 0.05}, mass: 1, "
                                            "position: [-0.051, 0, 0], velocity: [1, 0, 0]}\ncontacts:\n  - "
                                            "{between: [striker, bar]}\n",
                                            [&](const dynamics::System& system, model::State& state, const auto&) {
                                              velocity = state.p[system.find_body("striker")->dofs().begin];
                                            });
  EXPECT_NEAR(velocity, -0.687619, 2e-3);
  EXPECT_GT(run.extra("layer_max"), 0.01);
  EXPECT_LE(bank_of(run), 1e-12);
  EXPECT_LE(run.error, 1e-12);
  EXPECT_LE(run.linear_drift, 1e-12);
}

TEST(Layers, CrossingBeamsNeedHardlyAnyBank) {
  const testing::LedgerRun run = run_layers("end: 0.02, courant: 0.3", beam_across_beam);
  EXPECT_GT(run.extra("layer_max"), 0.01 * run.scale);
  EXPECT_LE(bank_of(run), 1e-9);
  EXPECT_LE(run.error, 2e-4);
}

/// What rests or slides on a plane sinks in by F/k, k = κ m/(16 h)² of each corner or less.
struct PlaneRun {
  model::State state;
  testing::LedgerRun run;
};

PlaneRun run_on_plane(const std::string& body, const std::string& contact, const std::string& gravity, double end,
                      double h) {
  PlaneRun result;
  result.run = run_layers(
      fmt::format("end: {}, step: {}", end, h),
      fmt::format(
          "gravity: {}\nbodies:\n  floor: {{type: plane, position: [0, 0, 0], normal: [0, 0, 1]}}\n  body: {{{}, "
          "density: 1000}}\ncontacts:\n  - {{between: [body, floor], {}}}\n",
          gravity, body, contact),
      [&](const auto&, model::State& state, const auto&) { result.state = state; });
  EXPECT_EQ(result.run.failure, "");
  EXPECT_LE(result.run.linear_drift, 1e-12);
  return result;
}

constexpr const char* tilted = "[2.9, 0, -9.3]";
constexpr const char* lying_box = "type: rigid, shape: {type: box, size: [0.2, 0.2, 0.1]}, position: [0, 0, 0.05]";

TEST(LayersOnPlanes, ABoxSlides) {
  const double h = 1e-3;
  for (const double e : {0.0, 1.0}) {
    const PlaneRun slides = run_on_plane(lying_box, fmt::format("friction: 0.2, restitution: {}", e), tilted, 0.5, h);
    EXPECT_NEAR(slides.state.q[0], 0.5 * (2.9 - 0.2 * 9.3) * 0.25, 1e-3) << e;
    EXPECT_NEAR(slides.state.q[2], 0.05, 20 * 9.3 * h * h) << e;
    EXPECT_LE(slides.run.residual, 1e-12) << e;
  }
}

/// It slips while it sinks in, and by some 0.05 mm/s after that, where without friction it would be 0.36 m away.
/// Without restitution: an elastic layer goes on swinging, and lets what sticks slip whenever it carries nothing.
TEST(LayersOnPlanes, ABoxSticks) {
  const PlaneRun sticks = run_on_plane(lying_box, "friction: 0.4, restitution: 0", tilted, 0.5, 1e-3);
  EXPECT_LE(std::abs(sticks.state.q[0]), 1e-4);
}

/// a = g sin α/(1 + J/mr²).
TEST(LayersOnPlanes, ABallRolls) {
  const PlaneRun rolls = run_on_plane("type: rigid, shape: {type: sphere, radius: 0.05}, position: [0, 0, 0.05]",
                                      "friction: 0.3", tilted, 0.5, 1e-3);
  const double mass = 1000 * 4.0 / 3 * M_PI * std::pow(0.05, 3);
  EXPECT_NEAR(rolls.state.q[0], 0.5 * 2.9 / 1.4 * 0.25, 3e-3);
  EXPECT_NEAR(rolls.state.p[4] / (0.4 * mass * 0.05 * 0.05), rolls.state.p[0] / mass / 0.05, 0.05);
  EXPECT_LE(rolls.run.error, 1e-12);
  EXPECT_LE(bank_of(rolls.run), 1e-12);
}

TEST(LayersOnPlanes, ABallBouncesAsItsRestitutionSays) {
  const double mass = 1000 * 4.0 / 3 * M_PI * std::pow(0.05, 3);
  for (const double e : {0.5, 0.8, 1.0}) {
    const PlaneRun bounces =
        run_on_plane("type: rigid, shape: {type: sphere, radius: 0.05}, position: [0, 0, 0.06], velocity: [0, 0, -1]",
                     fmt::format("restitution: {}", e), "[0, 0, 0]", 0.1, 1e-4);
    EXPECT_NEAR(bounces.state.p[2] / mass, e, e == 1 ? 1e-12 : 0.05) << e;  // it turns within a step
    EXPECT_NEAR(bounces.run.lost[model::Loss::restitution], 0.5 * mass * (1 - std::pow(bounces.state.p[2] / mass, 2)),
                1e-12)
        << e;
    EXPECT_LE(bank_of(bounces.run), 1e-12) << e;
  }
}

/// A box that tumbles: corners turn about it, and the bank holds what their gaps are not linear by.
TEST(LayersOnPlanes, ATumblingBoxNeedsALittleBank) {
  for (const double e : {0.0, 0.5, 1.0}) {
    for (const double friction : {0.0, 0.5}) {
      const PlaneRun tumbles = run_on_plane(
          "type: rigid, shape: {type: box, size: [0.2, 0.15, 0.1]}, rotation: [0.4, 0.3, 0.1], position: [0, 0, 0.5], "
          "angular_velocity: [3, "
          "2, 1]",
          fmt::format("friction: {}, restitution: {}", friction, e), "[0, 0, -9.81]", 1, 1e-3);
      EXPECT_LE(tumbles.run.error, 1e-12) << e << " " << friction;
      EXPECT_LE(bank_of(tumbles.run), 1e-3) << e << " " << friction;
      EXPECT_LE(std::abs(tumbles.run.lost[model::Loss::solver]), 1e-5 * tumbles.run.scale) << e << " " << friction;
    }
  }
}

/// Two rigid balls: nothing but their layer gives way, and they part as Newton's law has it.
TEST(Layers, RigidBallsExchangeTheirVelocities) {
  double velocity = 0;
  const testing::LedgerRun run = run_layers("end: 0.05, step: 1.0e-4",
                                            "bodies:\n  one: {type: rigid, shape: {type: sphere, radius: 0.1}, mass: "
                                            "1, position: [-0.11, 0, 0], velocity: [2, 0, 0]}\n  other: "
                                            "{type: rigid, shape: {type: sphere, radius: 0.1}, mass: 1, position: "
                                            "[0.11, 0, 0]}\ncontacts:\n  - {between: [one, other]}\n",
                                            [&](const dynamics::System& system, model::State& state, const auto&) {
                                              velocity = state.p[system.find_body("other")->dofs().begin];
                                            });
  EXPECT_NEAR(velocity, 2, 1e-12);
  EXPECT_LE(run.error, 1e-12);
  EXPECT_LE(bank_of(run), 1e-12);
}

/// The error of the energy is that of the elements in time, and falls with the square of the step.
TEST(Layers, ErrorFallsWithTheSquareOfTheStep) {
  const auto error = [](double courant) {
    return run_layers(
               fmt::format("end: 0.03, courant: {}", courant),
               "bodies:\n  ball: {type: rigid, shape: {type: sphere, radius: 0.04}, density: 2000, position: [0.013, "
               "0.007, 0.075], "
               "velocity: "
               "[0.5, 0.2, -4], angular_velocity: [8, -5, 12]}\n  block: {type: solid, shape: {type: box, size: [0.2, "
               "0.2, 0.08], cells: [4, 4, 2]}, position: [-0.1, -0.1, -0.08], material: st-venant-kirchhoff, density: "
               "1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3}\ncontacts:\n  - {between: [ball, block], friction: "
               "0.5}\n")
        .error;
  };
  EXPECT_GT(error(0.4), 3 * error(0.2));
  EXPECT_GT(error(0.2), 3 * error(0.1));
}

}  // namespace
}  // namespace ictus
