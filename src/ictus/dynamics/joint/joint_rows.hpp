#pragma once

#include <Eigen/Core>
#include <array>
#include <ictus/dynamics/joint/joint.hpp>
#include <span>

namespace ictus::dynamics {

/// Both ends of a joint at one configuration: where they are and how their axes lie, in space.
struct JointPose {
  std::array<math::Vec3, 2> x;
  std::array<Eigen::Matrix3d, 2> axes;
  /// What a turn turns: the axes of frames, and those at the start where rotations are small and add up.
  std::array<Eigen::Matrix3d, 2> arms;

  JointPose(const Joint& joint, std::span<const double> q);

  /// Angle of the second end about the axis of the first, in (−π, π].
  double angle() const;
  double along_axis() const { return axes[0].col(2).dot(x[1] - x[0]); }
  double distance() const { return (x[1] - x[0]).norm(); }
};

/// A condition g = 0 of a joint, and its gradient as what a unit of its impulse does: the force to the second end and
/// its opposite to the first, and to each end a moment about its own place [eq. joints-2].
struct JointRow {
  double gap = 0;
  math::Vec3 force = math::Vec3::Zero();
  std::array<math::Vec3, 2> moment{math::Vec3::Zero(), math::Vec3::Zero()};
};

/// The rows of a joint, at most six. A joint that follows a dof has one more, whose gap is its coordinate; `angle` is
/// that of the pose, counted on beyond a turn.
class JointRows {
 public:
  static constexpr std::size_t max_rows = 6;

  JointRows(const Joint& joint, const JointPose& pose, double angle);

  std::size_t size() const { return size_; }
  const JointRow& operator[](std::size_t k) const { return rows_[k]; }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.begin() + static_cast<std::ptrdiff_t>(size_); }

 private:
  void add(const JointRow& row) { rows_[size_++] = row; }

  std::array<JointRow, max_rows> rows_{};
  std::size_t size_ = 0;
};

/// The coordinate that springs, dampers and motors act along, and its gradient.
JointRow joint_coordinate(const Joint& joint, const JointPose& pose, double angle);

/// Appends factor times the gradient of a row to a row over the dofs of both ends.
void append_gradient(const Joint& joint, const JointPose& pose, std::span<const double> q, const JointRow& row,
                     double factor, std::vector<model::RowEntry>& entries);

}  // namespace ictus::dynamics
