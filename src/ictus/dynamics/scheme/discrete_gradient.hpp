#pragma once

#include <ictus/contact/scheme/lasting_contacts.hpp>
#include <ictus/contact/scheme/sweep_response.hpp>
#include <ictus/dynamics/explicit/leapfrog.hpp>

namespace ictus::dynamics {

struct DiscreteGradientOptions {
  /// κ of the layers of surfaces, k_a = κ m_a/τ_a²: m_a the mean mass of a skin's vertices, τ_a the body's critical
  /// step [eq. exact-contact-23], or some steps where no side deforms [eq. mixed-9].
  double stiffness = 64;
  contact::SweepOptions sweeps = {};  ///< over the contacts of surfaces
};

/// Contact through the elastic layers of the surfaces, whose force is a discrete gradient of their energy φ over two
/// steps,
///   λ = −h (φ(g_{n+1}) − φ(g_{n−1}))/(g_{n+1} − g_{n−1})   [eq. exact-contact-5],
/// g_{n+1} = g_n + h w·M⁻¹p⁺. Ē + ½ Σ (φ(g_n) + φ(g_{n+1})) is kept, contact lasts without chatter, and the stiffness
/// of the layer puts no limit on the step. Restitution e returns the share η = e² of a layer's energy when it opens and
/// books the rest.
///
/// Bars get massless tips and spring layers; there the gap is linear in q, and the energy is kept to round-off.
/// Surfaces of bodies of all families have barriers that no finite energy closes, and springs on planes; g_{n−1} is
/// that of the same features at q_{n−1}, which the state remembers [eq. exact-contact-36]. What the turning of their
/// normals and the change of features leaves of the energy is measured in each step and kept in a bank, from which the
/// impulses of the next steps, scaled by a little, take it back [eq. exact-contact-26]. What impulses do that are not
/// those of their layers, because sweeps ended early, is lost to the solver [eq. exact-contact-34], and no matter of
/// the bank.
class DiscreteGradient final : public Leapfrog {
 public:
  explicit DiscreteGradient(const DiscreteGradientOptions& options = {}) : options_(options) {}

  std::string_view name() const override { return "discrete-gradient"; }
  bool looks_back() const override { return true; }
  bool sees_parting() const override { return true; }
  Capabilities capabilities() const override {
    return {.friction = true,
            .restitution_max = 1,
            .loads = true,
            .forces = true,
            .moving_supports = true,
            .damping = true,
            .history = true,
            .ties = true,
            .joints = true,
            .implicit = true,
            .surfaces = SurfaceContact::followed,
            .massless_tips = true,
            .stores = {model::Store::bank, model::Store::layer},
            .losses = {model::Loss::restitution, model::Loss::friction, model::Loss::damping, model::Loss::quadrature,
                       model::Loss::fallback, model::Loss::solver, model::Loss::joint, model::Loss::joint_damping,
                       model::Loss::motor}};
  }
  /// Throws base::InputError for a pair of points without a layer.
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  Extras extras(const model::State& state) const override;

 private:
  /// State::memory after what the leapfrog keeps: figures, then by how much the layer of each pair has grown beyond the
  /// thickness of its contact (m).
  static constexpr std::size_t figures_slot = memory_arrays;
  static constexpr std::size_t grown_slot = figures_slot + 1;
  /// What contacts of surfaces remember.
  static constexpr std::size_t layer_lasting_slot = grown_slot + 1;
  /// Where all bodies were a step ago, if there are surfaces.
  static constexpr std::size_t before_slot = layer_lasting_slot + contact::LastingContacts::arrays;

  enum Figure : std::size_t {
    in_layers,  ///< ½ Σ (φ(g_n) + φ(g_{n+1})) of the present interval (J)
    bank,       ///< what the layers of changing features left or took (J)
    bank_max,   ///< largest |bank| (J)
    layer_max,  ///< J
    figures
  };

  static double& figure(model::State& state, Figure name) { return state.memory[figures_slot].values[name]; }

  /// A contact in a step, as the account of the energy sees it: with impulses scaled by α its gap one step ahead is
  /// ahead + h α push, and its own impulse does the work ½ α λ (twice + α push).
  struct Layer {
    double gap, before;
    double ahead;   // the gap one step ahead without impulses
    double twice;   // w·M⁻¹(p* + p⁻)
    double push;    // w·M⁻¹(p⁺ − p*)
    double lambda;  // impulse before scaling
    contact::ElasticLayer law;

    double next(double h, double scale) const { return ahead + h * scale * push; }
    double stored(double h, double scale) const { return 0.5 * (law.energy(gap) + law.energy(next(h, scale))); }
    double work(double scale) const { return 0.5 * scale * lambda * (twice + scale * push); }
    /// What restitution takes of the energy of a layer that opens.
    double lost(double h, double scale) const { return law.lost(before, next(h, scale)); }
    /// What unfinished sweeps do besides what the layer pays for.
    double unpaid(double h) const { return law.unpaid(before, next(h, 1), h, lambda); }
  };

  void respond(const Contact& contact, StepReport& report) override;
  void choose(const Contact& contact);
  void grow(std::span<const double> inverse_mass, const model::ConstraintSet& constraints, double h,
            model::State& state);
  static double gap_before(const Contact& contact, std::size_t i, double gap);
  contact::ImpactLaw law_of(const model::ConstraintSet& constraints, std::size_t i, double h,
                            const model::State& state) const;
  void read_layers(const Contact& contact);
  double unbalanced(double h, double scale, double owned) const;
  double balance(double h, double owned) const;
  void scale_impulses(const Contact& contact, double scale);

  DiscreteGradientOptions options_;
  bool has_surfaces_ = false;  // some pair has a triangulated surface, or a body meets its surroundings or a stop
  std::vector<contact::ElasticLayer> law_of_pair_;
  std::vector<double> rigid_strength_;  // k h² of each pair of which no side deforms, else zero (kg)
  contact::SweepResponse sweeps_;
  contact::LastingContacts lasting_{layer_lasting_slot};
  std::vector<int> active_;
  std::vector<contact::ImpactLaw> laws_;
  std::vector<double> gap_now_;  // of each that takes part
  std::vector<Layer> layers_;
  std::vector<double> wanted_, least_gap_;  // of each pair
  std::vector<double> pushed_;              // p⁺ − p* where contacts act, before scaling; elsewhere stale
};

}  // namespace ictus::dynamics
