// Springs, dampers, motors and stops of joints, and mechanisms with closed forms, as scenes.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "structure/joints/jointed_run.hpp"

namespace ictus::testing {
namespace {

/// A bar of 1 kg and 1 m that turns about its middle, I = (1 + 0.01)/12.
constexpr double wheel_inertia = 1.01 / 12;
std::string wheel(const std::string& keys, double spin, double end = 1, double step = 1e-3,
                  const std::string& scheme = "moreau-variational") {
  return fmt::format(
      "time: {{end: {}, step: {}}}\nintegrator: {{type: {}}}\nbodies:\n  bar: {{type: rigid, shape: {{type: box, size: "
      "[1, 0.1, 0.1]}}, mass: "
      "1, "
      "angular_velocity: [0, 0, {}]}}\njoints:\n  - {{name: hinge, type: revolute, between: [world, bar], position: "
      "[0, "
      "0, 0], axis: [0, 0, 1], {}}}\n",
      end, step, scheme, spin, keys);
}

TEST(JointSpring, SwingsAsASineOfSecondOrder) {
  const double w = std::sqrt(2 / wheel_inertia);
  const auto error = [&](double step) {
    const JointedRun run = run_scene(wheel("spring: {stiffness: 2}", 0.3, 1, step));
    EXPECT_LE(run.ledger.residual, 1e-12);
    return run.joints[0].angle - 0.3 / w * std::sin(w);
  };
  const double coarse = error(4e-3), fine = error(2e-3);
  EXPECT_LE(std::abs(fine), 1e-5);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

TEST(JointDamper, TakesWhatItTakesByName) {
  const JointedRun run = run_scene(wheel("drag: 0.2", 3));
  // Half a step at the start is booked no more than half a kick is.
  const double first = 0.5 * wheel_inertia * 9 * std::exp(-1e-3 * 0.2 / wheel_inertia);
  const double after = 0.5 * wheel_inertia * 9 * std::exp(-2 * 0.2 / wheel_inertia);
  EXPECT_NEAR(run.ledger.lost[model::Loss::joint_damping], first - after, 1e-4 * first);
  EXPECT_NEAR(run.joints[0].angle, 3 * wheel_inertia / 0.2 * (1 - std::exp(-0.2 / wheel_inertia)), 1e-5);
  EXPECT_LE(run.ledger.residual, 1e-12);
}

/// A damper so strong that an explicit one would blow up.
TEST(JointDamper, IsStableAtAnyStrength) {
  const JointedRun run = run_scene(wheel("drag: 1000", 3));
  EXPECT_EQ(run.ledger.failure, "");
  EXPECT_LE(run.ledger.residual, 1e-12);
}

TEST(JointMotor, GivesItsTorqueAndBooksItsWork) {
  const JointedRun run = run_scene(wheel("motor: {type: torque, signal: {type: ramp, amplitude: 0.5}}", 0));
  EXPECT_NEAR(run.joints[0].angle, 0.5 * 0.5 / wheel_inertia, 1e-5);  // h² of the flight
  EXPECT_NEAR(run.ledger.lost[model::Loss::motor], -0.5 * run.joints[0].angle, 2e-2);
  EXPECT_LE(run.ledger.residual, 1e-12);
  EXPECT_LE(run.ledger.angular_drift, 1e-12);
}

TEST(JointMotor, LeadsItsJointToRounding) {
  const JointedRun run =
      run_scene(wheel("motor: {type: angle, signal: {type: table, times: [0, 0.5, 1.1], values: [0, 0.7, 0.7]}}", 1.4));
  EXPECT_NEAR(run.joints[0].angle, 0.7, 1e-14);
  // It takes the energy with which the bar turned.
  EXPECT_NEAR(run.ledger.lost[model::Loss::motor], 0.5 * wheel_inertia * 1.4 * 1.4, 1e-7);
  EXPECT_LE(run.ledger.residual, 1e-11);
  EXPECT_LE(run.ledger.angular_drift, 1e-11);
}

const char* const tables = "times: [0, 3], values: ";

/// In the middle of each interval, so that a ramp is followed exactly.
TEST(JointMotor, KeepsASpeedToRounding) {
  const JointedRun run = run_scene(wheel("motor: {type: speed, signal: {type: ramp, amplitude: 2, rise: 0.5}}", 0));
  EXPECT_NEAR(run.joints[0].angle, 0.5 * 0.5 * 2 + 0.5 * 2, 1e-13);
  EXPECT_NEAR(run.ledger.lost[model::Loss::motor], -0.5 * wheel_inertia * 4, 1e-4);
  EXPECT_LE(run.ledger.residual, 1e-11);
  EXPECT_LE(run.ledger.angular_drift, 1e-11);
}

/// Too weak for its speed, it gives what it can.
TEST(JointMotor, GivesNoMoreThanItsTorque) {
  const JointedRun run = run_scene(
      wheel(fmt::format("motor: {{type: speed, max_torque: 0.1, signal: {{type: table, {}[100, 100]}}}}", tables), 0));
  EXPECT_NEAR(run.joints[0].angle, 0.5 * 0.1 / wheel_inertia, 1e-5);
  EXPECT_NEAR(run.ledger.lost[model::Loss::motor], -0.1 * run.joints[0].angle, 2e-4);
  EXPECT_LE(run.ledger.residual, 1e-12);
}

/// Against friction, from the other direction, until it has its speed, which it then keeps.
TEST(JointMotor, TurnsARotorAroundAgainstFriction) {
  const double gain = (0.5 + 0.3) / wheel_inertia, rest = (0.5 - 0.3) / wheel_inertia;
  const JointedRun run = run_scene(wheel(
      fmt::format("friction: 0.3, motor: {{type: speed, max_torque: 0.5, signal: {{type: table, {}[2, 2]}}}}", tables),
      -3, 2));
  const double back = 3 / gain, forth = 2 / rest;  // times
  EXPECT_NEAR(run.joints[0].angle, -0.5 * 3 * back + 0.5 * 2 * forth + 2 * (2 - back - forth), 5e-3);
  // What the motor gave became the energy of the rotor and heat of the friction.
  const double heat = run.ledger.lost[model::Loss::joint_damping], given = -run.ledger.lost[model::Loss::motor];
  EXPECT_NEAR(heat, 0.3 * (0.5 * 3 * back + 0.5 * 2 * forth + 2 * (2 - back - forth)), 2e-3);
  EXPECT_NEAR(given, heat + 0.5 * wheel_inertia * (4 - 9), 2e-3);
  EXPECT_LE(run.ledger.residual, 1e-12);
}

TEST(JointFriction, BringsToRestAndHolds) {
  const JointedRun run = run_scene(wheel("friction: 0.2", 3, 2));
  EXPECT_NEAR(run.joints[0].angle, 0.5 * wheel_inertia * 9 / 0.2, 2e-3);
  EXPECT_NEAR(run.ledger.lost[model::Loss::joint_damping], 0.5 * wheel_inertia * 9, 2e-3);
  EXPECT_LE(run.ledger.residual, 1e-12);
  const JointedRun later = run_scene(wheel("friction: 0.2", 3, 1.5));
  EXPECT_NEAR(later.joints[0].angle, run.joints[0].angle, 1e-12);  // it rests, but for rounding
}

/// A torque below that of the friction moves nothing, one above it the difference.
TEST(JointFriction, SticksUpToItsTorque) {
  const std::string weak = "friction: 0.2, motor: {type: torque, signal: {type: ramp, amplitude: 0.19}}";
  EXPECT_NEAR(run_scene(wheel(weak, 0)).joints[0].angle, 0, 1e-15);
  const std::string strong = "friction: 0.2, motor: {type: torque, signal: {type: ramp, amplitude: 0.3}}";
  EXPECT_NEAR(run_scene(wheel(strong, 0)).joints[0].angle, 0.5 * 0.1 / wheel_inertia, 1e-5);
}

/// Damper and friction together: I s' = −c s − μ.
TEST(JointFriction, AddsToADamper) {
  const double c = 0.2, mu = 0.1, rate = c / wheel_inertia, stop = std::log(1 + 3 * c / mu) / rate;
  const JointedRun run = run_scene(wheel("drag: 0.2, friction: 0.1", 3, 2));
  const double way = (3 + mu / c) / rate * (1 - std::exp(-rate * stop)) - mu / c * stop;
  EXPECT_NEAR(run.joints[0].angle, way, 2e-3);
  EXPECT_LE(run.ledger.residual, 1e-12);
}

class JointStops : public ::testing::TestWithParam<std::string> {};

/// No force acts, so that the speed is exactly that of the restitution.
TEST_P(JointStops, AreLeftWithTheirRestitution) {
  const double e = GetParam() == "cd-lagrange" ? 0 : 0.5;
  double speed = NAN;
  const auto look = [&](const dynamics::System& system, model::State& state, dynamics::StepReport&) {
    speed = state.p[5] * system.inverse_mass()[5];
  };
  const JointedRun run = run_scene(
      wheel(fmt::format("limits: {{lower: -1, upper: 0.5, restitution: {}}}", e), 2, 0.5, 1e-3, GetParam()), look);
  EXPECT_NEAR(speed, -2 * e, 1e-13);
  EXPECT_LE(run.ledger.residual, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Schemes, JointStops,
                         ::testing::Values("moreau-variational", "capture-return", "reflection", "cd-lagrange"),
                         [](const auto& one) { return one.param.substr(0, one.param.find('-')); });

/// Stops have a layer that nothing deforms and in which a blow lasts some steps: its account is exact, its restitution
/// that of the law within two percent whatever the step.
TEST(JointStops, HaveALayerUnderDiscreteGradient) {
  for (const double e : {1.0, 0.5}) {
    double speed = NAN;
    const auto look = [&](const dynamics::System& system, model::State& state, dynamics::StepReport&) {
      speed = state.p[5] * system.inverse_mass()[5];
    };
    const JointedRun run = run_scene(
        wheel(fmt::format("limits: {{lower: -1, upper: 0.5, restitution: {}}}", e), 2, 0.5, 1e-3, "discrete-gradient"),
        look);
    EXPECT_EQ(run.ledger.failure, "");
    EXPECT_NEAR(speed, -2 * e, 2 * e * (e < 1 ? 2e-2 : 1e-6));
    EXPECT_LE(run.ledger.residual, 1e-12);
    EXPECT_LE(run.ledger.error, 1e-6);
  }
}

/// A crank of 0.2 and a rod of 0.5 drive a slider along x: two of its rows are implied by others.
TEST(SliderCrank, FollowsItsKinematics) {
  const std::string text =
      "time: {end: 2, step: 1 ms}\nintegrator: {type: moreau-variational}\nbodies:\n  crank: {type: rigid, shape: "
      "{type: box, size: [0.2, "
      "0.02, "
      "0.02]}, position: [0.1, 0, 0]}\n  rod: {type: rigid, shape: {type: box, size: [0.5, 0.02, 0.02]}, position: "
      "[0.45, 0, 0]}\n  slider: "
      "{type: rigid, shape: {type: box, size: [0.1, 0.1, 0.1]}, position: [0.7, 0, 0]}\njoints:\n  - {name: shaft, "
      "type: revolute, between: [world, "
      "crank], position: [0, 0, 0], axis: [0, 0, 1], motor: {type: torque, signal: {type: half-sine, amplitude: 2, "
      "duration: "
      "0.1}}}\n  - {name: pin, type: revolute, between: [crank, rod], position: [0.2, 0, 0], axis: [0, 0, 1]}\n  - "
      "{name: "
      "cross, type: revolute, between: [rod, slider], position: [0.7, 0, 0], axis: [0, 0, 1]}\n  - {name: rail, type: "
      "prismatic, between: [world, slider], position: [0.7, 0, 0], axis: [1, 0, 0]}\n";
  double worst = 0, turned = 0;
  const auto look = [&](const dynamics::System&, model::State& state, dynamics::StepReport& report) {
    const double angle = report.joints[0].angle, s = 0.2 * std::sin(angle);
    turned = angle;
    worst = std::max(worst, std::abs(state.q[14] - 0.2 * std::cos(angle) - std::sqrt(0.25 - s * s)));
  };
  const JointedRun run = run_scene(text, look);
  EXPECT_GT(std::abs(turned), 10);
  EXPECT_LE(worst, 1e-13);
  EXPECT_LE(run.gap, 1e-14);
  EXPECT_LE(run.ledger.error, 5e-3);
}

/// A symmetric top in regular precession Ω at the inclination θ: I₁Ω² cos θ − I₃ω₃Ω + m g l = 0.
TEST(HeavyTop, PrecessesRegularly) {
  const double mass = 1, l = 0.3, g = 9.81, theta = 0.6, precession = 2;
  const double i3 = mass / 12 * 0.02, i1 = mass / 12 * (0.01 + 0.04) + mass * l * l;  // a box 0.1 × 0.1 × 0.2
  const double spin = (i1 * precession * precession * std::cos(theta) + mass * g * l) / (i3 * precession);
  const auto tilt = [&](double step, double& turned) {
    const math::Vec3 axis(std::sin(theta), 0, std::cos(theta));
    const math::Vec3 omega = (spin - precession * std::cos(theta)) * axis + precession * math::Vec3::UnitZ();
    const math::Vec3 x = l * axis, v = omega.cross(x);
    const std::string text = fmt::format(
        "time: {{end: 1, step: {}}}\nintegrator: {{type: moreau-variational}}\ngravity: [0, 0, -9.81]\nbodies:\n  top: "
        "{{type: rigid, shape: {{type: box, size: [0.1, 0.1, 0.2]}}, mass: 1, position: [{}, {}, {}], rotation: [0, "
        "{}, 0], velocity: [{}, {}, "
        "{}], "
        "angular_velocity: [{}, {}, {}]}}\njoints:\n  - {{name: foot, type: spherical, between: [world, top], "
        "position: [0, "
        "0, 0]}}\n",
        step, x.x(), x.y(), x.z(), theta, v.x(), v.y(), v.z(), omega.x(), omega.y(), omega.z());
    double worst = 0;
    const auto look = [&](const dynamics::System&, model::State& state, dynamics::StepReport&) {
      worst = std::max(worst, std::abs(std::acos(state.q[2] / l) - theta));
      turned = std::atan2(state.q[1], state.q[0]);
    };
    run_scene(text, look);
    return worst;
  };
  double turned = 0;
  const double coarse = tilt(2e-4, turned), fine = tilt(1e-4, turned);
  EXPECT_LE(fine, 2e-3);
  EXPECT_NEAR(turned, precession, 5e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
}

/// Newmark's sliding block: a pulse of acceleration a₀ for t₀ leaves it ½ a₀ t₀² (a₀/(μ g) − 1) behind its base.
TEST(SlidingBlock, SlipsAsNewmarkSays) {
  const double a0 = 6, t0 = 0.3, mu = 0.3, g = 9.81;
  std::string times, values;
  for (int n = 0; n <= 901; ++n) {
    const double t = 1e-3 * n, x = t < t0 ? 0.5 * a0 * t * t : a0 * t0 * (t - 0.5 * t0);
    times += fmt::format("{}{}", n ? ", " : "", t);
    values += fmt::format("{}{}", n ? ", " : "", x);
  }
  const std::string text = fmt::format(
      "time: {{end: 0.9, step: 1 ms}}\nintegrator: {{type: moreau-variational}}\ngravity: [0, 0, -9.81]\nbodies:\n  "
      "base: "
      "{{type: rigid, shape: {{type: box, size: [4, 1, 0.2]}}, position: [0, 0, -0.1]}}\n  block: {{type: rigid, "
      "shape: {{type: box, size: [0.4, 0.4, 0.1]}}, "
      "position: [0, "
      "0, 0.05]}}\ncontacts:\n  - {{between: [base, block], friction: {}}}\njoints:\n  - {{name: shaker, type: "
      "prismatic, "
      "between: [world, base], axis: [1, 0, 0], motor: {{type: displacement, signal: {{type: table, times: [{}], "
      "values: "
      "[{}]}}}}}}\n",
      mu, times, values);
  double slip = 0;
  const auto look = [&](const dynamics::System&, model::State& state, dynamics::StepReport&) {
    slip = state.q[0] - state.q[7];
  };
  const JointedRun run = run_scene(text, look);
  EXPECT_EQ(run.ledger.failure, "");
  EXPECT_NEAR(slip, 0.5 * a0 * t0 * t0 * (a0 / (mu * g) - 1), 2e-3);
  EXPECT_LE(run.ledger.residual, 1e-10);
}

/// A beam hangs from the world by a hinge, a ball is fixed to its end, and a block of rubber hangs from the ball.
TEST(MixedJoints, KeepMomentaAndTheAccount) {
  const std::string text =
      "time: {end: 0.2, courant: 0.4}\nintegrator: {type: capture-return}\ngravity: [0, 0, -9.81]\nbodies:\n  beam: "
      "{type: "
      "beam, length: 0.4, cells: 8, section: {type: circle, radius: 10 mm}, density: 1000, youngs_modulus: "
      "1.0e+6, "
      "poissons_ratio: 0.3, rotation: [0, 1.5707963267948966, 0]}\n  ball: {type: rigid, shape: {type: sphere, radius: "
      "0.03}, position: "
      "[0.43, 0, "
      "0]}\n  block: {type: solid, shape: {type: box, size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}, position: [0.38, "
      "-0.05, "
      "-0.2], material: neo-hookean, density: 1000, youngs_modulus: 1.0e+5, poissons_ratio: 0.3}\njoints:\n  - {name: "
      "hinge, "
      "type: revolute, between: [world, beam], position: [0, 0, 0], axis: [0, 1, 0]}\n  - {name: end, type: fixed, "
      "between: "
      "[beam, ball], position: [0.4, 0, 0], first: {at: end}}\n  - {name: string, type: distance, between: [ball, "
      "block], "
      "position: [0.43, 0, -0.03], to: [0.43, 0, -0.1]}\n";
  const JointedRun run = run_scene(text);
  EXPECT_EQ(run.ledger.failure, "");
  EXPECT_LE(run.gap, 4e-15);
  EXPECT_LE(run.ledger.residual, 1e-12);
  EXPECT_LE(run.ledger.error, 2e-3);
  EXPECT_LE(run.ledger.linear_drift, 1e-12);
  EXPECT_LE(run.ledger.angular_drift, 1e-12);
}

}  // namespace
}  // namespace ictus::testing
