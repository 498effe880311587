#pragma once

#include <ictus/dynamics/booking/contact_record.hpp>
#include <ictus/dynamics/coupled/element_stepper.hpp>
#include <ictus/dynamics/coupled/linear_stepper.hpp>
#include <ictus/dynamics/coupled/linear_stepper_contacts.hpp>
#include <ictus/dynamics/coupled/linked_domain.hpp>
#include <ictus/dynamics/coupled/tie_rows.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ictus::dynamics {

/// Bodies that are moved implicitly with steps of `ratio` fine steps.
struct ImplicitBodies {
  std::vector<std::string> bodies;
  int ratio = 1;
};

/// Explicit and implicit domains with steps of their own, joined by ties (fekak-2017 §2.4–2.5) [eq. coupling-1,
/// coupling-4, coupling-6]: CD-Lagrange with contact at the fine step Δt where no domain below is given, Newmark's
/// average acceleration with ΔT = ratio·Δt in each implicit domain, velocities equal on both sides of every tie at
/// every fine step. One step is one of the longest implicit steps, h = stride·Δt; the other ratios divide it. Explicit
/// frames and bars without damping are stepped through it in vectors of their own.
///
/// The state: explicit bodies have p at t_n + Δt/2, implicit ones at t_n. The energy at t_n is that of fekak-2017 (91),
///   ½ v⁺·M v⁻ + V(q) of explicit and ½ V·M V + V(U) of implicit bodies            [eq. coupling-7],
/// which changes by the works of loads, contact, damping and ties alone, and by what is known as quadrature where
/// bodies are not linear. Velocities at the ties of implicit bodies that are not linear are those of their tangents
/// within their own steps, and their own at the end [eq. coupling-11]. Where domains take longer steps than the
/// explicit bodies, the ties give back in the next step what they owe an implicit domain in momentum [eq. coupling-14],
/// and close by what they have come apart [eq. coupling-15].
class Coupled final : public Integrator {
 public:
  explicit Coupled(std::vector<ImplicitBodies> domains);

  std::string_view name() const override { return "coupled"; }
  Capabilities capabilities() const override;
  int stride() const override { return stride_; }
  /// Of the explicit bodies, for the fine step.
  StepLimit step_limit(const System& system) const override;
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  StepReport step(const System& system, double h, model::State& state) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  /// Of explicit bodies that are not linear.
  double quadrature(const System& system, double h, const model::State& state) const override;
  void velocity(const System& system, double h, const model::State& state, std::span<double> v) const override;
  /// The fine step, the number of ties, and the largest differences at a tie, met so far at the ends of steps, of the
  /// bodies' own velocities and of their displacements since the start.
  Extras extras(const model::State& state) const override;

  bool is_implicit(std::string_view body) const;

 private:
  /// Slots of State::memory: closed pairs; p⁻ of explicit bodies; A of implicit ones; Λ; what each implicit domain
  /// keeps, one after the other; the largest differences of velocities and of displacements at a tie; L q at the start;
  /// the momentum that ties gave ahead of t_n; the account of ElementStepper; the configuration at which nonlinear
  /// implicit domains were factored.
  enum Slot : std::size_t { closed, before, acceleration, force, kept, worst, opening, ahead, account, factored };
  enum Gap : std::size_t { of_velocity, of_displacement, gaps };

  void factor(const System& system, double h, const model::State& state);
  void join_operators();
  /// Forces on all dofs at the start, contact's included, with those of the ties that keep accelerations equal.
  std::vector<double> initial_forces(const System& system, model::State& state, StepReport& report);
  void damp_start(const System& system, const model::State& state, std::span<double> f, StepReport& report) const;
  std::span<double> memory_of(std::size_t domain, model::State& state) const;
  void close_gaps(const System& system, const model::State& state);
  void open(const System& system, double end, LinkedDomain& domain, model::State& state);
  void close(const System& system, LinkedDomain& domain, model::State& state, StepReport& report);
  void sample_loads(const System& system, double start);
  void fine_step(const System& system, int fine, model::State& state, StepReport& report);
  /// Rows `first` to `first` + 7 of L v of the explicit bodies, while the forces of a step act on them.
  math::Pack rates(const model::State& state, std::size_t first) {
    return stepper_rows_->rates(stepper_.p(), first) + slowed_rows_->rates(state.p, first);
  }
  void find_rates(const model::State& state);
  void tie(const System& system, int fine, model::State& state, StepReport& report);
  void follow_nonlinear(const System& system, int fine, model::State& state, StepReport& report);
  double rounding_of_rates(const System& system, const model::State& state) const;
  void book_ties(const System& system, model::State& state, StepReport& report);
  void book_momentum(const System& system, model::State& state, StepReport& report);

  std::vector<ImplicitBodies> choice_;
  int stride_;
  double fine_ = 0;  ///< Δt that the operators are for
  std::vector<const mechanics::NodalBody*> explicit_;
  LinearStepper stepper_;  ///< linear explicit bodies that meet one another and planes in points
  LinearStepperContacts stepper_contacts_;
  ElementStepper others_;  ///< the other explicit bodies
  std::vector<LinkedDomain> domains_;
  std::vector<int> domain_of_;                           ///< by dof; −1: explicit
  bool is_linear_ = true;                                ///< all implicit bodies are
  std::optional<DomainRows> stepper_rows_, other_rows_;  ///< of the explicit bodies
  std::optional<DomainRows> slowed_rows_;                ///< other_rows_ with the masses of ElementStepper
  std::vector<std::size_t> explicit_loads_;              ///< the loads on explicit bodies
  Eigen::MatrixXd lumped_;                               ///< H of the explicit bodies
  Eigen::MatrixXd implicit_, joined_;                    ///< Σ H of the implicit domains, and of all
  SmallSymmetric compliance_, inverse_;                  ///< the first, and the inverse of the second [eq. coupling-5]
  SmallInverse inverter_;

  model::ConstraintSet constraints_;
  std::size_t ties_ = 0;                        // vectors over them have room for whole packs, and zeros there
  std::vector<double> right_;                   // of Λ_j
  std::vector<double> lambda_, lambda_before_;  // Λ_j, Λ_{j−1}
  std::vector<double> rates_;                   // L v of the explicit bodies
  std::vector<double> free_, linked_;           // of the implicit domains: with ½ L v⁻ added, and by Λ
  std::vector<double> found_, moved_;  // of nonlinear domains: Λ from what is beyond, change of L V by the last
  std::vector<double> pulled_;         // by dof: what ties gave ahead of time
  math::Pack tie_work_;                // over the fine steps: Σ L v⁻ (Λ_j + Λ_{j−1})
  std::vector<double> loads_, loads_before_, loads_ahead_;
  std::vector<std::vector<double>> signals_;  // values of each load at the fine steps of a step
  ContactRecord record_;
};

}  // namespace ictus::dynamics
