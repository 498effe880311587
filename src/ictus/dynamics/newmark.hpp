#pragma once

#include <ictus/dynamics/implicit_matrix.hpp>
#include <ictus/dynamics/integrator.hpp>
#include <vector>

namespace ictus::dynamics {

struct NewmarkOptions {
  double gamma = 0.5;  ///< in [½, 1]; ½ damps nothing
  double beta = 0.25;  ///< ≥ γ/2 is stable at any step
};

/// Newmark's method for bodies that do not touch, linear or not [eq. newmark-1]. With a = M⁻¹f(u),
///   u_{n+1} = u_n + h v_n + h²((½ − β) a_n + β a_{n+1}),   v_{n+1} = v_n + h((1 − γ) a_n + γ a_{n+1}),
/// solved for a_{n+1} with the factor of M + βh²K: once for linear bodies, by Newton's method with one factor per step
/// (and more where it is slow) for others. Momenta are moved by the forces themselves, so that they are exact whatever
/// is left of Newton's residual. The discrete energy [eq. newmark-3]
///   Ē = ½ v·Mv + V(u) + ½ h²(β − γ/2) a·Ma
/// falls by γ's damping, and on nonlinear bodies moves by the error of the trapezoidal rule for V, booked as
/// quadrature. The state is (u_n, M v_n) with the forces f(u_n) in memory.
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
  void factor(const System& system, double h, std::span<const double> q, double time);
  void predict(const System& system, double h, const model::State& state);
  int solve(const System& system, double h, const model::State& state);
  void book(const System& system, double h, const model::State& state, StepReport& report);

  NewmarkOptions options_;
  ImplicitMatrix matrix_;
  bool linear_ = true;
  double factored_step_ = 0;                                                          // of a linear system
  std::vector<double> predicted_, u_, acceleration_, force_, residual_, correction_;  // of t_{n+1}
};

}  // namespace ictus::dynamics
