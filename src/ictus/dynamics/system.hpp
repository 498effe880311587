#pragma once

#include <ictus/contact/contact_pair.hpp>
#include <ictus/exec/executor.hpp>
#include <ictus/mechanics/body.hpp>
#include <ictus/model/energy.hpp>
#include <ictus/model/state.hpp>
#include <memory>
#include <span>
#include <vector>

namespace ictus::dynamics {

using BodyPtr = std::unique_ptr<const mechanics::Body>;

/// Everything that does not change during a run: bodies, masses, supports, contact pairs, and where loops run.
class System {
 public:
  System(std::vector<BodyPtr> bodies, std::vector<contact::ContactPair> pairs, exec::Executor exec);

  std::span<const BodyPtr> bodies() const { return bodies_; }
  /// Index into bodies(), or nothing.
  const mechanics::Body* find_body(std::string_view name) const;
  std::span<const contact::ContactPair> pairs() const { return pairs_; }
  const exec::Executor& exec() const { return exec_; }

  std::size_t unknowns() const { return inverse_mass_.size(); }
  /// Bodies with lumped mass; schemes for nodal bodies work on these.
  std::span<const mechanics::NodalBody* const> nodal_bodies() const { return nodal_; }
  /// 1/m of each unknown; zero where a support holds it, and where the body has no lumped masses.
  std::span<const double> inverse_mass() const { return inverse_mass_; }

  /// The state at t = 0: initial configuration and momenta, nothing in memory yet.
  model::State initial_state() const;

  /// p += h f(q) on all nodal bodies. What reaches a supported unknown goes to the support and is returned, together
  /// with the impulse of gravity: the momentum that the surroundings gave.
  mechanics::Momentum kick(std::span<const double> q, double h, std::span<double> p) const;
  /// q += h M⁻¹ p.
  void drift(std::span<const double> p, double h, std::span<double> q) const;
  /// v = M⁻¹ p.
  void velocity(std::span<const double> p, std::span<double> v) const;
  /// ½ p·M⁻¹p.
  double kinetic_energy(std::span<const double> p) const;
  mechanics::PotentialEnergy potential_energy(std::span<const double> q) const;
  /// Sum of the bodies' interval energies; see NodalBody::interval_energy.
  mechanics::PotentialEnergy interval_energy(std::span<const double> q, std::span<const double> p, double h) const;
  mechanics::PotentialEnergy trapezoid_energy(std::span<const double> q, std::span<const double> p, double h) const;

  double chord_energy(std::span<const double> q, std::span<const double> p, double h) const;
  /// Kinetic, strain and gravity energy of momenta p with some potential energy of the nodal bodies.
  model::Stored stored(std::span<const double> p, const mechanics::PotentialEnergy& potential) const;

  mechanics::Momentum momentum(std::span<const double> q, std::span<const double> p) const;
  double momentum_scale(std::span<const double> p) const;

 private:
  mechanics::Momentum release_to_supports(std::span<const double> q, std::span<double> p) const;

  std::vector<BodyPtr> bodies_;
  std::vector<const mechanics::NodalBody*> nodal_;
  std::vector<contact::ContactPair> pairs_;
  std::vector<double> inverse_mass_;
  exec::Executor exec_;
};

}  // namespace ictus::dynamics
