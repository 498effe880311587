// A closed loop of four revolute joints in space: twenty rows of which seventeen are independent.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "structure/joints/mechanism.hpp"

namespace ictus::testing {
namespace {

struct FourBarRun {
  double kinetic = 0;  ///< of the first interval (J)
  double gap = 0;      ///< largest (m)
  double range = 0;    ///< of the energy (J)
  double drift = 0;    ///< mean of the last tenth less that of the first (J)
  double turns = 0;    ///< of the crank
  double booked = 0;   ///< largest sum of what joints took (J)
  double closing = 0;  ///< largest |E + all losses − E₀| (J)
};

FourBarRun run_four_bar(double h, int steps) {
  const dynamics::System system = four_bar().system();
  dynamics::NewtonCone integrator;
  integrator.prepare(system);
  model::State state = system.initial_state();
  FourBarRun run;
  integrator.start(system, h, state);
  run.kinetic = system.kinetic_energy(state.p);
  const double initial = integrator.energy(system, h, state).total();
  double least = initial, most = initial, first = 0, last = 0;
  model::Lost lost;
  for (int n = 0; n < steps; ++n) {
    const dynamics::StepReport report = integrator.step(system, h, state);
    lost += report.lost;
    run.booked = std::max(run.booked, std::abs(lost[model::Loss::joint]));
    const double energy = integrator.energy(system, h, state).total();
    least = std::min(least, energy);
    most = std::max(most, energy);
    run.closing = std::max(run.closing, std::abs(energy + lost.total() - initial));
    (n < steps / 10 ? first : n >= steps - steps / 10 ? last : run.drift) += energy;
    for (const dynamics::JointReaction& joint : report.joints) run.gap = std::max(run.gap, joint.gap);
    if (n + 1 == steps) run.turns = report.joints[0].angle / (2 * std::numbers::pi);
  }
  run.range = most - least;
  run.drift = (last - first) / (steps / 10);
  return run;
}

/// A hundred thousand steps, 139.7 turns.
TEST(FourBar, StaysClosedToRoundingAndDoesNotDrift) {
  const FourBarRun run = run_four_bar(1e-3, 100000);
  EXPECT_NEAR(run.kinetic, 6.171, 5e-4);
  EXPECT_LE(run.gap, 2e-15);
  EXPECT_NEAR(run.turns, 139.7, 0.05);
  EXPECT_NEAR(run.range, 1.95e-3, 5e-5);
  EXPECT_LE(std::abs(run.drift), 2.5e-6);
  EXPECT_LE(run.closing, 1e-10);  // rounding of as many sums
}

/// What joints take and give is of second order in the step.
TEST(FourBar, HasAnEnergyOfSecondOrder) {
  const FourBarRun coarse = run_four_bar(2e-3, 1000), fine = run_four_bar(1e-3, 2000);
  EXPECT_NEAR(std::log2(coarse.range / fine.range), 2, 0.1);
  EXPECT_NEAR(std::log2(coarse.booked / fine.booked), 2, 0.1);
}

}  // namespace
}  // namespace ictus::testing
