#pragma once

#include <ictus/dynamics/system/system.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// Those of some bodies that damp their motion.
std::vector<const mechanics::NodalBody*> damped_among(std::span<const mechanics::NodalBody* const> bodies);

/// Writes the forces −(αM + βK) v of Rayleigh's damping on the dofs of one body; none where a support holds it.
void damping_force(const System& system, const mechanics::NodalBody& body, std::span<const double> q,
                   std::span<const double> v, std::span<double> force);

/// Damping in an explicit step of the dofs in [begin, end) [eq. newmark-8], before contact: on entry d = −h β K
/// M⁻¹p⁻ and p is what the other forces made of p⁻; on exit d has −½ h α p⁻ besides and p is (1 + ½ h α) p⁺ but for the
/// impulses of contact and ties, which are added to it and feel the masses (1 + ½ h α) m. Supports take nothing.
inline void begin_damping(const System& system, double h, std::size_t begin, std::size_t end,
                          std::span<const double> before, std::span<double> d, std::span<double> p) {
  const double* inverse_mass = system.inverse_mass().data();
  const double* alpha = system.mass_damping().empty() ? nullptr : system.mass_damping().data();
  for (std::size_t k = begin; k < end; ++k) {
    if (alpha) d[k] -= 0.5 * h * alpha[k] * before[k];
    if (inverse_mass[k] == 0) d[k] = 0;
    p[k] += d[k];
  }
}

/// The rest of it, where masses are damped: p becomes p⁺ and d = −h (½ α (p⁻ + p⁺) + β K M⁻¹p⁻).
inline void end_damping(const System& system, double h, std::size_t begin, std::size_t end, std::span<double> d,
                        std::span<double> p) {
  const double *inverse_mass = system.inverse_mass().data(), *alpha = system.mass_damping().data();
  for (std::size_t k = begin; k < end; ++k) {
    if (inverse_mass[k] == 0) continue;
    const double share = 0.5 * h * alpha[k];
    p[k] /= 1 + share;
    d[k] -= share * p[k];
  }
}

/// 1/((1 + ½ h α) m) of all dofs: what an impulse moves between begin_damping and end_damping.
inline void slow(const System& system, double h, std::vector<double>& inverse_mass) {
  inverse_mass.assign(system.inverse_mass().begin(), system.inverse_mass().end());
  const auto alpha = system.mass_damping();
  for (std::size_t k = 0; k < alpha.size(); ++k) inverse_mass[k] /= 1 + 0.5 * h * alpha[k];
}

}  // namespace ictus::dynamics
