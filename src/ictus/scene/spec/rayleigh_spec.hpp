#pragma once

namespace ictus::scene {

/// Damping by a part of the masses and a part of the stiffness.
struct RayleighSpec {
  double mass = 0;       ///< 1/s, ≥ 0
  double stiffness = 0;  ///< s, ≥ 0
  bool operator==(const RayleighSpec&) const = default;
};

}  // namespace ictus::scene
