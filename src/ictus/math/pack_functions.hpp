#pragma once

#include <bit>
#include <cstdint>
#include <ictus/math/pack.hpp>

// Exponential and logarithm of packs, by the same formulas in every lane on every machine.

namespace ictus::math {

/// ln a of normal positive numbers, to two units in the last place: a = 2ᵏ m with m in [√½, √2), and
/// ln m = 2 artanh z, z = (m − 1)/(m + 1), |z| < 0.172. NaN of zero, negative numbers and NaN.
inline Pack log(Pack a) {
  const Pack::Mask bits = std::bit_cast<Pack::Mask>(a.v);
  constexpr long root = 0x3fe6a09e667f3bcd;  // √½
  const Pack::Mask exponent = (bits - root) >> 52;
  const Pack m(std::bit_cast<Pack::Vector>(bits - (exponent << 52)));
  const Pack k(__builtin_convertvector(exponent, Pack::Vector));
  const Pack z = (m - Pack(1.0)) / (m + Pack(1.0)), s = z * z;
  Pack series(2.0 / 23);
  for (int n = 21; n >= 3; n -= 2) series = series * s + Pack(2.0 / n);
  const Pack value = k * Pack(0.6931471805599453) + (z * s * series + Pack(2.0) * z);
  return select(a.v > 0.0, value, Pack(__builtin_nan("")));
}

/// eᵃ to some units in the last place: a = k ln 2 + r, |r| ≤ ½ ln 2. Zero below −708; of at most 708.
inline Pack exp(Pack a) {
  const Pack bounded = select(a.v > -708.0, a, Pack(-708.0));
  constexpr double shift = 6755399441055744.0;  // 1.5·2⁵²: adding it rounds to a whole number
  const Pack k = (bounded * Pack(1.4426950408889634) + Pack(shift)) - Pack(shift);
  const Pack r = (bounded - k * Pack(0.693147180369123816490)) - k * Pack(1.90821492927058770002e-10);
  Pack series(1.0 / 6227020800.0);
  constexpr double inverse[] = {
      1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
      1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5,          1.0,         1.0};
  for (const double term : inverse) series = series * r + Pack(term);
  const Pack::Mask power = (__builtin_convertvector(k.v, Pack::Mask) + 1023) << 52;
  return select(a.v > -708.0, series * Pack(std::bit_cast<Pack::Vector>(power)), Pack(0.0));
}

inline double log(double a) { return std::log(a); }
inline double exp(double a) { return std::exp(a); }

}  // namespace ictus::math
