#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ictus/math/whole.hpp>

namespace ictus::observe {

/// Instants k·every, k = 0, 1, …, each served by the first step at or after it. Both t = n h and k·every are rounded:
/// a millionth of a step decides which comes first.
class Schedule {
 public:
  explicit Schedule(double every) : every_(every) {}

  bool due(double time, double h) const { return time + slack * h >= static_cast<double>(next_) * every_; }
  /// Of steps of h from t = step h, the number of the first that is due, from 1.
  std::int64_t steps_until_due(std::int64_t step, double h) const {
    const auto is_due = [&](std::int64_t n) { return due(static_cast<double>(step + n) * h, h); };
    const double rough = static_cast<double>(next_) * every_ / h - static_cast<double>(step);
    auto n = math::whole<std::int64_t>(std::clamp(rough, 1.0, max_instant));
    while (n > 1 && is_due(n - 1)) --n;
    while (!is_due(n) && n < max_steps) ++n;
    return n;
  }
  /// Takes note that `time` has been served.
  void advance(double time, double h) {
    next_ = math::whole<std::int64_t>(std::min(std::floor((time + slack * h) / every_), max_instant)) + 1;
  }

  std::int64_t& next() { return next_; }

 private:
  static constexpr double slack = 1e-6;
  static constexpr std::int64_t max_steps = std::int64_t{1} << 52;
  static constexpr double max_instant = 9007199254740992.0;  // beyond, numbers of instants are no longer exact

  double every_;
  std::int64_t next_ = 0;
};

}  // namespace ictus::observe
