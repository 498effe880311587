#include <ictus/build/joints/joint_sides.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/bodies/frames.hpp>
#include <ictus/build/bodies/solid.hpp>
#include <ictus/mechanics/bar/bar.hpp>
#include <ictus/mechanics/frame/beam_frame.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <ictus/mechanics/solid/solid.hpp>
#include <ictus/model/rigid_frame.hpp>

namespace ictus::build {

using dynamics::Guide;
using math::Vec3;
using mechanics::NodalBody;

bool JointSide::moves() const {
  if (!body) return false;
  const auto& fixed = body->fixed();
  const auto is_free = [&](int dof) { return std::find(fixed.begin(), fixed.end(), dof) == fixed.end(); };
  if (frame >= 0) return is_free(frame);
  return std::any_of(points.begin(), points.end(), [&](const Point& point) {
    return std::any_of(point.guides.begin(), point.guides.end(),
                       [&](const Guide& guide) { return is_free(guide.dof); });
  });
}

namespace {

/// Between sections or nodes of a bar or beam, `at` means the nearest.
std::size_t nearest_number(double fraction, std::size_t last) {
  return static_cast<std::size_t>(std::lround(fraction * static_cast<double>(last)));
}

/// Finds what one side of a joint holds.
class SideFinder {
 public:
  SideFinder(const scene::AnyJoint& joint, std::size_t number, const std::string& key, const scene::Scene& scene,
             const std::vector<dynamics::BodyPtr>& bodies, std::span<const double> q, Mistakes& mistakes)
      : spec_(scene::common(joint)),
        name_(spec_.between[number]),
        end_(number == 0 ? spec_.first : spec_.second),
        between_(fmt::format("{}.between.{}", key, number)),
        end_key_(fmt::format("{}.{}", key, number == 0 ? "first" : "second")),
        position_key_(key + ".position"),
        holds_each_(std::holds_alternative<scene::FixedJointSpec>(joint)),
        scene_(scene),
        bodies_(bodies),
        q_(q),
        mistakes_(mistakes) {
    const auto* distance = std::get_if<scene::DistanceJointSpec>(&joint);
    wanted_ = distance && number == 1 && distance->to ? distance->to : spec_.position;
  }

  std::optional<JointSide> find() {
    if (name_ == scene::world) {
      refuse_selectors("the world is held at the position", {});
      return JointSide{};
    }
    const auto found =
        std::find_if(bodies_.begin(), bodies_.end(), [&](const auto& body) { return body->name() == name_; });
    if (found == bodies_.end()) return refuse("{} is cut into domains, which joints do not hold");
    side_.body = (*found)->nodal();
    if (!side_.body || (*found)->generalised() || side_.body->surface().meets_surroundings())
      return refuse(
          "{} moves along coordinates of its own, which joints do not hold; rigid bodies, beams, bars, frames, shells "
          "and solids can be held");
    if (side_.body->rigid_bodies()) return find_rigid();
    if (side_.body->turns()) return find_section();
    if (const auto* frame = side_.body->beam_frame()) return find_frame_node(*frame);
    if (const auto* bar = side_.body->bar()) return find_bar_node(*bar);
    side_.turns = false;
    if (const auto* solid = side_.body->solid()) return find_solid(*solid);
    if (const auto* shell = side_.body->shell()) return find_shell(*shell);
    if (side_.body->dofs().size != 3)
      return refuse(
          "{} moves along coordinates of its own, which joints do not hold; rigid bodies, beams, bars, frames, shells "
          "and solids can be held");
    refuse_selectors("{} is a point", {});
    return hold({node(side_.body->dofs().begin)});
  }

 private:
  std::optional<JointSide> refuse(std::string_view why) {
    mistakes_.add(between_, fmt::format(fmt::runtime(why), name_));
    return std::nullopt;
  }

  /// Keys that say where a joint holds a body other than these are mistakes.
  void refuse_selectors(std::string_view why, const std::vector<std::string_view>& allowed) {
    const auto check = [&](std::string_view key, bool given) {
      if (!given || std::find(allowed.begin(), allowed.end(), key) != allowed.end()) return;
      const std::string instead = allowed.empty() ? "leave it out" : fmt::format("use {}", fmt::join(allowed, " or "));
      mistakes_.add(fmt::format("{}.{}", end_key_, key), fmt::format("does not say where this holds: {}; {}",
                                                                     fmt::format(fmt::runtime(why), name_), instead));
    };
    check("at", end_.at.has_value());
    check("node", end_.node.has_value());
    check("set", end_.set.has_value());
    check("box", end_.box.has_value());
  }

