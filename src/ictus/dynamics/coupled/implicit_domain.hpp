#pragma once

#include <ictus/dynamics/coupled/tie_rows.hpp>
#include <ictus/dynamics/implicit/implicit_matrix.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <vector>

namespace ictus::dynamics {

/// Bodies moved together by Newmark's average acceleration with steps ΔT of their own, under forces Λ at ties that are
/// known only when the step is over: a free step without them first, then their correction [eq. coupling-3,
/// coupling-6]. U displacement, V velocity, A acceleration; M̃ = M + ΔT/2 C + ΔT²/4 K, C the damping of the bodies, is
/// factored once for linear bodies. Others take both steps by Newton's method [eq. coupling-10] with a factor that
/// serves until its corrections in the free step fall slowly.
class ImplicitDomain {
 public:
  ImplicitDomain(const System& system, std::vector<const mechanics::NodalBody*> bodies);

  const DomainRows& rows() const { return rows_; }
  std::span<const mechanics::NodalBody* const> bodies() const { return bodies_; }
  bool holds(std::size_t dof) const;

  bool linear() const { return is_linear_; }

  /// Factors M̃ for a step at a configuration, and finds H = ΔT/2 L M̃⁻¹ Lᵀ [eq. coupling-5]. Throws
  /// base::NumericalFailure.
  void factor(const System& system, double step, std::span<const double> q);
  const Eigen::MatrixXd& compliance() const { return compliance_; }

  /// Moves the bodies in the step that begins next by M̃⁻¹Lᵀν besides, without a change of their velocities: what closes
  /// ties that have come apart [eq. coupling-15].
  void close_by(std::span<const double> nu);

  /// The free step from t to t + ΔT: on entry U, V in (q, p) and A are those of t. Leaves the predictor of U in q, and
  /// L V_free in `free_rates`. `load_values` are those at t + ΔT. Where bodies are not linear the step is made with the
  /// forces Λ of t, and what the tangent makes of them is taken away; M̃ may be factored anew, at a configuration that
  /// `factored` then holds; answers whether it was.
  bool begin(const System& system, std::span<const double> load_values, std::span<const double> lambda,
             model::State& state, std::span<const double> acceleration, std::span<double> factored,
             std::span<double> free_rates);

  /// Of bodies that are not linear, under forces Λ at t + ΔT: what L V exceeds L V_free + H Λ by.
  void follow(const System& system, std::span<const double> lambda, const model::State& state,
              std::span<double> beyond);

  /// What a step was given from outside.
  struct StepBalance {
    double interface_work = 0;  ///< [U]·Lᵀ ½(Λ_t + Λ_{t+ΔT}) − shift·½M(A_t + A_{t+ΔT}) (J)
    double load_work = 0;       ///< [U]·½(F_t + F_{t+ΔT}) (J)
    double damping = 0;         ///< [U]·½C(V_t + V_{t+ΔT}), lost (J)
    double quadrature = 0;      ///< what the potential fell by beyond the work [U]·½(f_t + f_{t+ΔT}) (J)
    mechanics::Momentum impulse;
    double unsettled = 0;  ///< relative error of a motion at which Newton's method came to a halt above round-off
  };
  /// Corrects by Λ at t + ΔT, near those that were followed last where bodies are not linear; on exit U, V and A are
  /// those of t + ΔT. `load_values_before` and Λ_before are those at t.
  StepBalance finish(const System& system, std::span<const double> lambda, std::span<const double> lambda_before,
                     std::span<const double> load_values, std::span<const double> load_values_before,
                     model::State& state, std::span<double> acceleration);

 private:
  template <class F>
  void for_each_dof(F&& f) const;
  void forces(const System& system, std::span<const double> q, double h);
  void note_supports(std::span<const double> q);
  void respond_to(std::span<const double> lambda);
  void factor_at(const System& system, std::span<const double> q);
  void find_compliance();
  void note_start(const System& system, const model::State& state);
  void note_damping_before(const System& system, const model::State& state);
  void predict(const System& system, std::span<const double> acceleration, model::State& state);
  void add_loads(const System& system, std::span<const double> load_values);
  void solve_free(const System& system, std::span<const double> load_values, const model::State& state);
  bool solve_free_by_newton(const System& system, std::span<const double> load_values, std::span<const double> lambda,
                            const model::State& state, std::span<const double> acceleration,
                            std::span<double> factored);
  /// What Newton's method ended with: whether M̃ was factored anew, and the relative error, zero where it is round-off.
  struct Found {
    bool is_new = false;
    double unsettled = 0;
  };
  Found solve_motion(const System& system, std::span<const double> lambda, const model::State& state, double tolerance,
                     std::span<double> factored, std::vector<double>& a);
  bool within_round_off(const model::State& state) const;
  void damp(const System& system, std::span<const double> q);
  void note_damping(std::span<const double> q);

  std::vector<const mechanics::NodalBody*> bodies_;
  DomainRows rows_;
  bool is_linear_ = true;
  double step_ = 0;
  ImplicitMatrix matrix_;
  bool is_prepared_ = false;
  Eigen::MatrixXd compliance_;
  Eigen::MatrixXd response_;       // M̃⁻¹ Lᵀ where applying it costs less than solving, else empty
  std::vector<std::size_t> slot_;  // among the dofs of the domain, by dof of the System
  std::vector<double> force_;      // by dof of the System
  std::vector<double> local_;      // by dof of the domain
  std::vector<double> velocity_;   // predictor of V, by dof of the domain
  std::vector<double> free_;       // A_free, by dof of the domain
  std::vector<double> before_;     // U at t, by dof of the domain
  std::vector<double> shift_;      // that closes ties, by dof of the domain
  bool is_shifted_ = false;        // in the step under way
  double shift_work_ = 0;          // of M A at t
  std::vector<double> mass_;       // of what moves, 0 of the rest, by dof of the domain
  mechanics::Momentum impulse_;    // from outside in the step under way
  std::vector<const mechanics::NodalBody*> damped_;
  std::vector<double> rate_, damping_;  // a velocity and −C times it, by dof of the System, where bodies are damped
  std::vector<double> damping_before_;  // −C V at t, by dof of the domain
  std::size_t size_ = 0;
  // Of bodies that are not linear, by dof of the domain: f at t and F at t + ΔT, A under Λ, Newton's correction.
  std::vector<double> force_before_, load_, linked_, correction_;
  std::vector<double> trial_;                         // a configuration, by dof of the System
  std::vector<double> followed_, excess_;             // Λ that were followed, by tie
  double potential_before_ = 0;                       // at t
  double free_unsettled_ = 0, linked_unsettled_ = 0;  // errors of A_free and of A under Λ that are no round-off
  double scale_ = 0;  // accelerations that stop the motion within a step, squared in the norm of M
};

}  // namespace ictus::dynamics
