#pragma once

#include <ictus/dynamics/scheme/swept_impacts.hpp>

namespace ictus::dynamics {

/// Moreau's law for rigid and elastic bodies in one step: Newton's law of impact on the velocities at the node and
/// Coulomb's law of friction, one cone for each contact, all of them in one problem,
///   0 ≤ λ ⟂ w·M⁻¹p⁺ + c ≥ 0,   c = min(0, e w·(v⁻ + d) − w·d)   [eq. mixed-4],
///   c_T = e_T J·(v⁻ + d) − J·d on impact                          [eq. mixed-7].
/// A contact that does not bounce is held at its gap and, where it sticks, at its position. What each impulse takes is
/// lost to restitution, by its normal part, and to friction. A pair that gives no restitution has none.
class NewtonCone final : public SweptImpacts {
 public:
  NewtonCone() : SweptImpacts(memory_arrays) {}

  std::string_view name() const override { return "moreau-variational"; }
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
    return keep_from_critical(system, Leapfrog::step_limit(system));
  }

 private:
  void respond(const Contact& contact, StepReport& report) override;
  bool let_bounce(const Contact& contact, std::size_t a, double share) override;
  bool waits(const Contact& contact, std::size_t i, std::size_t a) const;
};

}  // namespace ictus::dynamics
