#pragma once

#include <ictus/mechanics/beam/lie_beam_step.hpp>
#include <span>
#include <string_view>

namespace ictus::dynamics {

/// Which beam, and when: for the message of a failure.
struct BeamMoment {
  std::string_view body;
  double time = 0;  ///< s
};

/// Throws base::NumericalFailure where a sweep from q cannot be trusted: numbers that are not finite, neighbouring
/// sections near a half turn, a section that turns by more than a right angle in the step, a Legendre equation that
/// Newton's method did not solve. Names the element or node, the time, and what to try.
void check_sweep(const mechanics::LieBeamModel& model, const mechanics::LieBeamTotals& totals,
                 std::span<const double> q, std::span<const double> q_next, const BeamMoment& where);

}  // namespace ictus::dynamics
