#pragma once

#include <ictus/math/so3.hpp>
#include <optional>

// Notation: x position of the centre of mass, Λ orientation, m angular momentum about the centre of mass along the
// principal axes, J principal moments, ω angular velocity in the same axes, h step.

namespace ictus::mechanics {

/// ω of the interval in which a free body turns by cay(hω): the root of Jω + (h/2) ω × Jω = m, so that Jω is the mean
/// of m before and after [eq. rigid-bodies-4]. None where Newton's method finds no root: the body turns too far in one
/// step.
std::optional<math::Vector3<double>> interval_spin(const math::Vector3<double>& inertia, const math::Vector3<double>& m,
                                                   double h);

/// Free flight of one body over h: x ← x + h p/mass, Λ ← Λ cay(hω), m ← cay(hω)ᵀ m, which keeps Λm, the angular
/// momentum in space [eq. rigid-bodies-2]. `q` and `p` are its seven dofs, see model::RigidFrame. False where it
/// turns too far in one step.
bool fly(double mass, const math::Vector3<double>& inertia, double h, double* q, double* p);

/// Λ J⁻¹ m, the angular velocity in space.
inline math::Vector3<double> node_spin(const math::Rotation<double>& orientation, const math::Vector3<double>& inertia,
                                       const math::Vector3<double>& m) {
  return rotate(orientation, math::Vector3<double>{m.x / inertia.x, m.y / inertia.y, m.z / inertia.z});
}

}  // namespace ictus::mechanics
