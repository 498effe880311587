// The spring pendulum of capobianco-2018: energy, impacts and order of the three schemes.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/generalised/midpoint.hpp>
#include <ictus/dynamics/generalised/variational_trapezoid.hpp>

#include "structure/generalised/toys.hpp"

namespace ictus {
namespace {

using dynamics::ImpactLaw;
using dynamics::Integrator;
using dynamics::Midpoint;
using dynamics::StepReport;
using dynamics::System;
using dynamics::VariationalTrapezoid;
using model::Loss;
using model::State;

constexpr double step = 0.002;
constexpr double initial_energy = -7.1303892758;
const mechanics::SpringPendulumFormula formula = testing::paper_pendulum().formula;

double energy_at(const double* q, const double* u) {
  return formula.kinetic(q, u) + formula.strain(q) + formula.gravity(q);
}

struct Range {
  double low = 0, high = 0;
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

/// Relative energy errors of a run, by three measures.
struct Errors {
  Range own;       ///< what the integrator calls its energy
  Range midpoint;  ///< E((q_k + q_{k+1})/2, u_k)
  Range left;      ///< E(q_k, u_k)
  double last = 0;
  double residual = 0;  ///< largest part of its own that the ledger does not explain
  int impacts = 0;
  model::Lost lost;
};

Errors run(Integrator& integrator, double h, double end) {
  const System system = testing::pendulum();
  State state = testing::started(system, integrator, h);
  const double e0 = integrator.energy(system, h, state).total();
  Errors errors;
  const auto steps = static_cast<int>(std::lround(end / h));
  for (int k = 0; k < steps; ++k) {
    const std::vector<double> q = state.q;
    const StepReport report = integrator.step(system, h, state);
    const double u[] = {(state.q[0] - q[0]) / h, (state.q[1] - q[1]) / h};
    const double middle[] = {(state.q[0] + q[0]) / 2, (state.q[1] + q[1]) / 2};
    errors.midpoint.add(energy_at(middle, u) / e0 - 1);
    errors.left.add(energy_at(q.data(), u) / e0 - 1);
    errors.last = integrator.energy(system, h, state).total() / e0 - 1;
    errors.own.add(errors.last);
    errors.impacts += report.closings;
    errors.lost += report.lost;
    errors.residual = std::max(errors.residual, std::abs(errors.last + errors.lost.total() / e0));
  }
  return errors;
}

TEST(Pendulum, StartsWithTheEnergyOfThePaper) {
  const System system = testing::pendulum();
  VariationalTrapezoid integrator(ImpactLaw::momentum);
  const State state = testing::started(system, integrator, step);
  EXPECT_NEAR(integrator.energy(system, step, state).total(), initial_energy, 1e-10);
}

TEST(Pendulum, PaperLawHasTheErrorsOfItsReference) {
  VariationalTrapezoid integrator(ImpactLaw::paper);
  const Errors errors = run(integrator, step, 250);
  EXPECT_EQ(errors.impacts, 219);
  EXPECT_NEAR(errors.midpoint.low, -0.302e-2, 0.0005e-2);
  EXPECT_NEAR(errors.midpoint.high, 0.001e-2, 0.0005e-2);
  EXPECT_NEAR(errors.left.low, -0.395e-2, 0.0005e-2);
  EXPECT_NEAR(errors.left.high, 0.127e-2, 0.0005e-2);
  // The scheme's own error explains it: what the law costs, and the bounded oscillation of smooth motion.
  EXPECT_NEAR(errors.lost[Loss::quadrature], -errors.last * initial_energy, 1e-11);
  EXPECT_LT(errors.residual, 1e-11);
  EXPECT_EQ(errors.lost[Loss::friction], 0);
}

TEST(Pendulum, PaperLawIsWhereItsReferenceIsAfterASecond) {
  const System system = testing::pendulum();
  VariationalTrapezoid integrator(ImpactLaw::paper);
  State state = testing::started(system, integrator, step);
  for (int k = 0; k < 500; ++k) integrator.step(system, step, state);
  EXPECT_NEAR(state.q[0], 1.053686600477, 1e-11);
  EXPECT_NEAR(state.q[1], 0.721389018491, 1e-11);
}

TEST(Pendulum, LawOfMomentaKeepsTheEnergy) {
  VariationalTrapezoid integrator(ImpactLaw::momentum);
  const Errors errors = run(integrator, step, 250);
  EXPECT_NEAR(errors.impacts, 220, 2);
  EXPECT_GT(errors.own.low, -0.0005e-2);
  EXPECT_LT(errors.own.high, 0.0005e-2);
  // Elastic impacts cost nothing, to round-off of 220 impacts.
  EXPECT_NEAR(errors.lost.total() - errors.lost[Loss::quadrature], 0, 1e-12);
  EXPECT_LT(errors.residual, 1e-11);
}

TEST(Pendulum, LawOfMomentaKeepsTheEnergyFor5000Seconds) {
  const System system = testing::pendulum();
  VariationalTrapezoid integrator(ImpactLaw::momentum);
  State state = testing::started(system, integrator, step);
  const double e0 = integrator.energy(system, step, state).total();
  Range early, late;
  while (state.time < 5000) {
    integrator.step(system, step, state);
    (state.time < 2500 ? early : late).add(integrator.energy(system, step, state).total() / e0 - 1);
  }
  EXPECT_LT(std::max(early.high, -early.low), 0.001e-2);
  // It does not grow.
  EXPECT_NEAR(late.high, early.high, 0.05 * early.high);
  EXPECT_NEAR(late.low, early.low, 0.05 * early.high);
}

TEST(Pendulum, EnergyErrorOfTheLawOfMomentaIsOfSecondOrder) {
  VariationalTrapezoid integrator(ImpactLaw::momentum);
  const double coarse = run(integrator, 0.004, 10).own.high, fine = run(integrator, 0.001, 10).own.high;
  EXPECT_NEAR(std::log2(coarse / fine) / 2, 2.0, 0.1);
}

/// Moreau's scheme gains 2.75 J, and the ledger says by what.
TEST(Pendulum, MidpointGainsEnergy) {
  Midpoint integrator;
  const Errors errors = run(integrator, step, 250);
  EXPECT_EQ(errors.impacts, 226);
  EXPECT_NEAR(errors.last, -0.386, 0.0005);
  EXPECT_NEAR(errors.lost[Loss::gyroscopic], errors.last * -initial_energy, 1e-3);
  EXPECT_LT(errors.lost[Loss::gyroscopic], -2.7);
  // The rest is the midpoint rule for the potential, which goes to and fro.
  EXPECT_LT(std::abs(errors.lost[Loss::quadrature]), 1e-3);
  EXPECT_LT(errors.residual, 1e-11);
}

/// q at t = 0.5, before the first impact.
std::array<double, 2> position_before_impact(Integrator& integrator, double h) {
  const System system = testing::pendulum();
  State state = testing::started(system, integrator, h);
  while (state.time < 0.5 - h / 2) integrator.step(system, h, state);
  return {state.q[0], state.q[1]};
}

double order(Integrator& integrator) {
  const auto a = position_before_impact(integrator, 0.002), b = position_before_impact(integrator, 0.001),
             c = position_before_impact(integrator, 0.0005);
  return std::log2(std::hypot(a[0] - b[0], a[1] - b[1]) / std::hypot(b[0] - c[0], b[1] - c[1]));
}

TEST(Pendulum, VariationalSchemeIsOfSecondOrderAndMidpointOfFirst) {
  VariationalTrapezoid variational(ImpactLaw::momentum);
  Midpoint midpoint;
  EXPECT_NEAR(order(variational), 2.0, 0.02);
  EXPECT_NEAR(order(midpoint), 1.0, 0.02);
}

/// Impact times approach those of the event-driven solution with the step.
TEST(Pendulum, ImpactTimesApproachTheExactOnes) {
  const System system = testing::pendulum();
  VariationalTrapezoid integrator(ImpactLaw::momentum);
  const double h = 1e-5;
  State state = testing::started(system, integrator, h);
  std::vector<double> times;
  while (state.time < 1.7) {
    for (const auto& impulse : integrator.step(system, h, state).impulses) times.push_back(impulse.time);
  }
  ASSERT_EQ(times.size(), 2u);
  EXPECT_NEAR(times[0], 0.564542261157, h);
  EXPECT_NEAR(times[1], 1.695967426206, 3 * h);  // reflected late once, seen late again
}

}  // namespace
}  // namespace ictus
