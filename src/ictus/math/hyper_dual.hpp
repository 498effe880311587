#pragma once

#include <cmath>

namespace ictus::math {

/// v + a ε₁ + b ε₂ + ab ε₁ε₂ with ε₁² = ε₂² = 0: a value, its derivatives along two directions, and the mixed second
/// derivative, all to round-off. A formula written over a scalar type gives its Hessian, entry by entry.
struct HyperDual {
  double v = 0.0;
  double a = 0.0;
  double b = 0.0;
  double ab = 0.0;

  constexpr HyperDual() = default;
  constexpr HyperDual(double value, double first = 0.0, double second = 0.0, double mixed = 0.0)
      : v(value), a(first), b(second), ab(mixed) {}

  friend constexpr HyperDual operator+(HyperDual x, HyperDual y) {
    return {x.v + y.v, x.a + y.a, x.b + y.b, x.ab + y.ab};
  }
  friend constexpr HyperDual operator-(HyperDual x, HyperDual y) {
    return {x.v - y.v, x.a - y.a, x.b - y.b, x.ab - y.ab};
  }
  friend constexpr HyperDual operator-(HyperDual x) { return {-x.v, -x.a, -x.b, -x.ab}; }
  friend constexpr HyperDual operator*(HyperDual x, HyperDual y) {
    return {x.v * y.v, x.a * y.v + x.v * y.a, x.b * y.v + x.v * y.b, x.ab * y.v + x.a * y.b + x.b * y.a + x.v * y.ab};
  }
  friend constexpr HyperDual operator/(HyperDual x, HyperDual y) {
    const double i = 1.0 / y.v;
    return x * y.chain(i, -i * i, 2.0 * i * i * i);
  }
  constexpr HyperDual& operator+=(HyperDual y) { return *this = *this + y; }
  constexpr HyperDual& operator-=(HyperDual y) { return *this = *this - y; }
  constexpr HyperDual& operator*=(HyperDual y) { return *this = *this * y; }

  /// f(x) from f, f′ and f″ at v.
  constexpr HyperDual chain(double f, double df, double ddf) const {
    return {f, df * a, df * b, df * ab + ddf * a * b};
  }
};

inline HyperDual sqrt(HyperDual x) {
  const double root = std::sqrt(x.v);
  return x.chain(root, 0.5 / root, -0.25 / (root * x.v));
}
inline HyperDual sin(HyperDual x) {
  const double s = std::sin(x.v);
  return x.chain(s, std::cos(x.v), -s);
}
inline HyperDual cos(HyperDual x) {
  const double c = std::cos(x.v);
  return x.chain(c, -std::sin(x.v), -c);
}
inline HyperDual exp(HyperDual x) {
  const double e = std::exp(x.v);
  return x.chain(e, e, e);
}
inline HyperDual log(HyperDual x) { return x.chain(std::log(x.v), 1.0 / x.v, -1.0 / (x.v * x.v)); }
inline HyperDual pow(HyperDual x, double exponent) {
  const double twice_less = std::pow(x.v, exponent - 2), less = twice_less * x.v;
  return x.chain(less * x.v, exponent * less, exponent * (exponent - 1) * twice_less);
}

}  // namespace ictus::math
