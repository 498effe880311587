// Explicit steps and implicit factorisations of solids. A step of a tetrahedron reads 96 bytes of its own and, out of
// cache, its share of the nodes (a fifth of 24 bytes each of positions and momenta, read and written); it takes about
// 200 floating-point operations. Read beside bench_machine_ceilings.
#include <benchmark/benchmark.h>

#include <cmath>
#include <ictus/dynamics/implicit/implicit_matrix.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <ictus/mechanics/solid/solid.hpp>

namespace {

using namespace ictus;
using geometry::VolumeElement;
using mechanics::SolidMaterial;

/// A cube of n³ cells that flies and vibrates.
dynamics::System cube(int n, VolumeElement element, SolidMaterial material, int threads, double yield_stress = 0) {
  mechanics::SolidProperties properties;
  properties.material = material;
  properties.lame = mechanics::lame(1.0, 0.3);
  if (yield_stress > 0) properties.plasticity = mechanics::Plasticity{mechanics::LinearHardening{yield_stress, 0.01}};
  properties.density = 1;
  properties.velocity = {0.1, 0, 0};
  properties.spin = {0, 0, 0.1};
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(
      std::make_unique<mechanics::Solid>("cube", geometry::box_mesh({1, 1, 1}, {n, n, n}, element), properties, 0));
  return {std::move(bodies), {}, exec::Executor(threads)};
}

void steps(benchmark::State& state, VolumeElement element, SolidMaterial material, int threads,
           double yield_stress = 0) {
  const auto n = static_cast<int>(state.range(0));
  const dynamics::System system = cube(n, element, material, threads, yield_stress);
  dynamics::CdLagrange scheme;
  scheme.prepare(system);
  model::State now = system.initial_state();
  const double h = 0.5 * dynamics::explicit_step_limit(system).step;
  scheme.start(system, h, now);
  for (auto _ : state) benchmark::DoNotOptimize(scheme.step(system, h, now));
  const double elements = std::pow(n, 3) * (element == VolumeElement::tetrahedron ? 6 : 1);
  state.counters["elements"] = elements;
  state.counters["element-steps/s"] = benchmark::Counter(elements, benchmark::Counter::kIsIterationInvariantRate);
}

/// M + βh²K of a neo-Hookean cube, whose parts are timed.
struct Implicit {
  explicit Implicit(int n)
      : system(cube(n, VolumeElement::hexahedron, SolidMaterial::neo_hookean, 1)), q(system.initial_state().q) {
    matrix.prepare(system, system.nodal_bodies(), q);
    assemble();
  }
  void assemble() { matrix.assemble(system, q, {.mass = 1, .stiffness = 1e-2}); }

  dynamics::System system;
  std::vector<double> q;
  dynamics::ImplicitMatrix matrix;
};

void assemble(benchmark::State& state) {
  Implicit implicit(static_cast<int>(state.range(0)));
  for (auto _ : state) implicit.assemble();
  state.counters["unknowns"] = static_cast<double>(implicit.system.dofs());
}

void factor(benchmark::State& state) {
  Implicit implicit(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(implicit.matrix.factor());
  state.counters["unknowns"] = static_cast<double>(implicit.system.dofs());
}

void solve(benchmark::State& state) {
  Implicit implicit(static_cast<int>(state.range(0)));
  benchmark::DoNotOptimize(implicit.matrix.factor());
  std::vector<double> x(implicit.system.dofs(), 1.0);
  for (auto _ : state) implicit.matrix.solve(x, x);
  state.counters["unknowns"] = static_cast<double>(implicit.system.dofs());
}

constexpr auto tetrahedron = VolumeElement::tetrahedron, hexahedron = VolumeElement::hexahedron;
BENCHMARK_CAPTURE(steps, tetrahedra_neo_hookean, tetrahedron, SolidMaterial::neo_hookean, 1)->Arg(12)->Arg(56);
BENCHMARK_CAPTURE(steps, tetrahedra_st_venant_kirchhoff, tetrahedron, SolidMaterial::st_venant_kirchhoff, 1)->Arg(56);
BENCHMARK_CAPTURE(steps, tetrahedra_linear, tetrahedron, SolidMaterial::linear, 1)->Arg(56);
BENCHMARK_CAPTURE(steps, tetrahedra_2_threads, tetrahedron, SolidMaterial::neo_hookean, 2)->Arg(56)->UseRealTime();
BENCHMARK_CAPTURE(steps, hexahedra_neo_hookean, hexahedron, SolidMaterial::neo_hookean, 1)->Arg(12)->Arg(56);
BENCHMARK_CAPTURE(steps, hexahedra_st_venant_kirchhoff, hexahedron, SolidMaterial::st_venant_kirchhoff, 1)->Arg(12);
BENCHMARK_CAPTURE(steps, hexahedra_j2_elastic, hexahedron, SolidMaterial::hencky, 1)->Arg(12)->Arg(56);
BENCHMARK_CAPTURE(steps, hexahedra_j2_flowing, hexahedron, SolidMaterial::hencky, 1, 1e-5)->Arg(12)->Arg(56);
BENCHMARK(assemble)->Arg(16)->Arg(31)->Unit(benchmark::kMillisecond);
BENCHMARK(factor)->Arg(16)->Arg(31)->Unit(benchmark::kMillisecond);
BENCHMARK(solve)->Arg(16)->Arg(31)->Unit(benchmark::kMillisecond);

}  // namespace
