#include <gtest/gtest.h>

#include <random>

#include "structure/bar_run.hpp"
#include "structure/schemes.hpp"

namespace ictus {
namespace {

using testing::BarRun;
using testing::make_scheme;
using testing::row_for;
using testing::Walls;

/// Steps of `fraction` of the scheme's own critical step until `end`.
BarRun run(const std::string& name, const std::vector<mechanics::BarProperties>& bars, double fraction, double end,
           const Walls& walls = {}, std::optional<double> restitution = {}) {
  const auto scheme = make_scheme(name);
  const dynamics::System system = row_for(*scheme, bars, walls, restitution);
  const double h = fraction * scheme->step_limit(system).step;
  return testing::run_bars(system, *scheme, h, static_cast<int>(end / h));
}

/// Energy, with bank and layer, and momentum: round-off of up to 10⁴ steps, each of which errs by a few 1e-16.
void expect_exact(const BarRun& run) {
  EXPECT_LT(run.max_energy_error, 1e-12);
  EXPECT_LT(run.max_momentum_drift, 1e-13);
  EXPECT_LT(std::abs(run.lost.total()), 1e-14 * run.initial_energy);
  EXPECT_EQ(run.fallbacks, 0);
}

class TwoBars : public ::testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(TwoBars, KeepEnergyAndMomentumAtAnyStep) {
  const auto& [name, number] = GetParam();
  for (const double fraction : {0.05, 0.2, 0.4, 0.6, 0.8, 0.95}) {
    SCOPED_TRACE(fraction);
    const BarRun result = run(name, testing::demoures_bars(number), fraction, 40);
    expect_exact(result);
    EXPECT_GT(result.closings, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Demoures, TwoBars,
                         ::testing::Combine(::testing::ValuesIn(testing::exact_schemes), ::testing::Range(1, 7)));

class Rows : public ::testing::TestWithParam<std::string> {};

TEST_P(Rows, CradleKeepsEnergyAndMomentum) {
  for (const double gap : {0.0, 0.01}) {
    for (const double fraction : {0.05, 0.3, 0.7, 0.95}) {
      SCOPED_TRACE(::testing::Message() << "gap " << gap << " fraction " << fraction);
      expect_exact(run(GetParam(), testing::cradle(gap), fraction, 80));
    }
  }
}

TEST_P(Rows, CradleHandsTheVelocityToTheLastBar) {
  const BarRun result = run(GetParam(), testing::cradle(0), 0.3, 80);
  // Bars of 51 dofs and mass 10; waves disperse a little in every bar.
  const auto velocity = [&](std::size_t bar) {
    double sum = 0;
    for (std::size_t i = 0; i < 51; ++i) sum += result.state.p[51 * bar + i];
    return sum / 10;
  };
  EXPECT_NEAR(velocity(4), 0.1, 0.003);
  for (std::size_t bar = 0; bar < 4; ++bar) EXPECT_NEAR(velocity(bar), 0, 0.003);
}

/// A row of random bars between walls; everything that a scene can choose is drawn.
TEST_P(Rows, RandomBarsBetweenWallsKeepEnergyAndBalanceMomentum) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const auto draw = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    std::vector<mechanics::BarProperties> bars(2 + seed % 4);
    double x = 0;
    for (mechanics::BarProperties& bar : bars) {
      bar.length = draw(0.5, 3);
      bar.elements = 1 + random() % 40;
      bar.mass_per_length = draw(0.2, 5);
      bar.stiffness = draw(0.2, 5);
      bar.start = {x, 0, 0};
      bar.direction = {1, 0, 0};
      bar.velocity = draw(-0.1, 0.1);
      x += bar.length + (random() % 3 == 0 ? 0 : draw(0, 0.2));
    }
    const Walls walls{seed % 2 == 0 || seed % 3 == 0 ? std::optional(-0.1) : std::nullopt,
                      seed % 3 == 0 ? std::nullopt : std::optional(x + 0.05)};
    const BarRun result = run(GetParam(), bars, draw(0.05, 0.95), 60, walls);
    expect_exact(result);
    EXPECT_GT(result.closings, 0);
  }
}

/// A bar that falls on a floor and bounces: gravity and its impulse are in the account.
TEST_P(Rows, BarBouncesOnAFloorUnderGravity) {
  mechanics::BarProperties bar = testing::demoures_bars(1)[0];
  bar.start = {0.05, 0, 0};
  bar.velocity = 0;
  bar.gravity = {-0.01, 0, 0};
  for (const double fraction : {0.05, 0.5, 0.95}) {
    SCOPED_TRACE(fraction);
    const auto scheme = make_scheme(GetParam());
    const dynamics::System system = row_for(*scheme, {bar}, {0.0, std::nullopt});
    const double h = fraction * scheme->step_limit(system).step;
    // The momentum is zero at the start; what falls has that of the impact, about 10·0.03.
    model::State state = system.initial_state();
    scheme->prepare(system);
    math::Vec3 from_outside = scheme->start(system, h, state).external_impulse.linear;
    const double initial = scheme->energy(system, h, state).total();
    double worst_energy = 0, worst_momentum = 0;
    int closings = 0;
    for (int n = 0; n < static_cast<int>(120 / h); ++n) {
      const dynamics::StepReport report = scheme->step(system, h, state);
      from_outside += report.external_impulse.linear;
      closings += report.closings;
      worst_energy = std::max(worst_energy, std::abs(scheme->energy(system, h, state).total() - initial));
      worst_momentum = std::max(worst_momentum, (system.momentum(state.q, state.p).linear - from_outside).norm());
    }
    EXPECT_LT(worst_energy / std::abs(initial), 1e-12);
    EXPECT_LT(worst_momentum / 0.3, 1e-12);  // gravity adds to it in every step
    EXPECT_GE(closings, 3);
  }
}

/// The end of the left bar touches the right bar and a wall at once: contacts that share a dof.
TEST_P(Rows, TipBetweenABarAndAWallKeepsEnergy) {
  const auto scheme = make_scheme(GetParam());
  std::vector<mechanics::BarProperties> properties = testing::demoures_bars(1);
  properties[0].massless_end = properties[1].massless_start = scheme->capabilities().massless_tips;
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<mechanics::Bar>("left", properties[0], 0));
  bodies.push_back(std::make_unique<mechanics::Bar>("right", properties[1], 51));
  bodies.push_back(std::make_unique<mechanics::Obstacle>("wall", model::Plane{{0, 0, 0}, math::Vec3(-1, 0, 0)}));
  std::vector<contact::ContactPair> pairs;
  for (const std::size_t other : {1, 2}) {
    pairs.push_back({"left", bodies[other]->name(), &bodies[0]->surface(), &bodies[other]->surface(), {}, 0, 1, 0});
  }
  const dynamics::System system(std::move(bodies), std::move(pairs), exec::Executor(1));
  for (const double h : {0.015, 0.11, 0.17}) {
    SCOPED_TRACE(h);
    const BarRun result = testing::run_bars(system, *scheme, h, static_cast<int>(40 / h));
    expect_exact(result);
    EXPECT_GE(result.closings, 2);
  }
}

/// Work of the forces in nonlinear bars, ½ f(q_n)·(q_{n+1} − q_{n−1}), by hand: what is left of the change of kinetic
/// energy must be the work of contact, exactly [eq. bars-5].
TEST_P(Rows, ContactAddsNothingToTheEnergyOfNonlinearBars) {
  for (const int number : {1, 2, 3, 4, 5}) {
    for (const double fraction : {0.1, 0.6}) {
      SCOPED_TRACE(::testing::Message() << "case " << number << " fraction " << fraction);
      std::vector<mechanics::BarProperties> bars = testing::demoures_bars(number);
      for (auto& bar : bars) bar.material = mechanics::BarMaterial::st_venant_kirchhoff;
      const auto scheme = make_scheme(GetParam());
      const dynamics::System system = row_for(*scheme, bars);
      const double h = fraction * scheme->step_limit(system).step;
      model::State before = system.initial_state();
      scheme->prepare(system);
      scheme->start(system, h, before);
      model::State state = before;
      const auto stored = [&](const model::State& s) {
        const model::Stored e = scheme->energy(system, h, s);
        return e[model::Store::kinetic] + e[model::Store::bank] + e[model::Store::layer];
      };
      const double initial = stored(state);
      double worst = 0, lost = 0, work = 0;
      int pushes = 0;
      for (int n = 0; n < static_cast<int>(40 / h); ++n) {
        const dynamics::StepReport report = scheme->step(system, h, state);
        lost += report.lost.total();
        pushes += report.contacts;
        std::vector<double> force(system.dofs(), 0.0);
        system.kick(state.q, 1.0, force);
        for (std::size_t k = 0; k < force.size(); ++k) {
          work += 0.5 * h * force[k] * system.inverse_mass()[k] * (state.p[k] + before.p[k]);
        }
        worst = std::max(worst, std::abs(stored(state) + lost - work - initial) / initial);
        before.p = state.p;
      }
      EXPECT_LT(worst, 1e-12);
      EXPECT_GT(pushes, 10);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, Rows, ::testing::ValuesIn(testing::exact_schemes), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace ictus
