#pragma once

#include <cmath>
#include <ictus/math/so3.hpp>
#include <numbers>
#include <random>

namespace ictus::build {

/// The same numbers on every machine: the distributions of the standard library are not.
class Chance {
 public:
  explicit Chance(int seed) : engine_(static_cast<std::uint64_t>(seed)) {}

  /// Uniform in [0, 1).
  double number() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * number(); }
  /// Normal with mean 0 and deviation 1 (Box and Muller).
  double normal() {
    const double size = std::sqrt(-2 * std::log(1 - number()));
    return size * std::cos(2 * std::numbers::pi * number());
  }
  /// Uniform over all rotations (Shoemake's three numbers).
  math::Rotation<double> turn() {
    const double u = number(), a = 2 * std::numbers::pi * number(), b = 2 * std::numbers::pi * number();
    const double r = std::sqrt(1 - u), s = std::sqrt(u);
    return {s * std::cos(b), {r * std::sin(a), r * std::cos(a), s * std::sin(b)}};
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace ictus::build
