#pragma once

#include <ictus/dynamics/scheme/newton_restitution.hpp>

namespace ictus::dynamics {

/// CD-Lagrange (fekak-2017 §2.3): contacts with g(q_n) ≤ 0 get the smallest impulses after which they do not close,
///   0 ≤ λ ⟂ w·M⁻¹p⁺ ≥ 0   [eq. bars-7].
/// The impact is inelastic: a closing contact loses ½ λ |w·M⁻¹p⁻|, which vanishes with the mesh; in lasting contact
/// nothing is lost, since then w·M⁻¹p⁻ = 0.
class CdLagrange final : public NewtonRestitution {
 public:
  std::string_view name() const override { return "cd-lagrange"; }
  Capabilities capabilities() const override {
    return {.friction = true,
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
            .losses = {model::Loss::impact, model::Loss::friction, model::Loss::damping, model::Loss::quadrature,
                       model::Loss::fallback, model::Loss::joint, model::Loss::joint_damping, model::Loss::motor}};
  }

 private:
  double restitution(const contact::ContactPair&) const override { return 0; }
  model::Loss loss() const override { return model::Loss::impact; }
};

}  // namespace ictus::dynamics
