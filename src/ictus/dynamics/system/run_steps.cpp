#include <ictus/dynamics/system/run_steps.hpp>

namespace ictus::dynamics {

RunEnd run_steps(const System& system, Integrator& integrator, double h, std::int64_t steps, model::State& state,
                 std::span<Observer* const> observers, const std::function<bool()>& stop) {
  const Snapshot snapshot{system, integrator, h, state};
  while (state.step < steps) {
    if (stop()) return RunEnd::interrupted;
    const StepReport report = integrator.step(system, h, state);
    for (Observer* observer : observers) observer->observe(snapshot, report);
  }
  return RunEnd::completed;
}

}  // namespace ictus::dynamics
