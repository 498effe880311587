#pragma once

#include <ictus/dynamics/system.hpp>

namespace ictus::dynamics {

/// The energy that the leapfrog keeps in free motion far better than any plain sum of kinetic and potential energy:
/// on linear bodies its exact invariant Ē [eq. bars-4], on nonlinear ones the fourth-order modified energy
///   T(p) + ½(V₀ + V₁) + ⅙(f₁ − f₀)·(q₁ − q₀) + h²/12 f̄·M⁻¹f̄,   f̄ = ½(f₀ + f₁)   [eq. exact-contact-12],
/// 0 and 1 the ends of the interval.
class ShadowEnergy {
 public:
  void prepare(const System& system);
  /// True where all bodies are linear: then it is Ē.
  bool is_plain() const { return plain_; }
  /// All but T, of the interval in which the configuration goes from q to q + h M⁻¹p; what the modified energy has
  /// besides V counts as strain. Two evaluations of the forces and energies of nonlinear bodies.
  mechanics::PotentialEnergy potential(const System& system, double h, std::span<const double> q,
                                       std::span<const double> p);
  double evaluate(const System& system, double h, std::span<const double> q, std::span<const double> p);

 private:
  bool plain_ = true;
  std::vector<double> next_, force_, next_force_;
};

}  // namespace ictus::dynamics
