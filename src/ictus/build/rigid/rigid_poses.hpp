#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/math/so3.hpp>
#include <span>
#include <string>
#include <vector>

namespace ictus::build {

/// Where one of many bodies starts.
struct RigidPose {
  math::Vector3<double> position;
  math::Rotation<double> turn;
};

/// The poses of the bodies of a spec: one, a grid, random ones or those of a file. `reach` is the radius of a sphere
/// about each body, or about all.
std::vector<RigidPose> rigid_poses(const scene::RigidSpec& spec, const std::string& name,
                                   const scene::Document& document, std::span<const double> reach, Mistakes& mistakes);

}  // namespace ictus::build
