#pragma once

#include <ictus/dynamics/system.hpp>

namespace ictus::dynamics {

/// Where linear bodies rest under gravity, with the contacts that touch in their initial configuration held closed and
/// ties kept:
///   f(q) + Σ w R = 0,   w·(q − q₀) = 0   [eq. frames-7].
/// A contact that would have to pull (R < 0) is not closed at rest; the forces are returned as they are.
/// Throws base::NumericalFailure naming the unknown that nothing holds, where the bodies are a mechanism.
RestState static_equilibrium(const System& system);

}  // namespace ictus::dynamics
