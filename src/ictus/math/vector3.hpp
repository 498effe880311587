#pragma once

#include <cmath>

// Vectors and matrices of R³ over any scalar T with + − · /: double, Pack (several nodes at once), Dual (derivatives).
// Aggregates without invariants, so that a kernel written once serves a thread loop, a SIMD block and a test; Eigen's
// vectors, used elsewhere, do not take packs.

namespace ictus::math {

template <class T>
struct Vector3 {
  T x{}, y{}, z{};

  friend constexpr Vector3 operator+(const Vector3& a, const Vector3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vector3 operator-(const Vector3& a, const Vector3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vector3 operator*(const T& s, const Vector3& a) { return {s * a.x, s * a.y, s * a.z}; }
  constexpr Vector3& operator+=(const Vector3& b) { return *this = *this + b; }
  constexpr Vector3& operator-=(const Vector3& b) { return *this = *this - b; }
  friend constexpr bool operator==(const Vector3&, const Vector3&) = default;
};

template <class T>
constexpr T dot(const Vector3<T>& a, const Vector3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
constexpr T norm_sq(const Vector3<T>& a) {
  return dot(a, a);
}

inline double norm(const Vector3<double>& a) { return std::sqrt(norm_sq(a)); }

inline bool is_finite(const Vector3<double>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

template <class T>
constexpr Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Some unit vector across a unit vector, the same for the same.
inline Vector3<double> across(const Vector3<double>& n) {
  const Vector3<double> other = std::abs(n.x) < 0.7 ? Vector3<double>{1, 0, 0} : Vector3<double>{0, 1, 0};
  const Vector3<double> t = cross(n, other);
  return 1 / norm(t) * t;
}

/// diag(d) a.
template <class T>
constexpr Vector3<T> scale(const Vector3<T>& d, const Vector3<T>& a) {
  return {d.x * a.x, d.y * a.y, d.z * a.z};
}

/// A 3×3 matrix by its columns.
template <class T>
struct Matrix3 {
  Vector3<T> a, b, c;

  friend constexpr Vector3<T> operator*(const Matrix3& m, const Vector3<T>& v) {
    return v.x * m.a + v.y * m.b + v.z * m.c;
  }
  friend constexpr Matrix3 operator+(const Matrix3& m, const Matrix3& n) { return {m.a + n.a, m.b + n.b, m.c + n.c}; }
  friend constexpr Matrix3 operator*(const T& s, const Matrix3& m) { return {s * m.a, s * m.b, s * m.c}; }
  friend constexpr bool operator==(const Matrix3&, const Matrix3&) = default;
};

/// m nᵀ.
template <class T>
constexpr Matrix3<T> times_transposed(const Matrix3<T>& m, const Matrix3<T>& n) {
  return {n.a.x * m.a + n.b.x * m.b + n.c.x * m.c, n.a.y * m.a + n.b.y * m.b + n.c.y * m.c,
          n.a.z * m.a + n.b.z * m.b + n.c.z * m.c};
}

/// mᵀ v.
template <class T>
constexpr Vector3<T> transpose_times(const Matrix3<T>& m, const Vector3<T>& v) {
  return {dot(m.a, v), dot(m.b, v), dot(m.c, v)};
}

/// m⁻¹ v by cofactors; needs det m ≠ 0. Without pivoting, so without branches: for the well-conditioned Jacobians of
/// kernels, not for general systems.
template <class T>
constexpr Vector3<T> solve(const Matrix3<T>& m, const Vector3<T>& v) {
  const Vector3<T> bc = cross(m.b, m.c);
  const T inverse_det = T(1.0) / dot(m.a, bc);
  const Vector3<T> va = cross(v, m.a);
  return inverse_det * Vector3<T>{dot(v, bc), dot(va, m.c) * T(-1.0), dot(va, m.b)};
}

}  // namespace ictus::math
