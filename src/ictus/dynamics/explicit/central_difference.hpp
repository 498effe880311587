#pragma once

#include <ictus/dynamics/explicit/free_motion.hpp>
#include <ictus/dynamics/explicit/leapfrog.hpp>

namespace ictus::dynamics {

/// The leapfrog alone: no contact. For free vibration and wave propagation. On a device, where the system has one.
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
            .device = true,
            .implicit = true,
            .losses = {model::Loss::damping, model::Loss::quadrature, model::Loss::joint, model::Loss::joint_damping,
                       model::Loss::motor}};
  }

  void prepare(const System& system) override {
    Leapfrog::prepare(system);
    if (system.exec().device()) free_.prepare(system);
  }
  StepReport step(const System& system, double h, model::State& state) override {
    return free_.any() ? run_free(free_, system, h, 1, state) : Leapfrog::step(system, h, state);
  }
  std::int64_t max_steps() const override { return free_.any() ? FreeMotion::max_steps : 1; }
  StepReport steps(const System& system, double h, std::int64_t count, model::State& state) override {
    return run_free(free_, system, h, count, state);
  }

 private:
  void respond(const Contact&, StepReport&) override {}

  FreeMotion free_;
};

}  // namespace ictus::dynamics
