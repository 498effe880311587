#include <ictus/dynamics/joint/joint_stop.hpp>

#include <cmath>
#include <ictus/dynamics/joint/joint_rows.hpp>
#include <ictus/model/rigid_frame.hpp>
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
  using Kind = model::RowEntry::Kind;
  for (const auto& [end, side] : {std::pair(&joint_.first, -1.0), {&joint_.second, 1.0}}) {
    if (end->frame < 0) continue;
    const auto frame = model::RigidFrame::at(q, static_cast<std::size_t>(end->frame));
    const Vec3 moment = frame.axes.transpose() * ((pose.x[1] - frame.x).cross(along.force) + along.moment);
    const double share = side * factor * n.x();
    for (int c = 0; c < 3; ++c) row.push_back({end->frame + c, share * along.force[c]});
    for (int c = 0; c < 3; ++c) row.push_back({end->frame + 3 + c, share * moment[c], Kind::turning});
  }
}

}  // namespace ictus::dynamics
