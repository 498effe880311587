#pragma once

// One element of a subdivision shell at its quadrature point. Plain functions of small vectors over a scalar T: double,
// or Pack for eight elements at once; nothing here knows of meshes, memory or threads.
// Notation as in docs/theory/shells.md: a_α tangents, n normal, t the linear change to coordinates that are orthonormal
// at rest, ε membrane strain, κ bending strain.

#include <array>
#include <cmath>
#include <ictus/math/vector3.hpp>

namespace ictus::mechanics {

/// Stiffness of the wall [eq. shells-6].
struct ShellWall {
  double membrane;  ///< E h/(1 − ν²) (N/m)
  double bending;   ///< E h³/12/(1 − ν²) (N m)
  double poisson;   ///< ν
};

/// What an element remembers of its state at rest: ∂/∂s¹ = t11 ∂₁, ∂/∂s² = t21 ∂₁ + t22 ∂₂ and the curvatures B.
template <class T>
struct ShellRest {
  T t11{}, t21{}, t22{};
  T b11{}, b22{}, b12{};

  /// Area of the element (m²).
  constexpr T area() const { return T(0.5) / (t11 * t22); }
};

/// Derivatives of the position by θ.
template <class T>
struct ShellDerivatives {
  math::Vector3<T> d1, d2, d11, d22, d12;
};

/// Strains ε and κ, forces n (N/m) and moments m (N) in the wall, the position's derivatives by s, and the normal.
template <class T>
struct ShellStrain {
  T e11, e22, e12, k11, k22, k12;
  T n11, n22, n12, m11, m22, m12;
  math::Vector3<T> a1, a2, a11, a22, a12, normal;
  T inverse_stretch;  ///< 1/|a1 × a2|

  /// Σ m^αβ a_αβ.
  constexpr math::Vector3<T> moment() const { return m11 * a11 + m22 * a22 + (T(2.0) * m12) * a12; }

