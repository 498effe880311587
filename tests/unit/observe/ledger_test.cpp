#include <gmock/gmock.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/explicit/central_difference.hpp>
#include <ictus/observe/ledger/ledger.hpp>
#include <limits>

#include "unit/observe/recorded_run.hpp"

namespace ictus::observe {
namespace {

using ictus::testing::RecordedRun;
using ::testing::HasSubstr;

/// A run watched by a ledger alone.
struct WatchedRun : RecordedRun {
  explicit WatchedRun(const LedgerOptions& ledger_options = {}, std::size_t elements = 10)
      : RecordedRun({}, elements), ledger(ledger_options) {
    state = system.initial_state();
    const dynamics::StepReport report = integrator.start(system, h, state);
    ledger.begin(snapshot(), report);
  }
  void run_to(std::int64_t step) { RecordedRun::run_to(step, ledger); }

  Ledger ledger;
};

template <class F>
base::NumericalFailure failure_of(F&& f) {
  try {
    f();
  } catch (const base::NumericalFailure& failure) {
    return failure;
  }
  return {"no failure", "", ""};
}

TEST(Ledger, ClosesOverAnImpact) {
  WatchedRun run;
  run.run_to(100);
  const StepSums& sums = run.ledger.account().sums;
  // The loss of CD-Lagrange is that of the two tip masses, 1/(2·elements) of the energy; round-off of some hundred
  // additions of the energies is all that is unexplained.
  EXPECT_NEAR(sums.lost[static_cast<std::size_t>(model::Loss::impact)].value() / run.ledger.account().initial_energy,
              1.0 / 20, 1e-13);
  EXPECT_NEAR(run.ledger.max_relative_change(), 1.0 / 20, 1e-13);
  EXPECT_LT(run.ledger.max_relative_error(), 1e-13);
  EXPECT_LT(run.ledger.max_relative_residual(), 1e-13);
  EXPECT_GT(run.ledger.max_relative_residual(), 0);
  EXPECT_LT(run.ledger.max_linear_drift(), 1e-14);
  EXPECT_LT(run.ledger.max_angular_drift(), 1e-14);
  EXPECT_EQ(sums.closings, 1);
  EXPECT_EQ(sums.fallbacks, 0);
  EXPECT_GT(sums.max_penetration, 0);
}

TEST(Ledger, KeepsTheWorstErrorOfThePlainEnergy) {
  WatchedRun run;
  const auto plain = [&] {
    const mechanics::PotentialEnergy potential = run.system.trapezoid_energy(run.state.q, run.state.p, run.h);
    return run.system.kinetic_energy(run.state.p) + potential.strain + potential.gravity;
  };
  const double initial = plain();
  double worst = 0;
  for (int step = 1; step <= 100; ++step) {
    run.run_to(step);
    worst = std::max(worst, std::abs(plain() / initial - 1));
  }
  EXPECT_NEAR(run.ledger.max_trapezoid_error(), worst, 1e-15);
  EXPECT_GT(worst, 1e-2);
}

TEST(Ledger, ImpulsesAddUpToTheChangeOfMomentumOfABar) {
  WatchedRun run;
  const double before = run.system.bodies()[1]->momentum(run.state.q, run.state.p).linear.x();
  run.run_to(100);
  const double after = run.system.bodies()[1]->momentum(run.state.q, run.state.p).linear.x();
  EXPECT_NEAR(run.ledger.account().sums.total_impulse.value(), after - before, 1e-13 * std::abs(before));
}

TEST(Ledger, ImpulseTimesAreThoseOfTheFirstAndLastImpulse) {
  WatchedRun run;
  run.run_to(5);
  EXPECT_EQ(run.ledger.account().sums.first_impulse_time, std::nullopt);
  run.run_to(6);  // the gap of 0.2 mm closes in the sixth step of 4.0 µs at 10 m/s
  EXPECT_EQ(run.ledger.account().sums.first_impulse_time, run.state.time);
  run.run_to(300);
  EXPECT_LT(*run.ledger.account().sums.last_impulse_time, 1.5e-4);  // contact lasts twice the travel time, 98 µs
  EXPECT_GT(*run.ledger.account().sums.last_impulse_time, 1.0e-4);
}

TEST(Ledger, MomentumOfSupportsAndGravityIsAccountedFor) {
  std::vector<mechanics::BarProperties> bars = testing::steel_bars(8);
  for (mechanics::BarProperties& bar : bars) {
    bar.direction = {0.6, 0.8, 0};
    bar.gravity = {0, 0, -9.81};
    bar.gravity += math::Vec3(0, -40, 0);
  }
  bars[0].start = {1, 2, 3};
  bars[0].fixed_start = true;
  bars[1].start = bars[0].start + 0.3 * bars[0].direction;
  const dynamics::System system = testing::bars_in_a_row(bars);
  dynamics::CdLagrange integrator;
  const double h = 0.5 * integrator.step_limit(system).step;
  integrator.prepare(system);
  model::State state = system.initial_state();
  Ledger ledger;
  const dynamics::Snapshot snapshot{system, integrator, h, state};
  const dynamics::StepReport report = integrator.start(system, h, state);
  ledger.begin(snapshot, report);
  for (int i = 0; i < 400; ++i) ledger.observe(snapshot, integrator.step(system, h, state));
  EXPECT_GT(std::abs(ledger.account().sums.external_impulse[1].value()), 0.1 * ledger.account().momentum_scale);
  EXPECT_LT(ledger.max_linear_drift(), 1e-13);
  EXPECT_LT(ledger.max_angular_drift(), 1e-13);
}

TEST(Ledger, ABodyThatNeverMovesHasErrorsOfZero) {
  mechanics::BarProperties bar = testing::steel_bars(4)[0];
  bar.velocity = 0;
  const dynamics::System system = testing::bars_in_a_row({bar});
  dynamics::CentralDifference integrator;
  integrator.prepare(system);
  model::State state = system.initial_state();
  Ledger ledger;
  const dynamics::StepReport report = integrator.start(system, 1e-7, state);
  ledger.begin({system, integrator, 1e-7, state}, report);
  EXPECT_EQ(ledger.scale(), 0);
  EXPECT_EQ(ledger.max_relative_error(), 0);
  EXPECT_EQ(ledger.max_relative_residual(), 0);
  EXPECT_EQ(ledger.max_relative_change(), 0);
  EXPECT_EQ(ledger.max_trapezoid_error(), 0);
  EXPECT_EQ(ledger.max_linear_drift(), 0);
  EXPECT_EQ(ledger.max_angular_drift(), 0);
}

/// A bar that is held at one end and pulled at the other by a force that grows from nothing.
struct PulledBar {
  explicit PulledBar(double velocity) : system(make(velocity)) {
    integrator.prepare(system);
    h = 0.5 * integrator.step_limit(system).step;
    state = system.initial_state();
    const dynamics::StepReport report = integrator.start(system, h, state);
    ledger.begin(snapshot(), report);
  }
  static dynamics::System make(double velocity) {
    mechanics::BarProperties properties = testing::steel_bars(8)[0];
    properties.fixed_start = true;
    properties.velocity = velocity;
    std::vector<dynamics::BodyPtr> bodies;
    auto bar = std::make_unique<mechanics::Bar>("bar", properties, 0);
    const auto pull = std::make_shared<mechanics::Ramp>(1000.0, 0.0, 1e-3);
    std::vector<mechanics::Load> loads{mechanics::point_load(*bar, 1, pull, math::Vec3::UnitX())};
    bodies.push_back(std::move(bar));
    return {std::move(bodies), {}, exec::Executor(1), std::move(loads)};
  }
  dynamics::Snapshot snapshot() const { return {system, integrator, h, state}; }
  void run_steps(int steps) {
    for (int i = 0; i < steps; ++i) ledger.observe(snapshot(), integrator.step(system, h, state));
  }

