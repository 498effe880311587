#pragma once

/// Values that specs of several families share.

#include <array>

namespace ictus::scene {

using Vec3 = std::array<double, 3>;

/// Angular part, then linear part, in the axes of a section.
using Twist = std::array<double, 6>;

/// Which ends of a bar or beam are held.
enum class Fixed { none, start, end, both };

/// Along which axes something is held.
enum class Directions { all, x, y, z, xy, yz, xz };

}  // namespace ictus::scene
