#pragma once

#include <Eigen/Core>
#include <ictus/math/vector.hpp>
#include <ictus/mechanics/load/signal.hpp>
#include <ictus/model/row_entry.hpp>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ictus::dynamics {

/// What a joint leaves free between its two ends: nothing, turning, turning about its axis, sliding along it, both of
/// these, turning about two axes that stay perpendicular, or everything but the distance. A tie has linear rows of its
/// own.
enum class JointType { fixed, spherical, revolute, prismatic, cylindrical, universal, distance, tie };

/// What a unit of a dof moves a point by and turns axes by: a coordinate of a node, the displacement of a bar, a
/// displacement or a small rotation of a node of a frame.
struct Guide {
  int dof;
  math::Vec3 move;
  math::Vec3 turn = math::Vec3::Zero();
};

/// Where a joint holds a body: by the frame of a rigid body or of a section of a beam, or by dofs in which the place is
/// linear; or the world.
struct JointEnd {
  std::string body;             ///< for people
  int frame = -1;               ///< first dof of the frame; −1: none
  std::vector<Guide> guides{};  ///< of bodies without frames
  /// In the axes of the frame; in space for the world, and where all guides are zero (m).
  math::Vec3 point = math::Vec3::Zero();
  /// The joint's axes as columns, in those of the frame or in space: the third is the axis of the joint, the first is
  /// perpendicular to it.
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();

  bool in_world() const { return frame < 0 && guides.empty(); }
};

/// Ends at a place in space, with the joint's axes as columns, at the start q of a run.
JointEnd end_on_frame(std::string body, int frame, std::span<const double> q, const math::Vec3& place,
                      const Eigen::Matrix3d& axes);
JointEnd end_in_world(const math::Vec3& place, const Eigen::Matrix3d& axes);

/// What acts along the coordinate that a joint leaves free: the angle of a revolute joint, the displacement of a
/// prismatic one, the distance of a distance joint that holds nothing.
struct JointDrive {
  double stiffness = 0;                               ///< of a spring (N m/rad or N/m)
  double rest = 0;                                    ///< coordinate at which it is slack (rad or m)
  double damping = 0;                                 ///< N m s/rad or N s/m
  std::shared_ptr<const mechanics::Signal> effort{};  ///< of a motor (N m or N); null: none
  /// Dof whose position the coordinate follows; −1: none.
  int follows = -1;
  std::shared_ptr<const mechanics::Signal> speed{};             ///< that a motor keeps (rad/s or m/s); null: none
  double max_effort = std::numeric_limits<double>::infinity();  ///< that it can give (N m or N)
  double friction = 0;                                          ///< what a brake resists with (N m or N)

  /// Whether it holds the rate of the coordinate, as far as its strength goes.
  bool brakes() const { return speed || friction > 0; }
  bool acts() const { return stiffness > 0 || damping > 0 || effort || brakes(); }
};

/// Σ w q = rest at all times.
struct TieRow {
  std::vector<model::RowEntry> entries;
  double rest;
};

/// Two bodies, or a body and the world, held together at a point.
struct Joint {
  std::string name;
  JointType type = JointType::fixed;
  JointEnd first, second;
  /// By which angles become lengths, for rows of one kind (m): about the size of the bodies.
  double size = 1;
  double length = 0;  ///< of a distance joint (m)
  JointDrive drive{};
  int number = 0;              ///< of the joint of the scene to which it belongs
  std::vector<TieRow> rows{};  ///< of a tie, at most six
};

/// Whether a joint has one coordinate for a spring, a damper or a motor, and whether that is an angle.
inline bool has_coordinate(JointType type) {
  return type == JointType::revolute || type == JointType::prismatic || type == JointType::distance;
}
inline bool turns_freely(JointType type) { return type == JointType::revolute || type == JointType::cylindrical; }

/// What a joint did in a step, on its second end, and how it stands.
struct JointReaction {
  math::Vec3 place = math::Vec3::Zero();    ///< of the joint (m)
  math::Vec3 impulse = math::Vec3::Zero();  ///< N s
  math::Vec3 moment = math::Vec3::Zero();   ///< N m s, about the joint
  double angle = 0;                         ///< of the second end against the first about the axis (rad)
  double displacement = 0;                  ///< along the axis, or the distance (m)
  double gap = 0;                           ///< by how far it is off, angles as lengths (m)
};

}  // namespace ictus::dynamics
