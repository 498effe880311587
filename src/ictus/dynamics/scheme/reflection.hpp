#pragma once

#include <ictus/dynamics/scheme/newton_restitution.hpp>

namespace ictus::dynamics {

/// Newton's law of impact after the force kick, with the restitution e of each pair, 1 where none is given:
///   0 ≤ λ ⟂ w·M⁻¹(p⁺ + e p⁻) ≥ 0   [eq. exact-contact-2].
/// With e = 1 contact leaves the discrete energy alone at any stable step; lasting contact is then a chatter of the
/// end masses. With e < 1 the loss is booked as restitution.
class Reflection final : public NewtonRestitution {
 public:
  std::string_view name() const override { return "reflection"; }
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
            .follows = true,
            .vanishing = true,
            .implicit = true,
            .surfaces = SurfaceContact::followed,
            .meetings = true,
            .losses = {model::Loss::restitution, model::Loss::friction, model::Loss::damping, model::Loss::quadrature,
                       model::Loss::fallback, model::Loss::joint, model::Loss::joint_damping, model::Loss::motor}};
  }

  StepLimit step_limit(const System& system) const override {
    return keep_from_critical(system, NewtonRestitution::step_limit(system));
  }

 private:
  double restitution(const contact::ContactPair& pair) const override { return pair.restitution.value_or(1); }
  model::Loss loss() const override { return model::Loss::restitution; }
};

}  // namespace ictus::dynamics
