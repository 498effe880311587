#pragma once

#include <cmath>
#include <optional>

namespace ictus::math {

/// Relative error of a history in the l₁ norm, e = Σ|fᵢ − f(tᵢ)| / Σ|f(tᵢ)| over the steps i = 1 … N: (94) of
/// fekak-2017 [eq. convergence-1]. Velocities jump in contact; near a jump that is computed a step early or late the
/// largest difference stays as large as the jump for any step, whereas this norm goes to zero with the step.
class RelativeError {
 public:
  RelativeError() = default;
  /// Goes on from sums taken earlier.
  RelativeError(double difference, double size) : difference_(difference), size_(size) {}

  /// One step: the computed value and the reference at the same time.
  void add(double computed, double reference) {
    difference_ += std::abs(computed - reference);
    size_ += std::abs(reference);
  }

  /// e; none if the reference is zero throughout (or nothing was added). Not finite if a value added was not.
  std::optional<double> value() const {
    if (size_ == 0.0) return std::nullopt;
    return difference_ / size_;
  }

  double difference() const { return difference_; }  ///< Σ|fᵢ − f(tᵢ)|
  double size() const { return size_; }              ///< Σ|f(tᵢ)|

 private:
  double difference_ = 0.0;
  double size_ = 0.0;
};

}  // namespace ictus::math
