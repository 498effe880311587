#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace ictus::base {

/// Tells once per interval of wall time that it has passed. Made to be asked after every step: the clock is read only
/// every few milliseconds, because reading it costs as much as a small step.
class IntervalTimer {
 public:
  explicit IntervalTimer(double seconds) : interval_(seconds), last_due_(Clock::now()), last_look_(last_due_) {}

  /// True when the interval has passed since the last time this was true (or since construction).
  bool due() {
    if (--asks_left_ > 0) return false;
    const Clock::time_point now = Clock::now();
    adapt(seconds_between(last_look_, now));
    last_look_ = now;
    if (seconds_between(last_due_, now) < interval_) return false;
    last_due_ = now;
    return true;
  }

  /// Begins a new interval of that length now.
  void restart(double seconds) {
    interval_ = seconds;
    last_due_ = last_look_ = Clock::now();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double look_seconds = 5e-3;

  static double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }
  /// The next look at the clock comes after about look_seconds, at the pace of the last asks, and at most twice as late
  /// in asks as this one, so that a slowing run is noticed.
  void adapt(double seconds) {
    const double pace = look_seconds / std::max(seconds, 1e-9);
    stride_ = static_cast<std::int64_t>(static_cast<double>(stride_) * std::clamp(pace, 0.1, 2.0));
    stride_ = std::max<std::int64_t>(stride_, 1);
    asks_left_ = stride_;
  }

  double interval_;
  std::int64_t stride_ = 1;
  std::int64_t asks_left_ = 1;
  Clock::time_point last_due_, last_look_;
};

}  // namespace ictus::base
