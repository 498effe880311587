#pragma once

#include <ictus/dynamics/generalised/generalised_integrator.hpp>

namespace ictus::dynamics {

/// Moreau's midpoint scheme for bodies with generalised coordinates, for comparison [eq. moreau-variational-14]:
///   q_M = q_B + ½h u_B,   M(q_M)(u_E − u_B) = h (f + T,q − T,vq u)(q_M, u_B) + w P,   q_E = q_M + ½h u_E,
/// with −w·(u_E + ε u_B) ∈ N(P) for the contacts with g(q_M) ≤ 0. The gyroscopic terms T,q − T,vq u are explicit: the
/// scheme is of first order where M depends on q, and what energy these terms make or take is booked as `gyroscopic`
/// [eq. moreau-variational-15]. The state is (q, ∂T/∂v(q, u)); the energy is that of (q, u).
class Midpoint final : public GeneralisedIntegrator {
 public:
  std::string_view name() const override { return "moreau"; }
  Capabilities capabilities() const override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  void velocity(const System& system, double h, const model::State& state, std::span<double> v) const override;

 private:
  void step_body(GeneralisedMember& member, double h, model::State& state, StepReport& report) override;
  void accelerate(GeneralisedMember& member, double h, double time);
  void prepare_smooth_terms(GeneralisedMember& member, double h, double time);
  void book_forces(const mechanics::GeneralisedBody& body, std::span<const double> q, StepReport& report) const;
  void book_inertia(const GeneralisedMotion& motion, std::span<const double> q, StepReport& report) const;
  void respond(const GeneralisedMember& member, double time, model::State& state, StepReport& report);

  Vector middle_{}, before_{}, after_{};    // q_M, u_B, u_E
  Vector force_{}, gyroscopic_{}, drag_{};  // impulses over the step, the first with those of contacts
  Vector start_{}, push_{};                 // q_B, impulse of the potential
  mechanics::Damping damping_{};
};

}  // namespace ictus::dynamics