  /// Energy per area at rest (J/m²).
  constexpr T energy_density() const {
    return T(0.5) * (e11 * n11 + e22 * n22 + k11 * m11 + k22 * m22) + e12 * n12 + k12 * m12;
  }
};

/// −f_I = N₁ z1 + N₂ z2 + (N₁₁ q11 + N₂₂ q22 + N₁₂ q12) n, derivatives by θ [eq. shells-7].
template <class T>
struct ShellGradient {
  math::Vector3<T> z1, z2, normal;
  T q11, q22, q12;
};

/// n and m of the strains, or of their rates [eq. shells-6].
template <class T>
[[gnu::always_inline]] constexpr void set_wall_forces(const ShellWall& wall, ShellStrain<T>& s) {
  const T nu(wall.poisson), c(wall.membrane), d(wall.bending), shear(1 - wall.poisson);
  s.n11 = c * (s.e11 + nu * s.e22);
  s.n22 = c * (s.e22 + nu * s.e11);
  s.n12 = c * shear * s.e12;
  s.m11 = d * (s.k11 + nu * s.k22);
  s.m22 = d * (s.k22 + nu * s.k11);
  s.m12 = d * shear * s.k12;
}

/// The strains alone [eq. shells-5].
template <class T>
[[gnu::always_inline]] constexpr ShellStrain<T> shell_strain(const ShellRest<T>& rest, const ShellDerivatives<T>& x) {
  using math::dot;
  using std::sqrt;
  const T &t11 = rest.t11, &t21 = rest.t21, &t22 = rest.t22;
  ShellStrain<T> s;
  s.a1 = t11 * x.d1;
  s.a2 = t21 * x.d1 + t22 * x.d2;
  s.a11 = (t11 * t11) * x.d11;
  s.a12 = (t11 * t21) * x.d11 + (t11 * t22) * x.d12;
  s.a22 = (t21 * t21) * x.d11 + (T(2.0) * t21 * t22) * x.d12 + (t22 * t22) * x.d22;
  const math::Vector3<T> area = cross(s.a1, s.a2);
  s.inverse_stretch = T(1.0) / sqrt(norm_sq(area));
  s.normal = s.inverse_stretch * area;
  s.e11 = T(0.5) * (norm_sq(s.a1) - T(1.0));
  s.e22 = T(0.5) * (norm_sq(s.a2) - T(1.0));
  s.e12 = T(0.5) * dot(s.a1, s.a2);
  s.k11 = dot(s.a11, s.normal) - rest.b11;
  s.k22 = dot(s.a22, s.normal) - rest.b22;
  s.k12 = dot(s.a12, s.normal) - rest.b12;
  return s;
}

/// With the forces and moments of an elastic wall [eq. shells-6].
template <class T>
[[gnu::always_inline]] constexpr ShellStrain<T> shell_strain(const ShellRest<T>& rest, const ShellWall& wall,
                                                             const ShellDerivatives<T>& x) {
  ShellStrain<T> s = shell_strain(rest, x);
  set_wall_forces(wall, s);
  return s;
}

/// The same with the forces and moments that the rates of strain of a motion make in a wall of stiffness per rate
/// `wall`: those of Rayleigh's damping, for which no motion of a rigid body has rates [eq. shells-13].
template <class T>
[[gnu::always_inline]] constexpr ShellStrain<T> shell_rates(const ShellRest<T>& rest, const ShellWall& wall,
                                                            const ShellDerivatives<T>& x,
                                                            const ShellDerivatives<T>& v) {
  using math::dot;
  const T &t11 = rest.t11, &t21 = rest.t21, &t22 = rest.t22;
  ShellStrain<T> s = shell_strain(rest, wall, x);
  const auto second = [&](const ShellDerivatives<T>& of) {
    return std::array{(t11 * t11) * of.d11, (t11 * t21) * of.d11 + (t11 * t22) * of.d12,
                      (t21 * t21) * of.d11 + (T(2.0) * t21 * t22) * of.d12 + (t22 * t22) * of.d22};
  };
  const math::Vector3<T> v1 = t11 * v.d1, v2 = t21 * v.d1 + t22 * v.d2;
  const auto [v11, v12, v22] = second(v);
  const math::Vector3<T> swept = s.inverse_stretch * (cross(v1, s.a2) + cross(s.a1, v2));
  const math::Vector3<T> tilt = swept - dot(swept, s.normal) * s.normal;
  s.e11 = dot(s.a1, v1);
  s.e22 = dot(s.a2, v2);
  s.e12 = T(0.5) * (dot(s.a1, v2) + dot(s.a2, v1));
  s.k11 = dot(v11, s.normal) + dot(s.a11, tilt);
  s.k22 = dot(v22, s.normal) + dot(s.a22, tilt);
  s.k12 = dot(v12, s.normal) + dot(s.a12, tilt);
  set_wall_forces(wall, s);
  return s;
}

/// [eq. shells-7] for an element of area A, brought back to θ.
template <class T>
[[gnu::always_inline]] constexpr ShellGradient<T> shell_gradient(const ShellRest<T>& rest, const ShellStrain<T>& s) {
  const T &t11 = rest.t11, &t21 = rest.t21, &t22 = rest.t22;
  const T area = rest.area();
  // Dual basis a¹ = a2 × n/|a1 × a2|, a² = n × a1/|a1 × a2|.
  const math::Vector3<T> turned = cross(s.normal, s.moment());
  const T c1 = dot(turned, s.a2) * s.inverse_stretch;
  const T c2 = T(-1.0) * dot(turned, s.a1) * s.inverse_stretch;
  const math::Vector3<T> s1 = area * (s.n11 * s.a1 + s.n12 * s.a2 - c1 * s.normal);
  const math::Vector3<T> s2 = area * (s.n12 * s.a1 + s.n22 * s.a2 - c2 * s.normal);
  ShellGradient<T> g;
  g.z1 = t11 * s1 + t21 * s2;
  g.z2 = t22 * s2;
  g.normal = s.normal;
  g.q11 = area * (t11 * t11 * s.m11 + t21 * t21 * s.m22 + T(2.0) * t11 * t21 * s.m12);
  g.q22 = area * (t22 * t22 * s.m22);
  g.q12 = area * T(2.0) * t22 * (t21 * s.m22 + t11 * s.m12);
  return g;
}

/// The state at rest from the derivatives there: tangents are made orthonormal, d1 keeping its direction.
inline ShellRest<double> shell_rest(const ShellDerivatives<double>& x) {
  using math::dot;
  const math::Vector3<double> area = cross(x.d1, x.d2);
  const double length = std::sqrt(norm_sq(x.d1)), stretch = std::sqrt(norm_sq(area));
  const math::Vector3<double> normal = (1 / stretch) * area;
  ShellRest<double> rest;
  rest.t11 = 1 / length;
  rest.t22 = length / stretch;
  rest.t21 = -dot(x.d1, x.d2) / (length * stretch);
  const double c11 = dot(x.d11, normal), c22 = dot(x.d22, normal), c12 = dot(x.d12, normal);
  const double t11 = rest.t11, t21 = rest.t21, t22 = rest.t22;
  rest.b11 = t11 * t11 * c11;
  rest.b12 = t11 * (t21 * c11 + t22 * c12);
  rest.b22 = t21 * t21 * c11 + 2 * t21 * t22 * c12 + t22 * t22 * c22;
  return rest;
}

}  // namespace ictus::mechanics
