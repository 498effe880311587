#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <ictus/dynamics/scheme/newton_cone.hpp>
#include <ictus/math/convert.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>
#include <ictus/mechanics/rigid/rigid_bodies.hpp>
#include <memory>
#include <string>
#include <vector>

// Mechanisms of rigid boxes, made without a scene.

namespace ictus::testing {

using dynamics::Joint;
using dynamics::JointType;
using math::Vec3;

/// Axes of a joint of which the third is given.
inline Eigen::Matrix3d axes_about(const Vec3& axis) {
  Eigen::Matrix3d result;
  const auto [first, second] = model::tangent_basis(axis.normalized());
  result << first, second, axis.normalized();
  return result;
}

class Mechanism {
 public:
  Vec3 gravity{0, 0, 0};

  /// A box of these half sides with its middle at x, whose axes are turned by `angle` about z.
  int add_box(double mass, const Vec3& half, const Vec3& x, double angle, const Vec3& v = Vec3::Zero(),
              const Vec3& spin = Vec3::Zero()) {
    mechanics::RigidProperties p;
    p.mass = mass;
    p.shape = geometry::RigidShape::convex(geometry::box_polytope({2 * half.x(), 2 * half.y(), 2 * half.z()}));
    p.inertia =
        mass / 3 *
        math::Vector3<double>{half.y() * half.y() + half.z() * half.z(), half.x() * half.x() + half.z() * half.z(),
                              half.x() * half.x() + half.y() * half.y()};
    p.gravity = math::from_eigen(gravity);
    const mechanics::RigidStart start{math::from_eigen(x),
                                      {std::cos(angle / 2), {0, 0, std::sin(angle / 2)}},
                                      math::from_eigen(v),
                                      math::from_eigen(spin)};
    const int dof = static_cast<int>(7 * bodies_.size());
    bodies_.push_back(std::make_unique<mechanics::RigidBodies>("body" + std::to_string(bodies_.size()), std::move(p),
                                                               std::vector{start}, static_cast<std::size_t>(dof),
                                                               mechanics::RigidBodies::Outside::skin));
    return dof;
  }

  /// Between two bodies by their first dofs, −1 for the world.
  Joint& join(JointType type, int first, int second, const Vec3& place, const Eigen::Matrix3d& axes) {
    std::vector<double> q(7 * bodies_.size()), p(q.size());
    for (const auto& body : bodies_) body->initialise(q, p);
    const auto end = [&](int dof) {
      return dof < 0 ? dynamics::end_in_world(place, axes)
                     : dynamics::end_on_frame(bodies_[static_cast<std::size_t>(dof) / 7]->name(), dof, q, place, axes);
    };
    joints_.push_back({"joint" + std::to_string(joints_.size()), type, end(first), end(second), 0.3});
    return joints_.back();
  }

  /// A plane that all bodies so far may meet.
  void add_plane(const Vec3& point, const Vec3& normal, double restitution, double friction = 0) {
    const std::size_t movers = bodies_.size();
    bodies_.push_back(std::make_unique<mechanics::Obstacle>("plane", model::Plane{point, normal.normalized()}));
    for (std::size_t i = 0; i < movers; ++i) {
      contact::ContactPair pair{bodies_[i]->name(),         "plane",     &bodies_[i]->surface(),
                                &bodies_.back()->surface(), restitution, friction};
      pair.every_point = true;
      pair.rigid = true;
      pairs_.push_back(pair);
    }
  }

  dynamics::System system(int threads = 1) {
    dynamics::System result(std::move(bodies_), std::move(pairs_), exec::Executor(threads));
    result.join(std::move(joints_));
    return result;
  }

 private:
  std::vector<dynamics::BodyPtr> bodies_;
  std::vector<contact::ContactPair> pairs_;
  std::vector<Joint> joints_;
};

/// Links 0.3 m (1 kg), 0.9 m (2 kg), 0.7 m (1.5 kg) and a ground of 0.8 m along x; the crank begins at 0.5 rad with
/// 12 rad/s, on the upper branch, with gravity along −y.
inline Mechanism four_bar() {
  Mechanism m;
  m.gravity = {0, -9.81, 0};
  const Vec3 a = Vec3::Zero(), d(0.8, 0, 0), b = 0.3 * Vec3(std::cos(0.5), std::sin(0.5), 0);
  const double reach = (d - b).norm(), along = (0.81 - 0.49 + reach * reach) / (2 * reach);
  const Vec3 e = (d - b) / reach, up(-e.y(), e.x(), 0);
  const Vec3 c = b + along * e + std::sqrt(0.81 - along * along) * up;
  const Vec3 z = Vec3::UnitZ();
  // v_c = v_b + ω₃ × (c − b) = ω₄ × (c − d).
  const Vec3 vb = 12 * z.cross(b), bc = z.cross(c - b), dc = z.cross(c - d);
  Eigen::Matrix2d matrix;
  matrix << bc.x(), -dc.x(), bc.y(), -dc.y();
  const Eigen::Vector2d rates = -matrix.inverse() * vb.head<2>();
  const auto link = [&](double mass, const Vec3& from, const Vec3& to, const Vec3& v_from, double rate) {
    const Vec3 half = 0.5 * (to - from);
    return m.add_box(mass, {half.norm(), 0.02, 0.015}, from + half, std::atan2(half.y(), half.x()),
                     v_from + rate * z.cross(half), rate * z);
  };
  const int crank = link(1, a, b, Vec3::Zero(), 12), coupler = link(2, b, c, vb, rates[0]),
            rocker = link(1.5, d, c, Vec3::Zero(), rates[1]);
  const Eigen::Matrix3d axes = axes_about(z);
  m.join(JointType::revolute, -1, crank, a, axes);
  m.join(JointType::revolute, crank, coupler, b, axes);
  m.join(JointType::revolute, coupler, rocker, c, axes);
  m.join(JointType::revolute, rocker, -1, d, axes);
  return m;
}

/// Two rods of 0.5 m and 0.5 kg from the origin along x at rest, gravity along −y.
inline Mechanism double_pendulum() {
  Mechanism m;
  m.gravity = {0, -9.81, 0};
  const Vec3 half(0.25, 0.02, 0.015);
  const int upper = m.add_box(0.5, half, {0.25, 0, 0}, 0), lower = m.add_box(0.5, half, {0.75, 0, 0}, 0);
  const Eigen::Matrix3d axes = axes_about(Vec3::UnitZ());
  m.join(JointType::revolute, -1, upper, Vec3::Zero(), axes);
  m.join(JointType::revolute, upper, lower, {0.5, 0, 0}, axes);
  return m;
}

}  // namespace ictus::testing
