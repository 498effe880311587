#pragma once

#include <Eigen/Core>
#include <cmath>
#include <ictus/math/vector3.hpp>

// Elastic laws of solids over any scalar T: double, or Pack for eight elements at once. F deformation gradient.
//
// The energy per reference volume is split in two,
//   W(F) = μ w(F) + ½ λ θ(F)²,   P = ∂W/∂F = μ p(F) + λ θ G(F),   G = ∂θ/∂F   [eq. solids-2],
// so that an element may take the mean of the dilatation θ over its volume, which is what keeps hexahedra from locking.
// Near F = I every law is Hooke's with Lamé's constants λ, μ.

namespace ictus::mechanics {

/// Lamé's constants (Pa).
struct Lame {
  double lambda = 0;
  double mu = 0;
};

inline Lame lame(double youngs_modulus, double poissons_ratio) {
  return {youngs_modulus * poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio)),
          youngs_modulus / (2 * (1 + poissons_ratio))};
}

/// What a law says at one F: p, θ and G.
template <class T>
struct SolidStress {
  math::Matrix3<T> shear;     ///< p
  T dilatation;               ///< θ
  math::Matrix3<T> gradient;  ///< G
};

using Tangent = Eigen::Matrix<double, 9, 9>;  ///< ∂P_iJ/∂F_kL at (3J + i, 3L + k)

namespace solid_law_detail {
inline int at(int i, int j) { return 3 * j + i; }
inline Eigen::Matrix3d to_eigen(const math::Matrix3<double>& m) {
  Eigen::Matrix3d e;
  e << m.a.x, m.b.x, m.c.x, m.a.y, m.b.y, m.c.y, m.a.z, m.b.z, m.c.z;
  return e;
}
/// Fills the tangent from its components f(i, J, k, L).
template <class F>
Tangent tangent(F&& f) {
  Tangent t;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < 3; ++l)
        for (int k = 0; k < 3; ++k) t(at(i, j), at(k, l)) = f(i, j, k, l);
  return t;
}
inline double delta(int i, int j) { return i == j ? 1 : 0; }
template <class T>
math::Matrix3<T> identity() {
  const T o(1.0), z(0.0);
  return {{o, z, z}, {z, o, z}, {z, z, o}};
}
}  // namespace solid_law_detail

// Viscous stresses β(μ p + λ θ G) of a deformation that changes at the rate Ḟ: those of Hooke's law for the rate of
// strain in place of the strain [eq. solids-7].

/// Of small strains, ε̇ = sym Ḟ: p = 2ε̇, θ = tr ε̇, G = I.
struct SmallRates {
  template <class T>
  static SolidStress<T> stress(const math::Matrix3<T>&, const math::Matrix3<T>& rate) {
    const T two(2.0);
    const T xy = rate.b.x + rate.a.y, xz = rate.c.x + rate.a.z, yz = rate.c.y + rate.b.z;
    return {{{two * rate.a.x, xy, xz}, {xy, two * rate.b.y, yz}, {xz, yz, two * rate.c.z}},
            rate.a.x + rate.b.y + rate.c.z,
            solid_law_detail::identity<T>()};
  }
};

/// Of any rotation, Ė = sym FᵀḞ: p = 2FĖ, θ = tr Ė, G = F.
struct TurningRates {
  template <class T>
  static SolidStress<T> stress(const math::Matrix3<T>& f, const math::Matrix3<T>& rate) {
    const T two(2.0), half(0.5);
    const T aa = two * dot(f.a, rate.a), bb = two * dot(f.b, rate.b), cc = two * dot(f.c, rate.c);
    const T ab = dot(f.a, rate.b) + dot(f.b, rate.a), ac = dot(f.a, rate.c) + dot(f.c, rate.a);
    const T bc = dot(f.b, rate.c) + dot(f.c, rate.b);
    return {{aa * f.a + ab * f.b + ac * f.c, ab * f.a + bb * f.b + bc * f.c, ac * f.a + bc * f.b + cc * f.c},
            half * (aa + bb + cc),
            f};
  }
};

/// Hooke's law of small strains: ε = sym(F − I), w = ε:ε, θ = tr ε.
struct LinearLaw {
  using Viscosity = SmallRates;
  static constexpr bool linear = true;
  static constexpr bool fails_inverted = false;

  template <class T>
  static SolidStress<T> stress(const math::Matrix3<T>& f) {
    const T one(1.0), two(2.0);
    const T xy = f.b.x + f.a.y, xz = f.c.x + f.a.z, yz = f.c.y + f.b.z;
    return {{{two * (f.a.x - one), xy, xz}, {xy, two * (f.b.y - one), yz}, {xz, yz, two * (f.c.z - one)}},
            (f.a.x - one) + (f.b.y - one) + (f.c.z - one),
            solid_law_detail::identity<T>()};
  }
  static double shear_energy(const math::Matrix3<double>& f) {
    const double x = f.a.x - 1, y = f.b.y - 1, z = f.c.z - 1;
    const double xy = f.b.x + f.a.y, xz = f.c.x + f.a.z, yz = f.c.y + f.b.z;
    return x * x + y * y + z * z + 0.5 * (xy * xy + xz * xz + yz * yz);
  }
  /// ∂p/∂F and ∂G/∂F.
  static Tangent shear_tangent(const math::Matrix3<double>&) {
    using solid_law_detail::delta;
    return solid_law_detail::tangent(
        [](int i, int j, int k, int l) { return delta(i, k) * delta(j, l) + delta(i, l) * delta(j, k); });
  }
  static Tangent gradient_tangent(const math::Matrix3<double>&) { return Tangent::Zero(); }
};

