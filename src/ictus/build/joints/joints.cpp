#include <ictus/build/joints/joints.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/joints/joint_sides.hpp>
#include <ictus/build/loads/loads.hpp>
#include <ictus/dynamics/joint/joint_rows.hpp>
#include <ictus/dynamics/joint/joint_stop.hpp>
#include <ictus/mechanics/obstacle/lead.hpp>
#include <ictus/model/rigid_frame.hpp>

namespace ictus::build {

using dynamics::Joint;
using dynamics::JointEnd;
using dynamics::JointType;
using math::Vec3;
using mechanics::NodalBody;

namespace {

/// Points and axes that differ by less than this share are one.
constexpr double same_share = 1e-9;
/// Velocities that do not fit a joint by up to this share, as numbers in a scene are rounded, are made to.
constexpr double jerk_share = 1e-3;

std::string text_of(const Vec3& x) { return fmt::format("({:g}, {:g}, {:g})", x.x(), x.y(), x.z()); }

JointType type_of(const scene::AnyJoint& joint) { return static_cast<JointType>(joint.index()); }

/// Axes of a joint: the third is given, and the first where it is.
Eigen::Matrix3d axes_of(const scene::AnyJoint& joint) {
  const auto third = [](const auto& spec) {
    if constexpr (requires { spec.axis; }) return Vec3(to_vector(spec.axis).normalized());
    return Vec3(Vec3::UnitZ());
  };
  const Vec3 e3 = std::visit(third, joint);
  Vec3 e1 = model::tangent_basis(e3)[0];
  if (const auto* universal = std::get_if<scene::UniversalJointSpec>(&joint)) {
    const Vec3 given = to_vector(universal->second_axis);
    e1 = (given - e3.dot(given) * e3).normalized();
  }
  Eigen::Matrix3d axes;
  axes << e1, e3.cross(e1), e3;
  return axes;
}

/// Makes one joint of a scene.
class JointMaker {
 public:
  JointMaker(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies, std::span<const double> q,
             std::span<const double> p, const Own& own, std::size_t number, Jointed& made, Mistakes& mistakes)
      : scene_(scene),
        bodies_(bodies),
        q_(q),
        p_(p),
        own_(own),
        joint_(scene.joints[number]),
        spec_(scene::common(joint_)),
        key_(fmt::format("joints.{}", number)),
        number_(static_cast<int>(number)),
        made_(made),
        mistakes_(mistakes) {}

  void make() {
    check_axes();
    std::optional<JointSide> first = find_joint_side(joint_, 0, key_, scene_, bodies_, q_, mistakes_),
                             second = find_joint_side(joint_, 1, key_, scene_, bodies_, q_, mistakes_);
    if (!first || !second) return;
    if (!first->moves() && !second->moves())
      return mistakes_.add(key_ + ".between", "neither side can move; a joint holds at least one body that can");
    if (!place(*first, *second)) return;
    const JointType type = type_of(joint_);
    const bool is_set = first->points.size() > 1 || second->points.size() > 1;
    const bool points_suffice = type == JointType::spherical || type == JointType::distance || is_set;
    if ((!first->turns || !second->turns) && !points_suffice)
      return mistakes_.add(
          key_ + ".type", fmt::format("{} has nodes, which do not turn: joints to it are spherical, distance, or fixed "
                                      "with a set of its nodes",
                                      first->turns ? spec_.between[1] : spec_.between[0]));
    if (is_set) return fix_set(*first, *second);
    add(type, *first, *second, first->place, type == JointType::distance ? second->place : first->place);
  }

 private:
  void check_axes() {
    const auto* universal = std::get_if<scene::UniversalJointSpec>(&joint_);
    if (!universal) return;
    const double cosine = to_vector(universal->axis).normalized().dot(to_vector(universal->second_axis).normalized());
    if (std::abs(cosine) > same_share)
      mistakes_.add(key_ + ".second_axis", fmt::format("must be perpendicular to axis; they are at {:g} degrees",
                                                       std::acos(cosine) * 180 / M_PI));
  }

  /// Both sides get their places. Those that have one of their own must agree with each other and with the position;
  /// returns whether they do.
  bool place(JointSide& first, JointSide& second) {
    const auto* distance = std::get_if<scene::DistanceJointSpec>(&joint_);
    if (distance) {
      if (!first.has_place && spec_.position) first.place = to_vector(*spec_.position);
      if (!second.has_place && distance->to) second.place = to_vector(*distance->to);
      if ((first.place - second.place).norm() > 0) return true;
      mistakes_.add(key_, "holds two points at a distance, which must not be zero");
      return false;
    }
    const JointSide& own = first.has_place ? first : second;
    Vec3 x = second.body ? second.place : first.place;
    if (spec_.position) x = to_vector(*spec_.position);
    if (own.has_place && !spec_.position) x = own.place;
    bool agree = true;
    for (const JointSide* side : {&first, &second}) {
      const bool reaches = side->turns;  // what turns holds any place
      const double gap = (side->place - x).norm();
      if (reaches || gap <= same_share * std::max(1.0, x.norm())) continue;
      agree = false;
      mistakes_.add(key_ + ".position",
                    fmt::format("the joint cannot close: what it holds of {} is at {}, {:g} m from {}; give that "
                                "position, or move the body",
                                side->body->name(), text_of(side->place), gap, text_of(x)));
    }
    first.place = second.place = x;
    return agree;
  }

