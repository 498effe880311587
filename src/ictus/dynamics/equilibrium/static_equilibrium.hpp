#pragma once

#include <ictus/dynamics/system/system.hpp>

namespace ictus::dynamics {

/// Where bodies rest under gravity and constant pressures, with the contacts of points that touch in their initial
/// configuration held closed and ties kept:
///   f(q) + Σ w R = 0,   w·(q − q₀) = 0   [eq. frames-7].
/// Nonlinear bodies are followed by Newton's method, each step cut back until the potential energy falls, in shares of
/// the loads where need be [eq. newmark-7].
/// A contact of points that would have to pull (R < 0) is not closed at rest; the forces are returned as they are.
/// Surfaces that are near each other, or near planes, push where they touch and only there,
///   0 ≤ R ⟂ g(q₀) + w·(q − q₀) ≥ 0   [eq. frames-10],
/// without friction, where they are within a tenth of an edge at the start.
/// Forces are right to 1e-6 of the largest. Throws base::NumericalFailure naming the dof that nothing holds, where
/// the bodies are a mechanism, and where no rest is found or its forces do not settle.
RestState static_equilibrium(const System& system);

}  // namespace ictus::dynamics
