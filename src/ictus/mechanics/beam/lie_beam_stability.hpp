#pragma once

#include <ictus/mechanics/beam/lie_beam_model.hpp>

namespace ictus::mechanics {

/// 2/ω of the fastest small motion of the mesh about the straight, unstrained beam [eq. lie-beam-34] (s). Large strains
/// can ask for less.
double lie_beam_critical_step(const LieBeamModel& model);

}  // namespace ictus::mechanics
