#pragma once

#include <ictus/math/vector3.hpp>

namespace ictus::math {

/// A symmetric 3×3 matrix over any scalar T, see vector3.hpp.
template <class T>
struct Symmetric3 {
  T xx{}, yy{}, zz{}, xy{}, yz{}, zx{};

  friend constexpr Symmetric3 operator+(const Symmetric3& a, const Symmetric3& b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.yz + b.yz, a.zx + b.zx};
  }
  friend constexpr Symmetric3 operator*(const T& s, const Symmetric3& a) {
    return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.yz, s * a.zx};
  }
  friend constexpr Vector3<T> operator*(const Symmetric3& a, const Vector3<T>& v) {
    return {a.xx * v.x + a.xy * v.y + a.zx * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
            a.zx * v.x + a.yz * v.y + a.zz * v.z};
  }
};

template <class T>
constexpr T trace(const Symmetric3<T>& a) {
  return a.xx + a.yy + a.zz;
}

template <class T>
constexpr Symmetric3<T> deviator(const Symmetric3<T>& a) {
  const T mean = T(1.0 / 3) * trace(a);
  return {a.xx - mean, a.yy - mean, a.zz - mean, a.xy, a.yz, a.zx};
}

/// a:b.
template <class T>
constexpr T contract(const Symmetric3<T>& a, const Symmetric3<T>& b) {
  return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + T(2.0) * (a.xy * b.xy + a.yz * b.yz + a.zx * b.zx);
}

/// The inverse times the determinant.
template <class T>
constexpr Symmetric3<T> adjugate(const Symmetric3<T>& a) {
  return {a.yy * a.zz - a.yz * a.yz, a.zz * a.xx - a.zx * a.zx, a.xx * a.yy - a.xy * a.xy,
          a.yz * a.zx - a.xy * a.zz, a.zx * a.xy - a.yz * a.xx, a.xy * a.yz - a.zx * a.yy};
}

template <class T>
constexpr T determinant(const Symmetric3<T>& a) {
  return a.xx * (a.yy * a.zz - a.yz * a.yz) + a.xy * (a.yz * a.zx - a.xy * a.zz) + a.zx * (a.xy * a.yz - a.zx * a.yy);
}

/// a b of two that commute, so that the product is symmetric too.
template <class T>
constexpr Symmetric3<T> commuting_product(const Symmetric3<T>& a, const Symmetric3<T>& b) {
  return {a.xx * b.xx + a.xy * b.xy + a.zx * b.zx, a.xy * b.xy + a.yy * b.yy + a.yz * b.yz,
          a.zx * b.zx + a.yz * b.yz + a.zz * b.zz, a.xx * b.xy + a.xy * b.yy + a.zx * b.yz,
          a.xy * b.zx + a.yy * b.yz + a.yz * b.zz, a.zx * b.xx + a.yz * b.xy + a.zz * b.zx};
}

/// m a mᵀ.
template <class T>
constexpr Symmetric3<T> congruence(const Matrix3<T>& m, const Symmetric3<T>& a) {
  const Vector3<T> p = a.xx * m.a + a.xy * m.b + a.zx * m.c, q = a.xy * m.a + a.yy * m.b + a.yz * m.c,
                   r = a.zx * m.a + a.yz * m.b + a.zz * m.c;  // columns of m a
  return {p.x * m.a.x + q.x * m.b.x + r.x * m.c.x, p.y * m.a.y + q.y * m.b.y + r.y * m.c.y,
          p.z * m.a.z + q.z * m.b.z + r.z * m.c.z, p.x * m.a.y + q.x * m.b.y + r.x * m.c.y,
          p.y * m.a.z + q.y * m.b.z + r.y * m.c.z, p.z * m.a.x + q.z * m.b.x + r.z * m.c.x};
}

/// mᵀ a m.
template <class T>
constexpr Symmetric3<T> pulled_back(const Matrix3<T>& m, const Symmetric3<T>& a) {
  const Vector3<T> x = a * m.a, y = a * m.b, z = a * m.c;
  return {dot(m.a, x), dot(m.b, y), dot(m.c, z), dot(m.a, y), dot(m.b, z), dot(m.c, x)};
}

}  // namespace ictus::math
