// The bridge crane of fekak-2017 with one explicit step for all of it, and with long implicit steps away from the
// wheels: time of a fine step without output, and of a whole run to the first time that a wheel strikes the girder
// again.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <ictus/build/session.hpp>

namespace ictus {
namespace {

void fine_steps(benchmark::State& state, const std::string& name) {
  build::Simulation simulation = build::build(build::load(name, {}).document, 1);
  model::State now = simulation.system.initial_state();
  simulation.integrator->prepare(simulation.system);
  simulation.integrator->start(simulation.system, simulation.step, now);
  for (auto _ : state) {
    benchmark::DoNotOptimize(simulation.integrator->step(simulation.system, simulation.step, now));
  }
  state.counters["per fine step"] = benchmark::Counter(
      simulation.integrator->stride(), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// What a person waits for: building the scene, every file and the report included.
void whole_run(benchmark::State& state, const std::string& name) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "ictus-bench-coupled";
  const build::LoadedScene scene = build::load(name, {{"time.end", "0.235"}});
  for (auto _ : state) {
    build::Session session = build::Session::begin(scene, folder, 1, true);
    session.run([] { return false; }, {});
  }
  std::filesystem::remove_all(folder);
}

BENCHMARK_CAPTURE(fine_steps, explicit, "crane/explicit");
BENCHMARK_CAPTURE(fine_steps, coupled_10, "crane/coupled-10");
BENCHMARK_CAPTURE(fine_steps, coupled_100, "crane/coupled");
BENCHMARK_CAPTURE(whole_run, explicit, "crane/explicit")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(whole_run, coupled_100, "crane/coupled")->Unit(benchmark::kMillisecond)->Iterations(3);

}  // namespace
}  // namespace ictus
