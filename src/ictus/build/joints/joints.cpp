#include <ictus/build/joints/joints.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/bodies/solid.hpp>
#include <ictus/build/loads/loads.hpp>
#include <ictus/dynamics/joint/joint_rows.hpp>
#include <ictus/dynamics/joint/joint_stop.hpp>
#include <ictus/mechanics/obstacle/lead.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <ictus/mechanics/solid/solid.hpp>
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
    Side first = find_side(0), second = find_side(1);
    if (!first.known || !second.known) return;
    if (!moves(first) && !moves(second))
      return mistakes_.add(key_ + ".between", "neither side can move; a joint holds at least one body that can");
    place(first, second);
    const bool nodal = first.nodal || second.nodal;
    const JointType type = type_of(joint_);
    const bool shares_points = type == JointType::spherical || type == JointType::distance;
    const bool of_set = type == JointType::fixed && (spec_.first.set || spec_.second.set);
    if (nodal && !shares_points && !of_set)
      return mistakes_.add(
          key_ + ".type", fmt::format("{} has nodes, which do not turn: joints to it are spherical, distance, or fixed "
                                      "with a set of its nodes",
                                      first.nodal ? spec_.between[0] : spec_.between[1]));
    if (of_set) return fix_set(first, second);
    add(type, first, second, first.place, type == JointType::distance ? second.place : first.place);
  }

 private:
  /// One side of the joint before it is known where it is.
  struct Side {
    bool known = true;
    const NodalBody* body = nullptr;  ///< null: the world
    bool nodal = false;
    int frame = -1;
    std::vector<std::vector<std::pair<int, double>>> points{};  ///< each the shares of a point of nodes
    Vec3 place = Vec3::Zero();
    bool has_place = false;  ///< it says itself where it is
  };

  void check_axes() {
    const auto* universal = std::get_if<scene::UniversalJointSpec>(&joint_);
    if (!universal) return;
    const double cosine = to_vector(universal->axis).normalized().dot(to_vector(universal->second_axis).normalized());
    if (std::abs(cosine) > same_share)
      mistakes_.add(key_ + ".second_axis", fmt::format("must be perpendicular to axis; they are at {:g} degrees",
                                                       std::acos(cosine) * 180 / M_PI));
  }

  bool moves(const Side& side) const {
    if (!side.body) return false;
    const auto& fixed = side.body->fixed();
    const auto is_held = [&](int dof) { return std::find(fixed.begin(), fixed.end(), dof) != fixed.end(); };
    if (!side.nodal) return !is_held(side.frame);
    return std::any_of(side.points.begin(), side.points.end(), [&](const auto& shares) {
      return std::any_of(shares.begin(), shares.end(), [&](const auto& one) { return !is_held(one.first); });
    });
  }

  Side find_side(std::size_t number) {
    const std::string& name = spec_.between[number];
    const scene::JointEndSpec& end = number == 0 ? spec_.first : spec_.second;
    const std::string key = fmt::format("{}.{}", key_, number == 0 ? "first" : "second");
    Side side;
    if (name == scene::world) {
      if (end.at) mistakes_.add(key + ".at", "is for beams; the world is held at the position");
      if (end.set) mistakes_.add(key + ".set", "is for solids; the world is held at the position");
      return side;
    }
    const auto found =
        std::find_if(bodies_.begin(), bodies_.end(), [&](const auto& body) { return body->name() == name; });
    const auto refuse = [&](const std::string& why) {
      mistakes_.add(fmt::format("{}.between.{}", key_, number), why);
      side.known = false;
      return side;
    };
    if (found == bodies_.end()) return refuse(fmt::format("{} is cut into domains, which joints do not hold", name));
    side.body = (*found)->nodal();
    if (!side.body)
      return refuse(fmt::format("{} cannot be held by a joint; rigid bodies, beams, shells and solids can", name));
    if (end.at && (!side.body->turns() || side.body->rigid_bodies()))
      mistakes_.add(key + ".at", fmt::format("is for beams, and {} is none; leave it out", name));
    const auto* solid = dynamic_cast<const mechanics::Solid*>(side.body);
    if (end.set && !solid)
      mistakes_.add(key + ".set", fmt::format("is for solids, and {} is none; leave it out", name));
    if (side.body->turns()) return find_frame(side, end, refuse);
    side.nodal = true;
    if (solid && end.set) return find_set(side, *solid, *end.set, key);
    if (const auto* shell = dynamic_cast<const mechanics::Shell*>(side.body)) return find_point(side, *shell);
    if (!solid && side.body->dofs().size != 3)
      return refuse(
          fmt::format("{} moves along its own coordinates, which joints do not hold; rigid bodies, beams, "
                      "shells and solids can be held",
                      name));
    return find_node(side);
  }

  template <class Refuse>
  Side find_frame(Side side, const scene::JointEndSpec& end, Refuse&& refuse) {
    const std::size_t begin = side.body->dofs().begin, count = side.body->dofs().size / model::RigidFrame::dofs;
    std::size_t section = 0;
    if (side.body->rigid_bodies()) {
      if (count > 1) return refuse(fmt::format("{} are {} bodies; a joint holds one", side.body->name(), count));
    } else if (end.at) {
      section = static_cast<std::size_t>(std::lround(*end.at * static_cast<double>(count - 1)));
      side.has_place = true;
    } else {
      double nearest = INFINITY;
      for (std::size_t i = 0; i < count && spec_.position; ++i) {
        const double distance =
            (Vec3::Map(&q_[begin + model::RigidFrame::dofs * i]) - to_vector(*spec_.position)).norm();
        if (distance >= nearest) continue;
        nearest = distance;
        section = i;
      }
      if (!spec_.position)
        return refuse(
            fmt::format("must say where {} is held: give the position of the joint, or `at`", side.body->name()));
    }
    side.frame = static_cast<int>(begin + model::RigidFrame::dofs * section);
    side.place = Vec3::Map(&q_[static_cast<std::size_t>(side.frame)]);
    return side;
  }

  Side find_set(Side side, const mechanics::Solid& solid, const std::string& set, const std::string& key) {
    const std::vector<int>* nodes = solid.node_set(set);
    if (!nodes) {
      mistakes_.add(key + ".set", unknown_set(solid.node_sets(), set));
      side.known = false;
      return side;
    }
    for (const int node : *nodes) side.points.push_back({{static_cast<int>(solid.dofs().begin) + 3 * node, 1.0}});
    if (type_of(joint_) != JointType::fixed) {
      std::vector<std::pair<int, double>> mean;
      for (const int node : *nodes)
        mean.emplace_back(static_cast<int>(solid.dofs().begin) + 3 * node, 1.0 / static_cast<double>(nodes->size()));
      side.points = {mean};
    }
    side.place = Vec3::Zero();
    for (const int node : *nodes)
      side.place +=
          Vec3::Map(&q_[solid.dofs().begin + 3 * static_cast<std::size_t>(node)]) / static_cast<double>(nodes->size());
    side.has_place = true;
    return side;
  }

  Side find_node(Side side) {
    if (!needs_position(side)) return side;
    const std::size_t begin = side.body->dofs().begin;
    std::size_t nearest = begin;
    for (std::size_t k = begin; k < side.body->dofs().end(); k += 3) {
      if (distance_to(Vec3::Map(&q_[k])) < distance_to(Vec3::Map(&q_[nearest]))) nearest = k;
    }
    side.points = {{{static_cast<int>(nearest), 1.0}}};
    return at_points(side);
  }

  /// The vertex of the limit surface that is nearest, which the control vertices around it carry.
  Side find_point(Side side, const mechanics::Shell& shell) {
    if (!needs_position(side)) return side;
    const Vec3 position = wanted(side);
    const std::size_t begin = shell.dofs().begin;
    std::vector<double> own(q_.begin() + static_cast<std::ptrdiff_t>(begin),
                            q_.begin() + static_cast<std::ptrdiff_t>(shell.dofs().end()));
    const std::vector<Vec3> limit = shell.limit(own, true);
    const auto nearest = static_cast<std::size_t>(
        std::min_element(limit.begin(), limit.end(),
                         [&](const Vec3& a, const Vec3& b) { return (a - position).norm() < (b - position).norm(); }) -
        limit.begin());
    const std::vector<double> shares = shell.limit_force(nearest, Vec3::UnitX());
    side.points = {{}};
    for (std::size_t k = 0; k < shares.size(); k += 3) {
      if (shares[k] != 0) side.points[0].emplace_back(static_cast<int>(begin + k), shares[k]);
    }
    return at_points(side);
  }

  Vec3 wanted(const Side& side) const {
    const auto* distance = std::get_if<scene::DistanceJointSpec>(&joint_);
    const bool is_second = side.body && side.body->name() == spec_.between[1];
    return to_vector(distance && is_second && distance->to ? *distance->to : *spec_.position);
  }
  double distance_to(const Vec3& x) const { return (x - wanted_).norm(); }
  bool needs_position(Side& side) {
    const auto* distance = std::get_if<scene::DistanceJointSpec>(&joint_);
    if (!spec_.position && !(distance && distance->to)) {
      mistakes_.add(key_ + ".position", fmt::format("is needed: it says which node of {} is held", side.body->name()));
      side.known = false;
      return false;
    }
    wanted_ = wanted(side);
    return true;
  }

  Side at_points(Side side) const {
    side.place = Vec3::Zero();
    for (const auto& [dof, share] : side.points[0]) side.place += share * Vec3::Map(&q_[static_cast<std::size_t>(dof)]);
    side.has_place = true;
    return side;
  }

  /// Both sides get their places. Those that have one of their own must agree with each other and with the position.
  void place(Side& first, Side& second) {
    const auto* distance = std::get_if<scene::DistanceJointSpec>(&joint_);
    if (distance) {
      if (!first.has_place && spec_.position) first.place = to_vector(*spec_.position);
      if (!second.has_place && distance->to) second.place = to_vector(*distance->to);
      if ((first.place - second.place).norm() == 0)
        mistakes_.add(key_, "holds two points at a distance, which must not be zero");
      return;
    }
    const Side& own = first.has_place ? first : second;
    Vec3 x = second.body ? second.place : first.place;
    if (spec_.position) x = to_vector(*spec_.position);
    if (own.has_place && !spec_.position) x = own.place;
    for (const Side* side : {&first, &second}) {
      const bool reaches = !side->nodal;  // a frame holds any place
      const double gap = (side->place - x).norm();
      if (reaches || gap <= same_share * std::max(1.0, x.norm())) continue;
      mistakes_.add(key_ + ".position",
                    fmt::format("the joint cannot close: what it holds of {} is at {}, {:g} m from {}; give that "
                                "position, or move the body",
                                side->body->name(), text_of(side->place), gap, text_of(x)));
    }
    first.place = second.place = x;
  }

  JointEnd end_of(const Side& side, std::size_t point, const Vec3& place, const Eigen::Matrix3d& axes) const {
    if (!side.body) return dynamics::end_in_world(place, axes);
    if (!side.nodal) return dynamics::end_on_frame(side.body->name(), side.frame, q_, place, axes);
    return {side.body->name(), -1, side.points[point], Vec3::Zero(), axes};
  }

  /// About the size of what is held: the larger radius of gyration or lever.
  double size_of(const Joint& joint, const Side& first, const Side& second) const {
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

  void add(JointType type, const Side& first, const Side& second, const Vec3& at_first, const Vec3& at_second,
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
  std::pair<Vec3, Vec3> motion_of(const Side& side, std::size_t point, const Vec3& x) const {
    if (!side.body) return {Vec3::Zero(), Vec3::Zero()};
    const auto mass = side.body->mass();
    const auto velocity = [&](int dof) {
      const std::size_t k = static_cast<std::size_t>(dof);
      return Vec3(Vec3::Map(&p_[k]).cwiseQuotient(Vec3::Map(&mass[k - side.body->dofs().begin])));
    };
    if (side.nodal) {
      Vec3 v = Vec3::Zero();
      for (const auto& [dof, share] : side.points[point]) v += share * velocity(dof);
      return {v, Vec3::Zero()};
    }
    const auto frame = model::RigidFrame::at(q_, static_cast<std::size_t>(side.frame));
    const Vec3 spin = frame.axes * velocity(side.frame + static_cast<int>(model::RigidFrame::angular));
    return {velocity(side.frame) + spin.cross(x - frame.x), spin};
  }

  /// Bodies that would be jerked at the start are rarely what a person means.
  void check_velocities(const Joint& joint, const Side& first, const Side& second, std::size_t first_point,
                        std::size_t second_point) {
    const dynamics::JointPose pose(joint, q_);
    const Vec3 x = pose.x[1];
    const auto [va, wa] = motion_of(first, first_point, first.nodal ? pose.x[0] : x);
    const auto [vb, wb] = motion_of(second, second_point, x);
    const double speed = std::max({va.norm(), vb.norm(), joint.size * wa.norm(), joint.size * wb.norm()});
    double misfit = 0;
    for (const dynamics::JointRow& row : dynamics::JointRows(joint, pose, 0)) {
      if (joint.drive.follows >= 0) break;
      misfit = std::max(misfit, std::abs(row.force.dot(vb - va) + row.moment.dot(wb - wa)));
    }
    if (misfit > jerk_share * speed)
      mistakes_.add(key_,
                    fmt::format("the velocities of {} and {} at the start do not fit it: they part with {:g} m/s; "
                                "give the bodies velocities with which it stays closed",
                                spec_.between[0], spec_.between[1], misfit));
  }

  /// Each node of the set is held where it is.
  void fix_set(const Side& first, const Side& second) {
    const Side& set = first.nodal ? first : second;
    const Side& frame = first.nodal ? second : first;
    if (frame.nodal)
      return mistakes_.add(key_ + ".type", "a set of nodes is fixed to a rigid body, a section of a beam or the world");
    if (set.points.size() < 3)
      return mistakes_.add(key_ + (first.nodal ? ".first.set" : ".second.set"),
                           "has fewer than three nodes, which do not keep it from turning");
    for (std::size_t i = 0; i < set.points.size(); ++i) {
      const Vec3 x = Vec3::Map(&q_[static_cast<std::size_t>(set.points[i][0].first)]);
      add(JointType::spherical, first, second, x, x, first.nodal ? i : 0, second.nodal ? i : 0);
    }
  }

  void add_drive(const scene::DrivenJointSpec& spec, Joint& joint) {
    if (spec.spring) {
      joint.drive.stiffness = spec.spring->stiffness;
      joint.drive.rest = spec.spring->rest;
    }
    joint.drive.damping = spec.drag;
    if (spec.limits) add_limits(*spec.limits, joint);
    if (!spec.motor) return;
    const auto& signal_spec =
        std::visit([](const auto& motor) -> const scene::Signal& { return motor.signal; }, *spec.motor);
    const auto signal = make_signal(signal_spec, own_, key_ + ".motor.signal", scene_.time.end, mistakes_);
    if (std::holds_alternative<scene::EffortMotorSpec>(*spec.motor)) {
      joint.drive.effort = signal;
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
  Vec3 wanted_ = Vec3::Zero();
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
