#pragma once

#include <array>
#include <numbers>

#include "structure/rigid_run.hpp"

namespace ictus::dynamics {

/// A semicircular arch of equal wedges about the y axis, inner radius 1 m, on a floor z = 0.
inline System stone_arch(int stones, double thickness, const Law& law) {
  std::vector<BodyPtr> bodies;
  std::size_t dof = 0;
  for (int k = 0; k < stones; ++k) {
    std::vector<Vec> corners;
    for (const double y : {-0.25, 0.25}) {
      for (const int side : {k, k + 1}) {
        const double angle = std::numbers::pi * side / stones;
        for (const double radius : {1.0, 1.0 + thickness}) {
          const bool on_floor = side == 0 || side == stones;
          corners.push_back({radius * std::cos(angle), y, on_floor ? 0.0 : radius * std::sin(angle)});
        }
      }
    }
    const geometry::RigidShape given = geometry::RigidShape::convex(geometry::convex_hull(corners));
    const geometry::VolumeProperties volume = geometry::volume_properties(given);
    // Along the radius through its middle, along y and across a wedge is symmetric: its principal axes.
    const double middle = std::numbers::pi * (k + 0.5) / stones;
    const math::Rotation<double> axes{std::cos(-0.5 * middle), {0, std::sin(-0.5 * middle), 0}};
    const math::Matrix3<double> turn = matrix(axes);
    geometry::RigidShape shape =
        geometry::RigidShape::convex(geometry::relocated(*given.polytope, volume.centroid, turn));
    RigidProperties p = properties(std::move(shape), 2400 * volume.volume, {0, 0, -9.81});
    bodies.push_back(std::make_unique<RigidBodies>("stone " + std::to_string(k), std::move(p),
                                                   std::vector<RigidStart>{{volume.centroid, axes, {}, {}}}, dof));
    dof += RigidBodies::stride;
  }
  bodies.push_back(
      std::make_unique<mechanics::Obstacle>("floor", model::Plane{math::Vec3::Zero(), math::Vec3::UnitZ()}));
  std::vector<contact::ContactPair> pairs;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) pairs.push_back(pair_of(*bodies[i], *bodies[j], law));
  }
  return System(std::move(bodies), std::move(pairs), exec::Executor(1));
}

}  // namespace ictus::dynamics
