#pragma once

#include <algorithm>
#include <cmath>
#include <ictus/math/pack.hpp>
#include <ictus/math/vector3.hpp>

// Notation: x, r, u triples of a contact with the normal component first: x.x = x_N, (x.y, x.z) = x_T.

namespace ictus::solve {

/// A triple of a contact frame: normal, first tangent, second tangent.
using Local = math::Vector3<double>;
/// A 3×3 block in contact frames.
using LocalMatrix = math::Matrix3<double>;

/// Coulomb's cone K = { r : r_N ≥ 0, (r_T1/μ₁)² + (r_T2/μ₂)² ≤ r_N² } [eq. contact-solvers-2]. μ = 0 in a direction
/// means no friction there: with μ₂ = 0 the cone is planar friction along the first tangent.
struct FrictionCone {
  double mu1 = 0.0;
  double mu2 = 0.0;

  constexpr FrictionCone() = default;
  constexpr explicit FrictionCone(double mu) : mu1(mu), mu2(mu) {}
  constexpr FrictionCone(double first, double second) : mu1(first), mu2(second) {}

  constexpr bool isotropic() const { return mu1 == mu2; }
  friend constexpr bool operator==(const FrictionCone&, const FrictionCone&) = default;
};

/// The projection of x on an elliptic cone with μ₁, μ₂ > 0, to round-off.
Local project_elliptic(const FrictionCone& cone, const Local& x);

/// |(a, b)|, at once where b = 0 as in planar friction.
inline double tangential_norm(double a, double b) { return b == 0.0 ? std::abs(a) : std::sqrt(a * a + b * b); }

/// The projection of x on the circular cone of μ.
inline Local project_circular(double mu, const Local& x) {
  const double t = tangential_norm(x.y, x.z);
  if (x.x >= 0.0 && t <= mu * x.x) return x;
  if (mu * t <= -x.x) return {};
  const double normal = (x.x + mu * t) / (1.0 + mu * mu);
  const double shrink = mu * normal / t;
  return {normal, shrink * x.y, shrink * x.z};
}

/// r − P_K(r − û) of eight contacts with circular cones of μ, see law_defect.
inline math::Vector3<math::Pack> circular_law_defect(const math::Pack& mu, const math::Vector3<math::Pack>& r,
                                                     const math::Vector3<math::Pack>& u) {
  using math::Pack;
  const Pack slip = math::sqrt(u.y * u.y + u.z * u.z);
  const math::Vector3<Pack> x{r.x - (u.x + mu * slip), r.y - u.y, r.z - u.z};
  const Pack t = math::sqrt(x.y * x.y + x.z * x.z);
  const auto inside = (x.x.v >= 0.0) & (t.v <= (mu * x.x).v), opposite = (mu * t).v <= (-x.x).v;
  // The nearest point of the boundary; at the tip of the cone t may be zero, and nothing is shrunk.
  const Pack normal = (x.x + mu * t) / (Pack(1.0) + mu * mu);
  const Pack shrink = mu * normal / math::select(t.v > 0.0, t, Pack(1.0));
  const Pack zero;
  const auto nearest = [&](const Pack& own, const Pack& boundary) {
    return math::select(inside, own, math::select(opposite, zero, boundary));
  };
  return {r.x - nearest(x.x, normal), r.y - nearest(x.y, shrink * x.y), r.z - nearest(x.z, shrink * x.z)};
}

/// P_K(x), the projection of x on the cone in the Euclidean norm.
inline Local project(const FrictionCone& cone, const Local& x) {
  if (cone.isotropic()) return project_circular(cone.mu1, x);
  // Planar friction: the cone has no extent along the other tangent.
  if (cone.mu2 == 0.0) return project_circular(cone.mu1, {x.x, x.y, 0.0});
  if (cone.mu1 == 0.0) return project_circular(cone.mu2, {x.x, 0.0, x.z});
  return project_elliptic(cone, x);
}

/// û = u + |(μ₁u_T1, μ₂u_T2)| e_N: Coulomb's law reads K ∋ r ⟂ û ∈ K* [eq. contact-solvers-4].
inline Local augmented_velocity(const FrictionCone& cone, const Local& u) {
  return {u.x + tangential_norm(cone.mu1 * u.y, cone.mu2 * u.z), u.y, u.z};
}

/// r − P_K(r − û): zero if and only if (r, u) obeys unilateral contact with Coulomb friction [eq. contact-solvers-5].
inline Local law_defect(const FrictionCone& cone, const Local& r, const Local& u) {
  return r - project(cone, r - augmented_velocity(cone, u));
}

/// size/√size_sq where √size_sq > size ≥ 0, otherwise 1.
inline double ratio_above_one(double size, double size_sq) {
  return size_sq > size * size ? size / std::sqrt(size_sq) : 1.0;
}
inline math::Pack ratio_above_one(const math::Pack& size, const math::Pack& size_sq) {
  const auto outside = size_sq.v > (size * size).v;
  return math::select(outside, size / math::sqrt(math::select(outside, size_sq, math::Pack(1.0))), math::Pack(1.0));
}

/// 1/x, and 0 where x is not above 0.
inline double inverse_or_zero(double x) { return x > 0.0 ? 1.0 / x : 0.0; }
inline math::Pack inverse_or_zero(const math::Pack& x) {
  const auto positive = x.v > 0.0;
  return math::select(positive, math::Pack(1.0) / math::select(positive, x, math::Pack(1.0)), math::Pack(0.0));
}

/// The larger eigenvalue of the symmetric matrix (a b; b c).
template <class T>
T larger_eigenvalue(const T& a, const T& b, const T& c) {
  using std::sqrt;
  const T half = T(0.5) * (a - c);
  return T(0.5) * (a + c) + sqrt(half * half + b * b);
}

/// What one proximal update of a contact (T = double) or of eight (T = math::Pack) needs [eq. contact-solvers-7]: steps
/// 1/W_NN, μ₁²/Λ, μ₂²/Λ with Λ = λ_max(D W_TT D), D = diag(μ₁, μ₂); the column W_TN; and 1/μ (0 where μ = 0). A step is
/// 0 where nothing can move.
template <class T>
struct BasicProxStep {
  math::Vector3<T> step;
  T coupling1{};  ///< W_T1N
  T coupling2{};
  T inverse_mu1{};
  T inverse_mu2{};

