// What one core of this machine can do at most: memory traffic at each level of the hierarchy and floating-point
// rate. Every other benchmark is read beside these numbers.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

/// a ← b + s c over three arrays of `bytes` altogether. Traffic counts two reads and one write per entry, not the
/// read of a that a cache makes before it writes.
void triad(benchmark::State& state) {
  const auto entries = static_cast<std::size_t>(state.range(0)) / (3 * sizeof(double));
  std::vector<double> a(entries, 0.0), b(entries, 1.0), c(entries, 2.0);
  const double s = 0.5;
  for (auto _ : state) {
    double* const out = a.data();
    const double* const left = b.data();
    const double* const right = c.data();
#pragma GCC ivdep
    for (std::size_t i = 0; i < entries; ++i) out[i] = left[i] + s * right[i];
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * 3 * entries * sizeof(double)));
}
BENCHMARK(triad)->Name("triad/L2")->Arg(256 << 10);
BENCHMARK(triad)->Name("triad/L3")->Arg(6 << 20);
BENCHMARK(triad)->Name("triad/memory")->Arg(768 << 20);

/// x ← m x + k in as many independent vectors as hide the latency of a fused multiply-add; two flops per entry.
void fused_multiply_add(benchmark::State& state) {
#ifdef __AVX512F__
  constexpr std::size_t width = 8;
#else
  constexpr std::size_t width = 4;
#endif
  using Vector [[gnu::vector_size(width * sizeof(double))]] = double;
  constexpr std::size_t chains = 12;  // latency 4 cycles, two units: 8 suffice; 16 registers hold 12 and the constants
  constexpr std::size_t repeats = 1000;
  Vector m = Vector{} + 0.5;
  Vector k = Vector{} + 1.0;
  benchmark::DoNotOptimize(m);
  benchmark::DoNotOptimize(k);
  std::array<Vector, chains> x{};
  for (auto _ : state) {
    for (std::size_t r = 0; r < repeats; ++r) {
#pragma GCC unroll 12
      for (std::size_t i = 0; i < chains; ++i) x[i] = m * x[i] + k;
    }
    benchmark::DoNotOptimize(x);
  }
  state.counters["flops"] = benchmark::Counter(static_cast<double>(state.iterations()) * repeats * chains * width * 2,
                                               benchmark::Counter::kIsRate);
}
BENCHMARK(fused_multiply_add);

}  // namespace
