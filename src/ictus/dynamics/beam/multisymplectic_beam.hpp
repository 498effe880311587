#pragma once

#include <ictus/dynamics/beam/lie_beam_impact.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <ictus/mechanics/beam/lie_beam.hpp>
#include <vector>

namespace ictus::dynamics {

/// What the velocities of the initial state are. [eq. lie-beam-27]
enum class BeamStart {
  instant,  ///< those at t = 0: second order
  interval  ///< those of the whole first interval, as in the papers: first order
};

struct MultisymplecticBeamOptions {
  BeamStart start = BeamStart::instant;
  std::size_t noether_rectangles = 0;  ///< of space–time that are watched at once
};

/// The multisymplectic integrator of Lie-group beams in time: demoures-2014 on triangles, demoures-2016 §5 on
/// rectangles (a property of the beam's model), with impacts on planes [eq. lie-beam-20, lie-beam-28]. After a step the
/// state holds (g^{j+1}, P^{j+1}): the configuration and the momentum that arrives there, before the forces at g^{j+1}
/// have acted. The energy is that at the node where the interval just passed began [eq. lie-beam-36], after start that
/// of the first: impulses change it by their own work, and what the forces and the flight do to it is booked as
/// quadrature. The papers' energy [eq. lie-beam-24], which elastic impacts keep, is among the extras.
class MultisymplecticBeam final : public Integrator {
 public:
  explicit MultisymplecticBeam(const MultisymplecticBeamOptions& options) : options_(options) {}

  std::string_view name() const override { return "multisymplectic-beam"; }
  Capabilities capabilities() const override;
  bool steps(const mechanics::Body& body) const override;
  StepLimit step_limit(const System& system) const override;
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  StepReport step(const System& system, double h, model::State& state) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  void velocity(const System& system, double h, const model::State& state, std::span<double> v) const override;
  Extras extras(const model::State& state) const override;

 private:
  /// A beam with the planes it may meet.
  struct Flier {
    const mechanics::LieBeam* beam = nullptr;
    std::vector<BeamObstacle> obstacles;
    std::vector<int> pairs;      ///< of the System, one for each obstacle
    std::vector<bool> is_first;  ///< whether the beam is the first of the pair
    double smallest_gap = 0;     ///< at the step gaps_step_
  };

  void fly(const System& system, double h, const model::State& state);
  bool meets_planes(std::size_t i, const model::State& state) const;
  BeamSweep sweep_of(std::size_t i, const model::State& state) const;
  void pass(std::size_t i, model::State& state, StepReport& report);
  void impact(std::size_t i, double h, model::State& state, StepReport& report);
  void book_impulses(const Flier& flier, double time, StepReport& report);

  MultisymplecticBeamOptions options_;
  std::vector<Flier> fliers_;
  std::int64_t gaps_step_ = -1;
  std::vector<double> q_next_, p_next_;
  std::vector<mechanics::LieBeamJob> jobs_;
  std::span<const mechanics::LieBeamTotals> totals_;
  mechanics::LieBeamStepper stepper_;
  LieBeamImpact impact_;
  std::vector<Impulse> impulses_;
};

}  // namespace ictus::dynamics
