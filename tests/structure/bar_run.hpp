#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <ictus/dynamics/system/integrator.hpp>
#include <vector>

namespace ictus::testing {

/// What a run of a few bars amounted to, in the terms that the theory speaks of.
struct BarRun {
  double initial_energy = 0;
  double final_energy = 0;
  double max_energy_error = 0;    ///< max |E/E0 − 1|
  double max_residual = 0;        ///< max |E − external work + losses − E0|/E0
  double max_momentum_drift = 0;  ///< over Σ|p_i| at the start
  double first_impulse_time = -1;
  double last_impulse_time = -1;
  double first_impulse = 0;
  double total_impulse = 0;
  double external_work = 0;
  int closings = 0;
  int fallbacks = 0;
  model::Lost lost;
  model::State state;
};

using AfterStep = std::function<void(const model::State&, const dynamics::StepReport&)>;

/// Runs `steps` steps of h from the initial state.
inline BarRun run_bars(const dynamics::System& system, dynamics::Integrator& integrator, double h, int steps,
                       const AfterStep& after = {}) {
  BarRun run;
  run.state = system.initial_state();
  integrator.prepare(system);
  mechanics::Momentum from_outside = integrator.start(system, h, run.state).external_impulse;
  run.initial_energy = integrator.energy(system, h, run.state).total();
  const double scale = system.momentum_scale(run.state.p);
  const math::Vec3 initial = system.momentum(run.state.q, run.state.p).linear - from_outside.linear;
  for (int n = 0; n < steps; ++n) {
    const dynamics::StepReport report = integrator.step(system, h, run.state);
    from_outside += report.external_impulse;
    run.lost += report.lost;
    run.external_work += report.external_work;
    run.closings += report.closings;
    run.fallbacks += report.fallbacks;
    for (const dynamics::Impulse& impulse : report.impulses) {
      if (run.first_impulse_time < 0) run.first_impulse_time = impulse.time, run.first_impulse = impulse.normal_impulse;
      run.last_impulse_time = impulse.time;
      run.total_impulse += impulse.normal_impulse;
    }
    run.final_energy = integrator.energy(system, h, run.state).total();
    const double error = run.final_energy / run.initial_energy - 1;
    run.max_energy_error = std::max(run.max_energy_error, std::abs(error));
    const double lost = run.lost.total() + integrator.quadrature(system, h, run.state) - run.external_work;
    run.max_residual = std::max(run.max_residual, std::abs(error + lost / run.initial_energy));
    const math::Vec3 momentum = system.momentum(run.state.q, run.state.p).linear;
    run.max_momentum_drift =
        std::max(run.max_momentum_drift, (momentum - initial - from_outside.linear).norm() / scale);
    if (after) after(run.state, report);
  }
  return run;
}

}  // namespace ictus::testing