  dynamics::System system;
  dynamics::CentralDifference integrator;
  Ledger ledger{{.every = 1, .residual_limit = 1e-9}};
  model::State state;
  double h = 0;
};

TEST(Ledger, ARunThatBeginsAtRestHasTheEnergyItMeetsForAScale) {
  for (const double velocity : {0.0, 1e-14}) {
    PulledBar run(velocity);
    run.run_steps(400);
    const Ledger::Account& account = run.ledger.account();
    EXPECT_LT(account.initial_energy, 1e-25);
    EXPECT_GT(account.max_in_motion, 1e-4);
    EXPECT_EQ(run.ledger.scale(), account.max_in_motion);
    EXPECT_DOUBLE_EQ(run.ledger.max_relative_residual(), account.max_residual / account.max_in_motion);
    EXPECT_GT(run.ledger.max_relative_change(), 0.99);
    EXPECT_LT(run.ledger.max_relative_error(), 1e-12);
    EXPECT_LT(run.ledger.max_linear_drift(), 1e-12);
    run.state.p[3] += 1e-3;
    const base::NumericalFailure failure = failure_of([&] { run.run_steps(1); });
    EXPECT_THAT(failure.what(), HasSubstr("of the energy is unexplained"));
  }
}

/// A bar that falls for a while from a position.
struct FallingBar {
  explicit FallingBar(const math::Vec3& position) {
    mechanics::BarProperties bar = testing::steel_bars(8)[0];
    bar.start = position;
    bar.gravity = {-9.81, 0, 0};
    const dynamics::System system = testing::bars_in_a_row({bar});
    dynamics::CentralDifference integrator;
    integrator.prepare(system);
    const double h = 0.5 * integrator.step_limit(system).step;
    model::State state = system.initial_state();
    const dynamics::StepReport report = integrator.start(system, h, state);
    const dynamics::Snapshot snapshot{system, integrator, h, state};
    ledger.begin(snapshot, report);
    for (int i = 0; i < 200; ++i) {
      if (i == 100) state.p[2] *= 1 + 1e-6;
      ledger.observe(snapshot, integrator.step(system, h, state));
    }
  }
  Ledger ledger;
};

TEST(Ledger, FiguresDependNeitherOnTheOriginNorOnTheDatumOfGravity) {
  const FallingBar here({0, 0, 0}), there({64, -512, 128});
  ASSERT_GT(here.ledger.max_relative_error(), 1e-8);
  const double round_off = 1e-6 * here.ledger.max_relative_error();
  EXPECT_NEAR(here.ledger.max_relative_error(), there.ledger.max_relative_error(), round_off);
  EXPECT_NEAR(here.ledger.max_relative_residual(), there.ledger.max_relative_residual(), round_off);
  EXPECT_NEAR(here.ledger.scale(), there.ledger.scale(), 1e-9 * here.ledger.scale());
  EXPECT_NEAR(here.ledger.max_linear_drift(), there.ledger.max_linear_drift(), 1e-12);
  EXPECT_NEAR(here.ledger.max_angular_drift(), there.ledger.max_angular_drift(), 1e-12);
}

TEST(Ledger, ReadsEveryFewStepsAndWhenAsked) {
  WatchedRun run({.every = 10});
  run.run_to(9);
  EXPECT_EQ(run.ledger.last().step, 0);
  run.run_to(12);
  EXPECT_EQ(run.ledger.last().step, 10);
  EXPECT_EQ(run.ledger.peek(run.snapshot()).step, 12);
  EXPECT_EQ(run.ledger.last().step, 10);
  EXPECT_EQ(run.ledger.reading(run.snapshot()).step, 12);
  EXPECT_EQ(run.ledger.last().step, 12);
}

TEST(Ledger, ReadsRarelyWhenThereAreManyDofs) {
  WatchedRun run({}, 1500);  // 3002 dofs
  run.run_to(101);
  EXPECT_EQ(run.ledger.last().step, 100);
}

TEST(Ledger, PeekingLeavesNoTrace) {
  WatchedRun quiet({.every = 50}), watched({.every = 50});
  for (int step = 1; step <= 60; ++step) {
    quiet.run_to(step);
    watched.run_to(step);
    watched.ledger.peek(watched.snapshot());
  }
  EXPECT_EQ(quiet.ledger.max_relative_residual(), watched.ledger.max_relative_residual());
  EXPECT_EQ(quiet.ledger.max_trapezoid_error(), watched.ledger.max_trapezoid_error());
}

TEST(Ledger, NamesWhatIsNotFinite) {
  for (const bool in_momentum : {false, true}) {
    WatchedRun run({.every = 10});
    run.run_to(9);
    std::vector<double>& values = in_momentum ? run.state.p : run.state.q;
    values[13] = std::numeric_limits<double>::quiet_NaN();  // the third node of the second bar
    const base::NumericalFailure failure = failure_of([&] { run.ledger.reading(run.snapshot()); });
    EXPECT_THAT(failure.what(), HasSubstr("no longer a finite number"));
    EXPECT_THAT(failure.where(), HasSubstr("unknown 2 of bar1, t = "));
    EXPECT_THAT(failure.where(), HasSubstr("step 9"));
    EXPECT_THAT(failure.advice(), HasSubstr("time.step smaller than"));
    EXPECT_THAT(failure.advice(), HasSubstr("element 0 of bar0"));
    EXPECT_EQ(run.ledger.last().step, 0);
  }
}

TEST(Ledger, NamesTheLargestMomentumWhenEnergyOverflows) {
  WatchedRun run;
  run.state.p[4] = -1e200;
  const base::NumericalFailure failure = failure_of([&] { run.ledger.peek(run.snapshot()); });
  EXPECT_THAT(failure.where(), HasSubstr("unknown 4 of bar0"));
}

TEST(Ledger, StopsWhenTheResidualExceedsItsLimit) {
  WatchedRun run({.every = 1, .residual_limit = 1e-6});
  run.run_to(10);
  run.state.p[3] *= 1 + 1e-4;  // of 1/22 of the energy
  const base::NumericalFailure failure = failure_of([&] { run.run_to(11); });
  EXPECT_THAT(failure.what(), HasSubstr("limits.energy_residual"));
  EXPECT_THAT(failure.where(), HasSubstr("step 11"));
  EXPECT_EQ(run.ledger.last().step, 10);
  EXPECT_LT(run.ledger.max_relative_residual(), 1e-6);
}

TEST(Ledger, StopsWhenTheErrorExceedsItsLimit) {
  WatchedRun run({.every = 1, .error_limit = 1e-6});
  run.run_to(10);
  run.state.p[3] *= 1 + 1e-4;
  const base::NumericalFailure failure = failure_of([&] { run.run_to(11); });
  EXPECT_THAT(failure.what(), HasSubstr("limits.energy_error"));
  EXPECT_THAT(failure.where(), HasSubstr("step 11"));
  EXPECT_EQ(run.ledger.last().step, 10);
  EXPECT_LT(run.ledger.max_relative_error(), 1e-6);
}

TEST(Ledger, StopsWhenEnergyGrowsUnderAnyName) {
  WatchedRun run({.every = 1, .error_limit = 0.1});
  run.run_to(10);
  const auto energy = [&] { return run.integrator.energy(run.system, run.h, run.state).total(); };
  const auto grow = [&](double factor) {
    dynamics::StepReport report = run.integrator.step(run.system, run.h, run.state);
    const double before = energy();
    for (double& p : run.state.p) p *= factor;
    report.lost[model::Loss::sub_step] = before - energy();
    EXPECT_LT(report.lost[model::Loss::sub_step], 0);
    run.ledger.observe(run.snapshot(), report);
  };
  EXPECT_NO_THROW(grow(1.01));
  const base::NumericalFailure failure = failure_of([&] {
    for (int i = 0; i < 20; ++i) grow(1.02);
  });
  EXPECT_THAT(failure.what(), HasSubstr("though nothing gave it"));
  EXPECT_LT(run.ledger.max_relative_error(), 1e-12);  // the books explain it
}

TEST(Ledger, StopsALinearRunWhoseStepIsTooLong) {
  // The bilinear energy of linear bodies is kept by any step.
  WatchedRun stable, unstable({.every = 1, .error_limit = 0.1});
  stable.run_to(400);
  EXPECT_LT(stable.ledger.max_relative_excess(), 0.5);
  unstable.h = 1.02 * unstable.integrator.step_limit(unstable.system).step;
  unstable.state = unstable.system.initial_state();
  const dynamics::StepReport report = unstable.integrator.start(unstable.system, unstable.h, unstable.state);
  unstable.ledger.begin(unstable.snapshot(), report);
  const base::NumericalFailure failure = failure_of([&] { unstable.run_to(400); });
  EXPECT_THAT(failure.what(), HasSubstr("unstable"));
  EXPECT_THAT(failure.advice(), HasSubstr("time.step smaller than"));
  EXPECT_LT(unstable.ledger.max_relative_excess(), 1);
}

TEST(Ledger, FallbacksKeepTheirLargestError) {
  dynamics::StepReport report;
  report.accept_unconverged(1e-3);
  report.accept_unconverged(1e-5);
  StepSums sums;
  sums.add(report);
  sums.add({});
  EXPECT_EQ(sums.fallbacks, 2);
  EXPECT_EQ(sums.fallback_error, 1e-3);
}

TEST(Ledger, GoesOnFromASavedAccount) {
  WatchedRun whole, first, second;
  whole.run_to(100);
  first.run_to(37);
  Archive saved;
  Ledger::Account account = first.ledger.account();
  account.exchange(saved);
  Archive restoring(saved.saved(), "checkpoint.h5");
  Ledger::Account restored;
  restored.exchange(restoring);
  second.ledger.restore(restored);
  second.state = first.state;
  second.run_to(100);
  Archive a, b;
  account = whole.ledger.account();
  account.exchange(a);
  account = second.ledger.account();
  account.exchange(b);
  EXPECT_EQ(a.saved(), b.saved());
}

TEST(CompensatedSum, KeepsWhatAPlainSumLoses) {
  CompensatedSum sum;
  double plain = 1;
  sum.add(1);
  for (int i = 0; i < 1'000'000; ++i) {
    sum.add(1e-17);
    plain += 1e-17;
  }
  EXPECT_EQ(plain, 1);
  EXPECT_NEAR(sum.value() - 1, 1e-11, 3e-16);  // the last rounding of 1 + 1e-11
}

}  // namespace
}  // namespace ictus::observe
