#pragma once

#include <algorithm>
#include <ictus/exec/executor.hpp>
#include <limits>
#include <span>
#include <vector>

namespace ictus::solve {

/// The state with the smallest error at which one was looked: errors of accelerated sweeps go up and down by factors of
/// 2 to 10, and the last is not the best. Keeps its memory.
class BestState {
 public:
  void clear() { error_ = std::numeric_limits<double>::infinity(); }
  double error() const { return error_; }

  void offer(const exec::Executor& executor, std::span<const double> state, double error) {
    if (!(error < error_)) return;
    error_ = error;
    if (kept_.size() < state.size()) kept_.resize(state.size());
    copy(executor, state, kept_);
  }
  /// Puts the best state back where `error`, that of `state`, is larger; returns the error of what is there now.
  double restore(const exec::Executor& executor, std::span<double> state, double error) const {
    if (!(error > error_)) return error;
    copy(executor, std::span(kept_).first(state.size()), state);
    return error_;
  }

 private:
  static void copy(const exec::Executor& executor, std::span<const double> from, std::span<double> to) {
    executor.for_blocks(from.size(), [&](std::size_t begin, std::size_t end) {
      std::copy(from.begin() + begin, from.begin() + end, to.begin() + begin);
    });
  }

  std::vector<double> kept_;
  double error_ = std::numeric_limits<double>::infinity();
};

}  // namespace ictus::solve
