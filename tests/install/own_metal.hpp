#pragma once

#include <algorithm>
#include <cmath>
#include <ictus/mechanics/material/formula_material.hpp>

/// A metal as a program may bring it: neo-Hookean in shape, with von Mises' stress as its limit and linear hardening.
/// A point remembers C_p⁻¹ (xx, yy, zz, xy, yz, zx) and the equivalent plastic strain.
struct OwnMetal {
  static constexpr std::size_t memory = 7;
  static constexpr double shear_modulus = 80, bulk = 160, yield_stress = 1, hardening = 4;

  using Matrix = ictus::math::Matrix3<double>;

  /// F C_p⁻¹ Fᵀ over (det F)^{2/3}, by columns.
  template <class S>
  static ictus::math::Matrix3<S> elastic(const ictus::math::Matrix3<S>& f, const double* m) {
    using std::pow;
    const S scale = pow(S(dot(f.a, cross(f.b, f.c))), -2.0 / 3);
    const ictus::math::Vector3<S> a = S(m[0]) * f.a + S(m[3]) * f.b + S(m[5]) * f.c,
                                  b = S(m[3]) * f.a + S(m[1]) * f.b + S(m[4]) * f.c,
                                  c = S(m[5]) * f.a + S(m[4]) * f.b + S(m[2]) * f.c;
    const auto column = [&](const S& x, const S& y, const S& z) { return scale * (x * a + y * b + z * c); };
    return {column(f.a.x, f.b.x, f.c.x), column(f.a.y, f.b.y, f.c.y), column(f.a.z, f.b.z, f.c.z)};
  }

  template <class S>
  S shape(const ictus::math::Matrix3<S>& f, const double* m) const {
    const ictus::math::Matrix3<S> b = elastic(f, m);
    return 0.5 * shear_modulus * (b.a.x + b.b.y + b.c.z - 3.0);
  }
  template <class S>
  S volume(S growth) const {
    using std::log;
    return 0.5 * bulk * log(growth) * log(growth);
  }
  void begin(double* m) const { m[0] = m[1] = m[2] = 1; }
  void remember(const Matrix& f, double* m) const {
    Matrix b = elastic(f, m);
    const double mean = (b.a.x + b.b.y + b.c.z) / 3;
    b.a.x -= mean, b.b.y -= mean, b.c.z -= mean;  // its deviator, the stress over μ
    const double size = shear_modulus * std::sqrt(norm_sq(b.a) + norm_sq(b.b) + norm_sq(b.c));
    const double excess = size - std::sqrt(2.0 / 3) * (yield_stress + hardening * m[6]);
    if (excess <= 0) return;
    const double flow = excess / (2 * shear_modulus * mean + 2.0 / 3 * hardening);
    const Matrix s = (1 - 2 * shear_modulus * mean * flow / size) * b;
    m[6] += std::sqrt(2.0 / 3) * flow;
    // s + x I has the determinant 1: flow keeps the volume.
    const double second = -0.5 * (norm_sq(s.a) + norm_sq(s.b) + norm_sq(s.c)), third = dot(s.a, cross(s.b, s.c));
    double x = mean;
    for (int i = 0; i < 5; ++i) x -= (x * x * x + second * x + third - 1) / (3 * x * x + second);
    set_plastic(f, {{s.a.x + x, s.a.y, s.a.z}, {s.b.x, s.b.y + x, s.b.z}, {s.c.x, s.c.y, s.c.z + x}}, m);
  }
  ictus::mechanics::Taken taken(const double* m) const { return {yield_stress * m[6], 0.5 * hardening * m[6] * m[6]}; }

 private:
  /// C_p⁻¹ = F⁻¹ b F⁻ᵀ, with the inverse of F by its rows.
  static void set_plastic(const Matrix& f, const Matrix& b, double* m) {
    const double growth = dot(f.a, cross(f.b, f.c)), scale = std::pow(growth, 2.0 / 3) / (growth * growth);
    const ictus::math::Vector3<double> row[3] = {cross(f.b, f.c), cross(f.c, f.a), cross(f.a, f.b)};
    const auto entry = [&](int i, int j) { return scale * dot(row[i], b * row[j]); };
    m[0] = entry(0, 0), m[1] = entry(1, 1), m[2] = entry(2, 2);
    m[3] = entry(0, 1), m[4] = entry(1, 2), m[5] = entry(2, 0);
  }
};
