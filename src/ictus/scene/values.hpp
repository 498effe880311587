#pragma once

/// Values that specs of several families share.

#include <array>

namespace ictus::scene {

using Vec3 = std::array<double, 3>;

/// Which ends of a bar or beam are held.
enum class Fixed { none, start, end, both };

}  // namespace ictus::scene
