#pragma once

#include <ictus/dynamics/beam/lie_beam_noether.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <ictus/mechanics/beam_in_space/lie_beam_sheet.hpp>

namespace ictus::dynamics {

/// The multisymplectic integrator of a Lie-group beam along its length [eq. lie-beam-30]: a step takes the history of
/// one section to that of the next. In the State and in all results the arc length s stands where the time does, E_N in
/// the place of the energy and J_N in that of the momentum.
class BeamInSpace final : public Integrator {
 public:
  /// `rectangles` of space–time are watched for the covariant Noether theorem.
  explicit BeamInSpace(std::size_t rectangles) : rectangles_(rectangles) {}

  std::string_view name() const override { return "multisymplectic-beam"; }
  Capabilities capabilities() const override;
  bool steps(const mechanics::Body& body) const override;
  /// The largest Δs: what the slowest wave of the beam travels in Δt.
  StepLimit step_limit(const System& system) const override;
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  StepReport step(const System& system, double h, model::State& state) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  void velocity(const System& system, double h, const model::State& state, std::span<double> v) const override;
  Extras extras(const model::State& state) const override;

 private:
  void read(const model::State& state, mechanics::LieBeamSlice& slice) const;
  void watch(const mechanics::LieBeamSlice& slice, model::State& state) const;
  mechanics::Momentum loads(const mechanics::LieBeamSlice& slice) const;

  std::size_t rectangles_;
  const mechanics::LieBeamSheet* sheet_ = nullptr;
  mechanics::LieBeamSlice slice_, next_;
};

}  // namespace ictus::dynamics
