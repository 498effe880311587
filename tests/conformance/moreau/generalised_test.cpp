// The contract of dynamics::Integrator, kept by the schemes for generalised bodies on every such body.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/generalised/midpoint.hpp>
#include <ictus/dynamics/generalised/variational_trapezoid.hpp>
#include <limits>

#include "conformance/contract.hpp"
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
    {"Momentum", [] { return std::make_unique<dynamics::VariationalTrapezoid>(ImpactLaw::momentum); }},
    {"Paper", [] { return std::make_unique<dynamics::VariationalTrapezoid>(ImpactLaw::paper); }},
    {"Midpoint", [] { return std::make_unique<dynamics::Midpoint>(); }},
};

class GeneralisedContract : public ::testing::TestWithParam<Subject> {
 protected:
  std::unique_ptr<Integrator> integrator = GetParam().make();
};

/// A damped pendulum with friction on its wall, a ball, a block and the woodpecker, all at once.
System toys(int threads = 1) {
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
  return {std::move(bodies), std::move(pairs), exec::Executor(threads)};
}

constexpr double step = 1e-4;

TEST_P(GeneralisedContract, FreshIntegratorContinuesACopiedStateToTheSameBits) {
  testing::expect_copies_go_on_to_the_same_bits(toys(), GetParam().make, step, 8000, 700);
}

TEST_P(GeneralisedContract, TwoThreadsGiveTheSameBitsAsOne) {
  EXPECT_GT(testing::expect_same_bits(toys(), toys(2), GetParam().make, step, 5000), 0);
}

TEST_P(GeneralisedContract, WarmStepAllocatesNothing) {
  EXPECT_GT(testing::expect_no_allocation(toys(), *integrator, step, 5000), 0);
}

struct Account {
  model::Lost lost;
  double residual = 0;    ///< largest
  double quadrature = 0;  ///< largest
  double scale = 0;       ///< kinetic and strain energy at the start (J)
  int fallbacks = 0;
};

Account account_of(Integrator& integrator, const System& system, double h, double end) {
  State state = testing::started(system, integrator, h);
  const model::Stored stored = integrator.energy(system, h, state);
  Account account;
  account.scale = stored[model::Store::kinetic] + stored[model::Store::strain];
  while (state.time < end - h / 2) {
    const dynamics::StepReport report = integrator.step(system, h, state);
    account.lost += report.lost;
    account.fallbacks += report.fallbacks;
    const double now = integrator.energy(system, h, state).total();
    account.residual = std::max(account.residual, std::abs(now + account.lost.total() - stored.total()));
    account.quadrature = std::max(account.quadrature, std::abs(account.lost[model::Loss::quadrature]));
  }
  return account;
}

/// Losses are those it names, and with them the energy is explained to round-off.
TEST_P(GeneralisedContract, LedgerClosesUnderTheNamesItGives) {
  const System system = toys();
  const dynamics::Capabilities can = integrator->capabilities();
  const Account account = account_of(*integrator, system, step, 1);
  EXPECT_LT(account.residual, 1e-12 * account.scale);
  EXPECT_EQ(account.fallbacks, 0);
  for (std::size_t i = 0; i < model::Lost::size; ++i) {
    const auto loss = static_cast<model::Loss>(i);
    const bool named = std::count(can.losses.begin(), can.losses.end(), loss) > 0;
    EXPECT_TRUE(named || account.lost[loss] == 0) << model::loss_names[i];
  }
  EXPECT_GT(account.lost[model::Loss::restitution], 0);
  EXPECT_GT(account.lost[model::Loss::friction], 0);
  EXPECT_GT(account.lost[model::Loss::damping], 0);
  EXPECT_NEAR(account.lost[model::Loss::solver], 0, 1e-12 * account.scale);
}

/// In smooth motion the scheme's own error goes to and fro with the square of the step.
TEST_P(GeneralisedContract, QuadratureFallsWithTheSquareOfTheStep) {
  const System system = testing::pendulum();
  const auto at = [&](double h) { return account_of(*integrator, system, h, 0.5).quadrature; };
  EXPECT_NEAR(std::log2(at(2e-3) / at(1e-3)), 2, 0.1);
}

/// A body whose force is not the gradient of its potential.
class OffForce final : public mechanics::GeneralisedBody {
 public:
  OffForce(std::unique_ptr<const mechanics::GeneralisedBody> body, double factor)
      : GeneralisedBody(body->name(), body->dofs(), body->contacts()), body_(std::move(body)), factor_(factor) {}

