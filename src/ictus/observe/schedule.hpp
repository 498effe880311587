#pragma once

#include <cmath>
#include <cstdint>

namespace ictus::observe {

/// Instants k·every, k = 0, 1, …, each served by the first step at or after it. Both t = n h and k·every are rounded:
/// a millionth of a step decides which comes first.
class Schedule {
 public:
  explicit Schedule(double every) : every_(every) {}

  bool due(double time, double h) const { return time + slack * h >= static_cast<double>(next_) * every_; }
  /// Takes note that `time` has been served.
  void advance(double time, double h) {
    next_ = static_cast<std::int64_t>(std::floor((time + slack * h) / every_)) + 1;
  }

  std::int64_t& next() { return next_; }

 private:
  static constexpr double slack = 1e-6;

  double every_;
  std::int64_t next_ = 0;
};

}  // namespace ictus::observe
