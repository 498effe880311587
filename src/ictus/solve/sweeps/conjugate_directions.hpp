#pragma once

#include <ictus/exec/executor.hpp>
#include <span>
#include <vector>

// Notation: z state before a sweep, g = G(z) after it, d direction, n = |g − z|² of the reactions, β = n/n of the sweep
// before.

namespace ictus::solve {

/// Conjugate directions for the fixed-point map z → G(z) of a sweep [eq. contact-solvers-14]: the next state is
/// g + β d, d ← β d + g − z. Where a sweep is longer than the one before (β > 1) it starts again from g. Keeps its
/// memory.
class ConjugateDirections {
 public:
  /// From the state z before the first sweep.
  void start(const exec::Executor& executor, std::span<const double> state);
  /// Replaces g by the next state; `change_sq` is n.
  void step(const exec::Executor& executor, double change_sq, std::span<double> state);

 private:
  std::vector<double> before_;     // z
  std::vector<double> direction_;  // d
  double previous_ = 0.0;          // n of the sweep before, 0 at first
};

}  // namespace ictus::solve
