// The contract of dynamics::Integrator, kept by the schemes for generalised bodies on every such body.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/moreau.hpp>
#include <ictus/dynamics/moreau_variational.hpp>
#include <limits>

#include "allocation_count.hpp"
#include "structure/generalised/toys.hpp"

namespace ictus {
namespace {

using dynamics::ImpactLaw;
using dynamics::Integrator;
using dynamics::System;
using model::State;

struct Subject {
  const char* name;
  std::function<std::unique_ptr<Integrator>()> make;
  friend void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }
};

const Subject subjects[] = {
    {"Momentum", [] { return std::make_unique<dynamics::MoreauVariational>(ImpactLaw::momentum); }},
    {"Paper", [] { return std::make_unique<dynamics::MoreauVariational>(ImpactLaw::paper); }},
    {"Moreau", [] { return std::make_unique<dynamics::Moreau>(); }},
};

class GeneralisedContract : public ::testing::TestWithParam<Subject> {
 protected:
  std::unique_ptr<Integrator> integrator = GetParam().make();
};

/// A damped pendulum with friction on its wall, a ball, a block and the woodpecker, all at once.
System toys() {
  std::vector<dynamics::BodyPtr> bodies;
  std::vector<contact::ContactPair> pairs;
  const auto add = [&](auto body, const std::vector<testing::ToyLaw>& laws) {
    for (std::size_t i = 0; i < laws.size(); ++i) pairs.push_back(testing::toy_pair(*body, i, laws[i]));
    bodies.push_back(std::move(body));
  };
  mechanics::SpringPendulumProperties pendulum = testing::paper_pendulum();
  pendulum.damping = 0.1;
  add(std::make_unique<mechanics::SpringPendulum>("pendulum", pendulum, 0), {{.restitution = 0.9, .friction = 0.3}});
  mechanics::PointMassProperties ball;
  ball.mass = 0.7;
  ball.position = {0, 0, 0.1};
  ball.velocity = {1, 0.5, 0};
  ball.gravity = {0, 0, -9.81};
  ball.damping = 0.05;
  ball.obstacles = {{{{0, 0, 0}, {0, 0, 1}}, {1, 0, 0}, {0, 1, 0}}, {{{1, 0, 0}, {-1, 0, 0}}, {0, 1, 0}, {0, 0, -1}}};
  add(std::make_unique<mechanics::PointMass>("ball", ball, 2),
      {{.restitution = 0.8, .friction = 0.2, .friction_across = 0.4}, {.restitution = 0.5, .friction = 0.1}});
  mechanics::SliderProperties block;
  block.mass = 2;
  block.slope = 0.3;
  block.gravity = {0, 0, -9.81};
  block.position = {0, 0, 0.02};
  block.velocity = {1, 2, 0};
  add(std::make_unique<mechanics::Slider>("block", block, 5), {{.restitution = 0.3, .friction = 0.5}});
  mechanics::WoodpeckerProperties woodpecker;
  woodpecker.coordinates = {0, -0.1, -0.28};
  woodpecker.rates = {-0.3411, 0, -7.4583};
  add(std::make_unique<mechanics::Woodpecker>("woodpecker", woodpecker, 8), {{0.5, 0.3}, {0.0, 0.3}, {0.0, 0.3}});
  return {std::move(bodies), std::move(pairs), exec::Executor(1)};
}

constexpr double step = 1e-4;

TEST_P(GeneralisedContract, FreshIntegratorContinuesACopiedStateToTheSameBits) {
  const System system = toys();
  State state = testing::started(system, *integrator, step);
  std::vector<State> checkpoints;
  for (int n = 0; n < 8000; ++n) {
    if (n % 700 == 0) checkpoints.push_back(state);
    integrator->step(system, step, state);
  }
  for (State& checkpoint : checkpoints) {
    const auto fresh = GetParam().make();
    fresh->prepare(system);
    while (checkpoint.step < state.step) fresh->step(system, step, checkpoint);
    ASSERT_EQ(checkpoint, state);
    EXPECT_EQ(fresh->energy(system, step, checkpoint), integrator->energy(system, step, state));
  }
}

TEST_P(GeneralisedContract, WarmStepAllocatesNothing) {
  const System system = toys();
  State state = testing::started(system, *integrator, step);
  for (int n = 0; n < 5000; ++n) integrator->step(system, step, state);
  int contacts = 0;
  const std::size_t before = testing::allocation_count();
  for (int n = 0; n < 5000; ++n) contacts += integrator->step(system, step, state).contacts;
  EXPECT_EQ(testing::allocation_count(), before);
  EXPECT_GT(contacts, 0);
}

/// Losses are those it names, and with them the energy is explained but for what the smooth scheme lends and gives
/// back: of the order of the square of the step.
TEST_P(GeneralisedContract, LedgerClosesUnderTheNamesItGives) {
  const System system = toys();
  State state = testing::started(system, *integrator, step);
  const dynamics::Capabilities can = integrator->capabilities();
  const double e0 = integrator->energy(system, step, state).total();
  model::Lost lost;
  double residual = 0;
  for (int n = 0; n < 10000; ++n) {
    lost += integrator->step(system, step, state).lost;
    residual = std::max(residual, std::abs(integrator->energy(system, step, state).total() + lost.total() - e0));
  }
  EXPECT_LT(residual, 2e-5 * std::abs(e0));
  for (std::size_t i = 0; i < model::Lost::size; ++i) {
    const auto loss = static_cast<model::Loss>(i);
    const bool named = std::count(can.losses.begin(), can.losses.end(), loss) > 0;
    EXPECT_TRUE(named || lost[loss] == 0) << model::loss_names[i];
  }
  EXPECT_GT(lost[model::Loss::restitution], 0);
  EXPECT_GT(lost[model::Loss::friction], 0);
  EXPECT_GT(lost[model::Loss::damping], 0);
}

/// Linear and angular momentum of the ball are what gravity and the planes gave.
TEST_P(GeneralisedContract, MomentumIsExplained) {
  const System system = toys();
  State state = testing::started(system, *integrator, step);
  mechanics::Momentum expected = system.momentum(state.q, state.p);
  for (int n = 0; n < 10000; ++n) expected += integrator->step(system, step, state).external_impulse;
  const mechanics::Momentum now = system.momentum(state.q, state.p);
  EXPECT_LT((now.linear - expected.linear).norm(), 1e-12);
  EXPECT_LT((now.angular - expected.angular).norm(), 1e-12);
}

/// 2/ω of the spring, which at rest is faster than the swing; nothing limits a ball.
TEST_P(GeneralisedContract, StepLimitIsThatOfTheFastestVibration) {
  EXPECT_NEAR(integrator->step_limit(testing::pendulum()).step, 0.2, 1e-3);
  EXPECT_EQ(integrator->step_limit(testing::ball(1, {0, 0, 0}, {})).step, std::numeric_limits<double>::infinity());
}

TEST_P(GeneralisedContract, RunThatBlowsUpEndsInAFailure) {
  mechanics::SpringPendulumProperties p = testing::paper_pendulum();
  p.formula.stiffness = 1e6;
  const System system = testing::pendulum(p);
  State state = testing::started(system, *integrator, 0.1);
  EXPECT_THROW(for (int n = 0; n < 100000; ++n) integrator->step(system, 0.1, state), base::NumericalFailure);
}

INSTANTIATE_TEST_SUITE_P(All, GeneralisedContract, ::testing::ValuesIn(subjects),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace ictus
