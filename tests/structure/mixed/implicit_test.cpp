// Bodies for which no step is too long: linear ones with M + h²K/4 for their mass, in the same step, contact problem
// and ledger as all others.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <ictus/build/build.hpp>
#include <ictus/contact/audit/crossing_audit.hpp>
#include <ictus/scene/text/document.hpp>

#include "support/complaint_of.hpp"
#include "support/ledger_run.hpp"

namespace ictus {
namespace {

build::Simulation implicit_scene(const std::string& text, int threads = 1) {
  return build::build(scene::read_text(text, "scene.yaml"), threads);
}

/// One element held at one end swings by a turn of 2 atan(½ωh) in a step, however long that is [eq. mixed-16].
TEST(Implicit, AnElementSwingsAsTheMidpointRuleDoes) {
  const double mass = 0.5, stiffness = 3, speed = 0.7;
  for (const double h : {0.1, 1.0, 20.0}) {
    build::Simulation simulation = implicit_scene(fmt::format(
        "time: {{end: {}, step: {}}}\nintegrator: {{type: central-difference}}\nbodies:\n  bar: {{type: bar, length: "
        "1, cells: 1, density: {}, youngs_modulus: {}, supports: [{{at: start}}], velocity: [{}, 0, 0], implicit: "
        "true}}\n",
        50 * h, h, 2 * mass, stiffness, speed));
    simulation.integrator->prepare(simulation.system);
    model::State state = simulation.system.initial_state();
    simulation.integrator->start(simulation.system, h, state);
    const double turn = 2 * std::atan(0.5 * h * std::sqrt(stiffness / mass));
    std::vector<double> v(state.p.size());
    for (int n = 1; n <= 50; ++n) {
      simulation.integrator->step(simulation.system, h, state);
      // From rest the first velocity is the speed, q_n = h V sin(nθ)/sin θ; the mean of both velocities follows it.
      const double size = h * speed / std::sin(turn);
      EXPECT_NEAR(state.q[1] - 0.0, size * std::sin(n * turn), 1e-12 * size * n) << h << " " << n;
      simulation.integrator->velocity(simulation.system, h, state, v);
      EXPECT_NEAR(v[1], speed * std::cos(n * turn), 1e-12 * speed * n) << h << " " << n;
    }
  }
}

/// How a rigid striker of mass 1 leaves a bar with length, mass and stiffness 1, over its velocity. Exact: at 3.067668
/// with −0.687619.
struct Strike {
  double end = 0, velocity = 0;
  int switches = 0;  ///< of the force, on or off
  testing::LedgerRun run;
};

Strike strike_implicit_bar(const std::string& scheme, double courant) {
  constexpr int elements = 200;
  build::Simulation simulation = implicit_scene(fmt::format(
      "time: {{end: 3.9, step: {:.17g}}}\nintegrator: {{type: {}}}\nbodies:\n  bar: {{type: bar, length: 1, "
      "cells: {}, density: 1, youngs_modulus: 1, area: 1, supports: [{{at: end}}], implicit: true}}\n  striker: "
      "{{type: rigid, shape: {{type: sphere, radius: 0.05}}, mass: 1, position: [-0.05, 0, 0], velocity: [0.01, 0, "
      "0]}}\ncontacts:\n "
      " - {{between: [striker, bar]}}\n",
      courant / elements, scheme, elements));
  Strike strike;
  const std::size_t first = simulation.system.find_body("striker")->dofs().begin;
  bool pushed = false;
  strike.run = testing::run_with_ledger(simulation.system, *simulation.integrator, simulation.step,
                                        static_cast<int>(simulation.steps),
                                        [&](const auto&, model::State& state, const dynamics::StepReport& report) {
                                          for (const dynamics::Impulse& one : report.impulses) strike.end = one.time;
                                          if (pushed == report.impulses.empty()) ++strike.switches;
                                          pushed = !report.impulses.empty();
                                          strike.velocity = state.p[first] / 0.01;
                                        });
  return strike;
}

TEST(Implicit, SaintVenantAtAnyCourantNumber) {
  for (const double courant : {0.5, 1.0, 5.0, 20.0}) {
    const Strike strike = strike_implicit_bar("capture-return", courant);
    EXPECT_EQ(strike.run.failure, "");
    EXPECT_LE(strike.run.error, 2e-14) << courant;  // energy with the bank
    EXPECT_LE(strike.run.residual, 2e-14) << courant;
    EXPECT_LE(strike.run.linear_drift, 1e-13) << courant;
    EXPECT_LE(strike.switches, 4) << courant;  // no chatter
  }
  const Strike five = strike_implicit_bar("capture-return", 5);
  EXPECT_NEAR(five.end, 3.0, 0.026);  // and the return in the step after
  EXPECT_NEAR(five.velocity, -0.6971, 1e-4);
}

struct OnImplicit {
  std::string name, striker, target, scheme;
  double friction;
};

/// Implicit bodies whose upper side is at z = 0 and things above them; steps are five times what the elements would
/// bear.
std::vector<OnImplicit> implicit_mixes() {
  const std::vector<std::pair<std::string, std::string>> strikers{
      {"sphere",
       "type: rigid, shape: {type: sphere, radius: 0.04}, density: 2000, position: [0.013, 0.007, 0.042], velocity: "
       "[0.5, 0.2, -2], "
       "angular_velocity: [8, -5, 12]"},
      {"box",
       "type: rigid, shape: {type: box, size: [0.1, 0.06, 0.04]}, rotation: [0.4, 0.3, 0.1], density: 2000, position: "
       "[0.013, 0.007, "
       "0.06], velocity: [0.5, 0.2, -2]"},
      {"beam",
       "type: beam, length: 0.2, cells: 4, section: {type: circle, radius: 0.01}, density: 1500, "
       "youngs_modulus: 1.0e+5, poissons_ratio: 0.3, position: [-0.1, 0.005, 0.012], rotation: [0, "
       "1.5707963267948966, 0], velocity: [0.3, 0.1, -2]"},
      {"solid",
       "type: solid, shape: {type: box, size: [0.1, 0.1, 0.05], cells: [1, 1, 1]}, position: [-0.047, -0.052, "
       "0.004], material: st-venant-kirchhoff, density: 1000, youngs_modulus: 1.0e+4, poissons_ratio: 0.3, "
       "velocity: [0.4, 0, -2]"},
      {"implicit_solid",
       "type: solid, shape: {type: box, size: [0.1, 0.1, 0.05], cells: [2, 2, 1]}, position: [-0.047, "
       "-0.052, 0.004], material: linear, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: "
       "0.3, velocity: [0.4, 0, -2], implicit: true"}};
  const std::vector<std::pair<std::string, std::string>> targets{
      {"solid",
       "type: solid, shape: {type: box, size: [0.2, 0.2, 0.08], cells: [4, 4, 2], element: hexahedron}, "
       "position: [-0.1, -0.1, -0.08], material: linear, density: 1000, youngs_modulus: 4.0e+6, "
       "poissons_ratio: 0.3, implicit: true"},
      {"held_solid",
       "type: solid, shape: {type: box, size: [0.2, 0.2, 0.08], cells: [3, 3, 2]}, position: [-0.1, -0.1, "
       "-0.08], material: linear, density: 1000, youngs_modulus: 4.0e+6, poissons_ratio: 0.3, supports: "
       "[{set: bottom}], implicit: true"},
      {"frame",
       "type: frame, nodes: {left: [-0.15, 0, -0.01], right: [0.15, 0, -0.01]}, sections: {s: {type: pipe, "
       "diameter: 0.02, thickness: 0.004}}, materials: {m: {youngs_modulus: 2.0e+8, poissons_ratio: 0.3, "
       "density: 1500}}, members: [{from: left, to: right, section: s, material: m, element_size: 0.03}], "
       "supports: [{node: left, type: clamped}, {node: right, type: clamped}], implicit: true"}};
  std::vector<OnImplicit> all;
  for (const auto& [striker_name, striker] : strikers) {
    for (const auto& [target_name, target] : targets) {
      for (const std::string scheme :
           {"cd-lagrange", "reflection", "capture-return", "moreau-variational", "discrete-gradient"}) {
        for (const double friction : {0.0, 0.5}) {
          std::string name =
              fmt::format("{}_on_{}_by_{}_{}", striker_name, target_name, scheme, friction > 0 ? "rough" : "smooth");
          std::replace(name.begin(), name.end(), '-', '_');
          all.push_back({name, striker, target, scheme, friction});
        }
      }
    }
  }
  return all;
}

class OnImplicitBodies : public ::testing::TestWithParam<OnImplicit> {
 protected:
  build::Simulation simulation(int threads = 1) const {
    const OnImplicit& mix = GetParam();
    return implicit_scene(
        fmt::format("time: {{end: 0.03, step: 4.0e-4}}\nintegrator: {{type: {}}}\nbodies:\n  striker: "
                    "{{{}}}\n  target: {{{}}}\ncontacts:\n  - {{between: [striker, target], "
                    "friction: {}}}\n",
                    mix.scheme, mix.striker, mix.target, mix.friction),
        threads);
  }
};

TEST_P(OnImplicitBodies, KeepMomentumAndAccountForEnergyWithoutCrossing) {
  build::Simulation simulation = this->simulation();
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
  EXPECT_LE(run.error, 2e-2);
  EXPECT_TRUE(crossings.empty());
}

TEST_P(OnImplicitBodies, HaveTheSameBitsOnTwoThreadsAndFromAKeptState) {
  build::Simulation simulation = this->simulation(), other = this->simulation(2);
  simulation.integrator->prepare(simulation.system);
  other.integrator->prepare(other.system);
  model::State state = simulation.system.initial_state(), kept;
  simulation.integrator->start(simulation.system, simulation.step, state);
  for (std::int64_t n = 0; n < simulation.steps; ++n) {
    if (n == simulation.steps / 2) kept = state;
    simulation.integrator->step(simulation.system, simulation.step, state);
  }
  while (kept.step < state.step) other.integrator->step(other.system, other.step, kept);
  EXPECT_EQ(kept, state);
}

INSTANTIATE_TEST_SUITE_P(Every, OnImplicitBodies, ::testing::ValuesIn(implicit_mixes()),
                         [](const auto& instance) { return instance.param.name; });

/// A weight that rests on a held block: what its supports give is what it weighs, however long the steps.
TEST(Implicit, SupportsCarryWhatStandsOnABlock) {
  build::Simulation simulation = implicit_scene(
      "time: {end: 4, step: 0.01}\ngravity: [0, 0, -10]\nbodies:\n  block: {type: solid, shape: {type: box, size: "
      "[0.6, 0.6, 0.2], cells: [3, 3, 1], element: hexahedron}, position: [-0.3, -0.3, -0.2], material: linear, "
      "density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3, supports: [{set: bottom}], implicit: true}\n  "
      "weight: "
      "{type: rigid, shape: {type: sphere, radius: 0.1}, mass: 20, position: [0, 0, 0.1]}\ncontacts:\n  - {between: "
      "[weight, block]}\n");
  double up = 0;
  const testing::LedgerRun run = testing::run_with_ledger(simulation.system, *simulation.integrator, simulation.step,
                                                          static_cast<int>(simulation.steps),
                                                          [&](const auto&, auto&, const dynamics::StepReport& report) {
                                                            for (const mechanics::Momentum& one : report.supports)
                                                              up += one.linear.z();
                                                          });
  EXPECT_EQ(run.failure, "");
  EXPECT_LE(run.residual, 1e-12);
  EXPECT_LE(run.linear_drift, 1e-12);
  const double block = 1000 * 0.6 * 0.6 * 0.2;
  EXPECT_NEAR(up / 4, (20 + block) * 10, 5);  // N, but for what still swings
}

/// What is banked, returned and lost is so of every impulse: a lost one shows.
TEST(Implicit, ALostImpulseShows) {
  build::Simulation simulation = implicit_scene(
      fmt::format("time: {{end: 0.03, step: 4.0e-4}}\nbodies:\n  striker: {{{}}}\n  target: {{{}}}\ncontacts:\n  - "
                  "{{between: [striker, target]}}\n",
                  implicit_mixes()[0].striker, implicit_mixes()[0].target));
  bool lost = false;
  const testing::LedgerRun run = testing::run_with_ledger(
      simulation.system, *simulation.integrator, simulation.step, static_cast<int>(simulation.steps),
      [&](const dynamics::System& system, model::State& state, dynamics::StepReport& report) {
        if (lost || report.impulses.empty()) return;
        lost = true;
        state.p[system.find_body("target")->dofs().begin + 2] += 0.1 * report.impulses[0].normal_impulse;
      });
  EXPECT_TRUE(lost);
  EXPECT_GT(run.linear_drift, 1e-4);
  EXPECT_GT(run.residual, 1e-6);
}

TEST(Implicit, RefusalsSayWhy) {
  const auto complaint = [](const std::string& body, const std::string& scene) {
    return testing::complaint_of([&] {
      implicit_scene(
          fmt::format("time: {{end: 0.01, step: 1.0e-4}}\n{}\nbodies:\n  bar: {{type: bar, length: 1, "
                      "cells: 5, density: 1, youngs_modulus: 1, implicit: true{}}}\n",
                      scene, body));
    });
  };
  EXPECT_EQ(complaint("", "integrator: {type: central-difference}"), "no complaint");
  EXPECT_THAT(complaint(", material: st-venant-kirchhoff", "integrator: {type: central-difference}"),
              ::testing::HasSubstr("is for linear materials"));
  EXPECT_THAT(complaint("", "integrator: {type: newmark}"), ::testing::HasSubstr("newmark has no bodies"));
  EXPECT_THAT(complaint(", implicitly: true", ""), ::testing::HasSubstr("did you mean 'implicit'"));
  EXPECT_THAT(testing::complaint_of([] {
                implicit_scene(
                    "time: {end: 0.01, courant: 1}\nbodies:\n  bar: {type: bar, length: 1, cells: 5, "
                    "density: 1, youngs_modulus: 1, implicit: true}\n");
              }),
              ::testing::HasSubstr("give time.step"));
}

}  // namespace
}  // namespace ictus
