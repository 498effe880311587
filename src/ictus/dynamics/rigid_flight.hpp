#pragma once

#include <ictus/math/so3.hpp>
#include <optional>

// Notation: Λ orientation, π angular momentum about the centre of mass in world axes, m = Λᵀπ the same in body axes,
// J principal moments, ω angular velocity in body axes, h step.

namespace ictus::dynamics {

/// ω of the interval in which a free body turns by cay(hω): the root of Jω + (h/2) ω × Jω = m, so that Jω is the mean
/// of m before and after [eq. rigid-bodies-4]. None where Newton's method finds no root: the body turns too far in one
/// step.
std::optional<math::Vector3<double>> interval_spin(const math::Vector3<double>& inertia, const math::Vector3<double>& m,
                                                   double h);

/// Λ J⁻¹ Λᵀ π, the angular velocity in world axes at the node.
inline math::Vector3<double> node_spin(const math::Rotation<double>& orientation, const math::Vector3<double>& inertia,
                                       const math::Vector3<double>& pi) {
  const math::Vector3<double> m = coadjoint(orientation, pi);
  return rotate(orientation, math::Vector3<double>{m.x / inertia.x, m.y / inertia.y, m.z / inertia.z});
}

}  // namespace ictus::dynamics
