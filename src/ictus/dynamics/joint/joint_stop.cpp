#include <ictus/dynamics/joint/joint_stop.hpp>

#include <cmath>
#include <ictus/dynamics/joint/joint_rows.hpp>
#include <numbers>

namespace ictus::dynamics {

using math::Vec3;

/// The angle within a turn around the middle of the stops.
double JointStop::turned(double angle) const {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((0.5 * (lower_ + upper_) - angle) / turn);
}

Vec3 JointStop::position(std::size_t point, std::span<const double> q) const {
  if (point != coordinate) return {point == lower ? lower_ : upper_, 0, 0};
  const JointPose pose(joint_, q);
  return {joint_coordinate(joint_, pose, turned(pose.angle())).gap, 0, 0};
}

void JointStop::pull_back(std::size_t point, std::span<const double> q, const Vec3& n, double factor,
                          std::vector<model::RowEntry>& row) const {
  if (point != coordinate) return;
  const JointPose pose(joint_, q);
  const JointRow along = joint_coordinate(joint_, pose, pose.angle());
  append_gradient(joint_, pose, q, along, factor * n.x(), row);
}

}  // namespace ictus::dynamics
