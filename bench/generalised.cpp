// Steps of bodies with generalised coordinates inside the library, without output.
#include <benchmark/benchmark.h>

#include <ictus/build/build.hpp>
#include <ictus/scene/text/document.hpp>

namespace ictus {
namespace {

constexpr const char* woodpecker = R"(
title: Woodpecker
time: {end: 1, step: 1e-5}
gravity: [0, 0, -9.81]
bodies:
  toy: {type: woodpecker, sleeve_angle: -0.1036, bird_angle: -0.2788, height_rate: -0.3411,
        bird_angular_velocity: -7.4583}
)";

constexpr const char* pendulum = R"(
title: Pendulum
time: {end: 1, step: 0.002}
gravity: [0, 0, -9.81]
bodies:
  pendulum: {type: spring-pendulum, mass: 1, stiffness: 100, rest_length: 1, length: 1.1, angle: 45 deg}
)";

/// Whole cycles of the motion, contacts included.
void steps(benchmark::State& state, const std::string& scene, const std::string& integrator) {
  build::Simulation run = build::build(scene::read_text(scene + "integrator: " + integrator + "\n", "bench"), 1);
  model::State now = run.system.initial_state();
  run.integrator->prepare(run.system);
  run.integrator->start(run.system, run.step, now);
  for (auto _ : state) benchmark::DoNotOptimize(run.integrator->step(run.system, run.step, now));
  state.counters["steps/s"] = benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(steps, woodpecker, woodpecker, "{type: moreau-variational}")->Iterations(500000);
BENCHMARK_CAPTURE(steps, woodpecker_paper, woodpecker, "{type: moreau-variational, impact_law: paper}")
    ->Iterations(500000);
BENCHMARK_CAPTURE(steps, woodpecker_moreau, woodpecker, "{type: moreau}")->Iterations(500000);
BENCHMARK_CAPTURE(steps, pendulum, pendulum, "{type: moreau-variational}")->Iterations(500000);

}  // namespace
}  // namespace ictus
