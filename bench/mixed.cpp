// What it costs that bodies of several families share a step: a rigid ball on a shell of 10^5 elements beside the shell
// alone, and 10^4 rigid balls that fall on, and dance on, an elastic floor of 10^5 tetrahedra beside the floor alone
// and the balls on a plane, all with the same step. Time of a step without output.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <ictus/build/build.hpp>
#include <ictus/scene/text/document.hpp>

namespace ictus {
namespace {

constexpr const char* plate =
    "  plate: {type: shell, shape: {type: plate, size: [1, 1], cells: [224, 224]}, thickness: "
    "0.002, density: 7800, youngs_modulus: 2.1e+11, poissons_ratio: 0.3, supports: [{edge: all, type: clamped}]}\n";
constexpr const char* ball =
    "  ball: {type: rigid, shape: {type: sphere, radius: 0.03}, density: 7800, position: [0, 0, 0.0301], velocity: [0, "
    "0, -10]}\n";
constexpr const char* floor_of_tetrahedra =
    "  floor: {type: solid, shape: {type: box, size: [2, 2, 0.1], cells: [64, 64, 4]}, position: [-1, -1, -0.1], "
    "material: "
    "st-venant-kirchhoff, density: 1000, youngs_modulus: 1.0e+7, poissons_ratio: 0.3, supports: [{set: bottom}]}\n";
constexpr const char* balls =
    "  balls: {type: rigid, shape: {type: sphere, radius: 0.008}, density: 2000, position: [-0.99, -0.99, 0.0081], "
    "copies: {type: grid, count: [100, 100, "
    "1], "
    "spacing: [0.02, 0.02, 0.02]}}\n";

constexpr const char* plane = "  ground: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}\n";

/// Of floors and balls, well below the largest stable one.
constexpr const char* step_of_floors = "step: 5.0e-5";
/// The balls jump as the floor swings, so that what a step costs changes with time: as many steps in each run.
constexpr benchmark::IterationCount steps_on_floors = 500;

void steps(benchmark::State& state, const std::string& bodies, const std::string& contacts,
           const std::string& step = "courant: 0.5") {
  const auto threads = static_cast<int>(state.range(0));
  build::Simulation simulation =
      build::build(scene::read_text("time: {end: 1, " + step +
                                        "}\ngravity: [0, 0, -9.81]\nintegrator: {type: cd-lagrange}\nbodies:\n" +
                                        bodies + "contacts: [" + contacts + "]\n",
                                    "scene.yaml"),
                   threads);
  simulation.integrator->prepare(simulation.system);
  model::State now = simulation.system.initial_state();
  simulation.integrator->start(simulation.system, simulation.step, now);
  // The ball has struck, and the balls lie.
  for (int n = 0; n < 200; ++n) simulation.integrator->step(simulation.system, simulation.step, now);
  // Means over the steps.
  benchmark::Counter pushing(0, benchmark::Counter::kAvgIterations), sweeps = pushing;
  for (auto _ : state) {
    const dynamics::StepReport report = simulation.integrator->step(simulation.system, simulation.step, now);
    pushing.value += report.contacts;
    sweeps.value += report.iterations;
  }
  state.counters["contacts"] = pushing;
  state.counters["sweeps"] = sweeps;
}

const std::string on_plate = "{between: [ball, plate]}", on_floor = "{between: [balls, floor], friction: 0.3}",
                  on_plane = "{between: [balls, ground], friction: 0.3}";

BENCHMARK_CAPTURE(steps, shell_alone, plate, "")->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(steps, ball_on_shell, std::string(plate) + ball, on_plate)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(steps, floor_alone, floor_of_tetrahedra, "", step_of_floors)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(steps_on_floors)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(steps, balls_on_plane, std::string(plane) + balls, on_plane, step_of_floors)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(steps_on_floors)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(steps, balls_on_floor, std::string(floor_of_tetrahedra) + balls, on_floor, step_of_floors)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(steps_on_floors)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace ictus
