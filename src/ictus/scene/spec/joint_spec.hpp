#pragma once

#include <ictus/scene/spec/loads_spec.hpp>
#include <ictus/scene/spec/values.hpp>

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ictus::scene {

/// The word in `between` of a joint that stands for what does not move.
inline constexpr std::string_view world = "world";

/// Where a joint holds one of its bodies, where its position does not tell.
struct JointBoxSpec {
  Vec3 from{0, 0, 0}, to{0, 0, 0};  ///< m, opposite corners
  bool operator==(const JointBoxSpec&) const = default;
};
struct JointEndSpec {
  std::optional<double> at;         ///< fraction of the length of a beam or bar, in [0, 1]
  std::optional<std::string> node;  ///< of a frame, by its name
  std::optional<std::string> set;   ///< of the mesh of a solid
  std::optional<JointBoxSpec> box;  ///< nodes of a frame, a shell or a solid at the start
  bool operator==(const JointEndSpec&) const = default;
};

struct JointLimitsSpec {
  double lower = 0;        ///< rad or m
  double upper = 0;        ///< above lower
  double restitution = 0;  ///< in [0, 1]
  bool operator==(const JointLimitsSpec&) const = default;
};

struct JointSpringSpec {
  double stiffness = 0;  ///< N m/rad or N/m, > 0
  double rest = 0;       ///< rad or m
  bool operator==(const JointSpringSpec&) const = default;
};

/// A motor: its torque or force, what its joint follows, or the speed that it keeps as far as it is strong enough.
struct EffortMotorSpec {
  Signal signal;  ///< N m or N
  bool operator==(const EffortMotorSpec&) const = default;
};
struct PositionMotorSpec {
  Signal signal;  ///< rad or m
  bool operator==(const PositionMotorSpec&) const = default;
};
struct SpeedMotorSpec {
  Signal signal;                     ///< rad/s or m/s
  std::optional<double> max_effort;  ///< N m or N, > 0; absent: as strong as it must be
  bool operator==(const SpeedMotorSpec&) const = default;
};
using Motor = std::variant<EffortMotorSpec, PositionMotorSpec, SpeedMotorSpec>;

inline const Signal& signal_of(const Motor& motor) {
  return std::visit([](const auto& one) -> const Signal& { return one.signal; }, motor);
}

/// What every joint has.
struct JointSpec {
  std::string name;
  std::array<std::string, 2> between;  ///< two bodies, or one and `world`
  std::optional<Vec3> position;        ///< m, at the start
  JointEndSpec first, second;
  bool operator==(const JointSpec&) const = default;
};

struct FixedJointSpec : JointSpec {
  bool operator==(const FixedJointSpec&) const = default;
};
struct SphericalJointSpec : JointSpec {
  bool operator==(const SphericalJointSpec&) const = default;
};

/// A joint with a coordinate along or about an axis.
struct DrivenJointSpec : JointSpec {
  Vec3 axis{0, 0, 1};  ///< any length but zero
  std::optional<JointLimitsSpec> limits;
  std::optional<JointSpringSpec> spring;
  double drag = 0;      ///< N m s/rad or N s/m, ≥ 0
  double friction = 0;  ///< N m or N, ≥ 0
  std::optional<Motor> motor;
  bool operator==(const DrivenJointSpec&) const = default;
};
struct RevoluteJointSpec : DrivenJointSpec {
  bool operator==(const RevoluteJointSpec&) const = default;
};
struct PrismaticJointSpec : DrivenJointSpec {
  bool operator==(const PrismaticJointSpec&) const = default;
};

struct CylindricalJointSpec : JointSpec {
  Vec3 axis{0, 0, 1};
  bool operator==(const CylindricalJointSpec&) const = default;
};
struct UniversalJointSpec : JointSpec {
  Vec3 axis{0, 0, 1};         ///< turns with the first body
  Vec3 second_axis{1, 0, 0};  ///< perpendicular to it; turns with the second body
  bool operator==(const UniversalJointSpec&) const = default;
};

/// A rod without mass between two points, or a spring and a damper between them.
struct DistanceJointSpec : JointSpec {
  std::optional<Vec3> to;  ///< m, of the point of the second body at the start; `position` is that of the first
  bool operator==(const DistanceJointSpec&) const = default;
};

using AnyJoint = std::variant<FixedJointSpec, SphericalJointSpec, RevoluteJointSpec, PrismaticJointSpec,
                              CylindricalJointSpec, UniversalJointSpec, DistanceJointSpec>;

/// What all joints have, of one of them.
inline const JointSpec& common(const AnyJoint& joint) {
  return std::visit([](const JointSpec& spec) -> const JointSpec& { return spec; }, joint);
}

}  // namespace ictus::scene
