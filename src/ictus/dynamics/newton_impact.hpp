#pragma once

#include <ictus/contact/unilateral_response.hpp>
#include <ictus/dynamics/leapfrog.hpp>

namespace ictus::dynamics {

/// Leapfrog whose closed contacts, g(q_n) ≤ 0, obey Newton's law of impact on the velocities of the half steps,
///   0 ≤ λ ⟂ w·M⁻¹(p⁺ + e p⁻) ≥ 0   [eq. exact-contact-2],
/// after the forces have acted. A contact that pushes loses −½ (1−e) λ w·M⁻¹p⁻ of the discrete energy, exactly
/// [eq. exact-contact-3].
class NewtonImpact : public Leapfrog {
 protected:
  /// e of a pair.
  virtual double restitution(const contact::ContactPair& pair) const = 0;
  /// The name under which the loss is booked.
  virtual model::Loss loss() const = 0;

 private:
  void respond(const Contact& contact, StepReport& report) final;

  contact::UnilateralResponse response_;
  std::vector<int> active_;
  std::vector<double> offset_;
};

}  // namespace ictus::dynamics
