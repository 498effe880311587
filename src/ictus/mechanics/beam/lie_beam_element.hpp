#pragma once

#include <cmath>
#include <ictus/math/se3.hpp>
#include <ictus/mechanics/beam/lie_beam_section.hpp>

// The formulas of one element and one node of the Lie-group beam, over any scalar T, without a branch.
// Notation: g = (Λ, r) pose of a section, Δs length of an element, h time step, η = (Ω, Γ) strain, ξ = (ω, γ) velocity,
// u half of a Cayley vector (u = Δs Ω/2 along the beam, u = h ω/2 in time), p and s momentum and spin in space.

namespace ictus::mechanics {

/// The stress that an element puts on its two nodes, in space: force f on the left node (−f on the right one), moments
/// on the left and right node about their own positions.
template <class T>
struct ElementStress {
  math::Vector3<T> force;
  math::Vector3<T> left_moment;
  math::Vector3<T> right_moment;
  T energy;        ///< Δs Φ(η) (J)
  T half_turn_sq;  ///< |u|² = tan² φ/2 of the relative turn φ: infinite at 180°
};

template <class T>
math::Twist<T> strain(const math::Pose<T>& left, const math::Pose<T>& right, T length) {
  return (T(1.0) / length) * cayley_inverse(inverse(left) * right);
}

/// Φ(η) = ½ Ω·C₂Ω + ½ (Γ − E₃)·C₁(Γ − E₃). [eq. lie-beam-14]
template <class T>
T strain_energy_density(const math::Twist<T>& eta, const math::Vector3<T>& stretch, const math::Vector3<T>& bend) {
  const math::Vector3<T> e{eta.c.x, eta.c.y, eta.c.z - T(1.0)};
  return T(0.5) * (dot(eta.w, scale(bend, eta.w)) + dot(e, scale(stretch, e)));
}

/// K(ξ) = ½ ω·Jω + ½ M |γ|². [eq. lie-beam-14]
template <class T>
T kinetic_energy_density(const math::Twist<T>& xi, const math::Vector3<T>& inertia, T mass) {
  return T(0.5) * (dot(xi.w, scale(inertia, xi.w)) + mass * norm_sq(xi.c));
}

/// The stress of an element on its nodes from the force n and the moment m in the axes of its left section, at half
/// turn u and c = (I − û) Λᵀ(r⁺ − r); no energy.
template <class T>
ElementStress<T> stress_of(const math::Matrix3<T>& left_matrix, const math::Vector3<T>& across,
                           const math::Vector3<T>& u, const math::Vector3<T>& c, const math::Vector3<T>& n,
                           const math::Vector3<T>& m) {
  const math::Vector3<T> force = n + cross(u, n);
  const math::Vector3<T> moment = m + cross(u, m) + dot(u, m) * u + T(0.5) * cross(c, force);
  ElementStress<T> stress;
  stress.force = left_matrix * force;
  stress.left_moment = left_matrix * moment;
  stress.right_moment = stress.left_moment - cross(across, stress.force);
  stress.energy = T(0.0);
  stress.half_turn_sq = norm_sq(u);
  return stress;
}

/// λ = (dτ⁻¹_{Δsη})ᵀ ∂Φ/∂η turned into space: Ad*_{g⁻¹} λ about the left node, and the same about the right node.
/// `rest` is the strain without stress, E₆ of a straight beam. [eq. lie-beam-17]
template <class T>
ElementStress<T> element_stress(const math::Rotation<T>& left, const math::Matrix3<T>& left_matrix,
                                const math::Rotation<T>& right, const math::Vector3<T>& across, T length,
                                const math::Vector3<T>& stretch, const math::Vector3<T>& bend,
                                const math::Twist<T>& rest = {{}, {T(0.0), T(0.0), T(1.0)}}) {
  const T inverse_length = T(1.0) / length;
  const math::Rotation<T> turn = inverse(left) * right;
  const math::Vector3<T> u = (T(1.0) / turn.s) * turn.v;
  const math::Vector3<T> reach = transpose_times(left_matrix, across);
  const math::Vector3<T> c = reach - cross(u, reach);
  const math::Vector3<T> gamma = inverse_length * c;
  const math::Vector3<T> e{gamma.x - rest.c.x, gamma.y - rest.c.y, gamma.z - rest.c.z};
  const math::Vector3<T> omega = (T(2.0) * inverse_length) * u - rest.w;
  const math::Vector3<T> n = scale(stretch, e), m = scale(bend, omega);
  ElementStress<T> stress = stress_of(left_matrix, across, u, c, n, m);
  stress.energy = T(0.5) * length * (dot(e, n) + dot(omega, m));
  return stress;
}

/// The kinetic Legendre equation of a node with the linear part eliminated: with b = u·n, d = 1 + |u|², κ = h²/4M,
///   F(u) = d [ Ju + u × Ju + u (u·Ju) − h m/2 ] + κ [ |n|² u − b n + b u × n ] = 0,
/// (m, n) the momentum per length in the body. [eq. lie-beam-22]
template <class T>
struct NodeLegendre {
  math::Vector3<T> inertia;
  T kappa;
  math::Vector3<T> half_moment;  ///< h m/2
  math::Vector3<T> n;
  T n_sq;

