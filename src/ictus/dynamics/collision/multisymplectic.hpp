#pragma once

#include <ictus/dynamics/collision/variable_step.hpp>

namespace ictus::dynamics {

/// Multisymplectic collision integrator 1 (demoures-2016 §4.3.1): tips with mass rebound from each other, each time
/// with the impulse that keeps the energy of an interval. A pair is closed only at the instant at which it meets.
class Multisymplectic final : public VariableStep {
 public:
  std::string_view name() const override { return "multisymplectic"; }
  Capabilities capabilities() const override {
    using model::Loss;
    return {.restitution_min = 1, .restitution_max = 1, .losses = {Loss::sub_step, Loss::quadrature, Loss::fallback}};
  }

 private:
  Impulses impulses() const override { return Impulses::rebound; }
  void meet(std::span<const int> pairs, model::State&, StepReport& report) override {
    report.closings += static_cast<int>(pairs.size());
  }
};

}  // namespace ictus::dynamics
