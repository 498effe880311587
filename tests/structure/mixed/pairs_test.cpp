// Every family falls on every family, with half of the restitution by each scheme that has one: momenta, ledger, no
// crossing, the same bits on two threads and from a kept state; and the order of the error of the energy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ictus/build/build.hpp>
#include <ictus/contact/audit/crossing_audit.hpp>
#include <ictus/scene/text/document.hpp>

#include "support/ledger_run.hpp"

namespace ictus {
namespace {

struct OneOfPair {
  std::string name, text;
  bool turns_freely = true;  ///< its angular momentum is kept: no linear theory, and nothing that holds it
  bool hanging = false;      ///< it cannot be thrown, and falls
};

constexpr const char* pair_frame =
    "type: frame, nodes: {{left: [-0.15, {0}, {1}], right: [0.15, {0}, {1}]}}, sections: {{s: {{type: pipe, diameter: "
    "0.02, thickness: 0.004}}}}, materials: {{m: {{youngs_modulus: 2.0e+8, poissons_ratio: 0.3, density: 1500}}}}, "
    "members: [{{from: left, to: right, section: s, material: m, element_size: 0.05}}]{2}";

/// Their lower sides are some millimetres above z = 0, and they come down with 2 m/s.
std::vector<OneOfPair> falling_ones() {
  return {{"box",
           "type: rigid, shape: {type: box, size: [0.1, 0.06, 0.04]}, density: 1000, rotation: [0.3, 0.2, 0], "
           "position: [0.01, 0.004, 0.05], "
           "velocity: [0.3, 0.1, -2]"},
          {"balls",
           "type: rigid, shape: {type: sphere, radii: {type: uniform, from: 0.02, to: 0.035}}, density: 1000, "
           "position: [0.01, 0.004, 0.05], copies: {type: grid, count: [1, 2, 1], spacing: [1, 0.08, 1]}, velocity: "
           "[0.3, 0.1, -2], angular_velocity: [3, -5, 4]"},
          {"shell",
           "type: shell, shape: {type: plate, size: [0.2, 0.2], cells: [4, 4]}, thickness: 0.004, "
           "density: 1200, youngs_modulus: 3.0e+6, poissons_ratio: 0.3, position: [0.003, 0.004, 0.006], velocity: "
           "[0.3, 0, -2]"},
          {"solid",
           "type: solid, shape: {type: box, size: [0.1, 0.1, 0.04], cells: [2, 2, 1]}, position: [-0.047, -0.052, "
           "0.006], material: st-venant-kirchhoff, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3, "
           "velocity: [0.3, 0, -2]"},
          {"beam",
           "type: beam, length: 0.3, cells: 6, section: {type: circle, radius: 0.01}, density: 1500, "
           "youngs_modulus: 1.0e+7, poissons_ratio: 0.3, position: [-0.147, 0.004, 0.015], rotation: [0, "
           "1.5707963267948966, 0], velocity: [0.1, 0.2, -2]"},
          {"frame", fmt::format(pair_frame, 0.003, 0.015, ""), false, true},
          {"bar",
           "type: bar, position: [0.004, 0.003, 0.004], direction: [0, 0, 1], length: 0.2, cells: 10, density: "
           "1500, youngs_modulus: 1.0e+7, area: 1.0e-3, velocity: [0, 0, -2]",
           false},
          {"pendulum",
           "type: spring-pendulum, mass: 0.3, stiffness: 2000, rest_length: 1, radius: 0.03, wall: false, position: "
           "[-0.992, 0.007, 0.034], angle: 90 deg, angular_velocity: -2, length_rate: 0.2",
           false}};
}

/// Their upper sides are at z = 0.
std::vector<OneOfPair> lying_ones() {
  return {
      {"sphere", "type: rigid, shape: {type: sphere, radius: 0.04}, density: 1000, position: [0.01, 0, -0.04]"},
      {"shell",
       "type: shell, shape: {type: plate, size: [0.3, 0.3], cells: [6, 6]}, thickness: 0.004, "
       "density: 1200, youngs_modulus: 3.0e+6, poissons_ratio: 0.3"},
      {"solid",
       "type: solid, shape: {type: box, size: [0.2, 0.2, 0.08], cells: [3, 3, 1], element: hexahedron}, position: "
       "[-0.1, -0.1, -0.08], material: neo-hookean, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3"},
      {"beam",
       "type: beam, length: 0.3, cells: 6, section: {type: circle, radius: 0.01}, density: 1500, "
       "youngs_modulus: 1.0e+7, poissons_ratio: 0.3, position: [0.003, 0.151, -0.01], rotation: "
       "[1.5707963267948966, 0, 0]"},
      {"frame",
       fmt::format(pair_frame, 0.001, -0.01, ", supports: [{node: left, type: clamped}, {node: right, type: clamped}]"),
       false},
      {"bar",
       "type: bar, position: [0.004, 0.003, -0.2], direction: [0, 0, 1], length: 0.2, cells: 10, density: 1500, "
       "youngs_modulus: 1.0e+7, area: 1.0e-3, supports: [{at: start}]",
       false},
      {"pendulum",
       "type: spring-pendulum, mass: 0.2, stiffness: 2000, rest_length: 1, radius: 0.03, wall: false, position: [1, 0, "
       "-0.03], angle: -90 deg",
       false}};
}

struct AnyPair {
  std::string name;
  OneOfPair falling, lying;
  std::string scheme;
  double friction, restitution;
};

void PrintTo(const AnyPair& pair, std::ostream* out) { *out << pair.name; }

build::Simulation meet(const OneOfPair& falling, const OneOfPair& lying, const std::string& scheme, double friction,
                       double restitution, double courant = 0.3, int threads = 1) {
  // A frame has no velocity at the start: it falls as if from a height, on what is held.
  return build::build(
      scene::read_text(fmt::format("time: {{end: 0.02, courant: {}}}\n{}integrator: {{type: {}}}\nbodies:\n  falling: "
                                   "{{{}}}\n  lying: {{{}}}\ncontacts:\n  - {{between: [falling, lying], friction: {}, "
                                   "restitution: {}}}\n",
                                   courant, falling.hanging ? "gravity: [0, 0, -300]\n" : "", scheme, falling.text,
                                   lying.text, friction, restitution),
                       "scene.yaml"),
      threads);
}

std::vector<AnyPair> any_pairs() {
  std::vector<AnyPair> all;
  for (const OneOfPair& falling : falling_ones()) {
    for (const OneOfPair& lying : lying_ones()) {
      const bool held = lying.name == "frame" || lying.name == "bar";
      const bool along_one_line = falling.name == "bar" && lying.name == "bar";
      if (falling.hanging && !held) continue;  // both would fall
      const bool rigid = falling.name == "box" || falling.name == "balls";
      if (rigid && lying.name == "sphere") continue;  // sets no step; tests/structure/rigid
      for (const std::string scheme : {"reflection", "capture-return", "moreau-variational", "discrete-gradient"}) {
        for (const double friction : {0.0, 0.5}) {
          // Neither deforms, and layers of rigid sides are as thick as what they move in a step of the spring.
          if (rigid && lying.name == "pendulum" && scheme == "discrete-gradient") continue;
          if (along_one_line) continue;  // meets head-on; tests/structure has these
          std::string name =
              fmt::format("{}_on_{}_by_{}_{}", falling.name, lying.name, scheme, friction > 0 ? "rough" : "smooth");
          std::replace(name.begin(), name.end(), '-', '_');
          all.push_back({name, falling, lying, scheme, friction, 0.5});
        }
      }
    }
  }
  return all;
}

class EveryPair : public ::testing::TestWithParam<AnyPair> {
 protected:
  build::Simulation simulation(int threads = 1) const {
    const AnyPair& pair = GetParam();
    return meet(pair.falling, pair.lying, pair.scheme, pair.friction, pair.restitution, 0.3, threads);
  }
};

TEST_P(EveryPair, KeepsWhatItMustWithHalfOfTheRestitution) {
  const AnyPair& pair = GetParam();
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
  if (pair.falling.turns_freely && pair.lying.turns_freely) {
    EXPECT_LE(run.angular_drift, 1e-12);
  }
  // Layers on a pendulum leave what its own flight is solved to.
  EXPECT_LE(run.residual, pair.lying.name == "pendulum" && pair.scheme == "discrete-gradient" ? 2e-11 : 1e-12);
  EXPECT_LE(run.error, 2e-2);
  if (pair.scheme == "reflection" || pair.scheme == "moreau-variational") {
    EXPECT_GT(run.lost[model::Loss::restitution], 0);  // captures lose it when they part
  }
  EXPECT_TRUE(crossings.empty());
}

TEST_P(EveryPair, HasTheSameBitsOnTwoThreadsAndFromAKeptState) {
  build::Simulation simulation = this->simulation(), other = this->simulation(2);
  simulation.integrator->prepare(simulation.system);
  other.integrator->prepare(other.system);
  model::State state = simulation.system.initial_state(), kept;
  simulation.integrator->start(simulation.system, simulation.step, state);
  for (std::int64_t n = 0; n < simulation.steps; ++n) {
    if (n == simulation.steps / 3) kept = state;
    simulation.integrator->step(simulation.system, simulation.step, state);
  }
  while (kept.step < state.step) other.integrator->step(other.system, other.step, kept);
  EXPECT_EQ(kept, state);
}

INSTANTIATE_TEST_SUITE_P(Every, EveryPair, ::testing::ValuesIn(any_pairs()),
                         [](const auto& instance) { return instance.param.name; });

/// The error is that of the elements in time: of second order where something is not linear, rounding elsewhere.
TEST(EnergyOfPairs, ErrorFallsWithTheSquareOfTheStep) {
  const auto fallen = falling_ones(), lying = lying_ones();
  for (const std::size_t first : {0u, 3u, 4u}) {
    for (const std::size_t second : {1u, 2u, 3u}) {
      const auto error = [&](double courant) {
        build::Simulation simulation = meet(fallen[first], lying[second], "capture-return", 0, 1, courant);
        return testing::run_with_ledger(simulation.system, *simulation.integrator, simulation.step,
                                        static_cast<int>(simulation.steps))
            .error;
      };
      EXPECT_GT(error(0.4), 2.5 * error(0.2)) << fallen[first].name << " on " << lying[second].name;
      EXPECT_GT(error(0.2), 2.5 * error(0.1)) << fallen[first].name << " on " << lying[second].name;
    }
  }
  build::Simulation linear = meet(fallen[5], lying[4], "capture-return", 0, 1, 0.4);  // frame on frame
  EXPECT_LE(
      testing::run_with_ledger(linear.system, *linear.integrator, linear.step, static_cast<int>(linear.steps)).error,
      1e-12);
}

}  // namespace
}  // namespace ictus
