#pragma once

// Vectors and matrices of R³ over any scalar T with + − · /: double, Pack (several nodes at once), Dual (derivatives).
// Aggregates without invariants, so that a kernel written once serves a thread loop, a SIMD block and a test.

namespace ictus::math {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3 operator*(const T& s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
  constexpr Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  constexpr Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
constexpr T norm_sq(const Vec3<T>& a) {
  return dot(a, a);
}

template <class T>
constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// diag(d) a.
template <class T>
constexpr Vec3<T> scale(const Vec3<T>& d, const Vec3<T>& a) {
  return {d.x * a.x, d.y * a.y, d.z * a.z};
}

/// A 3×3 matrix by its columns.
template <class T>
struct Mat3 {
  Vec3<T> a, b, c;

  friend constexpr Vec3<T> operator*(const Mat3& m, const Vec3<T>& v) { return v.x * m.a + v.y * m.b + v.z * m.c; }
  friend constexpr Mat3 operator+(const Mat3& m, const Mat3& n) { return {m.a + n.a, m.b + n.b, m.c + n.c}; }
  friend constexpr Mat3 operator*(const T& s, const Mat3& m) { return {s * m.a, s * m.b, s * m.c}; }
  friend constexpr bool operator==(const Mat3&, const Mat3&) = default;
};

/// mᵀ v.
template <class T>
constexpr Vec3<T> transpose_times(const Mat3<T>& m, const Vec3<T>& v) {
  return {dot(m.a, v), dot(m.b, v), dot(m.c, v)};
}

/// m⁻¹ v by cofactors; needs det m ≠ 0. Without pivoting, so without branches: for the well-conditioned Jacobians of
/// kernels, not for general systems.
template <class T>
constexpr Vec3<T> solve(const Mat3<T>& m, const Vec3<T>& v) {
  const Vec3<T> bc = cross(m.b, m.c);
  const T inverse_det = T(1.0) / dot(m.a, bc);
  const Vec3<T> va = cross(v, m.a);
  return inverse_det * Vec3<T>{dot(v, bc), dot(va, m.c) * T(-1.0), dot(va, m.b)};
}

}  // namespace ictus::math
