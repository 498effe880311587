#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace ictus::mechanics {

/// The larger of `known` and the largest eigenvalue of a symmetric matrix, from above to ten digits, by bisection:
/// x I − A has positive pivots exactly above it. Quick where `known` is the larger.
template <std::size_t n>
double largest_eigenvalue(const std::array<std::array<double, n>, n>& a, double known) {
  const auto is_above = [&a](double x) {
    double l[n][n], d[n];
    for (std::size_t j = 0; j < n; ++j) {
      d[j] = x - a[j][j];
      for (std::size_t k = 0; k < j; ++k) d[j] -= l[j][k] * l[j][k] * d[k];
      if (!(d[j] > 0)) return false;
      for (std::size_t i = j + 1; i < n; ++i) {
        double sum = -a[i][j];
        for (std::size_t k = 0; k < j; ++k) sum -= l[i][k] * l[j][k] * d[k];
        l[i][j] = sum / d[j];
      }
    }
    return true;
  };
  if (is_above(known * (1 + 1e-9))) return known;
  double low = known, high = 0;
  for (const auto& row : a) {
    double sum = 0;
    for (const double value : row) sum += std::abs(value);
    high = std::max(high, sum);
  }
  while (high - low > 1e-10 * high) {
    const double middle = 0.5 * (low + high);
    (is_above(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace ictus::mechanics
