#include <ictus/scene/describe/describe.hpp>

#include <fmt/format.h>

namespace ictus::scene {

namespace {

constexpr Dimension turning_stiffness{2, 1, -2, -1}, turning_damping{2, 1, -1, -1};
constexpr Dimension stiffness{0, 1, -2, 0}, damping{0, 1, -1, 0};

template <class S, class Base, class M>
M S::*of(M Base::*member) {
  return member;
}

Object<JointEndSpec> joint_end() {
  Object<JointEndSpec> object("joint end", "Where a joint holds a body.");
  object
      .field("at", &JointEndSpec::at,
             number().at_least(0).at_most(1).word("start", 0).word("middle", 0.5).word("end", 1),
             "Where along a beam: its nearest section. Absent: the section nearest to the position.")
      .field("set", &JointEndSpec::set, text("the name of a set"),
             "Of the mesh of a solid: the joint holds the mean of its nodes, and a fixed one each of them. Absent: the "
             "node nearest to the position.");
  return object;
}

template <class S>
Object<S> joint(const std::string& name, const std::string& doc) {
  Object<S> object(name, doc);
  object.required("name", of<S>(&JointSpec::name), text("a name"), "A name of your choice, for results.")
      .required("between", of<S>(&JointSpec::between), pair(text("the name of a body")),
                "The two bodies: rigid bodies, beams, shells and solids; or one and `world`, which does not move.")
      .field("position", of<S>(&JointSpec::position), vector(quantity(dimension::length)),
             "Where the joint is at the start. Absent: at the centre of mass of the second body, or of the first where "
             "the second is the world; at the end that says where it is, if one does.")
      .field("first", of<S>(&JointSpec::first), Typed<JointEndSpec>(joint_end()),
             "Where it holds the first body. Rigid bodies are held at the position.")
      .field("second", of<S>(&JointSpec::second), Typed<JointEndSpec>(joint_end()), "The same of the second body.")
      .check([](const S& spec, const std::string& path, Reading& reading) {
        if (!spec.between[0].empty() && spec.between[0] == spec.between[1])
          reading.mistake(
              join(path, "between"),
              fmt::format("must be two different bodies, or one and world, not '{}' twice", spec.between[0]));
      });
  return object;
}

template <class S>
void add_axis(Object<S>& object, const std::string& doc) {
  object.field("axis", static_cast<Vec3 S::*>(&S::axis), direction(), doc);
}

/// The dimensions of a coordinate and of what acts along it, and the words for them.
struct Coordinate {
  Dimension value, stiffness, damping, effort;
  std::string effort_name, value_name;
};

Typed<Motor> describe_motor(const Coordinate& c) {
  Object<EffortMotorSpec> effort(c.effort_name, fmt::format("A motor that gives a {}.", c.effort_name));
  effort.required("signal", &EffortMotorSpec::signal, describe_signal(c.effort), "Its course.");
  Object<PositionMotorSpec> position(
      c.value_name,
      fmt::format("A motor that is as strong as it must be: the {} follows a signal, which is zero at the "
                  "start.",
                  c.value_name));
  position.required("signal", &PositionMotorSpec::signal, describe_signal(c.value), "Its course.");
  return variant(effort, position);
}

template <class S>
void add_drive(Object<S>& object, const Coordinate& c) {
  Object<JointLimitsSpec> limits("limits", "Stops.");
  limits
      .required("lower", &JointLimitsSpec::lower, quantity(c.value), "The least value; the joint is at 0 at the start.")
      .required("upper", &JointLimitsSpec::upper, quantity(c.value), "The largest.")
      .field("restitution", &JointLimitsSpec::restitution, number().at_least(0).at_most(1),
             "With which stops are left.")
      .check([](const JointLimitsSpec& spec, const std::string& path, Reading& reading) {
        if (spec.lower >= spec.upper) return reading.mistake(join(path, "upper"), "must be above lower");
        if (spec.lower > 0)
          reading.mistake(join(path, "lower"), "must not be above 0, where the joint is at the start");
        if (spec.upper < 0)
          reading.mistake(join(path, "upper"), "must not be below 0, where the joint is at the start");
      });
  Object<JointSpringSpec> spring("spring", "A spring.");
  spring.required("stiffness", &JointSpringSpec::stiffness, quantity(c.stiffness).positive(), "Its stiffness.")
      .field("rest", &JointSpringSpec::rest, quantity(c.value), "Where it is slack; the joint is at 0 at the start.");
  object.field("limits", of<S>(&DrivenJointSpec::limits), Typed<JointLimitsSpec>(limits), "Stops. Absent: none.")
      .field("spring", of<S>(&DrivenJointSpec::spring), Typed<JointSpringSpec>(spring), "A spring. Absent: none.")
      .field("drag", of<S>(&DrivenJointSpec::drag), quantity(c.damping).at_least(0), "Of a damper.")
      .field("motor", of<S>(&DrivenJointSpec::motor), describe_motor(c), "A motor. Absent: none.")
      .check([](const S& spec, const std::string& path, Reading& reading) {
        if (!spec.motor || !std::holds_alternative<PositionMotorSpec>(*spec.motor)) return;
        if (spec.spring || spec.drag > 0 || spec.limits)
          reading.mistake(join(path, "motor"),
                          "leads the joint whatever springs, dampers and limits do; leave these out, or give the motor "
                          "its torque or force");
      });
}

}  // namespace

Typed<AnyJoint> describe_joints() {
  auto fixed = joint<FixedJointSpec>("fixed", "Two bodies are one.");
  auto spherical = joint<SphericalJointSpec>("spherical", "Two points stay together: a ball and its socket.");
  auto revolute = joint<RevoluteJointSpec>("revolute", "A hinge: the bodies turn against each other about an axis.");
  add_axis(revolute, "Of the hinge, at the start.");
  add_drive(revolute, {dimension::angle, turning_stiffness, turning_damping, dimension::moment, "torque", "angle"});
  auto prismatic = joint<PrismaticJointSpec>("prismatic", "A slide: the bodies move against each other along an axis.");
  add_axis(prismatic, "Of the slide, at the start.");
  add_drive(prismatic, {dimension::length, stiffness, damping, dimension::force, "force", "displacement"});
  auto cylindrical = joint<CylindricalJointSpec>("cylindrical", "The bodies turn about an axis and slide along it.");
  add_axis(cylindrical, "The axis, at the start.");
  auto universal = joint<UniversalJointSpec>("universal", "A cross of two shafts, each of which turns in a body.");
  add_axis(universal, "Of the shaft in the first body, at the start.");
  universal.field("second_axis", &UniversalJointSpec::second_axis, direction(),
                  "Of that in the second body; perpendicular to the other.");
  auto distance = joint<DistanceJointSpec>("distance", "A rod without mass between two points.");
  distance.field("to", &DistanceJointSpec::to, vector(quantity(dimension::length)),
                 "The point of the second body at the start; `position` is that of the first. Absent: the centre of "
                 "mass of the second body.");
  return variant(fixed, spherical, revolute, prismatic, cylindrical, universal, distance);
}

}  // namespace ictus::scene
