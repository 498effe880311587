// Bars and frames, whose points move along guides, meet bodies that have skins: Saint-Venant's impact of a rigid
// striker on a bar, the same with a rigid rod and with beams, and frames under everything else.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <ictus/build/build.hpp>
#include <ictus/contact/audit/crossing_audit.hpp>
#include <ictus/scene/text/document.hpp>

#include "support/ledger_run.hpp"

namespace ictus {
namespace {

/// How an impact along x ended.
struct Impact {
  double end = 0;   ///< time of the last impulse (s)
  double bank = 0;  ///< most that was banked, over the energy at the start
  double velocity = 0;
  double momentum = 0;  ///< of the striker (N s)
  testing::LedgerRun run;
};

Impact impact_of(const std::string& text, const std::string& striker) {
  build::Simulation simulation = build::build(scene::read_text(text, "scene.yaml"), 1);
  Impact impact;
  double energy = 0;
  const std::size_t first = simulation.system.find_body(striker)->dofs().begin;
  const double mass = 1 / simulation.system.inverse_mass()[first];
  impact.run = testing::run_with_ledger(
      simulation.system, *simulation.integrator, simulation.step, static_cast<int>(simulation.steps),
      [&](const dynamics::System& system, model::State& state, const dynamics::StepReport& report) {
        const model::Stored stored = simulation.integrator->energy(system, simulation.step, state);
        if (energy == 0) {
          energy = stored[model::Store::kinetic] + stored[model::Store::strain] + stored[model::Store::bank];
        }
        impact.bank = std::max(impact.bank, stored[model::Store::bank] / energy);
        for (const dynamics::Impulse& one : report.impulses) impact.end = one.time;
        impact.velocity = state.p[first] / mass;
        impact.momentum = system.find_body(striker)->momentum(state.q, state.p).linear.x();
      });
  return impact;
}

constexpr const char* bar =
    "type: bar, length: 1, cells: 100, density: 1, youngs_modulus: 1, area: 1, supports: [{at: end}]";

Impact strike(const std::string& scheme, double courant) {
  return impact_of(fmt::format("time: {{end: 3.9, courant: {}}}\nintegrator: {{type: {}}}\nbodies:\n  bar: {{{}}}\n  "
                               "striker: {{type: rigid, shape: {{type: sphere, radius: 0.05}}, mass: 1, position: "
                               "[-0.05, 0, 0], velocity: [1, "
                               "0, 0]}}\ncontacts:\n  - {{between: [striker, bar]}}\n",
                               courant, scheme, bar),
                   "striker");
}

/// Exact: the striker leaves at 3.067668 with −0.687619.
TEST(SaintVenant, ARigidStrikerOnABar) {
  const Impact half = strike("capture-return", 0.5), whole = strike("capture-return", 1);
  EXPECT_NEAR(half.velocity, -0.692582, 1e-6);
  EXPECT_NEAR(whole.velocity, -0.692588, 1e-6);
  EXPECT_NEAR(half.end, 3.0400, 0.0051);  // and the return in the step after
  EXPECT_NEAR(whole.end, 3.0600, 0.0101);
  EXPECT_NEAR(half.bank, 0.004975, 1e-6);
  const Impact inelastic = strike("cd-lagrange", 1), reflected = strike("reflection", 0.5);
  EXPECT_NEAR(inelastic.velocity, -0.687621, 1e-6);
  EXPECT_NEAR(inelastic.run.lost[model::Loss::impact], 0.004975 * 0.5, 1e-6);
  EXPECT_NEAR(reflected.velocity, -0.68617, 1e-5);
  EXPECT_NEAR(reflected.end, 3.035, 1e-9);
  for (const Impact* one : {&half, &whole, &inelastic, &reflected}) {
    EXPECT_LE(one->run.error, 1e-13);
    EXPECT_LE(one->run.linear_drift, 1e-13);
  }
}

/// The end of a rigid rod with m = 4 and J = 4/3, whose centre is beside the bar: W = 1/m + l²/J = 1 is that of a
/// striker of mass 1.
TEST(SaintVenant, TheEndOfARigidRodOnABar) {
  const Impact rod = impact_of(
      fmt::format("time: {{end: 3.9, courant: 0.5}}\nintegrator: {{type: capture-return}}\nbodies:\n  bar: {{{}}}\n  "
                  "rod: {{type: rigid, shape: {{type: capsule, radius: 1.0e-4, length: 2}}, mass: 4, rotation: "
                  "[1.5707963267948966, 0, 0], "
                  "position: [-1.0e-4, 1, 0], velocity: [0.001, 0, 0]}}\ncontacts:\n  - {{between: [rod, bar]}}\n",
                  bar),
      "rod");
  // Of the impulse λ the centre gets λ/4, and the end that strikes λ.
  EXPECT_NEAR(rod.end, 3.060, 0.02);
  EXPECT_NEAR(4 * (rod.velocity / 0.001 - 0.75), -0.69233, 5e-4);
  EXPECT_LE(rod.run.error, 1e-13);
  EXPECT_LE(rod.run.linear_drift, 1e-12);
}

constexpr const char* soft_beam =
    "type: beam, length: 1, cells: 100, section: {type: circle, radius: 0.05}, density: 127.32395447351627, "
    "youngs_modulus: 127.32395447351627, poissons_ratio: 0.3, rotation: [0, 1.5707963267948966, 0]";

TEST(SaintVenant, ARigidStrikerOnTheAxisOfABeam) {
  const Impact beam = impact_of(
      fmt::format(
          "time: {{end: 3.9, courant: 0.999, allow_unstable: true}}\nintegrator: {{type: capture-return}}\nbodies:\n  "
          "beam: {{{}, supports: [{{at: end}}]}}\n  striker: {{type: rigid, shape: {{type: sphere, radius: 0.05}}, "
          "mass: 1, position: [-0.1, 0, 0], "
          "velocity: [0.001, 0, 0]}}\ncontacts:\n  - {{between: [striker, beam]}}\n",
          soft_beam),
      "striker");
  EXPECT_NEAR(beam.end, 3.067, 0.01);
  EXPECT_NEAR(beam.velocity / 0.001, -0.69256, 1e-5);
  EXPECT_LE(beam.run.error, 2e-12);
  EXPECT_LE(beam.run.residual, 1e-13);
}

/// Two bodies of equal impedance and length exchange their velocities.
TEST(SaintVenant, ABeamOnABar) {
  const Impact beam = impact_of(
      fmt::format("time: {{end: 2.5, courant: 0.999, allow_unstable: true}}\nintegrator: {{type: "
                  "capture-return}}\nbodies:\n  beam: {{{}, "
                  "position: [-1.05, 0, 0], velocity: [0.001, 0, 0]}}\n  bar: {{type: bar, length: 1, cells: 100, "
                  "density: 1, youngs_modulus: 1, area: 1}}\ncontacts:\n  - {{between: [beam, bar]}}\n",
                  soft_beam),
      "beam");
  EXPECT_NEAR(beam.end, 1.998, 0.03);
  EXPECT_NEAR(beam.momentum / 0.001, 7e-4, 0.5e-4);
  EXPECT_LE(beam.run.linear_drift, 1e-13);
  EXPECT_LE(beam.run.residual, 1e-12);
}

struct GuidedMix {
  std::string name, guided, other, scheme;
  double friction;
};

constexpr const char* tower =
    "type: frame, nodes: {left: [-0.15, 0, 0], right: [0.15, 0, 0]}, sections: {s: {type: SECTION}}, materials: {m: "
    "{youngs_modulus: 2.0e+8, poissons_ratio: 0.3, density: 1500}}, members: [{from: left, to: right, section: s, "
    "material: m, element_size: 0.03}], supports: [{node: left, type: clamped}, {node: right, type: clamped}]";

std::string with_section(const std::string& section, const std::string& more = "") {
  std::string text = tower;
  text.replace(text.find("type: SECTION"), 13, section);
  return text + more;
}

void PrintTo(const GuidedMix& mix, std::ostream* out) { *out << mix.name; }

std::vector<GuidedMix> guided_mixes() {
  const std::vector<std::pair<std::string, std::string>> guided{
      {"pipes", with_section("type: pipe, diameter: 0.02, thickness: 0.004")},
      {"rectangles", with_section("type: rectangle, height: 0.02, width: 0.03")},
      {"grillage", with_section("type: rectangle, height: 0.02, width: 0.03", ", unknowns: grillage")},
      {"bar",
       "type: bar, position: [0, 0, -0.3], direction: [0, 0, 1], length: 0.31, cells: 20, density: 1500, "
       "youngs_modulus: 1.0e+7, area: 1.0e-3, supports: [{at: start}]"}};
  const std::vector<std::pair<std::string, std::string>> others{
      {"sphere",
       "type: rigid, shape: {type: sphere, radius: 0.03}, density: 1000, position: [0.004, 0.002, 0.042], velocity: "
       "[0.2, 0.1, -2]"},
      {"box",
       "type: rigid, shape: {type: box, size: [0.1, 0.06, 0.04]}, density: 1000, rotation: [0.3, 0.2, 0], position: "
       "[0.01, 0, 0.055], "
       "velocity: [0.2, 0.1, -2]"},
      {"beam",
       "type: beam, length: 0.3, cells: 8, section: {type: circle, radius: 0.01}, density: 1500, "
       "youngs_modulus: 1.0e+7, position: [0.003, 0.15, 0.022], rotation: [1.5707963, 0, 0], velocity: [0.1, 0, -2]"},
      {"solid",
       "type: solid, shape: {type: box, size: [0.1, 0.1, 0.04], cells: [3, 3, 2]}, position: [-0.047, -0.052, 0.014], "
       "material: st-venant-kirchhoff, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3, velocity: [0, 0, "
       "-2]"},
      {"shell",
       "type: shell, shape: {type: plate, size: [0.2, 0.2], cells: [5, 5]}, thickness: 0.004, "
       "density: 1200, youngs_modulus: 3.0e+6, poissons_ratio: 0.3, position: [0.003, 0.004, 0.015], velocity: [0, 0, "
       "-2]"}};
  std::vector<GuidedMix> all;
  for (const auto& [guided_name, guided_text] : guided) {
    for (const auto& [other_name, other_text] : others) {
      for (const std::string scheme :
           {"cd-lagrange", "reflection", "capture-return", "moreau-variational", "discrete-gradient"}) {
        for (const double friction : {0.0, 0.5}) {
          std::string name =
              fmt::format("{}_on_{}_by_{}_{}", other_name, guided_name, scheme, friction > 0 ? "rough" : "smooth");
          std::replace(name.begin(), name.end(), '-', '_');
          all.push_back({name, guided_text, other_text, scheme, friction});
        }
      }
    }
  }
  return all;
}

class OnGuided : public ::testing::TestWithParam<GuidedMix> {};

TEST_P(OnGuided, KeepsTheMomentumAndAccountsForEnergyWithoutCrossing) {
  const GuidedMix& mix = GetParam();
  build::Simulation simulation = build::build(
      scene::read_text(
          fmt::format("time: {{end: 0.02, courant: 0.3}}\nintegrator: {{type: {}}}\nbodies:\n  guided: "
                      "{{{}}}\n  other: {{{}}}\ncontacts:\n  - {{between: [other, guided], friction: {}}}\n",
                      mix.scheme, mix.guided, mix.other, mix.friction),
          "scene.yaml"),
      1);
  const contact::Skins skins(simulation.system.pairs());
  contact::CrossingAudit audit;
  std::vector<contact::Crossing> crossings;
  double impulse = 0;
  const testing::LedgerRun run = testing::run_with_ledger(
      simulation.system, *simulation.integrator, simulation.step, static_cast<int>(simulation.steps),
      [&](const auto&, model::State& state, const dynamics::StepReport& report) {
        for (const dynamics::Impulse& one : report.impulses) impulse += one.normal_impulse;
        audit.find(skins, state.q, crossings);
      });
  EXPECT_EQ(run.failure, "");
  EXPECT_GT(impulse, 0.01);  // N s: they have met
  EXPECT_LE(run.linear_drift, 1e-12);
  EXPECT_LE(run.residual, 1e-12);
  EXPECT_LE(run.error, mix.scheme == "reflection" ? 2e-2 : 5e-3);
  if (mix.scheme == "discrete-gradient") {
    EXPECT_LE(run.extra("bank_max"), 1e-3 * run.scale);
  }
  EXPECT_TRUE(crossings.empty());
}

INSTANTIATE_TEST_SUITE_P(Every, OnGuided, ::testing::ValuesIn(guided_mixes()),
                         [](const auto& instance) { return instance.param.name; });

/// A frame that falls on a plane with its section, not its axis.
TEST(FrameOnPlane, TouchesWithItsSection) {
  for (const auto& [section, reach] : {std::pair("type: pipe, diameter: 0.02, thickness: 0.004", 0.01),
                                       {"type: rectangle, height: 0.04, width: 0.03", 0.02}}) {
    std::string frame = with_section(section);
    frame.erase(frame.find(", supports"));
    build::Simulation simulation = build::build(
        scene::read_text(
            fmt::format("time: {{end: 0.1, courant: 0.5}}\ngravity: [0, 0, -9.81]\nintegrator: {{type: "
                        "cd-lagrange}}\nbodies:\n  frame: {{{}}}\n  floor: {{type: plane, position: [0, 0, {}], "
                        "normal: [0, 0, 1]}}\ncontacts:\n  - {{between: [frame, floor]}}\n",
                        frame, -reach),
            "scene.yaml"),
        1);
    simulation.integrator->prepare(simulation.system);
    model::State state = simulation.system.initial_state();
    simulation.integrator->start(simulation.system, simulation.step, state);
    double weight = 0;
    for (std::int64_t n = 0; n < simulation.steps; ++n) {
      for (const dynamics::Impulse& one :
           simulation.integrator->step(simulation.system, simulation.step, state).impulses)
        weight += one.normal_impulse;
    }
    const model::Surface& nodes = simulation.system.find_body("frame")->surface();
    for (std::size_t i = 0; i < nodes.point_count(); ++i)
      EXPECT_NEAR(nodes.position(i, state.q).z(), 0, 1e-4 * reach) << section;  // it has not fallen by its reach
    EXPECT_GT(weight, 0) << section;
  }
}

TEST(Guided, AllBodiesAreFramesToo) {
  const build::Simulation simulation = build::build(
      scene::read_text(
          fmt::format("time: {{end: 0.1, courant: 0.5}}\nbodies:\n  frame: {{{}}}\n  ball: {{type: rigid, shape: "
                      "{{type: sphere, "
                      "radius: 0.02}}, mass: 0.1, position: [0, 0, 0.05]}}\n  floor: {{type: plane, position: "
                      "[0, 0, -0.1], normal: [0, 0, 1]}}\ncontacts:\n  - {{between: [all, all]}}\n",
                      with_section("type: pipe, diameter: 0.02, thickness: 0.004")),
          "scene.yaml"),
      1);
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const contact::ContactPair& pair : simulation.system.pairs()) pairs.emplace_back(pair.first, pair.second);
  EXPECT_THAT(pairs,
              ::testing::UnorderedElementsAre(::testing::Pair("frame", "ball"), ::testing::Pair("frame", "floor"),
                                              ::testing::Pair("ball", "floor")));
}

}  // namespace
}  // namespace ictus