  /// Of nodes that turn, the place is where the joint is and not they.
  JointEnd end_of(const JointSide& side, std::size_t point, const Vec3& place, const Eigen::Matrix3d& axes) const {
    if (!side.body) return dynamics::end_in_world(place, axes);
    if (!side.nodal()) return dynamics::end_on_frame(side.body->name(), side.frame, q_, place, axes);
    JointEnd end{side.body->name(), -1, side.points[point].guides, side.points[point].base, axes};
    if (!side.turns) return end;
    const Vec3 lever = place - end.point;
    end.point = place;
    for (dynamics::Guide& guide : end.guides) guide.move += guide.turn.cross(lever);
    return end;
  }

  /// About the size of what is held: the larger radius of gyration or lever.
  double size_of(const Joint& joint, const JointSide& first, const JointSide& second) const {
    double size = 0;
    for (const auto& [side, end] : {std::pair(&first, &joint.first), {&second, &joint.second}}) {
      if (end->frame < 0) continue;
      const std::size_t k = static_cast<std::size_t>(end->frame) - side->body->dofs().begin;
      const auto mass = side->body->mass();
      size =
          std::max({size, end->point.norm(), std::sqrt(std::max({mass[k + 3], mass[k + 4], mass[k + 5]}) / mass[k])});
    }
    return size > 0 ? size : 1;
  }

  void add(JointType type, const JointSide& first, const JointSide& second, const Vec3& at_first, const Vec3& at_second,
           std::size_t first_point = 0, std::size_t second_point = 0) {
    const Eigen::Matrix3d axes = axes_of(joint_);
    Joint joint{spec_.name, type, end_of(first, first_point, at_first, axes),
                end_of(second, second_point, at_second, axes)};
    joint.number = number_;
    joint.size = size_of(joint, first, second);
    joint.length = (at_second - at_first).norm();
    const auto drive = [&](const auto& spec) {
      if constexpr (std::derived_from<std::decay_t<decltype(spec)>, scene::DrivenJointSpec>) add_drive(spec, joint);
    };
    std::visit(drive, joint_);
    check_velocities(joint, first, second, first_point, second_point);
    made_.joints.push_back(std::move(joint));
  }

  /// Velocity of the point of a side that is at x, and its angular velocity.
  std::pair<Vec3, Vec3> motion_of(const JointSide& side, std::size_t point, const Vec3& x) const {
    if (!side.body) return {Vec3::Zero(), Vec3::Zero()};
    const auto mass = side.body->mass();
    const auto velocity = [&](int dof) {
      const std::size_t k = static_cast<std::size_t>(dof);
      return Vec3(Vec3::Map(&p_[k]).cwiseQuotient(Vec3::Map(&mass[k - side.body->dofs().begin])));
    };
    if (side.nodal()) {
      std::pair<Vec3, Vec3> motion{Vec3::Zero(), Vec3::Zero()};
      for (const dynamics::Guide& guide : end_of(side, point, x, Eigen::Matrix3d::Identity()).guides) {
        const auto k = static_cast<std::size_t>(guide.dof);
        const double rate = p_[k] / mass[k - side.body->dofs().begin];
        motion.first += rate * guide.move;
        motion.second += rate * guide.turn;
      }
      return motion;
    }
    const auto frame = model::RigidFrame::at(q_, static_cast<std::size_t>(side.frame));
    const Vec3 spin = frame.axes * velocity(side.frame + static_cast<int>(model::RigidFrame::angular));
    return {velocity(side.frame) + spin.cross(x - frame.x), spin};
  }

  /// Bodies that would be jerked at the start are rarely what a person means.
  void check_velocities(const Joint& joint, const JointSide& first, const JointSide& second, std::size_t first_point,
                        std::size_t second_point) {
    const dynamics::JointPose pose(joint, q_);
    const Vec3 x = pose.x[1];
    const auto [va, wa] = motion_of(first, first_point, first.nodal() ? pose.x[0] : x);
    const auto [vb, wb] = motion_of(second, second_point, x);
    const double speed = std::max({va.norm(), vb.norm(), joint.size * wa.norm(), joint.size * wb.norm()});
    double misfit = 0;
    for (const dynamics::JointRow& row : dynamics::JointRows(joint, pose, 0)) {
      if (joint.drive.follows >= 0) break;
      misfit = std::max(misfit, std::abs(row.force.dot(vb - va) + row.moment[0].dot(wa) + row.moment[1].dot(wb)));
    }
    if (misfit > jerk_share * speed)
      mistakes_.add(key_,
                    fmt::format("the velocities of {} and {} at the start do not fit it: they part with {:g} m/s; "
                                "give the bodies velocities with which it stays closed",
                                spec_.between[0], spec_.between[1], misfit));
  }

