#pragma once

#include <ictus/dynamics/system/system.hpp>
#include <span>

namespace ictus::dynamics {

/// Strain energy and that of gravity of some of the bodies (J).
inline double potential_of(const System& system, std::span<const mechanics::NodalBody* const> bodies,
                           std::span<const double> q) {
  double sum = 0;
  for (const mechanics::NodalBody* body : bodies) {
    const mechanics::PotentialEnergy energy = body->potential_energy(system.exec(), q);
    sum += energy.strain + energy.gravity;
  }
  return sum;
}

}  // namespace ictus::dynamics
