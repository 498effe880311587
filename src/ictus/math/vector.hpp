#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>  // cross products

namespace ictus::math {

using Vec3 = Eigen::Vector3d;

}  // namespace ictus::math
