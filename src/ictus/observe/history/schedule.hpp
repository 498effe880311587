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
  /// Takes note that `time` has been served.
  void advance(double time, double h) {
    next_ = math::whole<std::int64_t>(std::min(std::floor((time + slack * h) / every_), max_instant)) + 1;
  }

  std::int64_t& next() { return next_; }

 private:
  static constexpr double slack = 1e-6;
  static constexpr double max_instant = 9007199254740992.0;  // beyond, numbers of instants are no longer exact

  double every_;
  std::int64_t next_ = 0;
};

}  // namespace ictus::observe