/// St Venant–Kirchhoff: E = ½(FᵀF − I), w = E:E, θ = tr E.
struct StVenantKirchhoffLaw {
  using Viscosity = TurningRates;
  static constexpr bool linear = false;
  static constexpr bool fails_inverted = false;

  template <class T>
  static SolidStress<T> stress(const math::Matrix3<T>& f) {
    const T one(1.0), half(0.5);
    const T aa = norm_sq(f.a) - one, bb = norm_sq(f.b) - one, cc = norm_sq(f.c) - one;
    const T ab = dot(f.a, f.b), ac = dot(f.a, f.c), bc = dot(f.b, f.c);
    return {{aa * f.a + ab * f.b + ac * f.c, ab * f.a + bb * f.b + bc * f.c, ac * f.a + bc * f.b + cc * f.c},
            half * (aa + bb + cc),
            f};
  }
  static double shear_energy(const math::Matrix3<double>& f) {
    const double aa = norm_sq(f.a) - 1, bb = norm_sq(f.b) - 1, cc = norm_sq(f.c) - 1;
    const double ab = dot(f.a, f.b), ac = dot(f.a, f.c), bc = dot(f.b, f.c);
    return 0.25 * (aa * aa + bb * bb + cc * cc) + 0.5 * (ab * ab + ac * ac + bc * bc);
  }
  static Tangent shear_tangent(const math::Matrix3<double>& gradient) {
    using solid_law_detail::delta;
    const Eigen::Matrix3d f = solid_law_detail::to_eigen(gradient);
    const Eigen::Matrix3d c = f.transpose() * f - Eigen::Matrix3d::Identity(), b = f * f.transpose();
    return solid_law_detail::tangent(
        [&](int i, int j, int k, int l) { return delta(i, k) * c(l, j) + f(i, l) * f(k, j) + b(i, k) * delta(j, l); });
  }
  static Tangent gradient_tangent(const math::Matrix3<double>&) { return Tangent::Identity(); }
};

/// Compressible neo-Hookean: w = ½(tr FᵀF − 3) − ln J, θ = J − 1, J = det F > 0.
struct NeoHookeanLaw {
  using Viscosity = TurningRates;
  static constexpr bool linear = false;
  static constexpr bool fails_inverted = true;  ///< there is no stress at J ≤ 0

  template <class T>
  static math::Matrix3<T> cofactor(const math::Matrix3<T>& f) {
    return {cross(f.b, f.c), cross(f.c, f.a), cross(f.a, f.b)};
  }
  template <class T>
  static SolidStress<T> stress(const math::Matrix3<T>& f) {
    const math::Matrix3<T> g = cofactor(f);
    const T j = dot(f.a, g.a);
    const T inverse = T(-1.0) / j;
    return {{f.a + inverse * g.a, f.b + inverse * g.b, f.c + inverse * g.c}, j - T(1.0), g};
  }
  static double shear_energy(const math::Matrix3<double>& f) {
    // With H = F − I, J − 1 = tr H + II + III and w = ½ H:H − II − III + (J − 1) − ln J: differences of small numbers
    // only.
    const math::Vector3<double> a{f.a.x - 1, f.a.y, f.a.z}, b{f.b.x, f.b.y - 1, f.b.z}, c{f.c.x, f.c.y, f.c.z - 1};
    const double second = (a.x * b.y - b.x * a.y) + (a.x * c.z - c.x * a.z) + (b.y * c.z - c.y * b.z);
    const double third = dot(a, cross(b, c)), growth = a.x + b.y + c.z + second + third;
    return 0.5 * (norm_sq(a) + norm_sq(b) + norm_sq(c)) - second - third + (growth - std::log1p(growth));
  }
  static Tangent shear_tangent(const math::Matrix3<double>& gradient) {
    using solid_law_detail::delta;
    const Eigen::Matrix3d t = inverse_transpose(gradient);
    return solid_law_detail::tangent(
        [&](int i, int j, int k, int l) { return delta(i, k) * delta(j, l) + t(i, l) * t(k, j); });
  }
  static Tangent gradient_tangent(const math::Matrix3<double>& gradient) {
    const Eigen::Matrix3d t = inverse_transpose(gradient);
    const double determinant = dot(gradient.a, cross(gradient.b, gradient.c));
    return solid_law_detail::tangent(
        [&](int i, int j, int k, int l) { return determinant * (t(k, l) * t(i, j) - t(i, l) * t(k, j)); });
  }

 private:
  static Eigen::Matrix3d inverse_transpose(const math::Matrix3<double>& f) {
    const double determinant = dot(f.a, cross(f.b, f.c));
    return solid_law_detail::to_eigen(cofactor(f)) / determinant;
  }
};

}  // namespace ictus::mechanics
