#include <ictus/contact/detect/rigid_detector.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ictus::contact {

namespace {

/// Bodies count as near each other until they have moved by this share of their size and this many steps' way.
constexpr double reserve_of_size = 0.15, reserve_steps = 3;

}  // namespace

RigidDetector::RigidDetector(std::vector<RigidMember> members, std::vector<RigidPlane> planes, PairTable table)
    : members_(std::move(members)), planes_(std::move(planes)), table_(std::move(table)) {}

void RigidDetector::append(int owner, int other, int pair) {
  for (const geometry::ContactPoint& point : manifold_.points()) touches_.push_back({owner, other, pair, point});
}

void RigidDetector::meet_planes(int body, const geometry::Pose& pose, double margin) {
  const RigidMember& member = members_[static_cast<std::size_t>(body)];
  if (!member.moves) return;
  // Downwards, so that the numbers −1 − i ascend.
  for (std::size_t i = planes_.size(); i-- > 0;) {
    const RigidPlane& plane = planes_[i];
    const int pair = table_.pair(member.group, plane.group);
    if (pair == PairTable::none) continue;
    if (math::dot(plane.normal, pose.position - plane.point) > member.shape->reach() + margin) continue;
    geometry::NarrowPhase::collide_plane(plane.point, plane.normal, *member.shape, pose, margin, manifold_);
    append(body, -1 - static_cast<int>(i), pair);
  }
}

void RigidDetector::meet_bodies(int body, std::span<const geometry::Pose> poses, std::span<const double> margins) {
  const auto i = static_cast<std::size_t>(body);
  const RigidMember& member = members_[i];
  for (const int other : near_.partners(i)) {
    const auto j = static_cast<std::size_t>(other);
    if (!bounds_[i].meets(bounds_[j])) continue;
    const RigidMember& partner = members_[j];
    const int pair = table_.pair(member.group, partner.group);
    if (pair == PairTable::none || !(member.moves || partner.moves)) continue;
    const double margin = margins[i] + margins[j];
    const double reach = member.shape->reach() + partner.shape->reach() + margin;
    if (math::norm_sq(poses[j].position - poses[i].position) > reach * reach) continue;
    narrow_.collide(*member.shape, poses[i], *partner.shape, poses[j], margin, manifold_);
    append(body, other, pair);
  }
}

std::span<const RigidTouch> RigidDetector::detect(std::span<const geometry::Pose> poses,
                                                  std::span<const double> margins) {
  assert(poses.size() == members_.size() && margins.size() == members_.size());
  touches_.clear();
  bounds_.resize(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const geometry::Vec margin{margins[i], margins[i], margins[i]};
    bounds_[i] = {poses[i].position, members_[i].shape->half_extent(poses[i].axes) + margin};
  }
  near_.update(bounds_, [&](std::size_t i) {
    const geometry::Vec& half = bounds_[i].half;
    return reserve_of_size * std::max({half.x, half.y, half.z}) + reserve_steps * margins[i];
  });
  for (int body = 0; body < static_cast<int>(members_.size()); ++body) {
    meet_planes(body, poses[static_cast<std::size_t>(body)], margins[static_cast<std::size_t>(body)]);
    meet_bodies(body, poses, margins);
  }
  return touches_;
}

bool RigidDetector::meet(const RigidTouch& touch, std::span<const geometry::Pose> poses,
                         std::span<const geometry::Vec> linear, std::span<const geometry::Vec> angular, double h) {
  assert(!touch.on_plane());
  const auto a = static_cast<std::size_t>(touch.owner), b = static_cast<std::size_t>(touch.other);
  const geometry::RigidShape &one = *members_[a].shape, &other = *members_[b].shape;
  const auto after = [&](std::size_t i, double t) {
    const math::Rotation<double> turn = math::cayley(t * angular[i]);
    const geometry::Mat& axes = poses[i].axes;
    return geometry::Pose{poses[i].position + t * linear[i],
                          {rotate(turn, axes.a), rotate(turn, axes.b), rotate(turn, axes.c)}};
  };
  const auto size = [](const geometry::Vec& v) { return std::sqrt(math::norm_sq(v)); };
  const double speed = size(linear[b] - linear[a]) + one.reach() * size(angular[a]) + other.reach() * size(angular[b]);
  // They cannot meet before they have gone as far as they are apart.
  constexpr int max_iterations = 100;
  const double met = 1e-3 * std::min(one.reach(), other.reach());
  double t = 0;
  for (int i = 0; i < max_iterations; ++i) {
    const double gap = narrow_.gap(one, after(a, t), other, after(b, t));
    if (gap <= met) return true;
    t += gap / speed;
    if (t > h) return false;
  }
  return true;
}

}  // namespace ictus::contact
