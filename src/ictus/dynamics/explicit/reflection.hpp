#pragma once

#include <ictus/dynamics/explicit/newton_impact.hpp>

namespace ictus::dynamics {

/// Newton's law of impact after the force kick, with the restitution e of each pair, 1 where none is given:
///   0 ≤ λ ⟂ w·M⁻¹(p⁺ + e p⁻) ≥ 0   [eq. exact-contact-2].
/// With e = 1 contact leaves the discrete energy alone at any stable step; lasting contact is then a chatter of the
/// end masses. With e < 1 the loss is booked as restitution.
class Reflection final : public NewtonImpact {
 public:
  std::string_view name() const override { return "reflection"; }
  Capabilities capabilities() const override {
    return {.friction = true,
            .restitution_max = 1,
            .loads = true,
            .moving_supports = true,
            .damping = true,
            .guided_skins = true,
            .losses = {model::Loss::restitution, model::Loss::friction, model::Loss::damping, model::Loss::quadrature,
                       model::Loss::fallback}};
  }

  /// Every reflection leaves something in the fastest modes, whose energy goes to zero at the critical step while their
  /// velocities do not: there the energy that is kept bounds nothing.
  StepLimit step_limit(const System& system) const override {
    StepLimit limit = NewtonImpact::step_limit(system);
    if (system.pairs().empty() || limit.safe < most_of_critical) return limit;
    limit.safe = most_of_critical;
    limit.safety = "nearer to the largest stable step the energy that reflections keep does not bound the motion";
    return limit;
  }

 private:
  static constexpr double most_of_critical = 0.98;
  double restitution(const contact::ContactPair& pair) const override { return pair.restitution.value_or(1); }
  model::Loss loss() const override { return model::Loss::restitution; }
};

}  // namespace ictus::dynamics
