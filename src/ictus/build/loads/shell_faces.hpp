#pragma once

#include <ictus/mechanics/load/load.hpp>
#include <ictus/mechanics/shell/shell.hpp>

namespace ictus::build {

/// A force per area of a shell at the start, along a direction.
mechanics::Load shell_traction(const mechanics::Shell& shell, const math::Vec3& direction,
                               std::shared_ptr<const mechanics::Signal> signal);

/// A pressure against the side to which its triangles turn by the right hand, along its normals at the start.
mechanics::Load shell_pressure(const mechanics::Shell& shell, std::shared_ptr<const mechanics::Signal> signal);

}  // namespace ictus::build
