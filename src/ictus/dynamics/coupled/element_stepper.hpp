#pragma once

#include <ictus/contact/detect/surface_detector.hpp>
#include <ictus/contact/scheme/sweep_response.hpp>
#include <ictus/contact/scheme/unilateral_response.hpp>
#include <ictus/dynamics/booking/contact_record.hpp>
#include <ictus/dynamics/booking/pair_closings.hpp>
#include <ictus/model/state.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// Explicit steps of bodies that take their forces from their elements each time, with contact of points and surfaces
/// by CD-Lagrange, surfaces with Coulomb's friction. Where a body is not linear, what its potential changes by beyond
/// the work ½ [q]·(f + f_before) of the forces is known as quadrature. Damping is that of [eq. newmark-8] with the
/// momenta p⁺ that ties and contact leave in place of p*,
///   d = −Δt (½ α (p⁻ + p⁺) + β K M⁻¹p⁻)   [eq. coupling-12]:
/// until settle() the state's p is (1 + ½ Δt α) p⁺, on which impulses act with the inverse masses 1/((1 + ½ Δt α) m) of
/// inverse_mass(). The impulses d take −½ [q]·(d + d_before)/Δt.
class ElementStepper {
 public:
  /// Figures of the account that a run must remember.
  enum Figure : std::size_t { work, half_work, potential_at_start, half_damping, half_impact, half_friction, figures };

  ElementStepper() = default;
  /// `pairs` tells which contact pairs are its own.
  ElementStepper(const System& system, std::vector<const mechanics::NodalBody*> bodies, std::vector<bool> pairs);

  bool any() const { return !bodies_.empty(); }
  std::span<const mechanics::NodalBody* const> bodies() const { return bodies_; }

  void set_step(const System& system, double step);
  /// Of all dofs, between kick() and settle().
  std::span<const double> inverse_mass(const System& system) const {
    return slowed_.empty() ? system.inverse_mass() : slowed_;
  }

  /// The state's p is that half a step after the start, `before` that half a step ahead of it.
  void start(const System& system, double step, const model::State& state, std::span<const double> before,
             std::span<double> account);
  void drift(const System& system, double step, model::State& state) const;
  /// Keeps p in `before`; p += Δt (f + F) + d for loads of these values, those of the step before being
  /// `load_values_before`.
  void kick(const System& system, double step, std::span<const double> load_values,
            std::span<const double> load_values_before, model::State& state, std::span<double> before,
            std::span<double> account, StepReport& report);
  /// The smallest impulses after which no contact closes further [eq. bars-7], points once they touch, surfaces in the
  /// step that would close them. `closed` tells which pairs were closed, and are afterwards. Throws
  /// base::NumericalFailure where something touches a node that is tied, which ties and contact would both move.
  void respond(const System& system, double step, model::State& state, std::span<const double> before,
               std::span<double> closed, std::span<double> account, ContactRecord& record, StepReport& report);
  /// Ends a step: p is p⁺.
  void settle(const System& system, double step, std::span<const double> before, model::State& state,
              std::span<double> account, StepReport& report);

  double quadrature(const System& system, const model::State& state, std::span<const double> account) const;

 private:
  void apply_loads(const System& system, double step, std::span<const double> load_values,
                   std::span<const double> load_values_before, model::State& state, StepReport& report) const;
  void find_contacts(const System& system, double step, const model::State& state);
  void damp(const System& system, double step, model::State& state, std::span<const double> before);
  void solve_points(const System& system, model::State& state, StepReport& report);
  void solve_surfaces(const System& system, double step, model::State& state, StepReport& report);
  void require_untied(const System& system, std::size_t constraint, double time) const;
  /// ½ J·M⁻¹p of impulses J on the bodies.
  double half_power(const System& system, std::span<const double> impulse, std::span<const double> p) const;

  std::vector<const mechanics::NodalBody*> bodies_;
  std::vector<bool> pairs_;
  bool any_pairs_ = false, is_linear_ = true;
  std::vector<std::size_t> loads_;  // loads on the bodies
  std::vector<char> is_tied_;       // by dof of the System
  model::ConstraintSet constraints_;
  contact::SurfaceDetector surfaces_;
  contact::UnilateralResponse response_;
  contact::SweepResponse sweeps_;
  std::vector<int> active_;
  std::vector<double> offset_;
  std::vector<contact::ImpactLaw> laws_;
  std::vector<ContactRecord::Push> impulses_;  // to each of the active constraints
  PairClosings closings_;
  std::vector<double> impulse_;  // Δt f by dof of the System, where a body is not linear
  std::vector<const mechanics::NodalBody*> damped_;
  std::vector<double> damping_, velocity_;  // d and M⁻¹p⁻ by dof of the System, where bodies are damped
  std::vector<double> slowed_;              // 1/((1 + ½ Δt α) m) by dof of the System, where masses are damped
};

}  // namespace ictus::dynamics