  BasicProxStep() = default;
  /// `own` is the contact's own block of W.
  BasicProxStep(const T& mu1, const T& mu2, const math::Matrix3<T>& own) {
    const T scale = inverse_or_zero(
        larger_eigenvalue(T(mu1 * mu1 * own.b.y), T(mu1 * mu2 * T(0.5) * (own.b.z + own.c.y)), T(mu2 * mu2 * own.c.z)));
    step = {inverse_or_zero(own.a.x), mu1 * mu1 * scale, mu2 * mu2 * scale};
    coupling1 = own.a.y;
    coupling2 = own.a.z;
    inverse_mu1 = inverse_or_zero(mu1);
    inverse_mu2 = inverse_or_zero(mu2);
  }

  /// r_N ← max(0, r_N − ω u_N/W_NN), u_T ← u_T + W_TN Δr_N, then r_T ← the point of the ellipse μ r_N that r_T − ω
  /// u_T/Λ shrinks to (for a circle: its projection). ω relaxes both.
  math::Vector3<T> update(const math::Vector3<T>& r, const math::Vector3<T>& u, const T& relaxation) const {
    const T normal = positive_part(r.x - relaxation * step.x * u.x);
    const T change = normal - r.x;
    const T t1 = r.y - relaxation * step.y * (u.y + coupling1 * change);
    const T t2 = r.z - relaxation * step.z * (u.z + coupling2 * change);
    return shrunk({normal, t1, t2});
  }

  /// x with its tangential part shrunk to the ellipse of x_N ≥ 0.
  math::Vector3<T> shrunk(const math::Vector3<T>& x) const {
    const T a = inverse_mu1 * x.y;
    const T b = inverse_mu2 * x.z;
    const T shrink = ratio_above_one(x.x, a * a + b * b);
    return {x.x, shrink * x.y, shrink * x.z};
  }

 private:
  /// max(0, x), and NaN stays NaN.
  static double positive_part(double x) { return x < 0.0 ? 0.0 : x; }
  static math::Pack positive_part(const math::Pack& x) { return math::select(x.v < 0.0, math::Pack(0.0), x); }
};

struct ProxStep : BasicProxStep<double> {
  ProxStep() = default;
  /// `diagonal` is the contact's own block of W.
  ProxStep(const FrictionCone& cone, const LocalMatrix& diagonal)
      : BasicProxStep<double>(cone.mu1, cone.mu2, diagonal) {}
};

}  // namespace ictus::solve
