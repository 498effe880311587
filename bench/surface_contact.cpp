// Two spherical shells that meet, as in the case shells/two-spheres, at several refinements: time of a step, and what
// forces, search and response have of it. Forces are bounded as bench_shell says. Search reads the vertices of the
// surfaces (72 bytes each) in every step, so that triad/L3 or triad/memory of bench_machine_ceilings bounds it below;
// what it does besides grows with the pairs that touch, not with the mesh.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <ictus/contact/detect/surface_detector.hpp>
#include <ictus/dynamics/scheme/capture_return.hpp>
#include <ictus/geometry/mesh/curve_order.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/mechanics/shell/shell.hpp>

namespace {

using namespace ictus;
using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Spheres of 8·4^level elements each, a little apart, approaching at 200 m/s.
dynamics::System two_spheres(int level, int threads) {
  std::vector<dynamics::BodyPtr> bodies;
  std::size_t next = 0;
  for (const double side : {-1.0, 1.0}) {
    mechanics::ShellProperties properties;
    properties.mesh = geometry::renumbered(geometry::sphere(1, geometry::SphereBase::octahedron, level));
    const Eigen::AngleAxisd turn(0.6, Eigen::Vector3d(0.3, 0.5, side * 0.2).normalized());
    for (math::Vec3& x : properties.mesh.positions) x = turn * x + math::Vec3(1.005 * side, 0, 0);
    properties.thickness = 0.05;
    properties.youngs_modulus = 2.1e5;
    properties.poissons_ratio = 0.3;
    properties.density = 0.0785;
    properties.velocity = {-100 * side + 50, 0, 0};
    auto shell = std::make_unique<mechanics::Shell>(side < 0 ? "left" : "right", std::move(properties), next);
    next = shell->dofs().end();
    bodies.push_back(std::move(shell));
  }
  contact::ContactPair pair{};
  pair.first = "left";
  pair.second = "right";
  pair.first_surface = &bodies[0]->surface();
  pair.second_surface = &bodies[1]->surface();
  return {std::move(bodies), {pair}, exec::Executor(threads)};
}

void collide(benchmark::State& state, int threads) {
  const auto level = static_cast<int>(state.range(0));
  const dynamics::System system = two_spheres(level, threads);
  const double h = 5e-6 * std::pow(2.0, 4 - level), elements = 16 * std::pow(4.0, level);
  dynamics::CaptureReturn scheme;
  scheme.prepare(system);
  contact::SurfaceDetector detector;
  detector.prepare(system.pairs(), system.exec());
  model::ConstraintSet constraints;
  model::State now = system.initial_state();
  std::vector<double> momenta = now.p;
  scheme.start(system, h, now);
  double total = 0, search = 0, forces = 0;
  long contacts = 0;
  for (auto _ : state) {
    const auto begin = Clock::now();
    contacts += scheme.step(system, h, now).contacts;
    const auto stepped = Clock::now();
    constraints.clear();
    detector.detect(system.pairs(), {now.q, now.p, system.inverse_mass(), h}, constraints);
    const auto found = Clock::now();
    system.kick(now.q, h, momenta);
    const auto kicked = Clock::now();
    total += seconds(begin, stepped);
    search += seconds(stepped, found);
    forces += seconds(found, kicked);
    state.SetIterationTime(seconds(begin, stepped));
  }
  state.counters["element-steps/s"] = benchmark::Counter(elements, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["forces"] = forces / total;
  state.counters["search"] = search / total;
  state.counters["rest"] = 1 - (forces + search) / total;
  state.counters["contacts"] = static_cast<double>(contacts) / static_cast<double>(state.iterations());
  state.counters["lists"] = static_cast<double>(detector.lists_made());
}

constexpr auto microseconds = benchmark::kMicrosecond;
BENCHMARK_CAPTURE(collide, one_core, 1)->Arg(4)->Iterations(6000)->UseManualTime()->Unit(microseconds);
BENCHMARK_CAPTURE(collide, one_core, 1)->Arg(6)->Iterations(400)->UseManualTime()->Unit(microseconds);
BENCHMARK_CAPTURE(collide, one_core, 1)->Arg(7)->Iterations(200)->UseManualTime()->Unit(microseconds);
BENCHMARK_CAPTURE(collide, one_core, 1)->Arg(8)->Iterations(60)->UseManualTime()->Unit(microseconds);
BENCHMARK_CAPTURE(collide, two_cores, 2)->Arg(6)->Iterations(400)->UseManualTime()->Unit(microseconds);
BENCHMARK_CAPTURE(collide, two_cores, 2)->Arg(7)->Iterations(200)->UseManualTime()->Unit(microseconds);

}  // namespace