  /// Two rounds of u ← J⁻¹(h m/2 − the rest), from u = 0: an error of the order of |u|⁴.
  math::Vector3<T> guess(const math::Vector3<T>& inverse_inertia) const {
    const math::Vector3<T> first = scale(inverse_inertia, half_moment);
    return scale(inverse_inertia, refine(scale(inverse_inertia, refine(first))));
  }

  /// −F'(u)⁻¹ F(u).
  math::Vector3<T> newton_step(const math::Vector3<T>& u) const {
    const math::Vector3<T> ju = scale(inertia, u), un = cross(u, n);
    const T uju = dot(u, ju), kb = kappa * dot(u, n), kn_sq = kappa * n_sq;
    const T d = T(1.0) + norm_sq(u);
    const math::Vector3<T> spin = ju + cross(u, ju) + uju * u - half_moment;
    const math::Vector3<T> minus_f = kb * (n - un) - kn_sq * u - d * spin;

    // F' = d [ J + ûJ − (Ju)^ + (u·Ju) I + 2 u (Ju)ᵀ ] + 2 spin uᵀ + κ [ |n|² I + (u × n − n) nᵀ − b n̂ ], by columns.
    const math::Vector3<T> du = d * u, dju = d * ju, dj = d * inertia;
    const math::Vector3<T> hat = dju + kb * n;
    const math::Vector3<T> lean = kappa * (un - n), dju2 = T(2.0) * dju, spin2 = T(2.0) * spin;
    const T diagonal = d * uju + kn_sq;
    math::Matrix3<T> jacobian;
    jacobian.a = n.x * lean + dju2.x * u + u.x * spin2 +
                 math::Vector3<T>{dj.x + diagonal, du.z * inertia.x - hat.z, hat.y - du.y * inertia.x};
    jacobian.b = n.y * lean + dju2.y * u + u.y * spin2 +
                 math::Vector3<T>{hat.z - du.z * inertia.y, dj.y + diagonal, du.x * inertia.y - hat.x};
    jacobian.c = n.z * lean + dju2.z * u + u.z * spin2 +
                 math::Vector3<T>{du.y * inertia.z - hat.y, hat.x - du.x * inertia.z, dj.z + diagonal};
    return math::solve(jacobian, minus_f);
  }

 private:
  math::Vector3<T> refine(const math::Vector3<T>& u) const {
    const math::Vector3<T> ju = scale(inertia, u);
    return half_moment - cross(u, ju) - dot(u, ju) * u - ((kappa * n_sq) * u - (kappa * dot(u, n)) * n);
  }
};

/// Where a node is after a step without forces in which its half turn is u, given its momentum p in space, its weight w
/// and n the momentum per length in the body:  r⁺ − r = h/(M (1+|u|²)) (p/w + b Λu),  b = u·n. Only the second part
/// turns the spin: s⁺ = s − across × p. [eq. lie-beam-23]
template <class T>
struct NodeFlight {
  T shrink;  ///< 1/(1+|u|²)
  T b;
  math::Vector3<T> across;  ///< the part of the way along Λu
  math::Vector3<T> way;
  math::Rotation<T> turned;

  NodeFlight(const math::Pose<T>& g, const math::Vector3<T>& u, const math::Vector3<T>& n,
             const math::Vector3<T>& momentum, const T& inverse_weight, const T& h_over_mass)
      : shrink(T(1.0) / (T(1.0) + norm_sq(u))), b(dot(u, n)) {
    using std::sqrt;
    const T pace = h_over_mass * shrink;
    across = (pace * b) * rotate(g.q, u);
    way = (pace * inverse_weight) * momentum + across;
    // √(1/(1+|u|²)) (1, u) has length one; the factor 3/2 − |q|²/2 takes back what rounding did to the length before.
    const T scale_back = T(1.5) - T(0.5) * (g.q.s * g.q.s + norm_sq(g.q.v));
    const T length = sqrt(shrink) * scale_back;
    turned = g.q * math::Rotation<T>{length, length * u};
  }
};

/// Newton's method for the half turn of a node: iterations that it may take, after how many a node that has not settled
/// starts again from rest, because its guess was no good where it moves by more than its own thickness in a step.
struct LegendreIterations {
  static constexpr int max_count = 40;
  static constexpr int restart = 10;
  /// A Newton step δ leaves an error of the order of |δ|² in u; |δ|² ≤ this times |u| puts it below round-off.
  static constexpr double tolerance = 1e-15;
};

}  // namespace ictus::mechanics
