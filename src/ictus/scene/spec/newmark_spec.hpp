#pragma once

/// The implicit integrator for bodies that do not touch.

namespace ictus::scene {

struct NewmarkSpec {
  double gamma = 0.5;  ///< in [0.5, 1]
  double beta = 0.25;  ///< in [0.25, 1], ≥ gamma/2
  bool operator==(const NewmarkSpec&) const = default;
};

}  // namespace ictus::scene
