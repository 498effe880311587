#pragma once

#include <ictus/mechanics/generalised/generalised_body.hpp>

namespace ictus::mechanics {

/// The fastest small motions of a body about its start.
struct SmallVibrations {
  double frequency_sq = 0;  ///< ω² of the fastest vibration, the largest eigenvalue of M⁻¹K; negative: nothing vibrates
  double decay = 0;         ///< the largest eigenvalue of M⁻¹C, C = −∂(damping force)/∂v (1/s)
};
SmallVibrations small_vibrations(const GeneralisedBody& body);

}  // namespace ictus::mechanics
