// Frictional contact of a pyramid of spheres, one step from rest: time to an error, sweeps, and bytes for each contact.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <ictus/solve/cone/cone_solver.hpp>

#include "support/sphere_pyramid.hpp"

namespace ictus::solve {
namespace {

/// Bytes that the heap holds now.
double heap_bytes() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

/// `layers` of spheres under the tip of the pyramid, solved from nothing to the error 10^-digits.
void pyramid(benchmark::State& state, ConeMethod method, int threads) {
  const SpherePyramid pyramid(static_cast<int>(state.range(0)));
  const double tolerance = std::pow(10.0, -static_cast<double>(state.range(1)));
  const double before = heap_bytes();
  RigidContacts problem;
  ConeSolver solver({.method = method, .tolerance = tolerance}, exec::Executor(threads));
  std::vector<double> reactions(3 * pyramid.contacts.size());
  std::vector<RigidVelocity> velocities(pyramid.inertias.size());
  ConeReport report;
  for (auto _ : state) {
    std::fill(reactions.begin(), reactions.end(), 0.0);
    problem.assign(pyramid.inertias, pyramid.velocities, pyramid.contacts);
    report = solver.solve(problem, reactions, velocities);
  }
  if (!report.solved()) state.SkipWithError("not solved");
  const auto contacts = static_cast<double>(pyramid.contacts.size());
  state.counters["contacts"] = contacts;
  state.counters["sweeps"] = report.iterations;
  state.counters["bytes/contact"] = (heap_bytes() - before) / contacts;
  state.counters["s/contact-sweep"] = benchmark::Counter(
      contacts * report.iterations, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// 17296 contacts, and 10⁶.
BENCHMARK_CAPTURE(pyramid, automatic, ConeMethod::automatic, 1)->Args({23, 6})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pyramid, sorp, ConeMethod::sorp, 1)->Args({23, 6})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pyramid, automatic_2_threads, ConeMethod::automatic, 2)
    ->Args({23, 6})
    ->Args({91, 4})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ictus::solve
