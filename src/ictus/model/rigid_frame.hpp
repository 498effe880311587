#pragma once

#include <Eigen/Geometry>
#include <cstddef>
#include <ictus/math/vector.hpp>
#include <ictus/model/row_entry.hpp>
#include <span>
#include <vector>

// Notation: x position of the centre of mass, Λ orientation of the principal axes, J principal moments, m mass.

namespace ictus::model {

/// Where a rigid body is, as its seven dofs have it: x, then Λ as a unit quaternion (s, v). Its momenta are m ẋ in
/// space and Jω along its own axes, so that its inertia is diagonal and never changes; the seventh is not used.
struct RigidFrame {
  /// Where the angular momentum begins in a body's part of p.
  static constexpr std::size_t angular = 3;
  static constexpr std::size_t dofs = 7;

  math::Vec3 x;
  Eigen::Matrix3d axes;  ///< Λ

  static RigidFrame at(std::span<const double> q, std::size_t first) {
    const double* from = &q[first];
    return {math::Vec3::Map(from), Eigen::Quaterniond(from[3], from[4], from[5], from[6]).toRotationMatrix()};
  }
  math::Vec3 position_of(const math::Vec3& lever) const { return x + axes * lever; }
  /// Velocity of the point that is at `lever` in the body's axes.
  math::Vec3 velocity(const math::Vec3& lever, std::span<const double> p, std::span<const double> inverse_mass,
                      std::size_t first) const {
    const auto over_mass = [&](std::size_t k) {
      return math::Vec3(math::Vec3::Map(&p[k]).cwiseProduct(math::Vec3::Map(&inverse_mass[k])));
    };
    return over_mass(first) + axes * over_mass(first + angular).cross(lever);
  }
  /// Of a force at a point in space, along the body's axes.
  math::Vec3 moment(const math::Vec3& point, const math::Vec3& force) const {
    return axes.transpose() * (point - x).cross(force);
  }
  /// Appends the row of a force at a point in space [eq. mixed-3].
  void pull_back(const math::Vec3& point, const math::Vec3& force, int first, std::vector<RowEntry>& row) const {
    const math::Vec3 moment = this->moment(point, force);
    for (int c = 0; c < 3; ++c) row.push_back({first + c, force[c]});
    for (int c = 0; c < 3; ++c)
      row.push_back({first + static_cast<int>(angular) + c, moment[c], RowEntry::Kind::turning});
  }
};

/// Where the momenta of a system with coordinates of its own lie, which rigid parts follow that have none: the pose of
/// a part is in q as that of a RigidFrame at k, after it, for each momentum j, by how fast the part moves, a_j, and
/// turns, b_j, in space with the velocity of that momentum, all a_j first: ẋ = Σ a_j v_j, ω = Σ b_j v_j [eq. mixed-11].
struct FollowedMomenta {
  std::size_t first = 0;
  std::size_t count = 0;

  /// Slots of a part.
  std::size_t slots() const { return RigidFrame::dofs + 6 * count; }
  /// How fast the point of the part at k that is at `arm` from its x, in space, moves with v_j.
  math::Vec3 along(std::span<const double> q, std::size_t k, std::size_t j, const math::Vec3& arm) const {
    const double* a = &q[k + RigidFrame::dofs + 3 * j];
    return math::Vec3(math::Vec3::Map(a)) + math::Vec3(math::Vec3::Map(a + 3 * count)).cross(arm);
  }
};

}  // namespace ictus::model
