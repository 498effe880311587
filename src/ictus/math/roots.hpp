#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace ictus::math {

/// The real roots of a x² + b x + c, smaller first; none where there is no real one. Without cancellation, and with
/// a = 0 allowed, when both are the one root (b = 0 too: none).
struct RealRoots {
  double first;
  double second;
};

inline std::optional<RealRoots> real_roots(double a, double b, double c) {
  const double discriminant = b * b - 4 * a * c;
  if (!(discriminant >= 0)) return std::nullopt;
  const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  if (a == 0) return q == 0 ? std::nullopt : std::optional(RealRoots{c / q, c / q});
  if (q == 0) return RealRoots{0, 0};
  const double x1 = q / a, x2 = c / q;
  return RealRoots{std::min(x1, x2), std::max(x1, x2)};
}

/// The roots of a polynomial that has real ones; NaN where its numbers are not finite, or overflow.
inline RealRoots certain_roots(double a, double b, double c) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return real_roots(a, b, c).value_or(RealRoots{nan, nan});
}

/// The smallest root > 0, or none.
inline std::optional<double> smallest_positive_root(double a, double b, double c) {
  const std::optional<RealRoots> roots = real_roots(a, b, c);
  if (!roots) return std::nullopt;
  if (roots->first > 0) return roots->first;
  if (roots->second > 0) return roots->second;
  return std::nullopt;
}

}  // namespace ictus::math