  std::optional<JointSide> find_rigid() {
    refuse_selectors("{} is rigid and held at the position of the joint", {});
    const std::size_t count = side_.body->dofs().size / model::RigidFrame::dofs;
    if (count > 1) return refuse(fmt::format("{{}} are {} bodies; a joint holds one", count));
    return hold_frame(side_.body->dofs().begin);
  }

  std::optional<JointSide> hold_frame(std::size_t first_dof) {
    side_.frame = static_cast<int>(first_dof);
    side_.place = Vec3::Map(&q_[first_dof]);
    return side_;
  }

  std::optional<JointSide> say_where(std::string_view key) {
    return refuse(fmt::format("must say where {{}} is held: give the position of the joint, or `{}`", key));
  }

  std::optional<JointSide> find_section() {
    refuse_selectors("{} is a beam", {"at"});
    const std::size_t begin = side_.body->dofs().begin, count = side_.body->dofs().size / model::RigidFrame::dofs;
    side_.has_place = end_.at.has_value();
    if (end_.at) return hold_frame(begin + model::RigidFrame::dofs * nearest_number(*end_.at, count - 1));
    if (!wanted_) return say_where("at");
    return hold_frame(begin + model::RigidFrame::dofs * nearest(count, [&](std::size_t i) {
                                return Vec3(Vec3::Map(&q_[begin + model::RigidFrame::dofs * i]));
                              }));
  }

  template <class At>
  std::size_t nearest(std::size_t count, At&& at) const {
    const Vec3 wanted = to_vector(*wanted_);
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i) {
      if ((at(i) - wanted).norm() < (at(best) - wanted).norm()) best = i;
    }
    return best;
  }

  /// Numbers of the points that are in the box of the scene.
  template <class At>
  std::optional<std::vector<std::size_t>> in_box(std::size_t count, At&& at) {
    const Vec3 from = to_vector(end_.box->from), to = to_vector(end_.box->to);
    const Eigen::AlignedBox3d box(from.cwiseMin(to), from.cwiseMax(to));
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < count; ++i) {
      if (box.contains(at(i))) found.push_back(i);
    }
    if (!found.empty()) return found;
    mistakes_.add(end_key_ + ".box", fmt::format("holds no node of {}", name_));
    return std::nullopt;
  }

  static JointSide::Point node(std::size_t first_dof) {
    JointSide::Point point;
    for (int c = 0; c < 3; ++c) point.guides.push_back({static_cast<int>(first_dof) + c, Vec3::Unit(c)});
    return point;
  }

  /// A fixed joint holds each of these points, others their mean.
  std::optional<JointSide> hold(std::vector<JointSide::Point> points) {
    if (points.size() > 1 && !holds_each_) {
      JointSide::Point mean;
      const double share = 1.0 / static_cast<double>(points.size());
      for (const JointSide::Point& point : points) {
        mean.base += share * point.base;
        for (const Guide& guide : point.guides)
          mean.guides.push_back({guide.dof, share * guide.move, share * guide.turn});
      }
      points = {mean};
    }
    side_.points = std::move(points);
    side_.place = Vec3::Zero();
    for (const JointSide::Point& point : side_.points) {
      side_.place += point.base / static_cast<double>(side_.points.size());
      for (const Guide& guide : point.guides)
        side_.place += q_[static_cast<std::size_t>(guide.dof)] * guide.move / static_cast<double>(side_.points.size());
    }
    side_.has_place = true;
    return side_;
  }

  /// A node of a frame in space carries any place, as the section that it is.
  JointSide::Point frame_node(const mechanics::BeamFrame& frame, std::size_t number) const {
    const Vec3 x = frame.nodes()[number];
    JointSide::Point point{{}, x};
    if (frame.properties().kind == mechanics::FrameKind::grillage) {
      point.guides = {{frame.dof(number, 0), Vec3::UnitZ()},
                      {frame.dof(number, 1), Vec3::Zero(), -Vec3::UnitY()},
                      {frame.dof(number, 2), Vec3::Zero(), Vec3::UnitX()}};
      return point;
    }
    for (int c = 0; c < 3; ++c) point.guides.push_back({frame.dof(number, static_cast<std::size_t>(c)), Vec3::Unit(c)});
    for (int c = 0; c < 3; ++c)
      point.guides.push_back({frame.dof(number, static_cast<std::size_t>(3 + c)), Vec3::Zero(), Vec3::Unit(c)});
    return point;
  }

