#pragma once

#include <ictus/dynamics/booking/contact_record.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <ictus/model/constraint_set.hpp>
#include <vector>

namespace ictus::dynamics {

/// The variable-step discrete Euler–Lagrange equations
///   p^j = p^{j−1} + ½(h^{j−1} + h^j) f(q^j),   q^{j+1} = q^j + h^j M⁻¹p^j            [eq. bars-10]
/// with a step cut into intervals where a contact closes or opens, earliest first. f includes the elastic layers of
/// closed contacts, where surfaces have such layers. The state after a step is (q^{j+1}, p^j) and the length h^j of the
/// last interval. The energy of an interval is
///   E^j = T(p^j) + ½(V(q^j) + V(q^{j+1})) = −∂L_d/∂h^j                                [eq. bars-11];
/// what it does is known from the forces and potentials, and booked [eq. bars-12]. Where contacts close or open,
/// impulses θ λ⁰ along the gradients of the gaps keep it, E(after) = E(before) [eq. bars-13].
class VariableStep : public Integrator {
 public:
  StepLimit step_limit(const System& system) const override;
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  StepReport step(const System& system, double h, model::State& state) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  void velocity(const System& system, double h, const model::State& state, std::span<double> v) const override;
  Extras extras(const model::State& state) const override;

 protected:
  /// Which impulse the energy asks for where contacts close or open; E(θ) = E(before) has two roots.
  enum class Impulses {
    rebound,  ///< the larger root, near 1: the pairs part; the smaller one, near 0, would penetrate
    least     ///< the smaller one: layers do the pushing, and the impulse only repairs what unequal intervals cost
  };
  virtual Impulses impulses() const = 0;
  /// The pairs whose gaps close or open at the present configuration, where an interval has just ended.
  virtual void meet(std::span<const int> pairs, model::State& state, StepReport& report) = 0;

  static double last_interval(const model::State& state);
  static bool closed(const model::State& state, int pair);
  static void set_closed(model::State& state, int pair, bool value);

 private:
  /// Slots of State::memory: length of the last interval, its chord energy, which pairs are closed, and which of them
  /// are at their event in the present configuration.
  enum Slot : std::size_t { interval, chord, closed_pairs, meeting_pairs };

  void settle_grazing(model::State& state) const;
  double fly(const System& system, double left, model::State& state, StepReport& report);
  double bounce(const System& system, double left, model::State& state, StepReport& report);

  double first_event(double h_prev, double left, const model::State& state);
  void end_interval(double h, model::State& state, StepReport& report);

  bool lay_out_impulses(const System& system, double left, const model::State& state);
  void solve_bounce(const System& system, double h, const model::State& state);
  double energy_change(const System& system, double h, const model::State& state, double theta);
  double first_other_event(const System& system, double left, const model::State& state);
  bool passes_event(const System& system, const model::State& state);

  mechanics::Momentum force(const System& system, const model::State& state, std::span<double> f) const;
  static double layer_stiffness(const model::ConstraintSet& constraints, std::size_t i, const model::State& state);
  static void kick_layers(const model::ConstraintSet& constraints, double h, const model::State& state,
                          std::span<double> p);
  void record_layers(const System& system, double h, const model::State& state, StepReport& report);

  bool linear_ = true;                          // all bodies
  model::ConstraintSet constraints_;            // at the configuration where the interval starts
  std::vector<double> rate_before_, rate_now_;  // of the gaps
  std::vector<double> force_;                   // f there, layers included
  std::vector<int> events_;                     // pairs at the end of the interval

  std::vector<std::size_t> meeting_;  // constraints that get an impulse θ λ⁰
  std::vector<double> reversal_;      // λ⁰
  double theta_ = 0;
  bool fallback_ = false;
  double energy_before_ = 0;            // T(p^{j−1}) + ½V(q^{j−1})
  double rounding_ = 0, max_miss_ = 0;  // of the energy of a bounce: not worth a correction, and no root
  std::vector<double> trial_p_, trial_q_;
  model::ConstraintSet trial_constraints_;
  ContactRecord record_;
};

}  // namespace ictus::dynamics
