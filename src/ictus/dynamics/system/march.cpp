#include <ictus/dynamics/system/march.hpp>

namespace ictus::dynamics {

MarchEnd march(const System& system, Integrator& integrator, double h, std::int64_t steps, model::State& state,
               std::span<Observer* const> observers, const std::function<bool()>& stop) {
  const Snapshot snapshot{system, integrator, h, state};
  while (state.step < steps) {
    if (stop()) return MarchEnd::interrupted;
    const StepReport report = integrator.step(system, h, state);
    for (Observer* observer : observers) observer->observe(snapshot, report);
  }
  return MarchEnd::completed;
}

}  // namespace ictus::dynamics
