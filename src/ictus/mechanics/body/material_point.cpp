#include <ictus/mechanics/body/material_point.hpp>

namespace ictus::mechanics {

using math::Vec3;
using model::RigidFrame;

namespace {

constexpr std::array<std::string_view, 6> point_quantities{"displacement_x", "displacement_y", "displacement_z",
                                                           "velocity_x",     "velocity_y",     "velocity_z"};

}  // namespace

MaterialPoint::MaterialPoint(std::array<Weights, 3> weights, std::span<const double> q)
    : weights_(std::move(weights)), start_(sum(q)) {}

MaterialPoint::MaterialPoint(std::size_t first, const Vec3& point, std::span<const double> q)
    : first_(first), start_(point) {
  const RigidFrame frame = RigidFrame::at(q, first);
  lever_ = frame.axes.transpose() * (point - frame.x);
}

std::span<const std::string_view> MaterialPoint::quantities() const { return point_quantities; }

Vec3 MaterialPoint::sum(std::span<const double> values) const {
  Vec3 result = Vec3::Zero();
  for (std::size_t c = 0; c < 3; ++c) {
    for (const auto& [dof, weight] : weights_[c]) result[static_cast<Eigen::Index>(c)] += weight * values[dof];
  }
  return result;
}

void MaterialPoint::read(const Motion& motion, std::span<double> values) const {
  const bool in_frame = weights_[0].empty() && weights_[1].empty() && weights_[2].empty();
  Vec3 position, velocity;
  if (in_frame) {
    const RigidFrame frame = RigidFrame::at(motion.q, first_);
    position = frame.position_of(lever_);
    const Vec3 turning = Vec3::Map(&motion.v[first_ + RigidFrame::angular]);
    velocity = Vec3::Map(&motion.v[first_]) + frame.axes * turning.cross(lever_);
  } else {
    position = sum(motion.q);
    velocity = sum(motion.v);
  }
  Vec3::Map(&values[0]) = position - start_;
  Vec3::Map(&values[3]) = velocity;
}

}  // namespace ictus::mechanics
