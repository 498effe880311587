#include <ictus/dynamics/collision/multisymplectic_prolonged.hpp>

#include <ictus/dynamics/scheme/require_layers.hpp>

namespace ictus::dynamics {

using model::State;

namespace {

/// Behind the memory of VariableStep: number of switches, time of the first, time of the last.
std::vector<double>& switches(State& state) { return state.memory.back().values; }

}  // namespace

Capabilities MultisymplecticProlonged::capabilities() const {
  return {.restitution_min = 1,
          .restitution_max = 1,
          .massless_tips = true,
          .stores = {model::Store::layer},
          .losses = {model::Loss::sub_step, model::Loss::quadrature, model::Loss::fallback}};
}

void MultisymplecticProlonged::prepare(const System& system) {
  require_layers(system, name());
  VariableStep::prepare(system);
}

StepReport MultisymplecticProlonged::start(const System& system, double h, State& state) {
  const StepReport report = VariableStep::start(system, h, state);
  state.memory.push_back({"switches", {0, 0, 0}});
  return report;
}

void MultisymplecticProlonged::meet(std::span<const int> pairs, State& state, StepReport& report) {
  const double now = state.time + last_interval(state);
  for (const int pair : pairs) {
    if (!closed(state, pair)) ++report.closings;
    set_closed(state, pair, !closed(state, pair));
    std::vector<double>& memory = switches(state);
    if (memory[0] == 0) memory[1] = now;
    memory[0] += 1;
    memory[2] = now;
  }
}

Extras MultisymplecticProlonged::extras(const State& state) const {
  const std::vector<double>& memory = state.memory.back().values;
  return {{"switches", memory[0]}, {"first_switch", memory[1]}, {"last_switch", memory[2]}};
}

}  // namespace ictus::dynamics
