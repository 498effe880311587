#pragma once

#include <ictus/dynamics/implicit/implicit_matrix.hpp>
#include <ictus/dynamics/support/moving_supports.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <vector>

namespace ictus::dynamics {

struct NewmarkOptions {
  double gamma = 0.5;  ///< in [½, 1]; ½ damps nothing
  double beta = 0.25;  ///< ≥ γ/2 is stable at any step
};

/// Newmark's method for bodies that do not touch, linear or not [eq. newmark-1]. With a = M⁻¹f of all forces f, those
/// of the bodies, the loads and damping,
///   u_{n+1} = u_n + h v_n + h²((½ − β) a_n + β a_{n+1}),   v_{n+1} = v_n + h((1 − γ) a_n + γ a_{n+1}),
/// solved for a_{n+1} with the factor of M + γhC + βh²K: once for linear bodies, by Newton's method for others, with a
/// factor that serves until its corrections fall slowly. Momenta are moved by the forces themselves, so that they are
/// exact whatever is left of Newton's residual. The discrete energy [eq. newmark-3]
///   Ē = ½ v·Mv + V(u) + ½ h²(β − γ/2) a·Ma
/// falls by γ's and the bodies' damping, moves by the work of loads and supports, and on nonlinear bodies by the error
/// of the trapezoidal rule for V, booked as quadrature from the potential and the forces of the elements alone. The
/// state is (u_n, M v_n) with the forces of t_n in memory, and the configuration of the factor.
class Newmark final : public Integrator {
 public:
  explicit Newmark(const NewmarkOptions& options) : options_(options) {}

  std::string_view name() const override { return "newmark"; }
  Capabilities capabilities() const override;
  StepLimit step_limit(const System& system) const override;
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  StepReport step(const System& system, double h, model::State& state) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  void velocity(const System& system, double h, const model::State& state, std::span<double> v) const override;
  Extras extras(const model::State&) const override { return {}; }

 private:
  /// Forces at t_n: all of them on each dof, those of damping among them, those on driven dofs and their share
  /// of damping; the momentum that surroundings give in unit time there, linear and angular; the configuration of the
  /// factor; the forces of the elements of nonlinear bodies.
  enum Slot : std::size_t { forces, damping, reaction, support_damping, external, factored, elastic };

  mechanics::Momentum evaluate(const System& system, std::span<const double> u, std::span<const double> v);
  void remember(model::State& state) const;
  void factor(const System& system, double h, std::span<const double> q, double time);
  void predict(const System& system, double h, const model::State& state);
  void solve(const System& system, double h, model::State& state, StepReport& report);
  double load_work(const System& system, const model::State& state) const;
  void book(const System& system, double h, const model::State& state, StepReport& report);

  NewmarkOptions options_;
  ImplicitMatrix matrix_;
  bool linear_ = true;
  double factored_step_ = 0;
  MovingSupports supports_;
  mechanics::PotentialEnergy potential_;  // of t_n, of nonlinear bodies
  // Of t_{n+1}: predictions, the motion sought, all forces, those of damping among them, the latter on driven dofs;
  // those of the elements, of nonlinear bodies.
  std::vector<double> predicted_, predicted_velocity_, u_, velocity_, acceleration_, force_, damping_, support_damping_;
  std::vector<double> elastic_;
  std::vector<double> loads_, loads_before_, residual_, correction_;
};

}  // namespace ictus::dynamics
