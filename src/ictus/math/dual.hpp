#pragma once

#include <cmath>

namespace ictus::math {

/// v + d ε with ε² = 0: a value and its derivative along one direction. Arithmetic on duals is exact differentiation,
/// so a formula written over a scalar type T gives its derivative to round-off.
struct Dual {
  double v = 0.0;
  double d = 0.0;

  constexpr Dual() = default;
  constexpr Dual(double value, double derivative = 0.0) : v(value), d(derivative) {}

  friend constexpr Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
  friend constexpr Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
  friend constexpr Dual operator-(Dual a) { return {-a.v, -a.d}; }
  friend constexpr Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
  friend constexpr Dual operator/(Dual a, Dual b) {
    const double q = a.v / b.v;
    return {q, (a.d - q * b.d) / b.v};
  }
  constexpr Dual& operator+=(Dual b) { return *this = *this + b; }
  constexpr Dual& operator-=(Dual b) { return *this = *this - b; }
  constexpr Dual& operator*=(Dual b) { return *this = *this * b; }
};

inline Dual sqrt(Dual a) {
  const double root = std::sqrt(a.v);
  return {root, 0.5 * a.d / root};
}
inline Dual sin(Dual a) { return {std::sin(a.v), a.d * std::cos(a.v)}; }
inline Dual cos(Dual a) { return {std::cos(a.v), -a.d * std::sin(a.v)}; }
inline Dual exp(Dual a) { return {std::exp(a.v), a.d * std::exp(a.v)}; }
inline Dual log(Dual a) { return {std::log(a.v), a.d / a.v}; }

}  // namespace ictus::math
