#pragma once

#include <ictus/dynamics/generalised/generalised_system.hpp>

namespace ictus::dynamics {

/// A scheme for bodies with generalised coordinates, each of which it steps for itself: no contact couples two of them.
class GeneralisedIntegrator : public Integrator {
 public:
  bool steps(const mechanics::Body& body) const override { return is_generalised_or_fixed(body); }
  StepLimit step_limit(const System& system) const override { return generalised_step_limit(system); }
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  StepReport step(const System& system, double h, model::State& state) override;
  Extras extras(const model::State&) const override { return {}; }

 protected:
  using Vector = GeneralisedMotion::Vector;
  using Rows = GeneralisedContacts::Rows;

  /// Takes the part of `state` that belongs to one body over a step that begins at state.time, and books it.
  virtual void step_body(GeneralisedMember& member, double h, model::State& state, StepReport& report) = 0;

  std::vector<GeneralisedMember> members_;
  GeneralisedContacts contacts_;  // those of the body in hand
  GeneralisedRecord record_;
};

}  // namespace ictus::dynamics
