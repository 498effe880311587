#pragma once

#include <ictus/math/pack_functions.hpp>
#include <ictus/math/symmetric3.hpp>

// Eigenvalues and eigenvectors of symmetric 3×3 matrices over any scalar T, and what logarithms need of them.

namespace ictus::math {

/// Values and, as columns, orthonormal vectors.
template <class T>
struct Eigen3 {
  Vector3<T> values;
  Matrix3<T> vectors;
};

/// v m vᵀ with the columns of v: from its own axes.
template <class T>
constexpr Symmetric3<T> from_axes(const Matrix3<T>& v, const Symmetric3<T>& m) {
  return congruence(v, m);
}
/// vᵀ m v: to them.
template <class T>
constexpr Symmetric3<T> to_axes(const Matrix3<T>& v, const Symmetric3<T>& m) {
  return pulled_back(v, m);
}

namespace eigen3 {

/// One rotation of Jacobi's in the plane (p, q), r the third direction, that makes a_pq zero.
template <class T>
[[gnu::always_inline]] inline void rotate(T& pp, T& qq, T& pq, T& pr, T& qr, Vector3<T>& p, Vector3<T>& q) {
  const T zero(0.0), one(1.0), difference = qq - pp, size = sqrt(difference * difference + T(4.0) * pq * pq);
  const auto is_back = is_greater(zero, difference);
  const T sum = select(is_back, difference - size, difference + size);
  const auto is_level = is_greater(size, zero);
  const T t = select(is_level, T(2.0) * pq / select(is_level, sum, one), zero);
  const T c = one / sqrt(one + t * t), s = t * c;
  pp = pp - t * pq;
  qq = qq + t * pq;
  pq = zero;
  const T r = c * pr - s * qr;
  qr = s * pr + c * qr;
  pr = r;
  const Vector3<T> turned = c * p + (-s) * q;
  q = s * p + c * q;
  p = turned;
}

}  // namespace eigen3

/// By Jacobi's rotations, as many sweeps in all lanes as the worst needs.
template <class T>
Eigen3<T> eigen(Symmetric3<T> a) {
  const T zero(0.0), one(1.0);
  Matrix3<T> v{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
  for (int sweep = 0; sweep < 12; ++sweep) {
    const T off = a.xy * a.xy + a.yz * a.yz + a.zx * a.zx, size = a.xx * a.xx + a.yy * a.yy + a.zz * a.zz;
    if (!is_any(is_greater(off, T(1e-34) * size))) break;
    eigen3::rotate(a.xx, a.yy, a.xy, a.zx, a.yz, v.a, v.b);
    eigen3::rotate(a.yy, a.zz, a.yz, a.xy, a.zx, v.b, v.c);
    eigen3::rotate(a.xx, a.zz, a.zx, a.xy, a.yz, v.a, v.c);
  }
  return {{a.xx, a.yy, a.zz}, v};
}

/// ln of what has these eigenvalues.
template <class T>
Symmetric3<T> log_of(const Eigen3<T>& c) {
  const T zero(0.0);
  return from_axes(c.vectors, {log(c.values.x), log(c.values.y), log(c.values.z), zero, zero, zero});
}

/// (ln a − ln b)/(a − b), 1/a where they are equal.
template <class T>
T log_slope(const T& a, const T& b) {
  const T z = (a - b) / (a + b), square = z * z, one(1.0);
  const auto is_near = is_greater(T(4e-3), square);
  // artanh(z)/z
  T series(1.0 / 15);
  for (int n = 13; n >= 1; n -= 2) series = series * square + T(1.0 / n);
  const T far = select(is_near, T(0.5), z);
  return T(2.0) / (a + b) * select(is_near, series, T(0.5) * log((one + far) / (one - far)) / far);
}

/// What is conjugate to ½ c̊ where t is conjugate to ½ (ln c)°: t by the divided differences of the logarithm in the
/// axes of c.
template <class T>
Symmetric3<T> conjugate_to_square(const Eigen3<T>& c, const Symmetric3<T>& t) {
  const Symmetric3<T> own = to_axes(c.vectors, t);
  const auto& [x, y, z] = c.values;
  return from_axes(c.vectors, {own.xx / x, own.yy / y, own.zz / z, own.xy * log_slope(x, y), own.yz * log_slope(y, z),
                               own.zx * log_slope(z, x)});
}

}  // namespace ictus::math