  /// Each point of the set is held where it is; those that turn, with their rotation.
  void fix_set(const JointSide& first, const JointSide& second) {
    const bool is_first = first.points.size() > 1;
    const JointSide &set = is_first ? first : second, &other = is_first ? second : first;
    const std::string key = fmt::format("{}.{}.{}", key_, is_first ? "first" : "second",
                                        (is_first ? spec_.first : spec_.second).set ? "set" : "box");
    if (!other.turns || other.points.size() > 1)
      return mistakes_.add(key,
                           "is fixed to a rigid body, a section of a beam, a node of a frame or the world, not to "
                           "other nodes; tie those");
    if (!set.turns && set.points.size() < 3)
      return mistakes_.add(key, "has fewer than three nodes, which do not keep it from turning");
    for (std::size_t i = 0; i < set.points.size(); ++i) {
      Vec3 x = set.points[i].base;
      for (const dynamics::Guide& guide : set.points[i].guides)
        x += q_[static_cast<std::size_t>(guide.dof)] * guide.move;
      add(set.turns ? JointType::fixed : JointType::spherical, first, second, x, x, is_first ? i : 0, is_first ? 0 : i);
    }
  }

  void add_drive(const scene::DrivenJointSpec& spec, Joint& joint) {
    if (spec.spring) {
      joint.drive.stiffness = spec.spring->stiffness;
      joint.drive.rest = spec.spring->rest;
    }
    joint.drive.damping = spec.drag;
    joint.drive.friction = spec.friction;
    if (spec.limits) add_limits(*spec.limits, joint);
    if (!spec.motor) return;
    const auto signal =
        make_signal(scene::signal_of(*spec.motor), own_, key_ + ".motor.signal", scene_.time.end, mistakes_);
    if (std::holds_alternative<scene::EffortMotorSpec>(*spec.motor)) {
      joint.drive.effort = signal;
      return;
    }
    if (const auto* keeps = std::get_if<scene::SpeedMotorSpec>(&*spec.motor)) {
      joint.drive.speed = signal;
      if (keeps->max_effort) joint.drive.max_effort = *keeps->max_effort;
      return;
    }
    if (!signal) return;
    if (std::abs(signal->at(0)) > 0)
      mistakes_.add(key_ + ".motor.signal",
                    fmt::format("is {:g} at the start, where the joint is at 0; let it begin at 0", signal->at(0)));
    std::size_t dof = made_.leads.size();
    for (const dynamics::BodyPtr& body : bodies_) dof = std::max(dof, body->dofs().end() + made_.leads.size());
    joint.drive.follows = static_cast<int>(dof);
    made_.leads.push_back(std::make_unique<mechanics::Lead>(fmt::format("motor of {}", spec.name), dof));
    made_.motions.push_back({signal, {{static_cast<int>(dof), 1.0}}});
  }

  void add_limits(const scene::JointLimitsSpec& spec, const Joint& joint) {
    using dynamics::JointStop;
    if (dynamics::turns_freely(joint.type) && spec.upper - spec.lower >= 2 * M_PI)
      return mistakes_.add(key_ + ".limits", "are a turn or more apart; a hinge that turns so far has none");
    made_.stops.push_back(std::make_unique<JointStop>(joint, spec.lower, spec.upper));
    const model::Surface* stop = made_.stops.back().get();
    contact::ContactPair pair{spec_.between[0], spec_.between[1], stop, stop, spec.restitution};
    pair.rigid = true;
    pair.direction = Vec3::UnitX();
    pair.group = static_cast<int>(scene_.contacts.size() + (made_.stops.size() - 1));
    pair.first_point = JointStop::lower;
    pair.second_point = JointStop::coordinate;
    made_.limits.push_back(pair);
    pair.first_point = JointStop::coordinate;
    pair.second_point = JointStop::upper;
    made_.limits.push_back(pair);
  }

  const scene::Scene& scene_;
  const std::vector<dynamics::BodyPtr>& bodies_;
  std::span<const double> q_, p_;
  const Own& own_;
  const scene::AnyJoint& joint_;
  const scene::JointSpec& spec_;
  std::string key_;
  int number_;
  Jointed& made_;
  Mistakes& mistakes_;
};

}  // namespace

Jointed make_joints(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies, const Own& own,
                    Mistakes& mistakes) {
  Jointed made;
  if (scene.joints.empty()) return made;
  std::size_t dofs = 0;
  for (const dynamics::BodyPtr& body : bodies) dofs = std::max(dofs, body->dofs().end());
  std::vector<double> q(dofs), p(dofs);
  for (const dynamics::BodyPtr& body : bodies) body->initialise(q, p);
  for (std::size_t i = 0; i < scene.joints.size(); ++i) JointMaker(scene, bodies, q, p, own, i, made, mistakes).make();
  return made;
}

}  // namespace ictus::build
