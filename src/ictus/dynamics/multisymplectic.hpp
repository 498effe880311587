#pragma once

#include <ictus/dynamics/contact_record.hpp>
#include <ictus/dynamics/integrator.hpp>
#include <ictus/model/constraint_set.hpp>
#include <vector>

namespace ictus::dynamics {

/// Multisymplectic collision integrator 1 (demoures-2016 §4.3.1): the variable-step discrete Euler–Lagrange equations
///   p^j = p^{j−1} + ½(h^{j−1} + h^j) f(q^j),   q^{j+1} = q^j + h^j M⁻¹p^j            [eq. bars-10]
/// with the step cut where a gap closes, and there an impulse that keeps the energy of an interval,
///   E^j = T(p^j) + ½(V(q^j) + V(q^{j+1})) = −∂L_d/∂h^j                                [eq. bars-11].
/// The state after a step is (q^{j+1}, p^j, h^j). Several collisions in one step are taken in their order.
class Multisymplectic final : public Integrator {
 public:
  std::string_view name() const override { return "multisymplectic"; }
  Capabilities capabilities() const override;
  StepLimit step_limit(const System& system) const override;
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  StepReport step(const System& system, double h, model::State& state) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  void velocity(const System& system, double h, const model::State& state, std::span<double> v) const override;
  Extras extras(const model::State&) const override { return {}; }

 private:
  /// One interval of a step, cut where a gap closes; each returns its length and leaves in State::memory which pairs
  /// meet at its end. `fly` starts away from contact, `bounce` with the impulses of the pairs that meet.
  double fly(const System& system, double left, model::State& state, StepReport& report);
  double bounce(const System& system, double left, model::State& state, StepReport& report);

  double first_closing(double h_prev, double left) const;
  bool lay_out_impulses(const System& system, const model::State& state);
  void solve_bounce(const System& system, double h, const model::State& state);
  double energy_change(const System& system, double h, const model::State& state, double theta);
  double first_other_closing(const System& system, double left, const model::State& state);
  double deepest_gap(const System& system);
  void note_meeting(const System& system, model::State& state);

  model::ConstraintSet constraints_;            // at the configuration where the interval starts
  model::ConstraintSet after_;                  // at the one where it ends
  std::vector<double> rate_before_, rate_now_;  // of the gaps
  std::vector<double> free_p_;                  // p^{j−1} + ½(h_prev + h) f(q^j), without impulses
  std::vector<double> force_;                   // f(q^j)
  std::vector<double> trial_p_, trial_q_;
  double energy_before_ = 0;          // T(p^{j−1}) + ½V(q^{j−1})
  std::vector<std::size_t> meeting_;  // constraints that get an impulse θ λ⁰
  std::vector<double> reversal_;      // λ⁰, the impulse that reverses the rate of the gap
  double theta_ = 0;
  bool fallback_ = false;
  ContactRecord record_;
};

}  // namespace ictus::dynamics
