// Rigid bodies that strike elastic ones: every shape on every family by every scheme that steps both, with and without
// friction. Nothing is held and nothing pulls, so that both momenta must stay.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <ictus/build/build.hpp>
#include <ictus/contact/audit/crossing_audit.hpp>
#include <ictus/scene/text/document.hpp>
#include <random>

#include "support/ledger_run.hpp"

namespace ictus {
namespace {

struct Named {
  std::string name, text;
};

/// Strikers above the origin that turn, falling on it.
const std::vector<Named>& strikers() {
  static const std::vector<Named> all{
      {"sphere", "type: rigid, shape: {type: sphere, radius: 0.04}"},
      {"box", "type: rigid, shape: {type: box, size: [0.1, 0.06, 0.04]}, rotation: [0.4, 0.3, 0.1]"},
      {"capsule", "type: rigid, shape: {type: capsule, radius: 0.02, length: 0.08}, rotation: [0.3, 1.2, 0]"},
      {"convex",
       "type: rigid, shape: {type: convex, vertices: [[0, 0, -0.04], [0.05, 0, 0.02], [-0.03, 0.05, 0.02], [-0.03, "
       "-0.05, 0.02]]}, "
       "rotation: [0.2, 0.1, 0]"},
      {"cylinder",
       "type: rigid, shape: {type: cylinder, radius: 0.03, length: 0.06, cells: 12}, rotation: [0.6, 0.2, 0]"},
      {"cone", "type: rigid, shape: {type: cone, radius: 0.04, length: 0.07, cells: 12}, rotation: [2.6, 0.3, 0]"},
      {"angle",
       "type: rigid, shape: {type: mesh, scale: 0.03, vertices: [[-1, -1, -0.5], [1, -1, -0.5], [1, 0, -0.5], "
       "[0, 0, -0.5], [0, 1, -0.5], [-1, 1, -0.5], [-1, -1, 0.5], [1, -1, 0.5], [1, 0, 0.5], [0, 0, 0.5], [0, 1, 0.5], "
       "[-1, 1, 0.5]], triangles: [[0, 2, 1], [0, 3, 2], [0, 5, 3], [3, 5, 4], [6, 7, 8], [6, 8, 9], [6, 9, 11], [9, "
       "10, 11], [0, 1, 7], [0, 7, 6], [1, 2, 8], [1, 8, 7], [2, 3, 9], [2, 9, 8], [3, 4, 10], [3, 10, 9], [4, 5, 11], "
       "[4, 11, 10], [5, 0, 6], [5, 6, 11]]}, rotation: [0.9, 0.4, 0.2]"},
      {"dumbbell",
       "type: rigid, shape: {type: compound, parts: [{shape: {type: sphere, radius: 0.025}, position: [0, 0, -0.04]}, "
       "{shape: {type: sphere, radius: 0.025}, position: [0, 0, 0.04]}]}, rotation: [0.3, 1.1, 0]"}};
  return all;
}

/// Elastic bodies whose upper side is at z = 0, free to fly. The ball is turned so that it is struck within faces:
/// layers bank what a point does that crosses from one to the next.
const std::vector<Named>& targets() {
  static const std::vector<Named> all{
      {"shell",
       "type: shell, shape: {type: plate, size: [0.3, 0.3], cells: [8, 8]}, thickness: "
       "0.004, density: 1200, youngs_modulus: 3.0e+6, poissons_ratio: 0.3"},
      {"tetrahedra",
       "type: solid, shape: {type: box, size: [0.2, 0.2, 0.08], cells: [4, 4, 2]}, position: [-0.1, -0.1, "
       "-0.08], material: st-venant-kirchhoff, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3"},
      {"hexahedra",
       "type: solid, shape: {type: box, size: [0.2, 0.2, 0.08], cells: [4, 4, 2], element: hexahedron}, "
       "position: [-0.1, -0.1, -0.08], material: neo-hookean, density: 1000, youngs_modulus: 1.0e+6, "
       "poissons_ratio: 0.3"},
      {"ball",
       "type: solid, shape: {type: sphere, radius: 0.1, cells: 4}, position: [0, 0, -0.1], rotation: [0.5, 0.2, 0], "
       "material: neo-hookean, "
       "density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3"},
      {"tube",
       "type: solid, shape: {type: tube, inner_radius: 0.06, outer_radius: 0.1, length: 0.2, cells: [12, 2, 3]}, "
       "position: [-0.1, 0, -0.1], rotation: [0, 1.5707963267948966, 0], material: st-venant-kirchhoff, density: 1000, "
       "youngs_modulus: 1.0e+6, poissons_ratio: 0.3"}};
  return all;
}

const std::vector<std::string>& schemes() {
  static const std::vector<std::string> all{"cd-lagrange", "reflection", "capture-return", "moreau-variational",
                                            "discrete-gradient"};
  return all;
}

build::Simulation make(const std::string& striker, const std::string& target, const std::string& scheme,
                       double friction, int threads, double courant = 0.3) {
  const std::string text = fmt::format(
      "time: {{end: 0.03, courant: {}}}\nintegrator: {{type: {}}}\nbodies:\n"
      "  striker: {{{}, density: 2000, position: [0.013, 0.007, 0.075], velocity: [0.5, 0.2, -4], angular_velocity: "
      "[8, -5, 12]}}\n  target: {{{}}}\ncontacts:\n  - {{between: [striker, target], friction: {}}}\n",
      courant, scheme, striker, target, friction);
  return build::build(scene::read_text(text, "scene.yaml"), threads);
}

struct Mix {
  std::size_t striker, target, scheme;
  double friction;
};

class RigidOnElastic : public ::testing::TestWithParam<Mix> {
 protected:
  build::Simulation simulation(int threads = 1) const {
    const Mix& mix = GetParam();
    return make(strikers()[mix.striker].text, targets()[mix.target].text, schemes()[mix.scheme], mix.friction, threads);
  }
};

TEST_P(RigidOnElastic, KeepsMomentaAndAccountsForEnergy) {
  build::Simulation simulation = this->simulation();
  double impulse = 0;
  const auto add_up = [&](const auto&, auto&, const dynamics::StepReport& report) {
    for (const dynamics::Impulse& one : report.impulses) impulse += one.normal_impulse;
  };
  const testing::LedgerRun run = testing::run_with_ledger(simulation.system, *simulation.integrator, simulation.step,
                                                          static_cast<int>(simulation.steps), add_up);
  EXPECT_EQ(run.failure, "");
  EXPECT_GT(impulse, 0.05);  // N s: they have met
  EXPECT_LE(run.linear_drift, 1e-12);
  EXPECT_LE(run.angular_drift, 1e-12);
  EXPECT_LE(run.residual, 1e-12);
  // Reflections chatter, which leaves more in the fastest modes, and layers leave the nodes that meet their energy,
  // too.
  const std::string& scheme = schemes()[GetParam().scheme];
  EXPECT_LE(run.error, scheme == "reflection" || scheme == "discrete-gradient" ? 2e-2 : 7e-3);
  if (scheme == "discrete-gradient") {
    EXPECT_LE(run.extra("bank_max"), 0.015 * run.scale);
  }
}

TEST_P(RigidOnElastic, DoesNotPassThrough) {
  build::Simulation simulation = this->simulation();
  const contact::Skins skins(simulation.system.pairs());
  contact::CrossingAudit audit;
  std::vector<contact::Crossing> crossings;
  double deepest = 0;
  simulation.integrator->prepare(simulation.system);
  model::State state = simulation.system.initial_state();
  simulation.integrator->start(simulation.system, simulation.step, state);
  for (std::int64_t n = 0; n < simulation.steps; ++n) {
    deepest = std::max(deepest, simulation.integrator->step(simulation.system, simulation.step, state).max_penetration);
    audit.find(skins, state.q, crossings);
  }
  EXPECT_TRUE(crossings.empty());
  const double share = schemes()[GetParam().scheme] == "discrete-gradient" ? 0.5 : 0.2;  // layers give way
  EXPECT_LE(deepest, share * skins.laws()[0].thickness);
}

TEST_P(RigidOnElastic, HasTheSameBitsOnTwoThreads) {
  std::vector<model::State> ends;
  for (const int threads : {1, 2}) {
    build::Simulation simulation = this->simulation(threads);
    simulation.integrator->prepare(simulation.system);
    model::State state = simulation.system.initial_state();
    simulation.integrator->start(simulation.system, simulation.step, state);
    for (std::int64_t n = 0; n < simulation.steps; ++n)
      simulation.integrator->step(simulation.system, simulation.step, state);
    ends.push_back(state);
  }
  EXPECT_EQ(ends[0].q, ends[1].q);
  EXPECT_EQ(ends[0].p, ends[1].p);
}

/// A state that is kept half-way, and a fresh integrator that goes on with it.
TEST_P(RigidOnElastic, GoesOnFromAStateWithTheSameBits) {
  build::Simulation simulation = this->simulation(), other = this->simulation();
  simulation.integrator->prepare(simulation.system);
  other.integrator->prepare(other.system);
  model::State state = simulation.system.initial_state(), kept;
  simulation.integrator->start(simulation.system, simulation.step, state);
  for (std::int64_t n = 0; n < simulation.steps; ++n) {
    if (n == simulation.steps / 2) kept = state;
    simulation.integrator->step(simulation.system, simulation.step, state);
  }
  while (kept.step < state.step) other.integrator->step(other.system, other.step, kept);
  EXPECT_EQ(kept.q, state.q);
  EXPECT_EQ(kept.p, state.p);
}

std::vector<Mix> every_mix() {
  std::vector<Mix> all;
  for (std::size_t striker = 0; striker < strikers().size(); ++striker) {
    for (std::size_t target = 0; target < targets().size(); ++target) {
      // What is new to one side meets all of the old ones of the other.
      if (striker >= 4 && target >= 3) continue;
      for (std::size_t scheme = 0; scheme < schemes().size(); ++scheme) {
        for (const double friction : {0.0, 0.5}) all.push_back({striker, target, scheme, friction});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, RigidOnElastic, ::testing::ValuesIn(every_mix()), [](const auto& instance) {
  const Mix& mix = instance.param;
  std::string name = fmt::format("{}_on_{}_by_{}_{}", strikers()[mix.striker].name, targets()[mix.target].name,
                                 schemes()[mix.scheme], mix.friction > 0 ? "rough" : "smooth");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// The audit sees a round body that is deep in a plate, and one that touches it not.
TEST(RigidAndElastic, TheAuditSeesABallInAPlate) {
  build::Simulation simulation = make(strikers()[0].text, targets()[0].text, "capture-return", 0, 1);
  const contact::Skins skins(simulation.system.pairs());
  std::vector<double> q = simulation.system.initial_state().q;
  double& height = q[simulation.system.find_body("striker")->dofs().begin + 2];
  const auto crossings = [&](double at) {
    height = at;
    std::vector<contact::Crossing> found;
    contact::CrossingAudit().find(skins, q, found);
    return found.size();
  };
  EXPECT_EQ(crossings(0.04), 0u);
  EXPECT_EQ(crossings(0.03), 0u);
  EXPECT_GT(crossings(0.015), 0u);
  EXPECT_GT(crossings(-0.01), 0u);
}

/// Friction between balls of unequal size acts where they touch: a spinning one gives each the spin of its own radius.
TEST(RigidAndElastic, FrictionActsWhereBallsTouch) {
  const std::string text =
      "time: {end: 2.0e-3, step: 1.0e-4}\nintegrator: {type: capture-return}\nbodies:\n  large: {type: rigid, shape: "
      "{type: sphere, radius: "
      "0.1}, mass: 3, position: [0, 0, 0], angular_velocity: [0, 0, 30]}\n  small: {type: rigid, shape: {type: sphere, "
      "radius: 0.02}, mass: "
      "0.1, position: [0.1201, 0, 0], velocity: [-1, 0, 0]}\ncontacts:\n  - {between: [large, small], friction: 0.2, "
      "restitution: 1}\n";
  build::Simulation simulation = build::build(scene::read_text(text, "scene.yaml"), 1);
  const testing::LedgerRun run = testing::run_with_ledger(
      simulation.system, *simulation.integrator, simulation.step, static_cast<int>(simulation.steps),
      [&](const dynamics::System& system, model::State& state, const dynamics::StepReport& report) {
        if (report.impulses.empty()) return;
        const double along = report.impulses[0].tangential_impulse;
        const std::size_t large = system.find_body("large")->dofs().begin,
                          small = system.find_body("small")->dofs().begin;
        // Both are pushed along y at 0.1 from the one centre and 0.02 from the other.
        EXPECT_NEAR(along, 0.2 * report.impulses[0].normal_impulse, 1e-12);
        EXPECT_NEAR(state.p[large + 5], 0.4 * 3 * 0.01 * 30 - 0.1 * along, 2e-4 * along);
        EXPECT_NEAR(state.p[small + 5], -0.02 * along, 2e-4 * along);
      });
  EXPECT_LE(run.angular_drift, 1e-12);
  EXPECT_GT(run.lost[model::Loss::friction], 0.01);
}

/// What lies still at the start is no run whose energy grows.
TEST(RigidAndElastic, ABoxThatLiesStillGoesOnLying) {
  for (const std::string scheme : {"cd-lagrange", "capture-return", "reflection"}) {
    const std::string text =
        "time: {end: 0.05, step: 1.0e-3}\ngravity: [0, 0, -9.81]\nintegrator: {type: " + scheme +
        "}\nbodies:\n  box: {type: rigid, shape: {type: box, size: [0.2, 0.2, 0.1]}, density: 1000, position: [0, 0, "
        "0.05]}\n  floor: {type: "
        "plane, position: [0, 0, 0], normal: [0, 0, 1]}\ncontacts:\n  - {between: [box, floor], friction: 0.5, "
        "restitution: 0}\n";
    build::Simulation simulation = build::build(scene::read_text(text, "scene.yaml"), 1);
    const testing::LedgerRun run = testing::run_with_ledger(simulation.system, *simulation.integrator, simulation.step,
                                                            static_cast<int>(simulation.steps));
    EXPECT_EQ(run.failure, "") << scheme;
    EXPECT_EQ(run.steps, simulation.steps) << scheme;
  }
}

/// The error is that of the elements in time, which falls with the square of the step.
TEST(RigidAndElastic, ErrorFallsWithTheSquareOfTheStep) {
  const auto error = [](double courant) {
    build::Simulation simulation = make(strikers()[0].text, targets()[1].text, "capture-return", 0.5, 1, courant);
    return testing::run_with_ledger(simulation.system, *simulation.integrator, simulation.step,
                                    static_cast<int>(simulation.steps))
        .error;
  };
  EXPECT_GT(error(0.4), 3 * error(0.2));
  EXPECT_GT(error(0.2), 3 * error(0.1));
}

/// A lost impulse of a contact shows in both momenta and in the energy.
TEST(RigidAndElastic, ALostImpulseShows) {
  build::Simulation simulation = make(strikers()[1].text, targets()[1].text, "cd-lagrange", 0.5, 1);
  bool lost = false;
  const testing::LedgerRun run = testing::run_with_ledger(
      simulation.system, *simulation.integrator, simulation.step, static_cast<int>(simulation.steps),
      [&](const dynamics::System& system, model::State& state, dynamics::StepReport& report) {
        if (lost || report.impulses.empty()) return;
        lost = true;
        const std::size_t first = system.find_body("striker")->dofs().begin;
        state.p[first + 2] -= 0.1 * report.impulses[0].normal_impulse;
        state.p[first + 3] += 0.01 * report.impulses[0].normal_impulse;
      });
  EXPECT_TRUE(lost);
  EXPECT_GT(run.linear_drift, 1e-4);
  EXPECT_GT(run.angular_drift, 1e-4);
  EXPECT_GT(run.residual, 1e-6);
}

std::string refusal(const std::string& integrator, double height) {
  const std::string text = fmt::format(
      "time: {{end: 0.01, courant: 0.3}}\n{}bodies:\n  plate: {{{}}}\n  ball: {{type: rigid, shape: {{type: sphere, "
      "radius: 0.04}}, position: "
      "[0, "
      "0, {}]}}\ncontacts:\n  - {{between: [ball, plate]}}\n",
      integrator, targets()[0].text, height);
  try {
    build::build(scene::read_text(text, "scene.yaml"), 1);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RigidAndElastic, MistakesSayWhatToDo) {
  EXPECT_EQ(refusal("", 0.04), "");  // touching is no overlap, and the default integrator steps both
  EXPECT_THAT(refusal("", 0.03), ::testing::HasSubstr("ball and plate overlap at the start by 0.01 m at (0, 0, 0.015); "
                                                      "move plate by 0.01 m along (0, 0, -1)"));
  EXPECT_EQ(refusal("integrator: {type: moreau-variational}\n", 0.05), "");
  EXPECT_THAT(refusal("integrator: {type: moreau}\n", 0.05),
              ::testing::HasSubstr("choose capture-return, moreau-variational, reflection or cd-lagrange"));
  EXPECT_EQ(refusal("integrator: {type: discrete-gradient}\n", 0.05), "");
}

/// What slides, rolls and bounces on a plane, with the same figures as bodies that are rigid alone have.
struct OnPlane {
  std::string body, contact;
};

model::State after(const OnPlane& on_plane, const std::string& scheme, const std::string& gravity, double end, double h,
                   double* lost = nullptr) {
  const std::string text = fmt::format(
      "time: {{end: {}, step: {}}}\ngravity: {}\nintegrator: {{type: {}}}\nbodies:\n  floor: {{type: plane, position: "
      "[0, "
      "0, 0], normal: [0, 0, 1]}}\n  body: {{{}, density: 1000}}\ncontacts:\n  - {{between: [body, floor], {}}}\n",
      end, h, gravity, scheme, on_plane.body, on_plane.contact);
  build::Simulation simulation = build::build(scene::read_text(text, "scene.yaml"), 1);
  simulation.integrator->prepare(simulation.system);
  model::State state = simulation.system.initial_state();
  simulation.integrator->start(simulation.system, simulation.step, state);
  for (std::int64_t n = 0; n < simulation.steps; ++n) {
    const dynamics::StepReport report = simulation.integrator->step(simulation.system, simulation.step, state);
    if (lost) *lost += report.lost[model::Loss::friction];
  }
  return state;
}

constexpr const char* slope = "[2.9, 0, -9.3]";

TEST(RigidOnPlane, ABoxSlidesDownASlope) {
  for (const std::string scheme : {"cd-lagrange", "capture-return"}) {
    const model::State state =
        after({"type: rigid, shape: {type: box, size: [0.2, 0.2, 0.1]}, position: [0, 0, 0.05]", "friction: 0.2"},
              scheme, slope, 0.5, 1e-3);
    EXPECT_NEAR(state.q[0], 0.5 * (2.9 - 0.2 * 9.3) * 0.25, 2e-4) << scheme;
    EXPECT_NEAR(state.q[2], 0.05, 1e-6) << scheme;
  }
}

TEST(RigidOnPlane, ABoxSticksOnASlope) {
  for (const std::string scheme : {"cd-lagrange", "capture-return"}) {
    const model::State state =
        after({"type: rigid, shape: {type: box, size: [0.2, 0.2, 0.1]}, position: [0, 0, 0.05]", "friction: 0.4"},
              scheme, slope, 0.5, 1e-3);
    EXPECT_NEAR(state.q[0], 0, 1e-9) << scheme;
  }
}

/// a = g sin α/(1 + J/mr²), without a loss.
TEST(RigidOnPlane, ASphereAndACapsuleRollDownASlope) {
  for (const std::string scheme : {"cd-lagrange", "capture-return"}) {
    double lost = 0;
    const model::State sphere =
        after({"type: rigid, shape: {type: sphere, radius: 0.05}, position: [0, 0, 0.05]", "friction: 0.3"}, scheme,
              slope, 0.5, 1e-3, &lost);
    const double mass = 1000 * 4.0 / 3 * M_PI * std::pow(0.05, 3);
    EXPECT_NEAR(sphere.q[0], 0.5 * 2.9 / 1.4 * 0.25, 6e-4) << scheme;
    EXPECT_NEAR(sphere.q[2], 0.05, 1e-6) << scheme;
    EXPECT_NEAR(sphere.p[4] / (0.4 * mass * 0.05 * 0.05), sphere.p[0] / mass / 0.05, 1e-9) << scheme;
    EXPECT_NEAR(lost, 0, 1e-3 * mass * 2.9 * sphere.q[0]) << scheme;
  }
}

TEST(RigidOnPlane, ABallBouncesAsItsRestitutionSays) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const model::State state =
        after({"type: rigid, shape: {type: sphere, radius: 0.05}, position: [0, 0, 0.06], velocity: [0, 0, -1]",
               fmt::format("restitution: {}", e)},
              "capture-return", "[0, 0, 0]", 0.1, 1e-3);
    const double mass = 1000 * 4.0 / 3 * M_PI * std::pow(0.05, 3);
    EXPECT_NEAR(state.p[2] / mass, e, 1e-12) << e;
  }
}

/// Kane's example: Newton's law with friction can gain energy in an impact of a rod. Here it does not, and where it
/// would have, less restitution is counted.
TEST(RigidOnPlane, NoImpactWithFrictionGainsEnergy) {
  for (const std::string scheme : {"capture-return", "reflection", "moreau-variational"}) {
    std::mt19937 random(7);
    const auto between = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    int hits = 0;
    std::int64_t limited = 0;
    for (int n = 0; n < 200; ++n) {
      const std::string text = fmt::format(
          "time: {{end: 0.2, step: 1.0e-3}}\nintegrator: {{type: {}}}\nbodies:\n  bystander: {{type: bar, length: 1, "
          "cells: 1, density: 1, youngs_modulus: 1, position: [9, 9, 9]}}\n  floor: {{type: plane, position: [0, 0, "
          "0], normal: [0, 0, 1]}}\n  rod: {{type: rigid, shape: {{type: capsule, radius: 0.01, length: 1}}, density: "
          "1000, position: [0, 0, "
          "0.6], rotation: [{}, {}, 0], velocity: [{}, {}, -2], angular_velocity: [{}, {}, 0]}}\ncontacts:\n  - "
          "{{between: [rod, floor], restitution: 1, friction: 1}}\n",
          scheme, between(-0.8, 0.8), between(-0.8, 0.8), between(-3, 3), between(-3, 3), between(-4, 4),
          between(-4, 4));
      build::Simulation simulation = build::build(scene::read_text(text, "scene.yaml"), 1);
      const testing::LedgerRun run = testing::run_with_ledger(
          simulation.system, *simulation.integrator, simulation.step, static_cast<int>(simulation.steps),
          [&](const auto&, auto&, const dynamics::StepReport& report) {
            if (!report.impulses.empty()) ++hits;
            EXPECT_GE(report.lost[model::Loss::friction] + report.lost[model::Loss::restitution], -1e-8) << scheme;
          });
      EXPECT_LE(run.residual, 1e-11) << scheme;
      limited += run.fallbacks;
    }
    EXPECT_GT(hits, 100) << scheme;
    EXPECT_GT(limited, 3) << scheme;
  }
}

}  // namespace
}  // namespace ictus
