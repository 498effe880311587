// Systems with coordinates of their own among bodies of all families: each of them strikes each family by each scheme,
// with and without friction, and keeps what closed forms say.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <ictus/build/build.hpp>
#include <ictus/contact/audit/crossing_audit.hpp>
#include <ictus/dynamics/scheme/newton_cone.hpp>
#include <ictus/math/convergence.hpp>
#include <ictus/mechanics/generalised/coordinate_body.hpp>
#include <ictus/mechanics/generalised/formula_body.hpp>
#include <ictus/scene/text/document.hpp>
#include <numbers>

#include "support/ledger_run.hpp"

namespace ictus {
namespace {

struct NamedScene {
  std::string name, text;
  bool guided = false;  ///< linear theory, whose angular momentum is not kept
  bool rigid = false;   ///< nothing is elastic
};

/// What falls on the origin, its lower side some millimetres above z = 0.01.
const std::vector<NamedScene>& falling_systems() {
  static const std::vector<NamedScene> all{
      {"pendulum",
       "type: spring-pendulum, mass: 0.3, stiffness: 2000, rest_length: 1, radius: 0.03, wall: false, position: "
       "[-0.992, "
       "0.007, 0.044], angle: 90 deg, angular_velocity: -2, length_rate: 0.2"},
      {"damped_point",
       "type: spring-pendulum, mass: 0.3, stiffness: 2000, rest_length: 1, wall: false, position: [-0.992, 0.007, "
       "0.014], "
       "angle: 90 deg, angular_velocity: -2, drag: 20"},
      {"slider",
       "type: slider, mass: 0.3, origin: [0, 0, -1], position: [0.01, 0.005, 1.014], velocity: [0.3, 0.2, -2], size: "
       "[0.06, 0.05, 0.04]"}};
  return all;
}

const std::vector<NamedScene>& struck_bodies() {
  static const std::string frame =
      "type: frame, nodes: {left: [-0.15, 0, 0], right: [0.15, 0, 0]}, sections: {s: {type: pipe, diameter: 0.02, "
      "thickness: 0.004}}, materials: {m: {youngs_modulus: 2.0e+8, poissons_ratio: 0.3, density: 1500}}, members: "
      "[{from: left, to: right, section: s, material: m, element_size: 0.03}], supports: [{node: left, type: clamped}, "
      "{node: right, type: "
      "clamped}]";
  static const std::vector<NamedScene> all{
      {"shell",
       "type: shell, shape: {type: plate, size: [0.3, 0.3], cells: [8, 8]}, thickness: 0.004, "
       "density: 1200, youngs_modulus: 3.0e+6, poissons_ratio: 0.3"},
      {"solid",
       "type: solid, shape: {type: box, size: [0.2, 0.2, 0.08], cells: [4, 4, 2]}, position: [-0.1, -0.1, -0.08], "
       "material: st-venant-kirchhoff, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3"},
      {"beam",
       "type: beam, length: 0.3, cells: 8, section: {type: circle, radius: 0.01}, density: 1500, "
       "youngs_modulus: 1.0e+7, position: [0.003, 0.15, 0], rotation: [1.5707963, 0, 0]"},
      {"frame", frame, true},
      {"bar",
       "type: bar, position: [0.01, 0.005, -0.3], direction: [0, 0, 1], length: 0.31, cells: 20, density: 1500, "
       "youngs_modulus: 1.0e+7, area: 1.0e-3, supports: [{at: start}]",
       true},
      {"ball", "type: rigid, shape: {type: sphere, radius: 0.03}, density: 1000, position: [0.004, 0.002, -0.02]",
       false, true},
      {"box", "type: rigid, shape: {type: box, size: [0.1, 0.1, 0.04]}, density: 1000, position: [0.01, 0.002, -0.01]",
       false, true},
      {"mass", "type: point-mass, mass: 0.2, position: [0.004, 0.006, 0.01]", false, true},
      {"other_pendulum",
       "type: spring-pendulum, mass: 0.2, stiffness: 2000, rest_length: 1, radius: 0.02, wall: false, position: [1, 0, "
       "-0.01], angle: -90 deg",
       false, true},
      {"floor", "type: plane, position: [0, 0, 0.01], normal: [0.1, 0, 1]", false, true}};
  return all;
}

struct CoordinateMix {
  std::string name;
  NamedScene system, other;
  std::string scheme;
  double friction;
};

void PrintTo(const CoordinateMix& mix, std::ostream* out) { *out << mix.name; }

std::vector<CoordinateMix> coordinate_mixes() {
  std::vector<CoordinateMix> all;
  for (const NamedScene& system : falling_systems()) {
    for (const NamedScene& other : struck_bodies()) {
      const bool points = system.name == "damped_point" && (other.name == "mass" || other.name == "bar");  // never meet
      for (const std::string scheme :
           {"cd-lagrange", "reflection", "capture-return", "moreau-variational", "discrete-gradient"}) {
        for (const double friction : {0.0, 0.5}) {
          if (points) continue;
          std::string name =
              fmt::format("{}_on_{}_by_{}_{}", system.name, other.name, scheme, friction > 0 ? "rough" : "smooth");
          std::replace(name.begin(), name.end(), '-', '_');
          all.push_back({name, system, other, scheme, friction});
        }
      }
    }
  }
  return all;
}

class CoordinatesOnOthers : public ::testing::TestWithParam<CoordinateMix> {
 protected:
  static build::Simulation simulation(int threads = 1) {
    const CoordinateMix& mix = GetParam();
    std::string system = mix.system.text;
    if (mix.scheme == "reflection" && mix.system.name == "slider") system += ", restitution: 1";
    return build::build(
        scene::read_text(fmt::format("time: {{end: 0.03, {}}}\nintegrator: {{type: {}}}\nbodies:\n  system: {{{}}}\n  "
                                     "other: {{{}}}\ncontacts:\n  - {{between: [system, other], friction: {}}}\n",
                                     mix.other.rigid ? "step: 1.0e-4" : "courant: 0.2", mix.scheme, system,
                                     mix.other.text, mix.friction),
                         "scene.yaml"),
        threads);
  }
};

TEST_P(CoordinatesOnOthers, KeepTheMomentaAndAccountForEnergyWithoutCrossing) {
  const CoordinateMix& mix = GetParam();
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
  EXPECT_GT(impulse, 0.05);  // N s: they have met
  EXPECT_LE(run.linear_drift, 1e-12);
  if (!mix.other.guided) {
    EXPECT_LE(run.angular_drift, 1e-12);
  }
  EXPECT_LE(run.residual, 1e-12);
  EXPECT_LE(run.error, mix.scheme == "reflection" || mix.scheme == "discrete-gradient" ? 2e-2 : 5e-3);
  if (mix.scheme == "discrete-gradient") {
    EXPECT_LE(run.extra("bank_max"), 0.015 * run.scale);
  }
  EXPECT_TRUE(crossings.empty());
}

TEST_P(CoordinatesOnOthers, HaveTheSameBitsOnTwoThreads) {
  if (GetParam().friction == 0) return;
  std::vector<std::vector<double>> ends;
  for (const int threads : {1, 2}) {
    build::Simulation simulation = this->simulation(threads);
    simulation.integrator->prepare(simulation.system);
    model::State state = simulation.system.initial_state();
    simulation.integrator->start(simulation.system, simulation.step, state);
    for (std::int64_t n = 0; n < simulation.steps; ++n)
      simulation.integrator->step(simulation.system, simulation.step, state);
    ends.push_back(state.q);
  }
  EXPECT_EQ(ends[0], ends[1]);
}

INSTANTIATE_TEST_SUITE_P(Every, CoordinatesOnOthers, ::testing::ValuesIn(coordinate_mixes()),
                         [](const auto& instance) { return instance.param.name; });

struct CoordinateRun {
  build::Simulation simulation;
  model::State state;
  model::Lost lost;

