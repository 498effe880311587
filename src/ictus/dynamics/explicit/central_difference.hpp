#pragma once

#include <ictus/dynamics/explicit/leapfrog.hpp>

namespace ictus::dynamics {

/// The leapfrog alone: no contact. For free vibration and wave propagation.
class CentralDifference final : public Leapfrog {
 public:
  std::string_view name() const override { return "central-difference"; }
  Capabilities capabilities() const override {
    return {.contact = false,
            .loads = true,
            .forces = true,
            .moving_supports = true,
            .damping = true,
            .history = true,
            .ties = true,
            .joints = true,
            .follows = true,
            .implicit = true,
            .losses = {model::Loss::damping, model::Loss::quadrature, model::Loss::joint, model::Loss::joint_damping,
                       model::Loss::motor}};
  }

 private:
  void respond(const Contact&, StepReport&) override {}
};

}  // namespace ictus::dynamics
