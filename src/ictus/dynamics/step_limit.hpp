#pragma once

#include <ictus/dynamics/integrator.hpp>

namespace ictus::dynamics {

/// The largest step at which an explicit scheme is stable on all nodal bodies, and the element that limits it.
StepLimit explicit_step_limit(const System& system);

/// Lets runs take a share of the limit where any of these bodies is not linear.
void leave_room_for_strain(std::span<const mechanics::NodalBody* const> bodies, StepLimit& limit);

}  // namespace ictus::dynamics
