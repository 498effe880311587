#pragma once

#include <algorithm>
#include <cstddef>

namespace ictus::exec {

/// Σ term(i) for i in [begin, end) in eight interleaved partial sums: an order that vector units can follow, which a
/// plain loop's order is not, and which depends on nothing but the range.
template <class Term>
double sum_lanes(std::size_t begin, std::size_t end, Term&& term) {
  constexpr std::size_t lanes = 8;
  double partial[lanes] = {};
  std::size_t i = begin;
  for (; i + lanes <= end; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) partial[lane] += term(i + lane);
  }
  double sum = 0;
  for (; i < end; ++i) sum += term(i);
  for (const double value : partial) sum += value;
  return sum;
}

/// Where loops run. The only type of the program that knows about threads.
///
/// A loop over n items is cut into blocks whose length depends on n alone, every block is worked on by one thread, and
/// sums are taken within a block first and over the blocks in their order afterwards. Results therefore have the same
/// bits on any number of threads.
class Executor {
 public:
  /// Items per block: large enough to hide the cost of a parallel region, small enough to stay in a core's cache.
  static constexpr std::size_t block_size = 4096;
  /// Most blocks of a loop; longer loops get longer blocks.
  static constexpr std::size_t max_blocks = 1024;

  explicit Executor(int threads = 1) : threads_(std::max(threads, 1)) {}

  int threads() const { return threads_; }

  /// Calls body(begin, end) for consecutive ranges that cover [0, n).
  template <class Body>
  void for_blocks(std::size_t n, Body&& body) const {
    const std::size_t length = block_length(n);
    const auto blocks = static_cast<std::ptrdiff_t>((n + length - 1) / length);
    if (threads_ == 1 || blocks < 2) {
      for (std::ptrdiff_t b = 0; b < blocks; ++b) run_block(b, length, n, body);
      return;
    }
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::ptrdiff_t b = 0; b < blocks; ++b) run_block(b, length, n, body);
  }

  /// Calls body(i) for i in [0, n), each item a block of its own: for few large items that do not touch one another.
  template <class Body>
  void for_items(std::size_t n, Body&& body) const {
    const auto count = static_cast<std::ptrdiff_t>(n);
    if (threads_ == 1 || count < 2) {
      for (std::ptrdiff_t i = 0; i < count; ++i) body(static_cast<std::size_t>(i));
      return;
    }
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::ptrdiff_t i = 0; i < count; ++i) body(static_cast<std::size_t>(i));
  }

  /// Sum over blocks of body(begin, end) → double, in the order of the blocks.
  template <class Body>
  double sum_blocks(std::size_t n, Body&& body) const {
    double partial[max_blocks];
    const std::size_t length = block_length(n);
    for_blocks(n, [&](std::size_t begin, std::size_t end) { partial[begin / length] = body(begin, end); });
    double sum = 0;
    for (std::size_t b = 0; b * length < n; ++b) sum += partial[b];
    return sum;
  }

  /// Σ term(i) for i in [0, n).
  template <class Term>
  double sum(std::size_t n, Term&& term) const {
    return sum_blocks(n, [&](std::size_t begin, std::size_t end) { return sum_lanes(begin, end, term); });
  }

 private:
  static std::size_t block_length(std::size_t n) { return std::max(block_size, (n + max_blocks - 1) / max_blocks); }

  template <class Body>
  static void run_block(std::ptrdiff_t block, std::size_t length, std::size_t n, Body& body) {
    const std::size_t begin = static_cast<std::size_t>(block) * length;
    body(begin, std::min(begin + length, n));
  }

  int threads_;
};

}  // namespace ictus::exec
