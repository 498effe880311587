// A thousand small simulations in a batch, as bench/python_calls.py steps them from Python.
#include <benchmark/benchmark.h>

#include <ictus/run/batch.hpp>

namespace ictus {
namespace {

scene::Document ball() {
  return scene::read_text(R"(
title: Ball
time: {end: 1, step: 1e-3}
gravity: [0, 0, -10]
bodies:
  ball: {type: point-mass, mass: 2, position: [0, 0, 1e6]}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
contacts: [{between: [ball, floor], restitution: 0.5}]
)",
                          "bench");
}

/// A hundred steps of each; the argument is the number of threads.
void batch_of_1000(benchmark::State& state) {
  run::Batch batch(std::vector<scene::Document>(1000, ball()), static_cast<int>(state.range(0)));
  batch.positions();
  for (auto _ : state) batch.step(100);
}

/// As many steps of one simulation, none of it together.
void one_by_one(benchmark::State& state) {
  run::Simulation simulation(ball());
  for (auto _ : state) {
    for (int i = 0; i < 100000; ++i) benchmark::DoNotOptimize(simulation.step().iterations);
  }
}

BENCHMARK(batch_of_1000)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(one_by_one)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ictus
