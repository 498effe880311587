#pragma once

#include <ictus/dynamics/system/system.hpp>

namespace ictus::dynamics {

/// The energy that the leapfrog keeps in free motion far better than any plain sum of kinetic and potential energy:
/// on linear bodies its exact invariant Ē [eq. bars-4], on nonlinear ones the fourth-order modified energy
///   T(p) + ½(V₀ + V₁) + ⅙(f₁ − f₀)·(q₁ − q₀) + h²/12 f̄·M⁻¹f̄,   f̄ = ½(f₀ + f₁)   [eq. exact-contact-12],
/// 0 and 1 the ends of the interval; and on beams, which turn, the interval energy [eq. mixed-6].
class ShadowEnergy {
 public:
  void prepare(const System& system);
  /// True where all bodies are linear: then it is Ē.
  bool is_plain() const { return plain_; }
  /// All but T, of the interval in which the configuration goes from q to q + h M⁻¹p; what the modified energy has
  /// besides V counts as strain. Two evaluations of the forces and energies of nonlinear bodies; none where it was
  /// asked for the same interval before.
  mechanics::PotentialEnergy potential(const System& system, double h, std::span<const double> q,
                                       std::span<const double> p);
  double evaluate(const System& system, double h, std::span<const double> q, std::span<const double> p);
  /// The same where the momenta before and after a kick by the forces at q alone, for a time `kick`, are known: one
  /// evaluation less.
  double evaluate_kicked(const System& system, double h, double kick, std::span<const double> q,
                         std::span<const double> p, std::span<const double> before, std::span<const double> kicked);

 private:
  void force_at(const System& system, std::span<const double> q, std::vector<double>& force) const;
  mechanics::PotentialEnergy of_interval(const System& system, double h, std::span<const double> q,
                                         std::span<const double> p);

  bool plain_ = true;
  std::vector<double> next_, force_, next_force_;
  // The interval that was asked for last. Its length is zero where there is none.
  double last_h_ = 0;
  std::vector<double> last_q_, last_p_;
  mechanics::PotentialEnergy last_;
};

}  // namespace ictus::dynamics
