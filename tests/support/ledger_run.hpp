#pragma once

#include <functional>
#include <ictus/base/error.hpp>
#include <ictus/observe/ledger/ledger.hpp>
#include <string>
#include <string_view>

namespace ictus::testing {

/// A run as its ledger tells it.
struct LedgerRun {
  double scale = 0;  ///< of energies (J)
  double error = 0;
  double residual = 0;
  double linear_drift = 0;
  double angular_drift = 0;
  std::int64_t fallbacks = 0;
  double fallback_error = 0;
  std::int64_t steps = 0;  ///< taken
  std::string failure;     ///< why it stopped; empty: it did not
  model::Lost lost;
  dynamics::Extras extras;  ///< figures of the scheme at the end

  /// One of these, or nothing.
  double extra(std::string_view name) const {
    for (const auto& [known, value] : extras) {
      if (known == name) return value;
    }
    return 0;
  }
};

/// Changes what a scheme says of a step, or does to the state.
using ReportFault = std::function<void(const dynamics::System&, model::State&, dynamics::StepReport&)>;

/// Calls `before_step` with the number of each step. Runs `steps` steps under a ledger that reads every step, with the
/// limits of a scene that says nothing about them.
inline LedgerRun run_with_ledger(const dynamics::System& system, dynamics::Integrator& integrator, double h, int steps,
                                 const ReportFault& fault = {}, const std::function<void(int)>& before_step = {}) {
  LedgerRun run;
  observe::Ledger ledger({.every = 1, .error_limit = 0.1});
  integrator.prepare(system);
  model::State state = system.initial_state();
  const dynamics::Snapshot snapshot{system, integrator, h, state};
  const dynamics::StepReport start = integrator.start(system, h, state);
  try {
    ledger.begin(snapshot, start);
    for (int n = 0; n < steps; ++n) {
      if (before_step) before_step(n);
      dynamics::StepReport report = integrator.step(system, h, state);
      ++run.steps;
      if (fault) fault(system, state, report);
      ledger.observe(snapshot, report);
    }
  } catch (const base::NumericalFailure& failure) {
    run.failure = failure.what();
  }
  run.error = ledger.max_relative_error();
  run.residual = ledger.max_relative_residual();
  run.linear_drift = ledger.max_linear_drift();
  run.angular_drift = ledger.max_angular_drift();
  run.fallbacks = ledger.account().sums.fallbacks;
  run.fallback_error = ledger.account().sums.fallback_error;
  run.lost = ledger.last().lost;
  run.scale = ledger.scale();
  run.extras = integrator.extras(state);
  return run;
}

}  // namespace ictus::testing
