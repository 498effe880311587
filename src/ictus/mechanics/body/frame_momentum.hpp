#pragma once

#include <ictus/mechanics/body/body.hpp>
#include <ictus/model/rigid_frame.hpp>

namespace ictus::mechanics {

/// Momentum of the rigid body or section whose dofs begin at `first`.
inline Momentum frame_momentum(std::span<const double> q, std::span<const double> p, std::size_t first) {
  const model::RigidFrame frame = model::RigidFrame::at(q, first);
  const math::Vec3 linear = math::Vec3::Map(&p[first]);
  return {linear, frame.x.cross(linear) + frame.axes * math::Vec3::Map(&p[first + model::RigidFrame::angular])};
}

/// That of a momentum p in one of its slots.
inline Momentum frame_momentum(std::span<const double> q, std::size_t first, std::size_t slot, double p) {
  constexpr std::size_t angular = model::RigidFrame::angular;
  if (slot >= 2 * angular) return {};
  const model::RigidFrame frame = model::RigidFrame::at(q, first);
  if (slot >= angular) return {math::Vec3::Zero(), p * frame.axes.col(static_cast<int>(slot - angular))};
  const math::Vec3 linear = p * math::Vec3::Unit(static_cast<int>(slot));
  return {linear, frame.x.cross(linear)};
}

}  // namespace ictus::mechanics
