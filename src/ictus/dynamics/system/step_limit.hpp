#pragma once

#include <ictus/dynamics/system/integrator.hpp>

namespace ictus::dynamics {

/// The largest step at which an explicit scheme is stable on all nodal bodies but the implicit ones, and the element
/// that limits it.
StepLimit explicit_step_limit(const System& system);

/// The time in which a wave crosses the smallest element of all bodies (s); infinity where none has elements.
double shortest_crossing(const System& system);

/// Advises steps of explicit schemes that keep Ē to stay away from the limit where bodies touch: Ē ≥ (1 − (h/h_c)²) T,
/// so that above 0.95 of it Ē bounds the kinetic energy T by no less than ten times.
void advise_against_critical(const System& system, StepLimit& limit);

/// Lets runs take a share of the limit where any of these bodies is not linear.
void leave_room_for_strain(std::span<const mechanics::NodalBody* const> bodies, StepLimit& limit);

}  // namespace ictus::dynamics
