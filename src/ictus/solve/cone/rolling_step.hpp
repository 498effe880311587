#pragma once

#include <ictus/solve/cone/friction_cone.hpp>

// Notation: s moment of a contact over its length ℓ, in the contact's frame: s_N spins about the normal, s_T rolls; w
// relative angular velocity times ℓ, so that s and w are an impulse and a velocity.

namespace ictus::solve {

/// The moment that one contact (T = double) or eight (T = math::Pack) bear beside their force: |s_N| ≤ σ r_N and
/// |s_T| ≤ ρ r_N, each opposite to its part of w where it is on its bound [eq. contact-solvers-16].
template <class T>
struct BasicRollingStep {
  T length{};               ///< ℓ (m)
  T spin_limit{}, limit{};  ///< σ and ρ, the lengths of the law over ℓ
  T spin_step{}, step{};    ///< 1/W_NN and 1/λ_max(W_TT) of the moments' own part of W

  /// One proximal update at the normal reaction `normal`.
  math::Vector3<T> update(const math::Vector3<T>& s, const math::Vector3<T>& w, const T& normal,
                          const T& relaxation) const {
    return shrunk({s.x - relaxation * spin_step * w.x, s.y - relaxation * step * w.y, s.z - relaxation * step * w.z},
                  normal);
  }
  /// The nearest moment within the bounds.
  math::Vector3<T> shrunk(const math::Vector3<T>& s, const T& normal) const {
    const T spin = ratio_above_one(spin_limit * normal, s.x * s.x);
    const T roll = ratio_above_one(limit * normal, s.y * s.y + s.z * s.z);
    return {spin * s.x, roll * s.y, roll * s.z};
  }
  /// s − Π(s − w), zero if and only if the law holds; r_N in the units of s.
  math::Vector3<T> defect(const math::Vector3<T>& s, const math::Vector3<T>& w, const T& normal) const {
    return s - shrunk(s - w, normal);
  }
};

}  // namespace ictus::solve
