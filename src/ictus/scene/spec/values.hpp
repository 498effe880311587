#pragma once

/// Values that specs of several families share.

#include <algorithm>
#include <array>
#include <vector>

namespace ictus::scene {

using Vec3 = std::array<double, 3>;

/// Angular part, then linear part, in the axes of a section.
using Twist = std::array<double, 6>;

/// A box along the axes: opposite corners (m).
struct RegionSpec {
  Vec3 from{}, to{};
  bool operator==(const RegionSpec&) const = default;
};

enum class End { start, end };

/// Holds an end of a bar or beam.
struct EndSupportSpec {
  End at = End::start;
  bool operator==(const EndSupportSpec&) const = default;
};

inline bool holds(const std::vector<EndSupportSpec>& supports, End end) {
  return std::find(supports.begin(), supports.end(), EndSupportSpec{end}) != supports.end();
}

/// All of a surface, or of an edge.
enum class Whole { all };

/// Along which axes something is held.
enum class Directions { all, x, y, z, xy, yz, xz };

}  // namespace ictus::scene
