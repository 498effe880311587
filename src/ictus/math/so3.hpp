#pragma once

#include <cmath>

#include <ictus/math/vector3.hpp>

// Rotations of space with the Cayley map. Notation: w ∈ R³ ≅ so(3), ^ the hat map ŵ a = w × a, u = w/2.
// Cayley needs no trigonometric function and no branch at small angles; it leaves out turns by 180° only.

namespace ictus::math {

/// A rotation as a unit quaternion s + v. A turn by the angle φ about the unit axis e is s = cos φ/2, v = e sin φ/2;
/// (s, v) and (−s, −v) are the same rotation. Small turns keep their relative accuracy, which a matrix loses.
template <class T>
struct Rotation {
  T s = T(1.0);
  Vector3<T> v{};

  friend constexpr Rotation operator*(const Rotation& a, const Rotation& b) {
    return {a.s * b.s - dot(a.v, b.v), a.s * b.v + b.s * a.v + cross(a.v, b.v)};
  }
  friend constexpr bool operator==(const Rotation&, const Rotation&) = default;
};

template <class T>
constexpr Rotation<T> inverse(const Rotation<T>& q) {
  return {q.s, -q.v};
}

/// q / |q|: takes away the round-off that products gather in the length.
template <class T>
Rotation<T> normalized(const Rotation<T>& q) {
  using std::sqrt;
  const T scale = T(1.0) / sqrt(q.s * q.s + norm_sq(q.v));
  return {scale * q.s, scale * q.v};
}

/// Λ a.
template <class T>
constexpr Vector3<T> rotate(const Rotation<T>& q, const Vector3<T>& a) {
  const Vector3<T> t = cross(q.v, a) + q.s * a;
  return a + T(2.0) * cross(q.v, t);
}

/// Λ as a matrix: 9 products for each vector turned, fewer than rotate() once there are two of them.
template <class T>
constexpr Matrix3<T> matrix(const Rotation<T>& q) {
  const Vector3<T> d = T(2.0) * q.v;
  const T xx = d.x * q.v.x, yy = d.y * q.v.y, zz = d.z * q.v.z;
  const T xy = d.x * q.v.y, xz = d.x * q.v.z, yz = d.y * q.v.z;
  const Vector3<T> sd = q.s * d;
  const T one(1.0);
  return {{one - (yy + zz), xy + sd.z, xz - sd.y},
          {xy - sd.z, one - (xx + zz), yz + sd.x},
          {xz + sd.y, yz - sd.x, one - (xx + yy)}};
}

/// cay w = (I − ŵ/2)⁻¹ (I + ŵ/2): the turn by φ about w with tan φ/2 = |w|/2. [eq. lie-beam-1]
template <class T>
Rotation<T> cayley(const Vector3<T>& w) {
  return normalized(Rotation<T>{T(1.0), T(0.5) * w});
}

/// The w with cay w = q; needs a turn other than 180°. [eq. lie-beam-2]
template <class T>
constexpr Vector3<T> cayley_inverse(const Rotation<T>& q) {
  return (T(2.0) / q.s) * q.v;
}

/// The vector φe of the turn by φ about e, φ up to 180°.
inline Vector3<double> rotation_vector(const Rotation<double>& q) {
  const double sine = std::sqrt(norm_sq(q.v));
  if (sine == 0) return {};
  const double sign = q.s < 0 ? -1 : 1;
  return (2 * std::atan2(sine, sign * q.s) * sign / sine) * q.v;
}

/// (I − û)⁻¹ a = (a + u × a + u (u·a)) / (1 + |u|²).
template <class T>
constexpr Vector3<T> solve_one_minus_hat(const Vector3<T>& u, const Vector3<T>& a) {
  return (T(1.0) / (T(1.0) + norm_sq(u))) * (a + cross(u, a) + dot(u, a) * u);
}

/// dcay_w y, with d/dε cay(w + ε y) = (dcay_w y)^ cay w: right-trivialised. [eq. lie-beam-3]
template <class T>
constexpr Vector3<T> dcayley(const Vector3<T>& w, const Vector3<T>& y) {
  const Vector3<T> u = T(0.5) * w;
  return (T(1.0) / (T(1.0) + norm_sq(u))) * (y + cross(u, y));
}

/// dcay⁻¹_w y = (I − ŵ/2 + w wᵀ/4) y. [eq. lie-beam-4]
template <class T>
constexpr Vector3<T> dcayley_inverse(const Vector3<T>& w, const Vector3<T>& y) {
  const Vector3<T> u = T(0.5) * w;
  return y - cross(u, y) + dot(u, y) * u;
}

/// (dcay⁻¹_w)ᵀ m: the dual of dcay⁻¹ for the pairing m · y.
template <class T>
constexpr Vector3<T> dcayley_inverse_dual(const Vector3<T>& w, const Vector3<T>& m) {
  return dcayley_inverse(-w, m);
}

/// Ad_Λ y = Λ y.
template <class T>
constexpr Vector3<T> adjoint(const Rotation<T>& q, const Vector3<T>& y) {
  return rotate(q, y);
}

/// Ad*_Λ m = Λᵀ m, the dual of Ad_Λ.
template <class T>
constexpr Vector3<T> coadjoint(const Rotation<T>& q, const Vector3<T>& m) {
  return rotate(inverse(q), m);
}

/// Ad*_{Λ⁻¹} m = Λ m, the inverse of coadjoint(Λ, ·).
template <class T>
constexpr Vector3<T> coadjoint_inverse(const Rotation<T>& q, const Vector3<T>& m) {
  return rotate(q, m);
}

}  // namespace ictus::math
