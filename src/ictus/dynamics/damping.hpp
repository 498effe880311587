#pragma once

#include <ictus/dynamics/system.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// Those of some bodies that damp their motion.
std::vector<const mechanics::DampedBody*> damped_among(std::span<const mechanics::NodalBody* const> bodies);

/// Writes the forces −(αM + βK) v of Rayleigh's damping on the unknowns of one body; none where a support holds it.
void damping_force(const System& system, const mechanics::DampedBody& body, std::span<const double> q,
                   std::span<const double> v, std::span<double> force);

/// Damping in an explicit step of the unknowns in [begin, end) [eq. newmark-8]: on entry d = −h β K M⁻¹p⁻ and p is what
/// the other forces made of p⁻; on exit d = −h (½ α (p⁻ + p*) + β K M⁻¹p⁻) and p is p*. Supports take nothing.
inline void damp_step(const System& system, double h, std::size_t begin, std::size_t end,
                      std::span<const double> before, std::span<double> d, std::span<double> p) {
  const double* inverse_mass = system.inverse_mass().data();
  const double* alpha = system.mass_damping().empty() ? nullptr : system.mass_damping().data();
  for (std::size_t k = begin; k < end; ++k) {
    const double share = alpha ? 0.5 * h * alpha[k] : 0;
    const double after = inverse_mass[k] == 0 ? p[k] : (p[k] + d[k] - share * before[k]) / (1 + share);
    d[k] = after - p[k];
    p[k] = after;
  }
}

}  // namespace ictus::dynamics