  void force(std::span<const double> q, mechanics::CoordinateVector& f) const override {
    body_->force(q, f);
    for (std::size_t i = 0; i < coordinates(); ++i) f[i] *= factor_;
  }
  bool constant_inertia() const override { return body_->constant_inertia(); }
  double kinetic_energy(std::span<const double> q, std::span<const double> v) const override {
    return body_->kinetic_energy(q, v);
  }
  void inertia(std::span<const double> q, std::span<const double> v, mechanics::Inertia& i) const override {
    body_->inertia(q, v, i);
  }
  mechanics::PotentialEnergy potential_energy(std::span<const double> q) const override {
    return body_->potential_energy(q);
  }
  bool damped() const override { return body_->damped(); }
  void damping(std::span<const double> q, std::span<const double> v, mechanics::Damping& d) const override {
    body_->damping(q, v, d);
  }
  void gaps(std::span<const double> q, std::span<double> g) const override { body_->gaps(q, g); }
  void contact(std::size_t i, std::span<const double> q, mechanics::ContactGeometry& geometry) const override {
    body_->contact(i, q, geometry);
  }
  void start(std::span<double> q, std::span<double> v) const override { body_->start(q, v); }
  void add_momentum_in_space(std::span<const double> q, std::span<const double> p,
                             mechanics::Momentum& sum) const override {
    body_->add_momentum_in_space(q, p, sum);
  }
  std::span<const std::string_view> probe_quantities() const override { return body_->probe_quantities(); }
  void probe(double at, const mechanics::Motion& motion, std::span<double> values) const override {
    body_->probe(at, motion, values);
  }
  mechanics::Picture draw(std::span<const double> q, std::span<const double> v) const override {
    return body_->draw(q, v);
  }

 private:
  std::unique_ptr<const mechanics::GeneralisedBody> body_;
  double factor_;
};

System off_pendulum(double factor) {
  return testing::toy_system(
      std::make_unique<OffForce>(std::make_unique<mechanics::SpringPendulum>("pendulum", testing::paper_pendulum(), 0),
                                 factor),
      {{.restitution = 1}});
}

/// A force that is one per cent off is no error of a scheme: the account shows what none could make.
TEST_P(GeneralisedContract, ForceOnePerCentOffIsSeen) {
  const Account right = account_of(*integrator, off_pendulum(1), 1e-3, 0.5);
  const Account off = account_of(*integrator, off_pendulum(1.01), 1e-3, 0.5);
  EXPECT_GT(off.quadrature, 20 * right.quadrature);
  EXPECT_GT(off.quadrature, 1e-3 * off.scale);
}

/// An impulse that was booked and not given leaves its energy in the residual.
TEST_P(GeneralisedContract, LostImpulseIsSeen) {
  const System system = testing::ball(0.1, {0, 0, 0}, {.restitution = 0.5});
  const double h = 1e-3;
  State state = testing::started(system, *integrator, h);
  const double e0 = integrator->energy(system, h, state).total();
  model::Lost lost;
  for (int n = 0; n < 1000; ++n) {
    const dynamics::StepReport report = integrator->step(system, h, state);
    lost += report.lost;
    if (report.closings == 0) continue;
    EXPECT_NEAR(integrator->energy(system, h, state).total() + lost.total(), e0, 1e-13);
    state.p[2] -= report.impulses[0].normal_impulse;
    state.memory[0].values[2] -= report.impulses[0].normal_impulse;  // of a mass of 1 kg
    EXPECT_GT(std::abs(integrator->energy(system, h, state).total() + lost.total() - e0), 0.1);
    return;
  }
  FAIL() << "the ball has not landed";
}

/// Forces are the gradients that they claim to be.
TEST(GeneralisedBodies, ForcesAreMinusTheDerivativeOfThePotential) {
  const System system = toys();
  const State start = system.initial_state();
  for (const dynamics::BodyPtr& body : system.bodies()) {
    const auto& generalised = dynamic_cast<const mechanics::GeneralisedBody&>(*body);
    const auto own = generalised.part(std::span(start.q));
    std::vector<double> q(own.begin(), own.end());
    mechanics::CoordinateVector force{};
    generalised.force(q, force);
    const auto potential = [&] {
      const mechanics::PotentialEnergy energy = generalised.potential_energy(q);
      return energy.strain + energy.gravity;
    };
    double size = 0;
    for (std::size_t i = 0; i < q.size(); ++i) size = std::max(size, std::abs(force[i]));
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double here = q[i], shift = 1e-5;
      q[i] = here + shift;
      const double above = potential();
      q[i] = here - shift;
      const double below = potential();
      q[i] = here;
      EXPECT_NEAR(-(above - below) / (2 * shift), force[i], 1e-8 * size) << body->name() << ' ' << i;
    }
  }
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
