// The force kernel of the subdivision shell: element-steps per second. An element takes about 900 floating-point
// operations and reads 80 bytes besides its share of the vertices, so that bench_machine_ceilings bounds it twice: by
// fused_multiply_add / 450 and by triad/L3 or triad/memory / 130 bytes.
#include <benchmark/benchmark.h>

#include <cmath>
#include <ictus/geometry/mesh/curve_order.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <vector>

namespace {

using namespace ictus;

/// A square plate of n × n squares.
mechanics::ShellProperties square(std::int64_t n) {
  mechanics::ShellProperties properties;
  properties.mesh = geometry::renumbered(geometry::plate(1, 1, static_cast<int>(n), static_cast<int>(n)));
  properties.thickness = 0.01;
  properties.youngs_modulus = 2.1e5;
  properties.poissons_ratio = 0.3;
  properties.density = 0.0785;
  return properties;
}

void kick(benchmark::State& state, int threads) {
  const mechanics::Shell shell("plate", square(state.range(0)), 0);  // waved a little
  const exec::Executor exec(threads);
  std::vector<double> q(shell.dofs().size), p(q.size());
  shell.initialise(q, p);
  for (std::size_t k = 2; k < q.size(); k += 3) q[k] += 0.01 * std::sin(20 * q[k - 1]) * std::cos(15 * q[k - 2]);
  for (auto _ : state) {
    shell.kick(exec, q, 1e-9, p);
    benchmark::DoNotOptimize(p.data());
  }
  state.counters["element-steps/s"] = benchmark::Counter(static_cast<double>(shell.elements().element_count()),
                                                         benchmark::Counter::kIsIterationInvariantRate);
}

/// A wall of four layers that moves on a little in each step: all of them flow, or none.
void layers(benchmark::State& state, mechanics::LayerStrain strain, double yield_stress) {
  mechanics::ShellProperties properties = square(state.range(0));
  properties.layers = {mechanics::Plasticity{mechanics::LinearHardening{yield_stress, 2100}}, strain, 4};
  const mechanics::Shell shell("plate", std::move(properties), 0);
  const exec::Executor exec(1);
  std::vector<double> q(shell.dofs().size + shell.history()), p(q.size());
  shell.initialise(q, p);
  shell.begin_history(q);
  std::vector<double> wave(shell.dofs().size, 0.0);
  for (std::size_t k = 2; k < wave.size(); k += 3) wave[k] = 0.01 * std::sin(20 * q[k - 1]) * std::cos(15 * q[k - 2]);
  double height = 1;
  for (auto _ : state) {
    state.PauseTiming();
    height *= 1.0003;
    for (std::size_t k = 2; k < wave.size(); k += 3) q[k] = height * wave[k];
    state.ResumeTiming();
    shell.advance(exec, 1e-9, q, 1e-9, p);
    benchmark::DoNotOptimize(p.data());
  }
  state.counters["element-steps/s"] = benchmark::Counter(static_cast<double>(shell.elements().element_count()),
                                                         benchmark::Counter::kIsIterationInvariantRate);
}

constexpr auto logarithmic = mechanics::LayerStrain::logarithmic, green = mechanics::LayerStrain::green_lagrange;
BENCHMARK_CAPTURE(layers, elastic, logarithmic, 1e9)->Arg(32)->Arg(224)->Iterations(300);
BENCHMARK_CAPTURE(layers, flowing, logarithmic, 210)->Arg(32)->Arg(224)->Iterations(300);
BENCHMARK_CAPTURE(layers, elastic_green_lagrange, green, 1e9)->Arg(224)->Iterations(300);
BENCHMARK_CAPTURE(layers, flowing_green_lagrange, green, 210)->Arg(224)->Iterations(300);
BENCHMARK_CAPTURE(kick, one_core, 1)->Arg(32)->Arg(224)->Arg(708);
BENCHMARK_CAPTURE(kick, two_cores, 2)->Arg(224)->Arg(708)->UseRealTime();

}  // namespace
