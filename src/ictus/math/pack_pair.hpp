#pragma once

#include <ictus/math/pack_functions.hpp>

namespace ictus::math {

/// Two packs worked on side by side, so that what one waits for (roots, quotients) hides behind the other.
struct PackPair {
  struct Mask {
    Pack::Mask a, b;

    friend Mask operator&(const Mask& x, const Mask& y) { return {x.a & y.a, x.b & y.b}; }
    friend Mask operator|(const Mask& x, const Mask& y) { return {x.a | y.a, x.b | y.b}; }
  };

  Pack a, b;

  PackPair() = default;
  PackPair(double both) : a(both), b(both) {}
  PackPair(Pack both) : a(both), b(both) {}
  PackPair(Pack first, Pack second) : a(first), b(second) {}

  friend PackPair operator+(const PackPair& x, const PackPair& y) { return {x.a + y.a, x.b + y.b}; }
  friend PackPair operator-(const PackPair& x, const PackPair& y) { return {x.a - y.a, x.b - y.b}; }
  friend PackPair operator*(const PackPair& x, const PackPair& y) { return {x.a * y.a, x.b * y.b}; }
  friend PackPair operator/(const PackPair& x, const PackPair& y) { return {x.a / y.a, x.b / y.b}; }
  friend PackPair operator-(const PackPair& x) { return {-x.a, -x.b}; }
  PackPair& operator+=(const PackPair& y) { return *this = *this + y; }
  PackPair& operator-=(const PackPair& y) { return *this = *this - y; }
  PackPair& operator*=(const PackPair& y) { return *this = *this * y; }
};

inline PackPair select(const PackPair::Mask& mask, const PackPair& x, const PackPair& y) {
  return {select(mask.a, x.a, y.a), select(mask.b, x.b, y.b)};
}
inline PackPair sqrt(const PackPair& x) { return {sqrt(x.a), sqrt(x.b)}; }
inline PackPair log(const PackPair& x) { return {log(x.a), log(x.b)}; }
inline PackPair exp(const PackPair& x) { return {exp(x.a), exp(x.b)}; }
inline PackPair::Mask is_greater(const PackPair& x, const PackPair& y) {
  return {is_greater(x.a, y.a), is_greater(x.b, y.b)};
}
inline bool is_any(const PackPair::Mask& mask) { return is_any(mask.a | mask.b); }
/// The largest lane; not a number where one is not.
inline double largest_lane(const PackPair& x) {
  return largest_lane(Pack((x.a.v > x.b.v || x.a.v != x.a.v) ? x.a.v : x.b.v));
}

}  // namespace ictus::math
