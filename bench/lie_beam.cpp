// Steps of the Lie-group beam: nanoseconds per node and step, Legendre solve included. A step of a node reads and
// writes 13 doubles, which bounds long beams by memory, and takes about 600 floating-point operations.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <ictus/mechanics/beam/lie_beam_state.hpp>
#include <ictus/mechanics/beam/lie_beam_step.hpp>
#include <vector>

namespace {

using namespace ictus;
using mechanics::LieBeamModel;

/// Beams of rubber that wave and turn slowly; all lie in one pair of arrays, as in a State.
struct Fleet {
  Fleet(std::size_t beams, std::size_t nodes) {
    model.section = mechanics::section(model::rectangle_section(0.01, 0.01), {1e3, 1e6, 0.35});
    model.nodes = nodes;
    model.spacing = 0.01;
    model.gravity = {0.0, 0.0, -9.81};
    for (auto* x : {&q, &p, &q_next, &p_next}) x->resize(beams * model.size());
    std::vector<math::Twist<double>> strains, velocities;
    for (std::size_t a = 0; a < nodes; ++a) {
      const double s = 0.05 * static_cast<double>(a);
      strains.push_back({{0.3 * std::sin(s), 0.3 * std::cos(s), 0.1}, {0.001, 0.0, 1.0}});
      velocities.push_back({{0.5 * std::cos(s), 0.2, 0.3}, {0.1, std::sin(s), 0.2}});
    }
    for (std::size_t i = 0; i < beams; ++i) {
      const std::span<double> own_q(q.data() + i * model.size(), model.size()),
          own_p(p.data() + i * model.size(), model.size());
      mechanics::set_shape(model, {}, strains, own_q);
      mechanics::set_velocities(model, velocities, own_q, own_p);
    }
    jobs.resize(beams);
  }

  void step(const exec::Executor& exec) {
    const double h = 1e-5;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const std::size_t first = i * model.size();
      jobs[i] = {
          &model, h, h, q.data() + first, p.data() + first, nullptr, q_next.data() + first, p_next.data() + first};
    }
    benchmark::DoNotOptimize(stepper.step(exec, jobs).data());
    q.swap(q_next);
    p.swap(p_next);
  }

  LieBeamModel model;
  std::vector<double> q, p, q_next, p_next;
  std::vector<mechanics::LieBeamJob> jobs;
  mechanics::LieBeamStepper stepper;
};

void steps(benchmark::State& state, std::size_t beams, std::size_t nodes, int threads) {
  Fleet fleet(beams, nodes);
  const exec::Executor exec(threads);
  fleet.step(exec);
  for (auto _ : state) fleet.step(exec);
  const double node_steps = static_cast<double>(beams * nodes) * static_cast<double>(state.iterations());
  state.counters["node_steps"] = benchmark::Counter(node_steps, benchmark::Counter::kIsRate);
  state.counters["s_per_node"] =
      benchmark::Counter(node_steps, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(steps, 1000_nodes, 1, 1000, 1);
BENCHMARK_CAPTURE(steps, 100000_nodes, 1, 100000, 1);
BENCHMARK_CAPTURE(steps, 1000000_nodes, 1, 1000000, 1);
BENCHMARK_CAPTURE(steps, 1000_beams_of_100_nodes, 1000, 100, 1);
BENCHMARK_CAPTURE(steps, 1000_beams_of_100_nodes_2_threads, 1000, 100, 2)->UseRealTime();

}  // namespace
