#pragma once

#include <cmath>
#include <limits>

namespace ictus::dynamics {

/// x, or 0 where x is nothing but the rounding of the terms, of size `scale`, whose sum it is: a body that sticks must
/// not creep by the bits that cancellation leaves.
inline double without_rounding(double x, double scale) {
  constexpr double units = 64 * std::numeric_limits<double>::epsilon();
  return std::abs(x) <= units * scale ? 0.0 : x;
}

}  // namespace ictus::dynamics
