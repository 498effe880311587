#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <cstddef>

namespace ictus::math {

/// v + d ε with ε² = 0: a value and its derivative along one direction, or along several, where D is a list of numbers.
/// Arithmetic on duals is exact differentiation, so a formula written over a scalar type T gives its derivative to
/// round-off. Duals compare by their values.
template <class D>
struct DualAlong {
  double v = 0.0;
  D d{};

  constexpr DualAlong() = default;
  constexpr DualAlong(double value, D derivative = D{}) : v(value), d(derivative) {}

  friend constexpr DualAlong operator+(const DualAlong& a, const DualAlong& b) { return {a.v + b.v, a.d + b.d}; }
  friend constexpr DualAlong operator-(const DualAlong& a, const DualAlong& b) { return {a.v - b.v, a.d - b.d}; }
  friend constexpr DualAlong operator-(const DualAlong& a) { return {-a.v, -a.d}; }
  friend constexpr DualAlong operator*(const DualAlong& a, const DualAlong& b) {
    return {a.v * b.v, a.d * b.v + a.v * b.d};
  }
  friend constexpr DualAlong operator/(const DualAlong& a, const DualAlong& b) {
    const double q = a.v / b.v;
    return {q, (a.d - q * b.d) / b.v};
  }
  constexpr DualAlong& operator+=(const DualAlong& b) { return *this = *this + b; }
  constexpr DualAlong& operator-=(const DualAlong& b) { return *this = *this - b; }
  constexpr DualAlong& operator*=(const DualAlong& b) { return *this = *this * b; }

  friend constexpr std::partial_ordering operator<=>(const DualAlong& a, const DualAlong& b) { return a.v <=> b.v; }

  friend DualAlong sqrt(const DualAlong& a) {
    const double root = std::sqrt(a.v);
    return {root, 0.5 * a.d / root};
  }
  friend DualAlong sin(const DualAlong& a) { return {std::sin(a.v), a.d * std::cos(a.v)}; }
  friend DualAlong cos(const DualAlong& a) { return {std::cos(a.v), -a.d * std::sin(a.v)}; }
  friend DualAlong exp(const DualAlong& a) { return {std::exp(a.v), a.d * std::exp(a.v)}; }
  friend DualAlong log(const DualAlong& a) { return {std::log(a.v), a.d / a.v}; }
  friend DualAlong pow(const DualAlong& a, double exponent) {
    const double less = std::pow(a.v, exponent - 1);
    return {less * a.v, exponent * less * a.d};
  }
};

using Dual = DualAlong<double>;

/// n numbers that are added and scaled together.
template <std::size_t n>
struct Numbers {
  std::array<double, n> x{};

  friend constexpr Numbers operator+(const Numbers& a, const Numbers& b) {
    Numbers sum;
    for (std::size_t i = 0; i < n; ++i) sum.x[i] = a.x[i] + b.x[i];
    return sum;
  }
  friend constexpr Numbers operator-(const Numbers& a, const Numbers& b) {
    Numbers difference;
    for (std::size_t i = 0; i < n; ++i) difference.x[i] = a.x[i] - b.x[i];
    return difference;
  }
  friend constexpr Numbers operator*(double s, const Numbers& a) {
    Numbers product;
    for (std::size_t i = 0; i < n; ++i) product.x[i] = s * a.x[i];
    return product;
  }
  friend constexpr Numbers operator*(const Numbers& a, double s) { return s * a; }
  friend constexpr Numbers operator/(const Numbers& a, double s) { return (1 / s) * a; }
  friend constexpr Numbers operator-(const Numbers& a) { return -1.0 * a; }
};

}  // namespace ictus::math
