#pragma once

#include <array>

namespace ictus::dynamics {

/// What the contacts of many bodies are like after a step.
struct HeapFigures {
  static constexpr std::array<double, 4> shares{0.1, 0.5, 0.9, 1.0};

  double coordination = 0;        ///< how many others push a body that moves, on average over those that are pushed
  double solver_error = 0;        ///< of the impulses [eq. contact-solvers-6]
  std::array<double, 4> force{};  ///< up to which these shares of the normal forces go (N)
};

}  // namespace ictus::dynamics
