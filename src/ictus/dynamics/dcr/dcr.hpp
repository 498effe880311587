#pragma once

#include <ictus/dynamics/booking/contact_record.hpp>
#include <ictus/dynamics/dcr/dcr_surfaces.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <ictus/model/constraint_set.hpp>
#include <vector>

namespace ictus::dynamics {

/// Decomposition contact response (cirak-2005): explicit Newmark with contact between predictor and corrector,
///   p' = p_n + ½h f_n,  q = q_n + h M⁻¹p';  pairs that penetrate are projected apart, q += M⁻¹w (−g/W), W = w·M⁻¹w;
///   p'' = p' + Σ w λ,  λ = −(1+e) r/W for r = w·M⁻¹p' < 0;   p_{n+1} = p'' + ½h f_{n+1}              [eq. bars-17].
/// The state is (q_n, p_n) with its force f_n, the energy T(p_n) + V(q_n). On linear bodies what it loses is known
/// exactly [eq. bars-18]: to the projection, to the impulse acting before the kick (impact), to restitution, and to the
/// Newmark energy's own oscillation (quadrature). On nonlinear ones the same is true with the quadrature taken from
/// the potential of the elements and the work of their forces, as in [eq. exact-contact-21]. Triangulated surfaces are
/// projected and reflected pair by pair on the predictor.
class Dcr final : public Integrator {
 public:
  /// `energy_correction`: choose λ so that the impact takes out what the projection put in (cirak-2005 (15)).
  explicit Dcr(bool energy_correction) : energy_correction_(energy_correction) {}

  std::string_view name() const override { return "dcr"; }
  Capabilities capabilities() const override;
  StepLimit step_limit(const System& system) const override;
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  StepReport step(const System& system, double h, model::State& state) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  void velocity(const System& system, double h, const model::State& state, std::span<double> v) const override;
  double quadrature(const System& system, double h, const model::State& state) const override;
  Extras extras(const model::State&) const override { return {}; }

 private:
  /// Slots of State::memory: f_n, which pairs were closed, and for nonlinear bodies the work of the forces on the way
  /// and in projections, and the potential energy at the start.
  enum Slot : std::size_t { force, closed, account };
  enum Figure : std::size_t { work_of_forces, potential_at_start, figures };

  void predict(const System& system, double h, model::State& state);
  void project(const System& system, model::State& state, StepReport& report);
  void account_for_surfaces(const System& system, double h, const model::State& state, StepReport& report) const;
  double work_of_push(const System& system, double h, const model::State& state) const;
  void count_work(const System& system, double h, model::State& state) const;
  void reflect(const System& system, double h, model::State& state, StepReport& report);
  double impulse(double rate, double w_inverse_mass, double restitution, double projection_work,
                 StepReport& report) const;

  bool energy_correction_;
  model::ConstraintSet constraints_;
  DcrSurfaces surfaces_;
  bool plain_ = true;                // all bodies are linear
  std::vector<double> before_;       // f_n
  std::vector<double> q_before_;     // q_n
  std::vector<double> q_predicted_;  // q before anything is projected
  std::vector<double> q_projected_;  // q before surfaces are projected
  std::vector<double> p_predicted_;  // p'
  std::vector<double> projection_;   // −g/W of each constraint, 0 where open
  ContactRecord record_;
};

}  // namespace ictus::dynamics
