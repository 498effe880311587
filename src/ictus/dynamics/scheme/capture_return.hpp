#pragma once

#include <ictus/contact/scheme/lasting_contacts.hpp>
#include <ictus/contact/scheme/sweep_response.hpp>
#include <ictus/contact/scheme/unilateral_response.hpp>
#include <ictus/dynamics/explicit/leapfrog.hpp>
#include <ictus/dynamics/scheme/energy_bank.hpp>
#include <ictus/dynamics/scheme/swept_impacts.hpp>

namespace ictus::dynamics {

struct CaptureReturnOptions {
  /// Nonlinear bodies: hand the drift of the shadow energy to the returns, at most half of each [eq. exact-contact-13].
  bool control = true;
};

/// Contacts are made inelastic, so that they last without chatter, and the energy this takes is not lost but banked at
/// the nodes and given back when they part:
///   0 ≤ λ ⟂ w·M⁻¹p⁺ ≥ 0 on closed gaps, −½ λ w·M⁻¹(p⁺ + p⁻) to the bank   [eq. exact-contact-8],
///   ½ W λ² + ½ b λ = η B, b = w·M⁻¹(2p − p* + p⁻), to a pair that parts     [eq. exact-contact-10].
/// Ē plus the bank B is kept to round-off. Restitution e of a pair returns the share η = e² and books the rest.
/// Contacts that stick bank what their tangential impulses took, too; what slides is lost to friction, and so is what
/// friction takes while pairs part.
class CaptureReturn final : public SweptImpacts {
 public:
  explicit CaptureReturn(const CaptureReturnOptions& options = {})
      : SweptImpacts(capture_lasting_slot), options_(options) {}

  std::string_view name() const override { return "capture-return"; }
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
            .vanishing = true,
            .implicit = true,
            .surfaces = SurfaceContact::followed,
            .meetings = true,
            .stores = {model::Store::bank},
            .losses = {model::Loss::restitution, model::Loss::friction, model::Loss::damping, model::Loss::control,
                       model::Loss::quadrature, model::Loss::joint, model::Loss::joint_damping, model::Loss::motor}};
  }
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  Extras extras(const model::State& state) const override;

 private:
  /// State::memory after what the leapfrog keeps: the bank, one array of figures, and what contacts of surfaces
  /// remember.
  static constexpr std::size_t bank_slot = memory_arrays;
  static constexpr std::size_t figures_slot = bank_slot + EnergyBank::arrays;
  static constexpr std::size_t capture_lasting_slot = figures_slot + 1;

  enum Figure : std::size_t {
    reference,       ///< shadow energy at the start (J)
    lost,            ///< losses booked so far, those of the control apart (J)
    control_error,   ///< reference + work from outside − (shadow energy + bank + lost) at the last return (J)
    control_energy,  ///< what the control has added to returns (J)
    largest_bank,    ///< J
    returns,         ///< number
    controlled,      ///< step in which the control last looked
    figures
  };

  static double& figure(model::State& state, Figure name) { return state.memory[figures_slot].values[name]; }

  /// What a pair that parts gets.
  struct Return {
    std::size_t constraint;
    double energy;                  ///< J
    double lost;                    ///< (1 − η) B (J)
    ContactRecord::Push push = {};  ///< N s
    double rubbed = 0;              ///< what its friction took (J)
    bool sticks = false;            ///< friction stopped the slip
  };

  /// Nothing elastic parts rigid bodies again: they bounce by their restitution.
  bool let_bounce(const Contact& contact, std::size_t a, double share) override;
  void bounce(const Contact& contact, std::size_t i, const ContactRecord::Push& push, StepReport& report);
  void respond(const Contact& contact, StepReport& report) override;
  /// What keeping surfaces apart takes is banked where it was taken.
  void keep_account(const Contact& contact, std::span<const model::RowEntry> push, double energy,
                    StepReport& report) override;
  void capture(const Contact& contact, StepReport& report);
  void capture_points(const Contact& contact, StepReport& report);
  void capture_surfaces(const Contact& contact, StepReport& report);
  void bank(const Contact& contact, std::size_t i, const ContactRecord::Push& push, bool sticks, StepReport& report);
  void find_in_sight(const Contact& contact);
  void return_energy(const Contact& contact, double hold, StepReport& report);
  void close_bank(const Contact& contact);
  static void apply(const Contact& contact, Return& r);
  static void rub(const Contact& contact, Return& r);
  double correction(const Contact& contact, double amount);
  void give_up(const Contact& contact, StepReport& report);

  CaptureReturnOptions options_;
  double crossing_ = 0;  // time in which a wave crosses the smallest element (s)
  EnergyBank bank_;
  contact::UnilateralResponse response_;
  std::vector<double> offset_;
  std::vector<char> pushed_;    // constraints with an impulse in this step
  std::vector<char> in_sight_;  // constraints that may be given back what they are owed
  std::vector<char> is_met_;    // by dof: a constraint acts there
  std::vector<Return> returns_;
  std::vector<model::RowEntry> untouched_;  // momenta before the returns, in their order
};

}  // namespace ictus::dynamics
