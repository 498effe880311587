#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <ictus/math/vector.hpp>

namespace ictus::geometry {

/// When four points that move along straight lines bring two features to within `near` of each other, as a fraction of
/// their displacement: conservative advancement. The distance cannot shrink faster than the features' points move
/// relative to each other, so steps of (distance − near) over that speed never pass the first approach. `distance(x)`
/// is that of the features with their points at x; points 0 … split−1 belong to the first, the others to the second.
/// Returns 1 where they do not come that near.
template <class Distance>
double approach_time(const std::array<math::Vec3, 4>& x, const std::array<math::Vec3, 4>& displacement,
                     std::size_t split, double near, Distance&& distance) {
  constexpr int most_steps = 64;
  const math::Vec3 common = 0.25 * (displacement[0] + displacement[1] + displacement[2] + displacement[3]);
  double first_sq = 0, second_sq = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    double& largest = k < split ? first_sq : second_sq;
    largest = std::max(largest, (displacement[k] - common).squaredNorm());
  }
  const double speed = std::sqrt(first_sq) + std::sqrt(second_sq);
  double time = 0;
  for (int n = 0; n < most_steps; ++n) {
    std::array<math::Vec3, 4> moved;
    for (std::size_t k = 0; k < 4; ++k) moved[k] = x[k] + time * displacement[k];
    const double margin = distance(moved) - near;
    if (margin <= 0.1 * near) return time;
    time += margin / speed;
    if (!(time < 1)) return 1;
  }
  return time;
}

}  // namespace ictus::geometry
