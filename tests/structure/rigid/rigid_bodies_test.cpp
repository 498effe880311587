#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "structure/rigid_run.hpp"

// Rigid bodies: what the scheme keeps exactly, and impacts with known answers.

namespace ictus::dynamics {
namespace {

System tumbling() {
  const RigidStart start{{1, 2, 3}, math::cayley(Vec{0.3, -0.2, 0.5}), {0.1, 0.2, 0.3}, {0.5, 6, -0.4}};
  return on_floor(properties(box(0.3, 0.2, 0.05), 2, {}), {start}, {});
}

TEST(RigidFlight, KeepsEnergyAndMomentumToRoundOff) {
  const System system = tumbling();
  RigidRun run(system, 0.02);
  const double energy = run.energy();
  const auto spin = [&] {
    const double* p = run.state.p.data();
    return rotate(mechanics::rigid_orientation(run.state.q.data()), math::Vector3<double>{p[3], p[4], p[5]});
  };
  const std::vector<double> p = run.state.p;
  const math::Vector3<double> before = spin();
  run.steps(5000);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(run.state.p[c], p[c]) << "nothing acts on it";
  EXPECT_LE(std::sqrt(math::norm_sq(spin() - before) / math::norm_sq(before)), 1e-14);
  EXPECT_NEAR(run.energy() / energy, 1, 1e-13);
}

/// The orientation after one second against one with a much smaller step.
TEST(RigidFlight, IsOfSecondOrder) {
  const System system = tumbling();
  const auto orientation = [&](int steps) {
    RigidRun run(system, 1.0 / steps);
    run.steps(steps);
    return mechanics::rigid_orientation(&run.state.q[0]);
  };
  const math::Rotation<double> exact = orientation(20000);
  const auto error = [&](int steps) {
    const math::Rotation<double> off = inverse(exact) * orientation(steps);
    return std::sqrt(math::norm_sq(off.v));
  };
  EXPECT_NEAR(std::log2(error(100) / error(200)), 2, 0.05);
  EXPECT_NEAR(std::log2(error(200) / error(400)), 2, 0.05);
}

TEST(RigidFlight, TheMidpointSchemeGainsEnergyOfFirstOrderAndBooksIt) {
  const System system = tumbling();
  const auto gain = [&](int steps) {
    RigidRun run(system, 1.0 / steps, RigidTimeStepping::Scheme::midpoint);
    const double energy = run.energy();
    run.steps(steps);
    EXPECT_NEAR(run.energy() - energy, -run.lost[model::Loss::gyroscopic], 1e-12);
    return run.energy() - energy;
  };
  EXPECT_GT(gain(400), 0);
  EXPECT_NEAR(std::log2(gain(400) / gain(800)), 1, 0.1);
}

/// At any speed and step a single impact returns e v⁻, and loses ½ m (1 − e²) v⁻² of it.
TEST(RigidImpact, ReturnsItsRestitutionToRoundOff) {
  for (const double e : {1.0, 0.8, 0.3}) {
    for (const double speed : {0.7, 5.0, 300.0}) {
      const double h = 1e-3, g = 9.81, radius = 0.1, mass = 2;
      const System system = on_floor(properties(geometry::RigidShape::sphere(radius), mass, {0, 0, -g}),
                                     {{{0, 0, radius + 1.5 * h * speed}, {}, {0, 0, -speed}, {}}}, {e, 0.0});
      RigidRun run(system, h);
      run.steps(1);
      ASSERT_EQ(run.closings, 0);
      const double before = run.state.p[2] / mass - 0.5 * h * g;  // v⁻ of the next node
      run.steps(1);
      ASSERT_EQ(run.closings, 1);
      const double after = run.state.p[2] / mass + 0.5 * h * g;  // v⁺
      EXPECT_NEAR(after / before, -e, 1e-14) << "e " << e << ", speed " << speed;
      EXPECT_NEAR(run.lost[model::Loss::restitution], 0.5 * mass * (1 - e * e) * before * before,
                  1e-12 * mass * speed * speed);
      EXPECT_NEAR(run.lost[model::Loss::solver], 0, 1e-12 * mass * speed * speed);
    }
  }
}

/// A box thrown flat along the floor slides v²/(2 μ g), with O(h) for when it stops; all it had is lost to friction.
TEST(RigidFriction, StopsABoxWhereCoulombSays) {
  const double mu = 0.4, speed = 2, g = 9.81, mass = 3;
  const double distance = speed * speed / (2 * mu * g);
  const auto slide = [&](double h) {
    const System system =
        on_floor(properties(box(0.2, 0.2, 0.02), mass, {0, 0, -g}), {{{0, 0, 0.01}, {}, {speed, 0, 0}, {}}}, {0, mu});
    RigidRun run(system, h);
    const double energy = run.energy();
    run.steps(static_cast<int>(1 / h));
    // 6 J summed up in 10⁴ steps, each with its round-off.
    EXPECT_NEAR(run.energy() - energy + run.lost.total(), 0, 1e-11);
    EXPECT_NEAR(run.lost[model::Loss::friction], 0.5 * mass * speed * speed, 0.02);
    return run.state.q[0];
  };
  EXPECT_NEAR(slide(1e-3), distance, 2 * 1e-3 * speed);
  EXPECT_NEAR(slide(1e-4), distance, 2 * 1e-4 * speed);
}

/// A box on an inclined plane, turned as the plane is, below the angle of friction: tan 0.3 = 0.31 < μ.
System box_on_slope() {
  const double slope = 0.3;
  const Vec normal{std::sin(slope), 0, std::cos(slope)}, foot{0.3, -0.2, 0.7};
  const RigidStart start{foot + 0.05 * normal, math::cayley(Vec{0, 2 * std::tan(slope / 2), 0}), {}, {}};
  std::vector<BodyPtr> bodies;
  bodies.push_back(
      std::make_unique<RigidBodies>("box", properties(box(0.2, 0.2, 0.1), 1, {0, 0, -9.81}), std::vector{start}, 0));
  bodies.push_back(std::make_unique<mechanics::Obstacle>("slope", model::Plane{to_eigen(foot), to_eigen(normal)}));
  std::vector<contact::ContactPair> pairs{pair_of(*bodies[0], *bodies[1], {0, 0.5})};
  return System(std::move(bodies), std::move(pairs), exec::Executor(1));
}

TEST(RigidFriction, SticksForAMillionStepsWithoutMovingByOneBit) {
  const System system = box_on_slope();
  for (const auto& [scheme, steps] : {std::pair{RigidTimeStepping::Scheme::variational, 1000000},
                                      std::pair{RigidTimeStepping::Scheme::midpoint, 100000}}) {
    RigidRun run(system, 1e-3, scheme, 1e-12);
    const std::vector<double> q = run.state.q;
    run.steps(steps);
    EXPECT_EQ(run.state.q, q);
    EXPECT_NEAR(run.lost.total(), 0, 1e-12);
  }
}

/// What the solver's tolerance leaves open in the first steps moves a box by so little; then it stands to the bit.
TEST(RigidFriction, SticksToTheToleranceAndThenToTheBit) {
  const System system = box_on_slope();
  RigidRun run(system, 1e-3, RigidTimeStepping::Scheme::variational, 1e-6);
  const std::vector<double> start = run.state.q;
  run.steps(1000);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(run.state.q[i], start[i], 1e-10) << i;
  const std::vector<double> q = run.state.q;
  run.steps(10000);
  EXPECT_EQ(run.state.q, q);
}

std::vector<RigidStart> heap() {
  std::vector<RigidStart> starts;
  for (int i = 0; i < 27; ++i) {
    starts.push_back({{0.21 * (i % 3), 0.22 * (i / 3 % 3), 0.15 + 0.23 * (i / 9)},
                      math::cayley(Vec{0.3 * i, -0.1 * i, 0.2}),
                      {0.1 * std::sin(i), 0.1 * std::cos(i), 0},
                      {0.5 * std::cos(i), 0, 1}});
  }
  return starts;
}

RigidProperties capsule() { return properties(geometry::RigidShape::capsule(0.06, 0.08), 1, {0, 0, -9.81}); }

TEST(RigidHeap, LedgersClose) {
  for (const double e : {0.0, 0.5}) {
    const System system = on_floor(capsule(), heap(), {e, 0.4});
    RigidRun run(system, 1e-3, RigidTimeStepping::Scheme::variational, 1e-6);
    const double energy = run.energy();
    const model::State initial = system.initial_state();
    const mechanics::Momentum start = system.momentum(initial.q, initial.p);
    run.steps(300);
    EXPECT_GT(run.closings, 5);
    EXPECT_GT(run.lost[model::Loss::friction], 0);
    EXPECT_NEAR(run.energy() - energy + run.lost.total(), 0, 1e-12 * energy);
    const mechanics::Momentum end = run.momentum();
    EXPECT_LT((end.linear - start.linear - run.from_outside.linear).norm(), 1e-10);
    EXPECT_LT((end.angular - start.angular - run.from_outside.angular).norm(), 1e-10);
  }
}

TEST(RigidHeap, HasTheSameBitsOnTwoThreadsAndAfterARestart) {
  const System one = on_floor(capsule(), heap(), {0, 0.4}), two = on_floor(capsule(), heap(), {0, 0.4}, 2);
  RigidRun first(one, 1e-3), second(two, 1e-3);
  first.steps(300);
  second.steps(150);
  RigidTimeStepping fresh(RigidTimeStepping::Scheme::variational,
                          {.solver = {.tolerance = 1e-10, .max_iterations = 20000, .min_iterations = 1}});
  fresh.prepare(two);
  for (int i = 0; i < 150; ++i) fresh.step(two, 1e-3, second.state);
  EXPECT_TRUE(first.state == second.state);
}

/// Enough contacts that sweeps are shared among threads.
TEST(RigidHeap, OfThousandsOfContactsHasTheSameBitsOnTwoThreads) {
  std::vector<RigidStart> starts;
  for (int i = 0; i < 1000; ++i) {
    const double shift = 1e-5 * std::sin(i);
    starts.push_back({{0.1 * (i % 10) + shift, 0.1 * (i / 10 % 10) - shift, 0.05 + 0.1 * (i / 100)}, {}, {}, {}});
  }
  const RigidProperties ball = properties(geometry::RigidShape::sphere(0.05), 0.5, {0, 0, -9.81});
  const System one = on_floor(ball, starts, {0, 0.3}), two = on_floor(ball, starts, {0, 0.3}, 2);
  RigidRun first(one, 2e-3, RigidTimeStepping::Scheme::variational, 1e-3);
  RigidRun second(two, 2e-3, RigidTimeStepping::Scheme::variational, 1e-3);
  first.steps(10);
  second.steps(10);
  const auto extras = first.integrator.extras(first.state);
  const auto contacts =
      std::find_if(extras.begin(), extras.end(), [](const auto& e) { return e.first == "contacts_max"; });
  ASSERT_TRUE(contacts != extras.end() && contacts->second > 2048) << "needs several chunks";
  EXPECT_TRUE(first.state == second.state);
}

TEST(RigidTower, OfFiveBoxesStands) {
  std::vector<RigidStart> starts;
  for (int i = 0; i < 5; ++i) starts.push_back({{0, 0, 0.05 + 0.1 * i}, {}, {}, {}});
  const System system = on_floor(properties(box(0.1, 0.1, 0.1), 0.5, {0, 0, -9.81}), starts, {0, 0.5});
  RigidRun run(system, 2e-3);
  run.steps(3000);
  const double* top = &run.state.q[4 * RigidBodies::stride];
  EXPECT_NEAR(top[0], 0, 1e-10);
  EXPECT_NEAR(top[1], 0, 1e-10);
  EXPECT_NEAR(top[2], 0.45, 1e-10);
}

}  // namespace
}  // namespace ictus::dynamics
