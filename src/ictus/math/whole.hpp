#pragma once

#include <concepts>
#include <limits>

namespace ictus::math {

/// A number that was stored as a double as the whole number that it is; what no T can be becomes the nearest that can,
/// and what is not a number 0, so that a file that lies cannot lead anywhere undefined.
template <std::integral T>
constexpr T whole(double x) {
  if (!(x == x)) return 0;
  if (x <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (x >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(x);
}

}  // namespace ictus::math
