#pragma once

#include <ictus/dynamics/system/system.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// A small vibration q + φ cos ωt [eq. newmark-5].
struct NaturalMode {
  double angular_frequency;   ///< ω (rad/s); zero for a motion that nothing resists
  std::vector<double> shape;  ///< φ over the dofs, φ·Mφ = 1
};

/// Contacts that touch in the configuration: they part freely, or stay closed.
enum class ContactInModes { open, closed };

/// The `count` slowest modes of the nodal bodies about configuration q, slowest first, by shift-invert Lanczos
/// [eq. newmark-6]. Tied nodes move together. Modes of equal frequency are all found: the search is repeated without
/// what it has found until it finds nothing slower. Throws base::InputError when there are fewer modes, or surfaces
/// that would have to stay closed, and base::NumericalFailure, naming body and node, when the configuration is not
/// stable.
std::vector<NaturalMode> natural_modes(const System& system, std::span<const double> q, int count,
                                       ContactInModes contacts = ContactInModes::open);

}  // namespace ictus::dynamics
