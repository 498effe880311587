// Steps of shells as a GPU takes them, and the host over the same lists: element-steps per second. Without ICTUS_CUDA,
// or without a GPU, the host alone.
#include <benchmark/benchmark.h>

#include <ictus/base/error.hpp>
#include <ictus/exec/device/tile_steps.hpp>
#include <ictus/geometry/mesh/curve_order.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <vector>

#include "support/tangled.hpp"

namespace {

using namespace ictus;

std::shared_ptr<const exec::Device> device() {
  try {
    return exec::Device::open();
  } catch (const base::InputError&) {
    return nullptr;
  }
}

mechanics::Shell sphere(int level, bool is_tangled) {
  mechanics::ShellProperties properties;
  properties.mesh = geometry::sphere(1, geometry::SphereBase::icosahedron, level);
  if (is_tangled) properties.mesh = testing::tangled(std::move(properties.mesh));
  properties.mesh = geometry::renumbered(properties.mesh);
  properties.thickness = 0.01;
  properties.youngs_modulus = 2.1e5;
  properties.poissons_ratio = 0.3;
  properties.density = 0.0785;
  properties.spin = {0, 0, 1};
  return mechanics::Shell("sphere", std::move(properties), 0);
}

void steps(benchmark::State& state, bool is_tangled, bool on_device) {
  const mechanics::Shell shell = sphere(static_cast<int>(state.range(0)), is_tangled);
  const auto gpu = on_device ? device() : nullptr;
  if (on_device && !gpu) return state.SkipWithError("there is no GPU");
  const auto leapfrog = shell.free_steps(exec::Executor(1).on(gpu));
  std::vector<double> q(shell.dofs().size), p(q.size());
  shell.initialise(q, p);
  // Far below the critical step: what is measured does not depend on it.
  const double h = 1e-9;
  leapfrog->set(q, p, h);
  const std::int64_t count = on_device ? 200 : 1;
  leapfrog->run(h, count);
  leapfrog->get(q, p);
  for (auto _ : state) {
    leapfrog->run(h, count);
    if (gpu) gpu->wait();
  }
  state.counters["elements"] = static_cast<double>(shell.elements().element_count());
  state.counters["element-steps/s"] =
      benchmark::Counter(static_cast<double>(shell.elements().element_count()) * static_cast<double>(count),
                         benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(steps, gpu, false, true)->DenseRange(3, 9)->UseRealTime();
BENCHMARK_CAPTURE(steps, gpu_tangled, true, true)->DenseRange(6, 8)->UseRealTime();
BENCHMARK_CAPTURE(steps, host, false, false)->DenseRange(5, 6)->UseRealTime();

}  // namespace
