#pragma once

#include <ictus/math/so3.hpp>

// Rigid motions of space with the Cayley map of SE(3). Notation: x = (w, c) ∈ R⁶ ≅ se(3), u = w/2, p = (m, n) in the
// dual, ⟨p, x⟩ = m·w + n·c. Every derivative is right-trivialised, every dual is the transpose for this pairing.

namespace ictus::math {

/// An element of se(3): angular part w, linear part c (a velocity, a strain, or one of them times a step).
template <class T>
struct Twist {
  Vector3<T> w, c;

  friend constexpr Twist operator+(const Twist& a, const Twist& b) { return {a.w + b.w, a.c + b.c}; }
  friend constexpr Twist operator-(const Twist& a, const Twist& b) { return {a.w - b.w, a.c - b.c}; }
  friend constexpr Twist operator-(const Twist& a) { return {-a.w, -a.c}; }
  friend constexpr Twist operator*(const T& s, const Twist& a) { return {s * a.w, s * a.c}; }
  friend constexpr bool operator==(const Twist&, const Twist&) = default;
};

/// An element of the dual of se(3): moment m, force n (a momentum, a stress, an impulse).
template <class T>
struct Wrench {
  Vector3<T> m, n;

  friend constexpr Wrench operator+(const Wrench& a, const Wrench& b) { return {a.m + b.m, a.n + b.n}; }
  friend constexpr Wrench operator-(const Wrench& a, const Wrench& b) { return {a.m - b.m, a.n - b.n}; }
  friend constexpr Wrench operator-(const Wrench& a) { return {-a.m, -a.n}; }
  friend constexpr Wrench operator*(const T& s, const Wrench& a) { return {s * a.m, s * a.n}; }
  friend constexpr bool operator==(const Wrench&, const Wrench&) = default;
};

template <class T>
constexpr T pairing(const Wrench<T>& p, const Twist<T>& x) {
  return dot(p.m, x.w) + dot(p.n, x.c);
}

/// g = (Λ, r): a ↦ Λ a + r.
template <class T>
struct Pose {
  Rotation<T> q{};
  Vector3<T> r{};

  friend constexpr Pose operator*(const Pose& g, const Pose& h) { return {g.q * h.q, g.r + rotate(g.q, h.r)}; }
  friend constexpr bool operator==(const Pose&, const Pose&) = default;
};

template <class T>
constexpr Pose<T> inverse(const Pose<T>& g) {
  return {inverse(g.q), -rotate(inverse(g.q), g.r)};
}

template <class T>
Pose<T> normalized(const Pose<T>& g) {
  return {normalized(g.q), g.r};
}

/// τ(x) = (cay w, (I − ŵ/2)⁻¹ c). [eq. lie-beam-5]
template <class T>
Pose<T> cayley(const Twist<T>& x) {
  return {cayley(x.w), solve_one_minus_hat(T(0.5) * x.w, x.c)};
}

/// τ⁻¹(Λ, r) = (cay⁻¹ Λ, (I − ŵ/2) r); needs a turn other than 180°. [eq. lie-beam-6]
template <class T>
constexpr Twist<T> cayley_inverse(const Pose<T>& g) {
  const Vector3<T> w = cayley_inverse(g.q);
  return {w, g.r - cross(T(0.5) * w, g.r)};
}

/// dτ_x y, with d/dε τ(x + ε y) = (dτ_x y)^ τ(x). [eq. lie-beam-7]
template <class T>
constexpr Twist<T> dcayley(const Twist<T>& x, const Twist<T>& y) {
  const Vector3<T> w = dcayley(x.w, y.w);
  return {w, solve_one_minus_hat(T(0.5) * x.w, y.c) + T(0.5) * cross(x.c, w)};
}

/// dτ⁻¹_x y = (dcay⁻¹_w y_w, (I − ŵ/2)(y_c − ½ c × y_w)). [eq. lie-beam-8]
template <class T>
constexpr Twist<T> dcayley_inverse(const Twist<T>& x, const Twist<T>& y) {
  const Vector3<T> u = T(0.5) * x.w;
  const Vector3<T> c = y.c - T(0.5) * cross(x.c, y.w);
  return {dcayley_inverse(x.w, y.w), c - cross(u, c)};
}

/// (dτ⁻¹_x)ᵀ p. [eq. lie-beam-9]
template <class T>
constexpr Wrench<T> dcayley_inverse_dual(const Twist<T>& x, const Wrench<T>& p) {
  const Vector3<T> n = p.n + cross(T(0.5) * x.w, p.n);
  return {dcayley_inverse_dual(x.w, p.m) + T(0.5) * cross(x.c, n), n};
}

/// Ad_g x = (Λ w, Λ c + r × Λ w). [eq. lie-beam-10]
template <class T>
constexpr Twist<T> adjoint(const Pose<T>& g, const Twist<T>& x) {
  const Vector3<T> w = rotate(g.q, x.w);
  return {w, rotate(g.q, x.c) + cross(g.r, w)};
}

/// Ad*_g p = (Λᵀ (m + n × r), Λᵀ n), the dual of Ad_g: from space to body. [eq. lie-beam-11]
template <class T>
constexpr Wrench<T> coadjoint(const Pose<T>& g, const Wrench<T>& p) {
  const Rotation<T> back = inverse(g.q);
  return {rotate(back, p.m + cross(p.n, g.r)), rotate(back, p.n)};
}

/// Ad*_{g⁻¹} p = (Λ m + r × Λ n, Λ n): from body to space, the inverse of coadjoint(g, ·). [eq. lie-beam-12]
template <class T>
constexpr Wrench<T> coadjoint_inverse(const Pose<T>& g, const Wrench<T>& p) {
  const Vector3<T> n = rotate(g.q, p.n);
  return {rotate(g.q, p.m) + cross(g.r, n), n};
}

}  // namespace ictus::math
