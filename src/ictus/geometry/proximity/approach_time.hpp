#pragma once

#include <algorithm>
#include <array>
#include <ictus/geometry/proximity/closest_points.hpp>
#include <ictus/math/vector.hpp>
#include <optional>

namespace ictus::geometry {

/// Two features made of four points that move along straight lines: a vertex and a triangle, or two edges.
struct MovingFeatures {
  std::array<math::Vec3, 4> x;   ///< at the beginning
  std::array<math::Vec3, 4> by;  ///< displacements until the end
  std::size_t first;             ///< points of the first feature: 1 of a vertex, 2 of an edge

  /// Weights w_k of the closest points at a time in [0, 1]: Σ w_k x_k leads from the one to the other, Σ w_k = 0.
  std::array<double, 4> weights(const std::array<math::Vec3, 4>& at) const {
    if (first == 1) {
      const TrianglePoint foot = closest_on_triangle(at[0], at[1], at[2], at[3]);
      return {1, -foot.weights[0], -foot.weights[1], -foot.weights[2]};
    }
    constexpr double parallel_sq = 1e-10;
    const auto [s, t, inside] = closest_on_segments(at[0], at[1], at[2], at[3], parallel_sq);
    return {s - 1, -s, 1 - t, t};
  }
  std::array<math::Vec3, 4> at(double time) const {
    return {x[0] + time * by[0], x[1] + time * by[1], x[2] + time * by[2], x[3] + time * by[3]};
  }
};

/// Where features come near each other.
struct Meeting {
  double time;                   ///< in [0, 1], not later than the first one at which they are `near`
  std::array<double, 4> weight;  ///< of the closest points at that time
  math::Vec3 separation;         ///< Σ w_k x_k at that time, not zero
};

/// Follows two features until their distance is within a tenth of `near`, or says that it stays above it. Conservative
/// advancement [eq. exact-contact-27]: the distance shrinks no faster than |u| + |u'|, the largest displacements of the
/// two features' points against their common mean, so that the time can be moved on by what this bound allows. There
/// are no cubic equations and no special cases (points in a plane, parallel edges): a meeting is never missed. Features
/// must be farther apart than `near` at the beginning.
inline std::optional<Meeting> find_meeting(MovingFeatures features, double near) {
  constexpr int max_advances = 1000;  // beyond them the time reached, which is early, counts as a meeting
  constexpr double tolerance = 0.1;
  const math::Vec3 mean = 0.25 * (features.by[0] + features.by[1] + features.by[2] + features.by[3]);
  double fastest[2] = {0, 0};
  for (std::size_t k = 0; k < 4; ++k) {
    features.by[k] -= mean;  // changes no distance
    double& side = fastest[k < features.first ? 0 : 1];
    side = std::max(side, features.by[k].norm());
  }
  const double max_speed = fastest[0] + fastest[1];
  double time = 0;
  for (int n = 0; n < max_advances; ++n) {
    const auto x = features.at(time);
    const auto w = features.weights(x);
    const math::Vec3 separation = w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3];
    const double clear = separation.norm() - near;
    if (n > 0 && (clear <= tolerance * near || n + 1 == max_advances)) return Meeting{time, w, separation};
    time += clear / max_speed;
    if (!(time < 1)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace ictus::geometry
