#pragma once

#include <ictus/dynamics/integrator.hpp>

namespace ictus::dynamics {

/// The largest step at which an explicit scheme is stable on all nodal bodies, and the element that limits it.
StepLimit explicit_step_limit(const System& system);

}  // namespace ictus::dynamics
