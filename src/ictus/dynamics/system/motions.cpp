#include <ictus/dynamics/system/motions.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/base/index.hpp>
#include <ictus/math/convert.hpp>
#include <ictus/model/rigid_frame.hpp>

namespace ictus::dynamics {

using base::index;

namespace {

constexpr std::size_t turning_from = model::RigidFrame::angular;

math::Vector3<double> vector_at(const double* a) { return {a[0], a[1], a[2]}; }
void write_vector(const math::Vector3<double>& a, double* to) {
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}
math::Rotation<double> orientation_of(const double* q) { return {q[turning_from], vector_at(q + turning_from + 1)}; }

}  // namespace

Motions::Motions(std::vector<mechanics::SupportMotion> motions, std::span<const double> q)
    : motions_(std::move(motions)) {
  std::vector<std::size_t> frames;
  for (const mechanics::SupportMotion& motion : motions_) {
    for (const auto& [dof, weight] : motion.entries) driven_.push_back(dof);
    for (const mechanics::FrameMotion& frame : motion.frames) frames.push_back(frame.first);
  }
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  for (const std::size_t first : frames) {
    for (std::size_t c = 0; c < 2 * turning_from; ++c) driven_.push_back(static_cast<int>(first + c));
  }
  std::sort(driven_.begin(), driven_.end());
  driven_.erase(std::unique(driven_.begin(), driven_.end()), driven_.end());
  for (const int k : driven_) from_.push_back(q[index(k)]);
  for (const std::size_t first : frames) {
    const auto slot = std::lower_bound(driven_.begin(), driven_.end(), static_cast<int>(first)) - driven_.begin();
    frames_.push_back({first, static_cast<std::size_t>(slot), vector_at(&q[first]), orientation_of(&q[first])});
  }
}

Motions::Pose Motions::pose(const Frame& frame, double time) const {
  Pose pose{frame.x, frame.turn};
  math::Vector3<double> way{};
  for (const mechanics::SupportMotion& motion : motions_) {
    for (const mechanics::FrameMotion& one : motion.frames) {
      if (one.first != frame.first) continue;
      const double value = motion.signal->at(time);
      way += value * math::from_eigen(one.way);
      if (one.axis.isZero()) continue;
      const math::Rotation<double> turn{std::cos(0.5 * value), std::sin(0.5 * value) * math::from_eigen(one.axis)};
      const math::Vector3<double> centre = math::from_eigen(one.centre);
      pose = {centre + rotate(turn, pose.x - centre), turn * pose.turn};
    }
  }
  return {pose.x + way, normalized(pose.turn)};
}

void Motions::place(double time, std::span<double> q, std::span<double> way) const {
  for (std::size_t i = 0; i < way.size(); ++i) way[i] = -q[index(driven_[i])];
  std::size_t frame = 0;
  for (std::size_t i = 0; i < driven_.size();) {
    if (frame == frames_.size() || frames_[frame].slot != i) {
      q[index(driven_[i])] = from_[i];
      ++i;
      continue;
    }
    const auto& [first, slot, x, turn] = frames_[frame];
    const Pose now = pose(frames_[frame++], time);
    const math::Vector3<double> turned = math::rotation_vector(inverse(orientation_of(&q[first])) * now.turn);
    write_vector(now.x, &q[first]);
    q[first + turning_from] = now.turn.s;
    write_vector(now.turn.v, &q[first + turning_from + 1]);
    if (!way.empty()) write_vector(turned, &way[slot + turning_from]);
    i += 2 * turning_from;
  }
  for (const mechanics::SupportMotion& motion : motions_) {
    if (motion.entries.empty()) continue;
    const double value = motion.signal->at(time);
    for (const auto& [dof, weight] : motion.entries) q[index(dof)] += weight * value;
  }
  if (way.empty()) return;
  frame = 0;
  for (std::size_t i = 0; i < driven_.size();) {
    const bool moves_frame = frame < frames_.size() && frames_[frame].slot == i;
    const std::size_t coordinates = moves_frame ? turning_from : 1;
    for (std::size_t c = 0; c < coordinates; ++c) way[i + c] += q[index(driven_[i + c])];
    i += moves_frame ? 2 * turning_from : 1;
    frame += moves_frame ? 1 : 0;
  }
}

void Motions::velocity(double from, double to, std::span<double> v) const {
  for (const int k : driven_) v[index(k)] = 0;
  for (const mechanics::SupportMotion& motion : motions_) {
    if (motion.entries.empty()) continue;
    const double value = (motion.signal->at(to) - motion.signal->at(from)) / (to - from);
    for (const auto& [dof, weight] : motion.entries) v[index(dof)] += weight * value;
  }
  for (const Frame& frame : frames_) {
    const Pose before = pose(frame, from), after = pose(frame, to);
    write_vector((1 / (to - from)) * (after.x - before.x), &v[frame.first]);
    write_vector((1 / (to - from)) * math::rotation_vector(inverse(before.turn) * after.turn),
                 &v[frame.first + turning_from]);
  }
}

}  // namespace ictus::dynamics
