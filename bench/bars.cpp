// Steps of the bar integrators: element-steps per second on one core, without output, and with it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <ictus/build/integrators/integrators.hpp>
#include <ictus/run/session.hpp>
#include <ictus/scene/text/document.hpp>

namespace ictus {
namespace {

/// Two equal bars that meet soon; `elements` of both together.
std::string two_bars(std::int64_t elements, const std::string& integrator) {
  return fmt::format(R"(
title: Two bars
time: {{end: 1, courant: 0.1}}
integrator: {{type: {}}}
bodies:
  left: {{type: bar, length: 1, cells: {}, density: 1, youngs_modulus: 1, position: [-1.0000001, 0, 0], velocity: [0.1, 0, 0]}}
  right: {{type: bar, length: 1, cells: {}, density: 1, youngs_modulus: 1, position: [0, 0, 0], velocity: [-0.1, 0, 0]}}
contacts: [{{between: [left, right]}}]
)",
                     integrator, elements / 2, elements / 2);
}

void steps(benchmark::State& state, const std::string& integrator, int threads) {
  build::Simulation simulation = build::build(scene::read_text(two_bars(state.range(0), integrator), "bench"), threads);
  model::State now = simulation.system.initial_state();
  simulation.integrator->prepare(simulation.system);
  simulation.integrator->start(simulation.system, simulation.step, now);
  for (auto _ : state) {
    benchmark::DoNotOptimize(simulation.integrator->step(simulation.system, simulation.step, now));
  }
  state.counters["element-steps/s"] =
      benchmark::Counter(static_cast<double>(state.range(0)), benchmark::Counter::kIsIterationInvariantRate);
}

/// The same steps inside a run with default output: ledger, history, contacts, checkpoints.
void recorded(benchmark::State& state, const std::string& integrator) {
  const std::int64_t count = 5000;
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "ictus-bench-bars";
  for (auto _ : state) {
    state.PauseTiming();
    scene::Document document = scene::read_text(two_bars(state.range(0), integrator), "bench");
    document.scene.time.end = static_cast<double>(count) * build::build(document, 1).step;
    document.scene.output.report = false;
    run::Session session = run::Session::begin({document, ""}, folder, 1, true);
    state.ResumeTiming();
    session.run([] { return false; }, {});
  }
  std::filesystem::remove_all(folder);
  state.counters["element-steps/s"] =
      benchmark::Counter(static_cast<double>(state.range(0) * count), benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(steps, cd_lagrange, "cd-lagrange", 1)->Arg(1000)->Arg(100000)->Arg(1000000);
BENCHMARK_CAPTURE(steps, cd_lagrange_2_threads, "cd-lagrange", 2)->Arg(100000)->Arg(1000000)->UseRealTime();
BENCHMARK_CAPTURE(steps, multisymplectic, "multisymplectic", 1)->Arg(1000)->Arg(100000);
BENCHMARK_CAPTURE(steps, capture_return, "capture-return", 1)->Arg(1000)->Arg(100000);
BENCHMARK_CAPTURE(steps, discrete_gradient, "discrete-gradient", 1)->Arg(100000);
BENCHMARK_CAPTURE(steps, dcr, "dcr", 1)->Arg(100000);
BENCHMARK_CAPTURE(steps, moreau_jean, "moreau-jean", 1)->Arg(100000);
BENCHMARK_CAPTURE(recorded, cd_lagrange, "cd-lagrange")->Arg(1000)->Arg(100000)->UseRealTime();

}  // namespace
}  // namespace ictus