  std::optional<JointSide> find_frame_node(const mechanics::BeamFrame& frame) {
    refuse_selectors("{} is a frame", {"node", "box"});
    const auto at = [&](std::size_t i) { return frame.nodes()[i]; };
    if (end_.box) {
      const auto found = in_box(frame.nodes().size(), at);
      if (!found) return std::nullopt;
      std::vector<JointSide::Point> points;
      for (const std::size_t i : *found) points.push_back(frame_node(frame, i));
      return hold(std::move(points));
    }
    std::optional<std::size_t> number;
    if (end_.node) {
      number =
          find_node(std::get<scene::FrameSpec>(*scene_.bodies.find(name_)), *end_.node, end_key_ + ".node", mistakes_);
      if (!number) return std::nullopt;
    }
    if (!number && !wanted_) return say_where("node");
    return hold({frame_node(frame, number ? *number : nearest(frame.nodes().size(), at))});
  }

  std::optional<JointSide> find_bar_node(const mechanics::Bar& bar) {
    refuse_selectors("{} is a bar", {"at"});
    side_.turns = false;
    const std::size_t last = bar.properties().elements;
    const auto at = [&](std::size_t i) {
      return Vec3(bar.properties().start + static_cast<double>(i) * bar.element_length() * bar.properties().direction);
    };
    if (!end_.at && !wanted_) return say_where("at");
    const std::size_t number = end_.at ? nearest_number(*end_.at, last) : nearest(last + 1, at);
    return hold({{{{static_cast<int>(bar.dofs().begin + number), bar.properties().direction}}, at(number)}});
  }

  std::optional<JointSide> find_solid(const mechanics::Solid& solid) {
    refuse_selectors("{} is a solid", {"set", "box"});
    const std::size_t begin = solid.dofs().begin, count = solid.dofs().size / 3;
    const auto at = [&](std::size_t i) { return Vec3(Vec3::Map(&q_[begin + 3 * i])); };
    std::vector<JointSide::Point> points;
    if (end_.set) {
      const std::vector<int>* nodes = solid.node_set(*end_.set);
      if (!nodes) {
        mistakes_.add(end_key_ + ".set", unknown_set(solid.node_sets(), *end_.set));
        return std::nullopt;
      }
      for (const int i : *nodes) points.push_back(node(begin + 3 * static_cast<std::size_t>(i)));
    } else if (end_.box) {
      const auto found = in_box(count, at);
      if (!found) return std::nullopt;
      for (const std::size_t i : *found) points.push_back(node(begin + 3 * i));
    } else {
      if (!needs_position()) return std::nullopt;
      points.push_back(node(begin + 3 * nearest(count, at)));
    }
    return hold(std::move(points));
  }

  /// Vertices of the limit surface, which the control vertices around them carry.
  std::optional<JointSide> find_shell(const mechanics::Shell& shell) {
    refuse_selectors("{} is a shell", {"box"});
    const std::size_t begin = shell.dofs().begin;
    const std::vector<double> own(q_.begin() + static_cast<std::ptrdiff_t>(begin),
                                  q_.begin() + static_cast<std::ptrdiff_t>(shell.dofs().end()));
    const std::vector<Vec3> limit = shell.limit(own, true);
    const auto at = [&](std::size_t i) { return limit[i]; };
    std::vector<std::size_t> numbers;
    if (end_.box) {
      const auto found = in_box(limit.size(), at);
      if (!found) return std::nullopt;
      numbers = *found;
    } else {
      if (!needs_position()) return std::nullopt;
      numbers = {nearest(limit.size(), at)};
    }
    std::vector<JointSide::Point> points;
    for (const std::size_t number : numbers) {
      const std::vector<double> shares = shell.limit_force(number, Vec3::UnitX());
      JointSide::Point& point = points.emplace_back();
      for (std::size_t k = 0; k < shares.size(); k += 3) {
        for (int c = 0; c < 3 && shares[k] != 0; ++c)
          point.guides.push_back({static_cast<int>(begin + k) + c, shares[k] * Vec3::Unit(c)});
      }
    }
    return hold(std::move(points));
  }

  bool needs_position() {
    if (wanted_) return true;
    mistakes_.add(position_key_, fmt::format("is needed: it says which node of {} is held", name_));
    return false;
  }

  const scene::JointSpec& spec_;
  const std::string& name_;
  const scene::JointEndSpec& end_;
  std::string between_, end_key_, position_key_;
  bool holds_each_;
  std::optional<scene::Vec3> wanted_;
  const scene::Scene& scene_;
  const std::vector<dynamics::BodyPtr>& bodies_;
  std::span<const double> q_;
  Mistakes& mistakes_;
  JointSide side_;
};

}  // namespace

std::optional<JointSide> find_joint_side(const scene::AnyJoint& joint, std::size_t side, const std::string& key,
                                         const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies,
                                         std::span<const double> q, Mistakes& mistakes) {
  return SideFinder(joint, side, key, scene, bodies, q, mistakes).find();
}

}  // namespace ictus::build