  /// Coordinate or rate of a probe at the end.
  double probe(std::size_t number, std::size_t quantity) const {
    const dynamics::System& system = simulation.system;
    std::vector<double> v(system.dofs());
    simulation.integrator->velocity(system, simulation.step, state, v);
    const observe::Probe& probe = simulation.probes[number];
    std::vector<double> values(probe.body->probe_quantities().size());
    probe.body->probe(probe.fraction, {state.q, v}, values);
    return values[quantity];
  }
};

CoordinateRun run_coordinates(const std::string& text) {
  CoordinateRun run{build::build(scene::read_text(text, "scene.yaml"), 1), {}, {}};
  build::Simulation& simulation = run.simulation;
  simulation.integrator->prepare(simulation.system);
  run.state = simulation.system.initial_state();
  simulation.integrator->start(simulation.system, simulation.step, run.state);
  for (std::int64_t n = 0; n < simulation.steps; ++n)
    run.lost += simulation.integrator->step(simulation.system, simulation.step, run.state).lost;
  return run;
}

/// A rigid ball of m₁ with v hits the bob m₂ of a pendulum that hangs still: the bob leaves with
/// (1 + e) m₁ v/(m₁ + m₂), the ball with (m₁ − e m₂) v/(m₁ + m₂), and (1 − e²) of the energy between them is lost.
TEST(CoordinatesAmongOthers, ABallAndABobExchangeMomentumAsTheirRestitutionSays) {
  for (const double e : {0.0, 0.4, 1.0}) {
    const CoordinateRun run = run_coordinates(
        fmt::format("time: {{end: 0.01, step: 1.0e-4}}\nintegrator: {{type: moreau-variational}}\nbodies:\n  bob: "
                    "{{type: spring-pendulum, mass: 0.5, stiffness: 100, rest_length: 1, radius: 0.1, wall: false, "
                    "position: [0, 0, 1]}}\n  ball: {{type: rigid, shape: {{type: sphere, radius: 0.1}}, mass: 1.5, "
                    "position: [-0.201, 0, 0], "
                    "velocity: [2, 0, 0]}}\ncontacts:\n  - {{between: [ball, bob], restitution: {}}}\nprobes:\n  bob: "
                    "{{body: bob, at: start}}\n  ball: {{body: ball, at: start}}\n",
                    e));
    EXPECT_NEAR(run.probe(1, 3), (1.5 - e * 0.5) * 2 / 2, e == 0 ? 1e-2 : 1e-9) << e;
    if (e > 0) {
      EXPECT_NEAR(run.lost[model::Loss::restitution], 0.5 * 0.375 * 4 * (1 - e * e), 1e-12) << e;
    }
    EXPECT_GT(run.probe(0, 3), 1.4) << e;
  }
}

/// The wall of a pendulum and the incline of a slider are met as the schemes for them alone have it.
TEST(CoordinatesAmongOthers, SurroundingsAreMetAsWithoutOthers) {
  const std::string bystander =
      "  bystander: {type: solid, shape: {type: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}, position: [5, 5, 5], "
      "material: linear, density: 1000, youngs_modulus: 1.0e+4, poissons_ratio: 0.3}\n";
  const auto with = [&](const std::string& others, double end, double step, const std::string& body) {
    return run_coordinates(
        fmt::format("time: {{end: {}, step: {}}}\ngravity: [0, 0, -9.81]\nintegrator: {{type: "
                    "moreau-variational}}\nbodies:\n  system: {{{}}}\n{}probes:\n  p: {{body: system, at: start}}\n",
                    end, step, body, others));
  };
  const std::string block =
      "type: slider, mass: 1.0, slope: 0.3, position: [0, 0, 0.2], velocity: [4, 0, 0], restitution: 0.5, friction: "
      "0.5";
  const CoordinateRun slid = with(bystander, 3, 2e-4, block), alone = with("", 3, 2e-4, block);
  EXPECT_NEAR(slid.probe(0, 0), 4.577096777277, 0.002);
  EXPECT_NEAR(slid.probe(0, 0), alone.probe(0, 0), 1e-3);
  EXPECT_NEAR(slid.probe(0, 3), 0, 1e-12);
  const std::string pendulum =
      "type: spring-pendulum, mass: 1.0, stiffness: 100.0, rest_length: 1.0, length: 1.1, angle: 45 deg, restitution: "
      "1";
  const CoordinateRun swung = with(bystander, 2, 5e-4, pendulum), free = with("", 2, 5e-4, pendulum);
  for (const std::size_t quantity : {0U, 1U}) {
    EXPECT_NEAR(swung.probe(0, quantity), free.probe(0, quantity), 2e-3) << quantity;
  }
}

/// A slider of mass 1 on the end of a bar is the striker of Saint-Venant's impact.
TEST(CoordinatesAmongOthers, ASliderStrikesABarAsARigidStrikerDoes) {
  for (const auto& [scheme, velocity] :
       {std::pair("capture-return", -0.692582), {"cd-lagrange", -0.687621}, {"reflection", -0.68617}}) {
    const double courant = scheme == std::string("cd-lagrange") ? 1 : 0.5;
    const CoordinateRun run = run_coordinates(fmt::format(
        "time: {{end: 3.9, courant: {}}}\nintegrator: {{type: {}}}\nbodies:\n  bar: {{type: bar, length: 1, cells: "
        "100, density: 1, youngs_modulus: 1, area: 1, supports: [{{at: end}}]}}\n  striker: {{type: slider, mass: 1, "
        "origin: "
        "[-0.05, "
        "0, -1], position: [0, 0, 0.95], velocity: [1, 0, 0], size: [0.1, 0.1, 0.1], restitution: {}}}\ncontacts:\n  - "
        "{{between: [striker, bar]}}\nprobes:\n  p: {{body: striker, at: start}}\n",
        courant, scheme, scheme == std::string("reflection") ? 1 : 0));
    EXPECT_NEAR(run.probe(0, 3), velocity, 1e-5) << scheme;
  }
}

/// A bob that gravity and its spring press on a floor sticks where friction holds it, and creeps by nothing.
TEST(CoordinatesAmongOthers, ABobThatSticksOnAPlaneStays) {
  const CoordinateRun run = run_coordinates(
      "time: {end: 2, step: 1.0e-3}\ngravity: [0, 0, -9.81]\nintegrator: {type: moreau-variational}\nbodies:\n  bob: "
      "{type: spring-pendulum, mass: 1, stiffness: 2000, rest_length: 1, radius: 0.05, wall: false, position: [0.3, 0, "
      "1.0], angle: -15 deg, drag: 20}\n  floor: {type: plane, position: [0, 0, -0.016], normal: [0, 0, 1]}\n"
      "contacts:\n  - {between: [bob, floor], friction: 1}\nprobes:\n  p: {body: bob, at: start}\n");
  const double x = 0.3 + run.probe(0, 0) * std::sin(run.probe(0, 1));
  EXPECT_NEAR(run.probe(0, 3), 0, 1e-10);
  EXPECT_NEAR(run.probe(0, 2), 0, 1e-10);
  EXPECT_NEAR(x, 0.3 - std::sin(15 * std::numbers::pi / 180), 0.02);
}

/// Between impacts the flight with kicks is of second order, and so is the error of the energy.
TEST(CoordinatesAmongOthers, MotionIsOfSecondOrder) {
  std::vector<double> steps, motion, energy;
  const auto at = [](double h) {
    return run_coordinates(fmt::format(
        "time: {{end: 1, step: {}}}\ngravity: [0, 0, -9.81]\nintegrator: {{type: cd-lagrange}}\nbodies:\n  "
        "bob: {{type: spring-pendulum, mass: 1, stiffness: 100, rest_length: 1, length: 1.2, angle: 1, wall: "
        "false}}\nprobes:\n  p: {{body: bob, at: start}}\n",
        h));
  };
  const CoordinateRun exact = at(1e-5);
  for (const double h : {8e-3, 4e-3, 2e-3}) {
    const CoordinateRun ended = at(h);
    const build::Simulation& simulation = ended.simulation;
    const testing::LedgerRun ledger = testing::run_with_ledger(simulation.system, *simulation.integrator,
                                                               simulation.step, static_cast<int>(simulation.steps));
    EXPECT_LE(ledger.residual, 1e-12);
    steps.push_back(h);
    energy.push_back(ledger.error);
    motion.push_back(std::hypot(ended.probe(0, 0) - exact.probe(0, 0), ended.probe(0, 1) - exact.probe(0, 1)));
  }
  EXPECT_NEAR(std::log2(motion[0] / motion[1]), 2, 0.1);
  EXPECT_NEAR(std::log2(motion[1] / motion[2]), 2, 0.1);
  EXPECT_NEAR(std::log2(energy[1] / energy[2]), 2, 0.2);
}

/// The bird of the toy is struck by a falling bead, and its own contacts with the pole go on.
TEST(CoordinatesAmongOthers, ABeadStrikesTheWoodpecker) {
  for (const std::string scheme : {"capture-return", "moreau-variational"}) {
    build::Simulation simulation = build::build(
        scene::read_text(
            fmt::format("time: {{end: 0.1, step: 1.0e-5}}\ngravity: [0, 0, -9.81]\nintegrator: {{type: {}}}\nbodies:\n"
                        "  toy: {{type: woodpecker, sleeve_angle: -0.1036, bird_angle: -0.2788, height_rate: -0.3411, "
                        "bird_angular_velocity: -7.4583}}\n  bead: {{type: rigid, shape: {{type: sphere, radius: "
                        "0.002}}, mass: 1.0e-4, "
                        "position: [0.028, 0, 0.03], velocity: [0, 0, -1]}}\ncontacts:\n  - {{between: [bead, toy], "
                        "friction: 0.2, restitution: 0.5}}\n",
                        scheme),
            "scene.yaml"),
        1);
    double on_bead = 0, on_pole = 0;
    const testing::LedgerRun run = testing::run_with_ledger(
        simulation.system, *simulation.integrator, simulation.step, static_cast<int>(simulation.steps),
        [&](const dynamics::System& system, auto&, const dynamics::StepReport& report) {
          for (const dynamics::Impulse& one : report.impulses)
            (system.pairs()[static_cast<std::size_t>(one.pair)].first == "bead" ? on_bead : on_pole) +=
                one.normal_impulse;
        });
    EXPECT_EQ(run.failure, "") << scheme;
    EXPECT_GT(on_bead, 1e-5) << scheme;
    EXPECT_GT(on_pole, 1e-4) << scheme;
    EXPECT_LE(run.residual, 1e-12) << scheme;
    EXPECT_LE(run.linear_drift, 1e-12) << scheme;
  }
}

/// A rigid arm of 1 m without mass that turns about (−1, 0, 0.044), with 0.3 kg at its end, which others meet as a
/// ball.
struct Hammer {
  static constexpr std::size_t coordinates = 1, contacts = 0, links = 1;
  static constexpr std::string_view quantities[] = {"own.angle", "own.rate"};
  template <class S>
  S kinetic(const S*, const S* v) const {
    return 0.15 * v[0] * v[0];
  }
  template <class S>
  S strain(const S*) const {
    return S(0.0);
  }
  template <class S>
  S gravity(const S*) const {
    return S(0.0);
  }
  template <class S>
  S gap(std::size_t, const S*) const {
    return S(1.0);
  }
  int sliding(std::size_t, std::span<const double>, mechanics::CoordinateVector&) const { return 0; }
  math::Vec3 point(std::size_t, std::span<const double>) const { return math::Vec3::Zero(); }
  math::Vec3 push(std::size_t, std::span<const double>) const { return math::Vec3::UnitX(); }
  mechanics::LinkSkin skin() const {
    mechanics::LinkSkin ball;
    ball.radius = 0.03;
    return ball.add_point(0, math::Vec3::Zero());
  }
  template <class S>
  std::array<S, 3> place(std::size_t, const S* q) const {
    using std::cos;
    using std::sin;
    return {-0.985 + cos(q[0]), S(0.007), 0.044 + sin(q[0])};
  }
};

TEST(CoordinatesAmongOthers, ASystemOfOnesOwnStrikesAShell) {
  build::Own own;
  own.bodies["hammer"] = [](const std::string& name, std::size_t first) {
    return std::make_unique<mechanics::FormulaBody<Hammer>>(name, Hammer{}, std::array{0.0}, std::array{-2.0}, first);
  };
  build::Simulation simulation = build::build(
      scene::read_text("time: {end: 0.03, courant: 0.2}\nintegrator: {type: capture-return}\nbodies:\n  hammer: {type: "
                       "own-system}\n  shell: {" +
                           struck_bodies().front().text +
                           "}\ncontacts:\n  - {between: [hammer, shell], friction: 0.3}\n",
                       "scene.yaml"),
      1, own);
  double impulse = 0;
  const testing::LedgerRun run = testing::run_with_ledger(simulation.system, *simulation.integrator, simulation.step,
                                                          static_cast<int>(simulation.steps),
                                                          [&](const auto&, auto&, const dynamics::StepReport& report) {
                                                            for (const dynamics::Impulse& one : report.impulses)
                                                              impulse += one.normal_impulse;
                                                          });
  EXPECT_EQ(run.failure, "");
  EXPECT_GT(impulse, 0.05);
  EXPECT_LE(run.residual, 1e-12);
  EXPECT_LE(run.linear_drift, 1e-12);
  EXPECT_LE(run.angular_drift, 1e-12);
}

std::string coordinate_refusal(const std::string& integrator, const std::string& body, const std::string& more = "") {
  try {
    build::build(
        scene::read_text(
            fmt::format(
                "time: {{end: 0.01, step: 1.0e-5}}\nintegrator: {{type: {}}}\nbodies:\n  system: {{{}}}\n  ball: "
                "{{type: rigid, shape: {{type: sphere, radius: 0.1}}, position: [3, 0, 0]}}\ncontacts:\n  - {{between: "
                "[system, ball]}}\n"
                "{}",
                integrator, body, more),
            "scene.yaml"),
        1);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CoordinatesAmongOthers, MistakesSayWhatToDo) {
  const std::string bob = "type: spring-pendulum, mass: 1, stiffness: 100, rest_length: 1, angle: 0.5, wall: ";
  EXPECT_EQ(coordinate_refusal("capture-return", bob + "true"), "");
  EXPECT_THAT(coordinate_refusal("cd-lagrange", bob + "true"),
              ::testing::HasSubstr("bodies.system.restitution: cd-lagrange cannot honour a restitution of 1; it allows "
                                   "only 0"));
  EXPECT_EQ(coordinate_refusal("cd-lagrange", bob + "false"), "");
  EXPECT_THAT(coordinate_refusal("capture-return", bob + "true, tangential_restitution: 0.5"),
              ::testing::HasSubstr("only moreau-variational knows it"));
  EXPECT_THAT(coordinate_refusal("dcr", bob + "false"), ::testing::HasSubstr("dcr does not know how to move system"));
  EXPECT_THAT(coordinate_refusal("central-difference", bob + "true"), ::testing::HasSubstr("has no contact"));
  EXPECT_THAT(coordinate_refusal("capture-return", "type: slider, mass: 1, friction: 0.3, friction_across: 0.1"),
              ::testing::HasSubstr("bodies.system.friction_across"));
  EXPECT_THAT(
      coordinate_refusal("capture-return", bob + "false",
                         "loads:\n  - {type: body-force, bodies: [system], direction: [1, 0, 0], signal: {type: "
                         "half-sine, amplitude: 1, duration: 1}}\n"),
      ::testing::HasSubstr("system has no nodes that a load could act on"));
}

}  // namespace
}  // namespace ictus
