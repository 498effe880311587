#pragma once

#include <array>
#include <cmath>
#include <ictus/math/pack.hpp>
#include <ictus/math/symmetric3.hpp>

// Hencky's strain e = ½ ln b without eigenvectors, over any scalar T: double, or Pack [eq. plasticity-3].

namespace ictus::mechanics::hencky {

using math::Symmetric3;

/// Polynomials a Y² + b Y + c I of one Y, multiplied by Y through Y³ = I₁ Y² − I₂ Y + I₃ I.
template <class T>
struct Powers {
  T first, second, third;  ///< I₁, I₂, I₃ of Y
  T a, b, c;

  void raise() {
    const T a0 = a;
    a = a0 * first + b;
    b = c - a0 * second;
    c = a0 * third;
  }
};

/// Terms of Σ Y^{2k+1}/(2k+1) whose rest is less than a double tells, of |Y|² ≤ y; zero where too many are needed.
inline int log_terms(double y) {
  if (y < 1e-5) return 3;
  if (y < 1e-3) return 5;
  if (y < 1e-2) return 8;
  if (!(y < 0.7)) return 0;
  return static_cast<int>(-37 / std::log(y)) + 1;
}

/// dev e by the series ½ ln b = ½ ln s + Y + Y³/3 + Y⁵/5 + …, Y = (b − s I)(b + s I)⁻¹, s = ⅓ tr b. The elastic shape
/// of metals differs little from a sphere, so that |Y| is small whatever F. `other` is a number by which something else
/// is to be divided, and becomes its inverse: divisions are dear. Answers whether the series reaches.
template <class T>
[[gnu::always_inline]] inline bool deviator(const Symmetric3<T>& b, Symmetric3<T>& strain, T& other) {
  const T s = T(1.0 / 3) * trace(b), one(1.0);
  const Symmetric3<T> above{b.xx + s, b.yy + s, b.zz + s, b.xy, b.yz, b.zx};
  const Symmetric3<T> adjugate = math::adjugate(above);
  const T det = above.xx * adjugate.xx + above.xy * adjugate.xy + above.zx * adjugate.zx;
  const T inverse_both = one / (det * other), factor = (s + s) * (inverse_both * other);
  other = inverse_both * det;
  const Symmetric3<T> y{one - factor * adjugate.xx, one - factor * adjugate.yy, one - factor * adjugate.zz,
                        -(factor * adjugate.xy),    -(factor * adjugate.yz),    -(factor * adjugate.zx)};
  const Symmetric3<T> square = commuting_product(y, y);
  const T size = trace(square), first = trace(y);
  const int terms = log_terms(math::largest_lane(size));
  if (terms == 0) return false;
  Powers<T> power{first, T(0.5) * (first * first - size), determinant(y), T(0.0), one, T(0.0)};
  T a(0.0), linear(1.0);
  for (int k = 1; k < terms; ++k) {
    power.raise();
    power.raise();
    const T share(1.0 / (2 * k + 1));
    a = a + share * power.a;
    linear = linear + share * power.b;
  }
  strain = math::deviator(a * square + linear * y);
  return true;
}

/// 1/k!
inline constexpr auto inverse_factorials = [] {
  std::array<double, 24> value{1};
  for (std::size_t k = 1; k < value.size(); ++k) value[k] = value[k - 1] / static_cast<double>(k);
  return value;
}();

/// exp(Z) − I of a Z without trace, |Z| ≤ 2.
template <class T>
[[gnu::always_inline]] inline Symmetric3<T> exponential_less_one(const Symmetric3<T>& z) {
  const Symmetric3<T> square = commuting_product(z, z);
  const T size = trace(square), second = T(-0.5) * size, third = determinant(z);
  const double largest = math::largest_lane(size);
  const int terms = largest < 1e-6 ? 6 : largest < 1e-4 ? 8 : largest < 1e-2 ? 11 : 24;
  // Zᵏ = a Z² + b Z + c I, Z³ = −I₂ Z + I₃ I.
  T pa(1.0), pb(0.0), pc(0.0), a(0.5), b(1.0), c(0.0);
  for (int k = 3; k < terms; ++k) {
    const T before = pa;
    pa = pb;
    pb = pc - before * second;
    pc = before * third;
    const T share(inverse_factorials[static_cast<std::size_t>(k)]);
    a = a + share * pa;
    b = b + share * pb;
    c = c + share * pc;
  }
  const Symmetric3<T> sum = a * square + b * z;
  return {sum.xx + c, sum.yy + c, sum.zz + c, sum.xy, sum.yz, sum.zx};
}

}  // namespace ictus::mechanics::hencky
