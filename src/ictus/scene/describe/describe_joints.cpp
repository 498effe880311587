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
  Object<JointBoxSpec> box("box", "A box of nodes.");
  box.required("from", &JointBoxSpec::from, vector(quantity(dimension::length)), "A corner.")
      .required("to", &JointBoxSpec::to, vector(quantity(dimension::length)), "The opposite corner.");
  Object<JointEndSpec> object("joint end", "Where a joint holds a body.");
  object
      .field("at", &JointEndSpec::at,
             number().at_least(0).at_most(1).word("start", 0).word("middle", 0.5).word("end", 1),
             "Where along a beam or a bar: its nearest section or node. Absent: that nearest to the position.")
      .field("node", &JointEndSpec::node, text("the name of a node"),
             "Of a frame. Absent: the node nearest to the position.")
      .field("set", &JointEndSpec::set, text("the name of a set"),
             "Of the mesh of a solid: the joint holds the mean of its nodes, and a fixed one each of them. Absent: the "
             "node nearest to the position.")
      .field("box", &JointEndSpec::box, Typed<JointBoxSpec>(box),
             "The nodes of a frame or a solid, or the points of a shell, that lie in it at the start: held as those of "
             "a set. Absent: none.");
  return object;
}

template <class S>
Object<S> joint(const std::string& name, const std::string& doc) {
  Object<S> object(name, doc);
  object.required("name", of<S>(&JointSpec::name), text("a name"), "A name of your choice, for results.")
      .required(
          "between", of<S>(&JointSpec::between), pair(text("the name of a body")),
          "The two bodies: rigid bodies, beams, bars, frames, shells and solids; or one and `world`, which does not "
          "move.")
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

/// Joints that leave no single coordinate free.
template <class S>
void leave_undriven(Object<S>& object, const std::string& type, const std::string& why) {
  for (const char* key : {"motor", "spring", "drag", "friction", "limits"})
    object.without(
        key, fmt::format("has nothing to act along: a {} joint {}; revolute and prismatic joints have it", type, why));
}

template <class S>
void add_axis(Object<S>& object, const std::string& doc) {
  object.field("axis", static_cast<Vec3 S::*>(&S::axis), direction(), doc);
}

/// The dimensions of a coordinate and of what acts along it, and the words for them.
struct Coordinate {
  Dimension value, rate, stiffness, damping, effort;
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
  Object<SpeedMotorSpec> speed("speed",
                               fmt::format("A motor that keeps a speed, as far as its {} goes.", c.effort_name));
  speed.required("signal", &SpeedMotorSpec::signal, describe_signal(c.rate), "Its course.")
      .field(fmt::format("max_{}", c.effort_name), &SpeedMotorSpec::max_effort, quantity(c.effort).positive(),
             "The largest that it gives. Absent: it is as strong as it must be.");
  return variant(effort, position, speed);
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
      .field("friction", of<S>(&DrivenJointSpec::friction), quantity(c.effort).at_least(0),
             fmt::format("The {} with which it resists to move, and up to which it sticks.", c.effort_name))
      .field("motor", of<S>(&DrivenJointSpec::motor), describe_motor(c), "A motor. Absent: none.")
      .check([](const S& spec, const std::string& path, Reading& reading) {
        if (!spec.motor || !std::holds_alternative<PositionMotorSpec>(*spec.motor)) return;
        if (spec.spring || spec.drag > 0 || spec.friction > 0 || spec.limits)
          reading.mistake(join(path, "motor"),
                          "leads the joint whatever springs, dampers, friction and limits do; leave these out, or give "
                          "the motor its speed, torque or force");
      });
}

}  // namespace

Typed<AnyJoint> describe_joints() {
  auto fixed = joint<FixedJointSpec>("fixed", "Two bodies are one.");
  auto spherical = joint<SphericalJointSpec>("spherical", "Two points stay together: a ball and its socket.");
  auto revolute = joint<RevoluteJointSpec>("revolute", "A hinge: the bodies turn against each other about an axis.");
  add_axis(revolute, "Of the hinge, at the start.");
  add_drive(revolute, {dimension::angle, dimension::angular_velocity, turning_stiffness, turning_damping,
                       dimension::moment, "torque", "angle"});
  auto prismatic = joint<PrismaticJointSpec>("prismatic", "A slide: the bodies move against each other along an axis.");
  add_axis(prismatic, "Of the slide, at the start.");
  add_drive(prismatic,
            {dimension::length, dimension::velocity, stiffness, damping, dimension::force, "force", "displacement"});
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
  leave_undriven(fixed, "fixed", "leaves no motion free");
  leave_undriven(spherical, "spherical", "leaves three turns free");
  leave_undriven(cylindrical, "cylindrical", "leaves a turn and a displacement free");
  leave_undriven(universal, "universal", "leaves two turns free");
  leave_undriven(distance, "distance", "keeps its length");
  return variant(fixed, spherical, revolute, prismatic, cylindrical, universal, distance);
}

}  // namespace ictus::scene
