#include <gtest/gtest.h>

#include <ictus/dynamics/scheme/cd_lagrange.hpp>

#include "structure/bar_run.hpp"
#include "structure/schemes.hpp"

namespace ictus {
namespace {

using dynamics::Reflection;
using testing::BarRun;

TEST(Reflection, WithoutRestitutionIsCdLagrange) {
  Reflection reflection;
  dynamics::CdLagrange cd_lagrange;
  const dynamics::System system = testing::row_for(reflection, testing::demoures_bars(2), {}, 0.0);
  const BarRun a = testing::run_bars(system, reflection, 0.05, 600),
               b = testing::run_bars(system, cd_lagrange, 0.05, 600);
  EXPECT_GT(b.lost[model::Loss::impact], 0);
  EXPECT_EQ(a.lost[model::Loss::restitution], b.lost[model::Loss::impact]);
  EXPECT_EQ(a.state, b.state);
}

TEST(Reflection, LossOfAnyRestitutionIsKnownExactly) {
  for (const double e : {0.0, 0.3, 0.8}) {
    SCOPED_TRACE(e);
    Reflection reflection;
    const dynamics::System system = testing::row_for(reflection, testing::demoures_bars(3), {}, e);
    const BarRun run = testing::run_bars(system, reflection, 0.03, 1000);
    EXPECT_LT(run.max_residual, 1e-12);
    EXPECT_GT(run.lost[model::Loss::restitution], 1e-4 * run.initial_energy);
    EXPECT_LT(run.max_momentum_drift, 1e-13);
  }
}

/// After a push at t_n the gap is at t_{n+1} what it was at t_{n−1}, or more [eq. exact-contact-4]: a pair that was
/// open opens again and needs no projection.
TEST(Reflection, PushedPairOpensAgain) {
  for (const double h : {0.015, 0.15}) {
    Reflection reflection;
    const dynamics::System system = testing::row_for(reflection, testing::demoures_bars(1));
    std::vector<double> gaps;
    std::vector<bool> pushed;
    testing::run_bars(system, reflection, h, static_cast<int>(40 / h), [&](const auto& state, const auto& report) {
      gaps.push_back(0.01 + state.q[51] - state.q[50]);
      pushed.push_back(report.contacts > 0);
    });
    int pushes = 0;
    for (std::size_t n = 1; n + 1 < gaps.size(); ++n) {
      if (!pushed[n]) continue;
      ++pushes;
      EXPECT_GE(gaps[n + 1], gaps[n - 1] - 1e-15);
    }
    EXPECT_GT(pushes, 10);
  }
}

TEST(Reflection, IdenticalBarsAtThePapersStepAndAtTenTimesIt) {
  for (const double h : {0.015, 0.15}) {
    Reflection reflection;
    const dynamics::System system = testing::row_for(reflection, testing::demoures_bars(1));
    const BarRun run = testing::run_bars(system, reflection, h, static_cast<int>(40 / h));
    EXPECT_LT(run.max_energy_error, 3e-14);
    EXPECT_NEAR(run.last_impulse_time - run.first_impulse_time, 20, 0.6);
    EXPECT_GT(run.closings, 5);  // it chatters
  }
}

}  // namespace
}  // namespace ictus
