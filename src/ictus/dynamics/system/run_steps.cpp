#include <ictus/dynamics/system/run_steps.hpp>

#include <algorithm>

namespace ictus::dynamics {

bool finished(const Integrator& integrator, double h, std::int64_t steps, const model::State& state) {
  return integrator.follows() ? state.time >= (static_cast<double>(steps) - 1e-6) * h : state.step >= steps;
}

RunEnd run_steps(const System& system, Integrator& integrator, double h, std::int64_t steps, model::State& state,
                 std::span<Observer* const> observers, const std::function<bool()>& stop) {
  const Snapshot snapshot{system, integrator, h, state};
  while (!finished(integrator, h, steps, state)) {
    if (stop()) return RunEnd::interrupted;
    std::int64_t count = std::min(integrator.max_steps(), steps - state.step);
    for (const Observer* observer : observers)
      if (count > 1) count = std::min(count, observer->patience(snapshot));
    const StepReport report = count > 1 ? integrator.steps(system, h, count, state) : integrator.step(system, h, state);
    for (Observer* observer : observers) observer->observe(snapshot, report);
  }
  return RunEnd::completed;
}

}  // namespace ictus::dynamics
