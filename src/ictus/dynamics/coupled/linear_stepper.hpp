#pragma once

#include <ictus/dynamics/system/step_report.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/solve/linear/lane_matrix.hpp>
#include <ictus/solve/linear/lane_order.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// Explicit steps of linear bodies without touching the state in between: from t_n on, with the shift s = q − q_n,
///   s += Δt M⁻¹p,   p += Δt f(q_n) − Δt K s + Δt F(t)   [eq. coupling-9].
/// The forces of the start are taken from the bodies, gravity among them; what a step adds is a product with K, small
/// with the shift, so that round-off is too. Dofs have the slots of solve::LaneOrder, some of which are empty;
/// momenta of held ones collect what the supports are to give back.
class LinearStepper {
 public:
  LinearStepper() = default;
  /// Linear bodies, for which the impulses of gravity and supports do not depend on q.
  LinearStepper(const System& system, std::vector<const mechanics::NodalBody*> bodies);

  std::span<const mechanics::NodalBody* const> bodies() const { return bodies_; }
  /// Where a dof of the System is in the vectors below; −1: not among the bodies.
  int slot(std::size_t dof) const { return slot_[dof]; }
  std::span<const double> inverse_mass() const { return inverse_mass_; }
  std::span<const double> shift() const { return shift_.span(); }
  std::span<double> p() { return p_.span(); }

  /// Makes the operators for steps Δt.
  void set_step(const System& system, double step);

  /// Says that the momentum at a slot may be changed from outside, between a kick and the next drift.
  void touch(std::size_t slot) { touched_.push_back(slot); }

  /// Takes q and p of the state.
  void begin(const System& system, const model::State& state);
  void drift();
  /// Notes p as that before the last kick.
  void keep() { before_ = p_; }
  /// p += Δt (f + F) for loads of these values, those of the step before being `load_values_before`. Notes the work
  /// ½ (F + F_before)·[q] of the loads.
  void kick(const exec::Executor& exec, std::span<const double> load_values,
            std::span<const double> load_values_before);
  /// Gives q and p to the state and the p that was kept to `before`, and books the work of the loads and the momentum
  /// that came from outside in `steps` steps.
  void end(const System& system, int steps, model::State& state, std::span<double> before, StepReport& report);

 private:
  /// A load on consecutive slots, whole packs.
  struct PackedLoad {
    std::size_t load;
    std::size_t first;
    std::vector<math::Pack> force, rate;  ///< pattern, and pattern over mass
    double impulse = 0;                   ///< Σ Δt F since begin
    math::Pack work{};                    ///< since begin; its lanes add up to it
  };
  void add_load(const System& system, std::size_t load);

  std::vector<const mechanics::NodalBody*> bodies_;
  solve::LaneOrder order_;
  std::vector<int> slot_;             // by dof of the System
  std::vector<double> inverse_mass_;  // by slot; 0 at empty ones
  std::vector<PackedLoad> loads_;
  std::vector<std::size_t> touched_;
  double step_ = 0;
  solve::LaneMatrix matrix_;  // −Δt K
  solve::LaneVector shift_, p_, before_, start_;
  solve::LaneVector next_;     // the shift after the next drift, but for slots that are touched
  solve::LaneVector drift_;    // Δt/m
  std::vector<double> force_;  // by dof of the System
};

}  // namespace ictus::dynamics
