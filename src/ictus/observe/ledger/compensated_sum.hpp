#pragma once

#include <cmath>

namespace ictus::observe {

/// A sum that carries the rounding error of its additions along (Neumaier), so that the account of millions of steps
/// is not itself a source of residual.
struct CompensatedSum {
  double sum = 0;
  double correction = 0;

  void add(double term) {
    const double next = sum + term;
    correction += std::abs(sum) >= std::abs(term) ? (sum - next) + term : (term - next) + sum;
    sum = next;
  }
  double value() const { return sum + correction; }
};

}  // namespace ictus::observe
