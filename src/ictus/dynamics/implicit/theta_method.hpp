#pragma once

#include <Eigen/SparseCholesky>
#include <ictus/dynamics/booking/contact_record.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <ictus/model/constraint_set.hpp>
#include <ictus/solve/complementarity/lcp.hpp>
#include <vector>

namespace ictus::dynamics {

/// Moreau–Jean with the θ method (fekak-2017 (50)–(53)), for linear bodies. With x_θ = θ x_{n+1} + (1−θ) x_n,
///   M (v_{n+1} − v_n) = h f(u_θ) + Σ w λ,   u_{n+1} = u_n + h v_θ                                    [eq. bars-15]
///   0 ≤ λ ⟂ w·v_{n+1} ≥ 0 for the contacts that the prediction u_n + ½h v_n closes.
/// Implicit: M + h²θ²K is factored once. The state is (u_n, M v_n); the energy T + V falls by exactly
///   (θ − ½)(h² v_θ·K v_θ + |v_{n+1} − v_n|²_M)  to damping  and by  −Σ λ w·v_θ  to the impact        [eq. bars-16].
class ThetaMethod final : public Integrator {
 public:
  /// θ in [½, 1]; ½ keeps the energy of free motion, 1 damps it.
  explicit ThetaMethod(double theta) : theta_(theta) {}

  std::string_view name() const override { return "moreau-jean"; }
  Capabilities capabilities() const override;
  /// Stable at any step.
  StepLimit step_limit(const System& system) const override;
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  StepReport step(const System& system, double h, model::State& state) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  void velocity(const System& system, double h, const model::State& state, std::span<double> v) const override;
  Extras extras(const model::State&) const override { return {}; }

 private:
  enum Slot : std::size_t { closed };

  void factor(const System& system, double h);
  void detect(const System& system, double h, model::State& state, StepReport& report);
  void free_velocity(const System& system, double h, const model::State& state);
  void respond(StepReport& report);
  void move(const System& system, double h, model::State& state, StepReport& report);
  mechanics::Momentum force_from_outside(const System& system, double h, const model::State& state);

  double theta_;
  double factored_step_ = 0;
  /// Bars number their dofs along their length, so that the natural order fills nothing in.
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> factors_;
  model::ConstraintSet constraints_;
  std::vector<std::size_t> active_;
  std::vector<Eigen::VectorXd> columns_;  // (M + h²θ²K)⁻¹ w of each active constraint
  std::vector<double> matrix_, rate_, lambda_;
  solve::LcpSolver solver_;
  Eigen::VectorXd velocity_, right_side_;  // v_{n+1}
  std::vector<double> scratch_;
  ContactRecord record_;
};

}  // namespace ictus::dynamics
