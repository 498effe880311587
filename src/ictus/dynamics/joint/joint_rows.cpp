// Notation: a, b the two ends, x their places, e_i their axes in space, e_3 that of the joint, d = x_b − x_a, ℓ a
// length.
#include <ictus/dynamics/joint/joint_rows.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <ictus/model/rigid_frame.hpp>

namespace ictus::dynamics {

using math::Vec3;

namespace {

/// Pairs of axes of the two ends that are perpendicular where all are parallel, so that no turn is left.
constexpr std::array<std::array<int, 2>, 3> against_turning{{{0, 1}, {1, 2}, {2, 0}}};

}  // namespace

JointEnd end_on_frame(std::string body, int frame, std::span<const double> q, const Vec3& place,
                      const Eigen::Matrix3d& axes) {
  const auto at = model::RigidFrame::at(q, static_cast<std::size_t>(frame));
  return {std::move(body), frame, {}, at.axes.transpose() * (place - at.x), at.axes.transpose() * axes};
}

JointEnd end_in_world(const Vec3& place, const Eigen::Matrix3d& axes) { return {"world", -1, {}, place, axes}; }

JointPose::JointPose(const Joint& joint, std::span<const double> q) {
  const std::array<const JointEnd*, 2> ends{&joint.first, &joint.second};
  for (std::size_t side = 0; side < 2; ++side) {
    const JointEnd& end = *ends[side];
    if (end.frame >= 0) {
      const auto frame = model::RigidFrame::at(q, static_cast<std::size_t>(end.frame));
      x[side] = frame.position_of(end.point);
      axes[side] = arms[side] = frame.axes * end.axes;
      continue;
    }
    x[side] = end.point;
    axes[side] = arms[side] = end.axes;
    for (const Guide& guide : end.guides) {
      const double value = q[static_cast<std::size_t>(guide.dof)];
      x[side] += value * guide.move;
      for (int c = 0; c < 3; ++c) axes[side].col(c) += value * guide.turn.cross(end.axes.col(c));
    }
  }
}

double JointPose::angle() const {
  const Vec3 e = axes[1].col(0);
  return std::atan2(axes[0].col(1).dot(e), axes[0].col(0).dot(e));
}

JointRows::JointRows(const Joint& joint, const JointPose& pose, double angle) {
  using Type = JointType;
  const Vec3 d = pose.x[1] - pose.x[0];
  const auto meet = [&] {
    for (int c = 0; c < 3; ++c) add({d[c], Vec3::Unit(c), {Vec3::Unit(c).cross(d), Vec3::Zero()}});
  };
  const auto stay_on_axis = [&] {
    for (int c = 0; c < 2; ++c) {
      const Vec3 e = pose.axes[0].col(c);
      add({e.dot(d), e, {pose.arms[0].col(c).cross(d), Vec3::Zero()}});
    }
  };
  // e_i of a and e_j of b are perpendicular.
  const auto be_perpendicular = [&](int i, int j) {
    const Vec3 first = pose.axes[0].col(i), second = pose.axes[1].col(j);
    add({joint.size * first.dot(second),
         Vec3::Zero(),
         {joint.size * pose.arms[0].col(i).cross(second), joint.size * pose.arms[1].col(j).cross(first)}});
  };
  const auto not_turn = [&] {
    for (const auto& [i, j] : against_turning) be_perpendicular(i, j);
  };
  const auto keep_axis = [&] {
    be_perpendicular(2, 0);
    be_perpendicular(2, 1);
  };
  switch (joint.type) {
    case Type::fixed:
      meet();
      not_turn();
      break;
    case Type::spherical:
      meet();
      break;
    case Type::revolute:
      meet();
      keep_axis();
      break;
    case Type::prismatic:
      stay_on_axis();
      not_turn();
      break;
    case Type::cylindrical:
      stay_on_axis();
      keep_axis();
      break;
    case Type::universal:
      meet();
      be_perpendicular(2, 0);
      break;
    case Type::tie:  // has rows of its own
      break;
    case Type::distance:
      if (joint.drive.follows < 0) add({d.norm() - joint.length, d.normalized()});
      break;
  }
  if (joint.drive.follows < 0) return;
  const JointRow row = joint_coordinate(joint, pose, angle);
  const double scale = turns_freely(joint.type) ? joint.size : 1;
  add({scale * row.gap, scale * row.force, {scale * row.moment[0], scale * row.moment[1]}});
}

JointRow joint_coordinate(const Joint& joint, const JointPose& pose, double angle) {
  const Vec3 d = pose.x[1] - pose.x[0], axis = pose.axes[0].col(2);
  if (turns_freely(joint.type)) return {angle, Vec3::Zero(), {-axis, axis}};
  if (joint.type == JointType::prismatic) return {axis.dot(d), axis, {pose.arms[0].col(2).cross(d), Vec3::Zero()}};
  return {d.norm(), d.normalized()};
}

void append_gradient(const Joint& joint, const JointPose& pose, std::span<const double> q, const JointRow& row,
                     double factor, std::vector<model::RowEntry>& entries) {
  using Kind = model::RowEntry::Kind;
  const std::array<const JointEnd*, 2> ends{&joint.first, &joint.second};
  for (std::size_t side = 0; side < 2; ++side) {
    const JointEnd& end = *ends[side];
    const Vec3 force = (side == 0 ? -factor : factor) * row.force, moment = factor * row.moment[side];
    for (const Guide& guide : end.guides)
      entries.push_back({guide.dof, guide.move.dot(force) + guide.turn.dot(moment), Kind::guided});
    if (end.frame < 0) continue;
    const auto frame = model::RigidFrame::at(q, static_cast<std::size_t>(end.frame));
    const Vec3 own = frame.axes.transpose() * ((pose.x[side] - frame.x).cross(force) + moment);
    for (int c = 0; c < 3; ++c) entries.push_back({end.frame + c, force[c]});
    for (int c = 0; c < 3; ++c) entries.push_back({end.frame + 3 + c, own[c], Kind::turning});
  }
}

}  // namespace ictus::dynamics
