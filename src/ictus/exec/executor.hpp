#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

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

class Team;
class Device;
class ElementSteps;

/// Cores that the system gives to this process.
int available_cores();

/// Where loops run. The only type of the program that knows about threads. Copies share their threads.
///
/// A loop over n items is cut into blocks whose length depends on n alone, every block is worked on by one thread, and
/// sums are taken within a block first and over the blocks in their order afterwards. Results therefore have the same
/// bits on any number of threads.
class Executor {
 public:
  /// Items per block: large enough to hide the cost of sharing, small enough to stay in a core's cache.
  static constexpr std::size_t block_size = 4096;
  /// Most blocks of a loop; longer loops get longer blocks.
  static constexpr std::size_t max_blocks = 1024;

  /// At most as many threads as there are available cores: more would only take turns.
  explicit Executor(int threads = 1);
  /// The same threads, and a device for what can run there.
  Executor on(std::shared_ptr<const Device> device) const {
    Executor placed = *this;
    placed.device_ = std::move(device);
    return placed;
  }
  /// Null: there is none.
  const std::shared_ptr<const Device>& device() const { return device_; }

  /// Calls body(begin, end) for consecutive ranges that cover [0, n).
  template <class Body>
  void for_blocks(std::size_t n, Body&& body) const {
    for_ranges(n, block_length(n), body);
  }

  /// Calls body(i) for i in [0, n), for few large items that do not touch one another.
  template <class Body>
  void for_items(std::size_t n, Body&& body) const {
    for_ranges(n, (n + max_blocks - 1) / max_blocks, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) body(i);
    });
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

  bool is_alone() const { return !team_; }

 private:
  static std::size_t block_length(std::size_t n) { return std::max(block_size, (n + max_blocks - 1) / max_blocks); }

  template <class Body>
  void for_ranges(std::size_t n, std::size_t length, Body&& body) const {
    const auto range = [&](std::size_t number) { body(number * length, std::min((number + 1) * length, n)); };
    const std::size_t count = length == 0 ? 0 : (n + length - 1) / length;
    if (count == 1) {
      range(0);
    } else if (count > 1) {
      share(
          count, [](const void* context, std::size_t number) { (*static_cast<decltype(&range)>(context))(number); },
          &range);
    }
  }
  /// Calls work(context, k) for k in [0, count) on the threads of the team, or on this one where there is none: the
  /// same compiled copy on any number of threads, since in two the compiler may round the same expressions differently.
  void share(std::size_t count, void (*work)(const void*, std::size_t), const void* context) const;

  std::shared_ptr<Team> team_;  // none: the calling thread
  std::shared_ptr<const Device> device_;
};

}  // namespace ictus::exec
