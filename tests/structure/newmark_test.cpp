#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/implicit/newmark.hpp>
#include <ictus/mechanics/bar/bar.hpp>
#include <numbers>

#include "structure/bar_run.hpp"

namespace ictus {
namespace {

using dynamics::Newmark;
using dynamics::System;

mechanics::BarProperties unit_bar(std::size_t elements, mechanics::BarMaterial material) {
  mechanics::BarProperties bar{};
  bar.length = 1;
  bar.elements = elements;
  bar.mass_per_length = 1;
  bar.stiffness = 1;
  bar.direction = {1, 0, 0};
  bar.material = material;
  return bar;
}

System alone(const mechanics::BarProperties& bar) {
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<mechanics::Bar>("bar", bar, 0));
  return {std::move(bodies), {}, exec::Executor(1)};
}

/// A bar held at its start and struck at once everywhere: v = −0.1. The wave turns it round after t = 2 L/c.
System held_bar(std::size_t elements, mechanics::BarMaterial material = mechanics::BarMaterial::linear) {
  mechanics::BarProperties bar = unit_bar(elements, material);
  bar.fixed_start = true;
  bar.velocity = -0.1;
  return alone(bar);
}

TEST(Newmark, AverageAccelerationKeepsTheEnergyOfLinearBodies) {
  const System system = held_bar(20);
  Newmark newmark({0.5, 0.25});
  const auto run = testing::run_bars(system, newmark, 0.3, 500);  // six critical steps
  EXPECT_LT(run.max_energy_error, 1e-13);
  EXPECT_LT(run.max_momentum_drift, 1e-12);
  EXPECT_EQ(run.lost.total(), 0);
}

TEST(Newmark, DampingOfGammaIsBookedExactly) {
  const System system = held_bar(20);
  Newmark newmark({0.6, 0.3025});
  const auto run = testing::run_bars(system, newmark, 0.1, 400);
  EXPECT_LT(run.max_residual, 1e-13);
  EXPECT_GT(run.lost[model::Loss::damping], 0.1 * run.initial_energy);
  EXPECT_LT(run.final_energy, run.initial_energy);
}

TEST(Newmark, LedgerOfNonlinearBodiesClosesByQuadrature) {
  const System system = held_bar(20, mechanics::BarMaterial::st_venant_kirchhoff);
  double quadrature[2];
  for (const int half : {0, 1}) {
    Newmark newmark({0.5, 0.25});
    const double h = half == 0 ? 0.02 : 0.01;
    const auto run = testing::run_bars(system, newmark, h, static_cast<int>(std::lround(1.0 / h)));
    EXPECT_LT(run.max_residual, 1e-11);  // what Newton leaves
    EXPECT_LT(run.max_momentum_drift, 1e-13);
    quadrature[half] = std::abs(run.lost[model::Loss::quadrature]) / run.initial_energy;
  }
  EXPECT_GT(quadrature[0], 1e-8);  // there is something to book
  EXPECT_NEAR(std::log2(quadrature[0] / quadrature[1]), 2, 0.2);
}

/// The phase of a mode is of second order: the error of a free vibration falls by four when the step is halved.
TEST(Newmark, ConvergesWithTheSquareOfTheStep) {
  const System system = held_bar(30);
  const double omega = 2 * 30 * std::sin(std::numbers::pi / (4 * 30));  // of the lumped bar itself
  double error[2];
  for (const int half : {0, 1}) {
    const int steps = half == 0 ? 100 : 200;
    const double end = 5.0, h = end / steps;
    Newmark newmark({0.5, 0.25});
    newmark.prepare(system);
    model::State state = system.initial_state();
    for (std::size_t i = 0; i < state.q.size(); ++i) {
      state.q[i] = std::sin(std::numbers::pi / 2 * static_cast<double>(i) / 30);
      state.p[i] = 0;
    }
    newmark.start(system, h, state);
    for (int n = 0; n < steps; ++n) newmark.step(system, h, state);
    error[half] = std::abs(state.q.back() - std::cos(omega * end));
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.05);
}

}  // namespace
}  // namespace ictus
