#pragma once

#include <ictus/contact/scheme/lasting_contacts.hpp>
#include <ictus/contact/scheme/sweep_response.hpp>
#include <ictus/contact/scheme/unilateral_response.hpp>
#include <ictus/dynamics/explicit/leapfrog.hpp>
#include <ictus/dynamics/scheme/swept_impacts.hpp>

namespace ictus::dynamics {

/// Leapfrog whose contacts obey Newton's law of impact on the velocities of the half steps,
///   0 ≤ λ ⟂ w·M⁻¹(p⁺ + e p⁻) ≥ 0   [eq. exact-contact-2],
/// after the forces have acted: points once their gap has closed, surfaces in the step that would close it. A contact
/// that pushes loses −½ λ w·M⁻¹(p⁺ + p⁻) of the discrete energy, exactly [eq. exact-contact-3].
class NewtonRestitution : public SweptImpacts {
 public:
  void prepare(const System& system) override;

 protected:
  NewtonRestitution() : SweptImpacts(memory_arrays) {}

  /// e of a pair.
  virtual double restitution(const contact::ContactPair& pair) const = 0;
  /// The name under which the loss is booked.
  virtual model::Loss loss() const = 0;

 private:
  bool let_bounce(const Contact& contact, std::size_t a, double share) final;
  void respond(const Contact& contact, StepReport& report) final;
  void respond_points(const Contact& contact, StepReport& report);
  void respond_surfaces(const Contact& contact, StepReport& report);
  double balance(const Contact& contact, StepReport& report);

  contact::UnilateralResponse response_;
  std::vector<double> offset_;
  std::vector<double> normal_;  // Σ w λ by dof, zero between steps
};

}  // namespace ictus::dynamics
