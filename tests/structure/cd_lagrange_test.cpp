#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>

#include "structure/two_bars.hpp"

namespace ictus {
namespace {

TEST(CdLagrange, SteelBarsMatchTheReference) {
  const std::size_t elements = 40;
  const dynamics::System system = testing::bars_in_a_row(testing::steel_bars(elements));
  dynamics::CdLagrange integrator;
  const double h = 0.8 * integrator.step_limit(system).step;
  model::State state = system.initial_state();
  integrator.prepare(system);
  integrator.start(system, h, state);
  const double initial = integrator.energy(system, h, state).total();
  const double momentum_scale = system.momentum_scale(state.p);

  double lost = 0, first_impulse = 0, worst_balance = 0, worst_momentum = 0;
  int first = 0, last = 0, closings = 0;
  for (int n = 1; n <= 300; ++n) {
    const dynamics::StepReport report = integrator.step(system, h, state);
    lost += report.lost.total();
    closings += report.closings;
    if (!report.impulses.empty()) {
      if (first == 0) first = n, first_impulse = report.impulses[0].normal_impulse;
      last = n;
    }
    const double balance = integrator.energy(system, h, state).total() + lost - initial;
    worst_balance = std::max(worst_balance, std::abs(balance) / initial);
    worst_momentum = std::max(worst_momentum, system.momentum(state.q, state.p).linear.norm() / momentum_scale);
  }
  EXPECT_EQ(first, 21);
  EXPECT_EQ(last, 121);
  EXPECT_EQ(closings, 1);
  EXPECT_NEAR(first_impulse, 0.08034838, 5e-9);  // m_tip v0
  EXPECT_NEAR(lost / initial, 1.0 / (2.0 * elements), 1e-14);
  EXPECT_LT(worst_balance, 1e-12);
  EXPECT_LT(worst_momentum, 1e-13);
}

}  // namespace
}  // namespace ictus
