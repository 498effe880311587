#pragma once

#include <Eigen/LU>
#include <ictus/math/vector.hpp>

namespace ictus::contact {

/// θ with Iθ = M for the inertia I of some points about a centre and a moment M that forces on these points have. For
/// points in a line, which have no inertia about it, the θ without a part along the line.
inline math::Vec3 spin_of(const Eigen::Matrix3d& inertia, const math::Vec3& moment) {
  // A grain of inertia in every direction keeps the inverse finite; one correction takes its effect away again.
  constexpr double grain = 1e-10;
  const Eigen::Matrix3d inverse = (inertia + grain * inertia.trace() * Eigen::Matrix3d::Identity()).inverse();
  const math::Vec3 first = inverse * moment;
  return first + inverse * (moment - inertia * first);
}

}  // namespace ictus::contact
