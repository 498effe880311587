// Spheres that fall into a box and settle, on one core: body-steps per second until all have arrived at the bottom, and
// on to rest, where few sweeps per step are enough for most people. `above_tolerance` is the share of steps whose
// impulses stayed above the error asked for, `error_max` the largest of them.
#include <benchmark/benchmark.h>

#include <ictus/build/build.hpp>
#include <ictus/scene/text/document.hpp>

#include "support/settling_scene.hpp"

namespace ictus {
namespace {

void settling(benchmark::State& state, double tolerance, int max_sweeps, bool boxes = false) {
  const Settling scene{state.range(0), tolerance, max_sweeps, boxes};
  build::Simulation simulation = build::build(scene::read_text(scene.scene(), "bench"), 1);
  model::State now = simulation.system.initial_state();
  simulation.integrator->prepare(simulation.system);
  simulation.integrator->start(simulation.system, simulation.step, now);
  std::int64_t sweeps = 0, contacts = 0, fallbacks = 0;
  for (auto _ : state) {
    const dynamics::StepReport report = simulation.integrator->step(simulation.system, simulation.step, now);
    sweeps += report.iterations;
    contacts = report.contacts;
    fallbacks += report.fallbacks;
  }
  const auto bodies = static_cast<double>(scene.bodies());
  state.counters["bodies"] = bodies;
  state.counters["body-steps/s"] = benchmark::Counter(bodies, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["sweeps/step"] = static_cast<double>(sweeps) / static_cast<double>(state.iterations());
  state.counters["contacts"] = static_cast<double>(contacts);
  for (const auto& [name, value] : simulation.integrator->extras(now)) {
    if (name == "contact_error_max") state.counters["error_max"] = value;
  }
  state.counters["above_tolerance"] = static_cast<double>(fallbacks) / static_cast<double>(state.iterations());
}

// 1024 and 9826 spheres over 0.6 s, and 1024, 54 and 128 over 3 s.
BENCHMARK_CAPTURE(settling, one_core, 1e-4, 2000)->Arg(8)->Arg(17)->Iterations(300)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(settling, one_core_to_rest_1e3, 1e-3, 2000)->Arg(8)->Iterations(1500)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(settling, one_core_to_rest_1e4, 1e-4, 300)->Arg(8)->Iterations(1500)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(settling, one_core_to_rest, 1e-4, 2000)->Arg(8)->Iterations(1500)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(settling, small_to_rest, 1e-4, 5000)->Arg(3)->Arg(4)->Iterations(1500)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ictus
