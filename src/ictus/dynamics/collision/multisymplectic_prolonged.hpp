#pragma once

#include <ictus/dynamics/collision/variable_step.hpp>

namespace ictus::dynamics {

/// Multisymplectic collision integrator 2, prolonged contact (demoures-2016 §4.3.2): the tips have no mass, and while
/// they touch the elastic layers behind them act as one spring k_AB between the end masses [eq. bars-8, bars-14]. A
/// step is cut where the spring switches on or off; its force is zero there, and an impulse is needed only to keep the
/// energy.
class MultisymplecticProlonged final : public VariableStep {
 public:
  std::string_view name() const override { return "multisymplectic-prolonged"; }
  Capabilities capabilities() const override;
  /// Refuses pairs without a layer.
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  /// Number of switches, and the times of the first and the last.
  Extras extras(const model::State& state) const override;

 private:
  Impulses impulses() const override { return Impulses::least; }
  void meet(std::span<const int> pairs, model::State& state, StepReport& report) override;
};

}  // namespace ictus::dynamics
