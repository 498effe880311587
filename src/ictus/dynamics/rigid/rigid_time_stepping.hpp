#pragma once

#include <ictus/dynamics/rigid/rigid_response.hpp>
#include <ictus/dynamics/system/integrator.hpp>

namespace ictus::dynamics {

/// Moreau-type schemes for rigid bodies on SE(3) with friction and restitution.
///
/// `variational`: momenta of the intervals, u_k = (x_{k+1} − x_k)/h, impulses at the nodes where gaps are closed; the
/// bodies turn by cay(hω) with Jω the mean of the body momentum [eq. rigid-bodies-2] [eq. rigid-bodies-4]. Linear and
/// angular momentum are exact, the energy of free flight (also in uniform gravity) is kept to round-off, and the work
/// of every impulse is known exactly.
///
/// `midpoint`: Moreau's own scheme: half a step with the old velocity, impulses there, half a step with the new one;
/// the gyroscopic moment is explicit and what it gives or takes is booked.
class RigidTimeStepping final : public Integrator {
 public:
  enum class Scheme { variational, midpoint };

  RigidTimeStepping(Scheme scheme, const RigidResponseOptions& options);

  std::string_view name() const override { return scheme_ == Scheme::variational ? "moreau-variational" : "moreau"; }
  Capabilities capabilities() const override;
  bool steps(const mechanics::Body& body) const override { return is_rigid_or_fixed(body); }
  StepLimit step_limit(const System& system) const override;
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  StepReport step(const System& system, double h, model::State& state) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  void velocity(const System& system, double h, const model::State& state, std::span<double> v) const override;
  Extras extras(const model::State& state) const override;
  HeapFigures heap(double h) const override { return response_.heap(rigid_, h); }

 private:
  void note_before(model::State& state);
  void kick(double h, model::State& state, StepReport& report);
  void fly(double h, model::State& state) const;
  void drift_midpoint(double h, model::State& state) const;
  void turn_gyroscopically(double h, model::State& state, StepReport& report) const;

  Scheme scheme_;
  RigidResponse response_;
  RigidSystem rigid_;
  std::vector<math::Vector3<double>> linear_before_, angular_before_;
};

}  // namespace ictus::dynamics
