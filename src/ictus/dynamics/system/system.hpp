#pragma once

#include <algorithm>
#include <array>
#include <ictus/contact/law/contact_pair.hpp>
#include <ictus/dynamics/joint/joint.hpp>
#include <ictus/dynamics/system/motions.hpp>
#include <ictus/exec/executor.hpp>
#include <ictus/mechanics/body/damped_body.hpp>
#include <ictus/mechanics/load/force.hpp>
#include <ictus/mechanics/load/load.hpp>
#include <ictus/model/constraint_set.hpp>
#include <ictus/model/energy.hpp>
#include <ictus/model/state.hpp>
#include <memory>
#include <span>
#include <vector>

namespace ictus::dynamics {

using BodyPtr = std::unique_ptr<const mechanics::Body>;

/// A configuration at rest, and the forces (N) that contacts then carry: those of points by pair, those of surfaces by
/// constraint.
struct RestState {
  std::vector<double> q;
  std::vector<double> contact_force;
  model::ConstraintSet surfaces{};
  std::vector<double> surface_force{};
  std::vector<std::array<double, 2>> surface_friction{};  ///< along the two tangents of each
  double residual = 0;                                    ///< the largest force that is not balanced, over the largest
};

/// Everything that does not change during a run: bodies, masses, supports, contact pairs, and where loops run.
class System {
 public:
  System(std::vector<BodyPtr> bodies, std::vector<contact::ContactPair> pairs, exec::Executor exec,
         std::vector<mechanics::Load> loads = {}, model::ConstraintSet ties = {},
         std::vector<mechanics::SupportMotion> motions = {}, std::vector<mechanics::ForceOn> forces = {});

  /// Lets runs begin there instead of where the bodies say. The last step of making a system.
  void begin_at(RestState rest) { rest_ = std::move(rest); }
  /// Force of each pair of points at the start; empty where the bodies say how it begins.
  std::span<const double> initial_contact_force() const { return rest_.contact_force; }
  /// Where runs begin at rest: that state; else an empty one.
  const RestState& rest() const { return rest_; }
  /// Calls f(constraints, i, force, friction) for each constraint of surfaces that carries a force at the start.
  template <class F>
  void for_each_initial_surface_force(F&& f) const {
    for (std::size_t i = 0; i < rest_.surface_force.size(); ++i) {
      if (rest_.surface_force[i] > 0) f(rest_.surfaces, i, rest_.surface_force[i], rest_.surface_friction[i]);
    }
  }

  /// Holds bodies together. Before anything asks for joints.
  void join(std::vector<Joint> joints, std::vector<std::unique_ptr<const model::Surface>> stops = {}) {
    joints_ = std::move(joints);
    stops_ = std::move(stops);
  }
  /// Lets a device take the steps that it knows.
  void place_on(std::shared_ptr<const exec::Device> device) { exec_ = exec_.on(std::move(device)); }

  /// What holds bodies together; a scheme that cannot honour it says so by its capabilities.
  std::span<const Joint> joints() const { return joints_; }

  /// Lets a linear body have M + ¼ h² K for its mass M in steps of any length h [eq. mixed-14].
  void make_implicit(const mechanics::NodalBody& body) { implicit_.push_back(&body); }
  /// Likewise.
  std::span<const mechanics::NodalBody* const> implicit_bodies() const { return implicit_; }
  bool is_implicit(const mechanics::NodalBody& body) const {
    return std::find(implicit_.begin(), implicit_.end(), &body) != implicit_.end();
  }

  std::span<const BodyPtr> bodies() const { return bodies_; }
  /// The body of that name, or null.
  const mechanics::Body* find_body(std::string_view name) const;
  std::span<const contact::ContactPair> pairs() const { return pairs_; }
  const exec::Executor& exec() const { return exec_; }
  /// Forces that depend on time; a scheme that cannot honour them says so by its capabilities.
  std::span<const mechanics::Load> loads() const { return loads_; }
  /// Forces that depend on the motion besides. Likewise.
  std::span<const mechanics::ForceOn> forces() const { return forces_; }
  /// Whether any force acts that no potential covers, but damping.
  bool pushed() const { return !loads_.empty() || !forces_.empty(); }
  /// Rows that are zero at all times: nodes of two bodies that move together. Likewise.
  const model::ConstraintSet& ties() const { return ties_; }

  /// Held dofs that follow a motion, each once. Likewise.
  std::span<const int> driven() const { return motions_.driven(); }
  /// Whether bodies damp their motion. Likewise.
  bool damped() const { return !damped_.empty() || !mass_damping_.empty(); }

  std::size_t dofs() const { return inverse_mass_.size(); }
  /// Numbers that materials remember. A configuration q has the dofs and behind them, those of the last body first,
  /// these.
  std::size_t history() const { return history_; }
  /// Bodies with lumped mass; schemes for nodal bodies work on these.
  std::span<const mechanics::NodalBody* const> nodal_bodies() const { return nodal_; }
  /// 1/m of each dof; zero where a support holds it, and where the body has no lumped masses.
  std::span<const double> inverse_mass() const { return inverse_mass_; }

  /// The state at t = 0: initial configuration and momenta, nothing in memory yet.
  model::State initial_state() const;

  /// p += h f(q) on all nodal bodies. What reaches a supported dof goes to the support and is returned, together
  /// with the impulse of gravity: the momentum that the surroundings gave. `reaction`, where given, takes what reached
  /// each driven dof; to `supports`, where given, is added what the supports of each nodal body gave.
  mechanics::Momentum kick(std::span<const double> q, double h, std::span<double> p, std::span<double> reaction = {},
                           std::span<mechanics::Momentum> supports = {}) const;
  /// The same, and what materials remember is taken to q, where they come when a time has `elapsed`.
  mechanics::Momentum advance(double elapsed, std::span<double> q, double h, std::span<double> p,
                              std::span<double> reaction, std::span<mechanics::Momentum> supports) const;
  /// What plastic flow has taken since the start, under its names.
  model::Lost dissipated(std::span<const double> q) const;
  /// Where these are at a time.
  const Motions& motions() const { return motions_; }
  /// p −= h β K v of the damped bodies, on supports too.
  void apply_damping(std::span<const double> q, std::span<const double> v, double h, std::span<double> p) const;
  /// α of each dof (1/s); empty where none is damped by its mass.
  std::span<const double> mass_damping() const { return mass_damping_; }
  /// Values of all signals at a time.
  void load_values(double time, std::span<double> values) const;
  /// p += h F for loads of these values; returns their impulse, the momentum that the surroundings gave.
  mechanics::Momentum apply_loads(std::span<const double> load_values, std::span<const double> q, double h,
                                  std::span<double> p) const;
  /// F·M⁻¹p for loads of these values (W).
  double load_power(std::span<const double> load_values, std::span<const double> q, std::span<const double> p) const;
  /// Writes what the forces() are on each dof, 0 where a support holds it; `v` takes the velocities M⁻¹p that they see.
  void evaluate_forces(double time, std::span<const double> q, std::span<const double> p, std::span<double> v,
                       std::span<double> force) const;
  /// p += h F for these forces on all dofs; returns their impulse, the momentum that the surroundings gave.
  mechanics::Momentum apply_forces(std::span<const double> force, std::span<const double> q, double h,
                                   std::span<double> p) const;
  /// F·M⁻¹p (W).
  double force_power(std::span<const double> force, std::span<const double> p) const;
  /// q += h M⁻¹ p, but of bodies that turn: those `fly`, and gain the kinetic energy that is returned.
  void drift(std::span<const double> p, double h, std::span<double> q) const;
  double fly(double h, std::span<double> q, std::span<double> p) const;
  /// v = M⁻¹ p.
  void velocity(std::span<const double> p, std::span<double> v) const;
  /// ½ p·M⁻¹p.
  double kinetic_energy(std::span<const double> p) const;
  mechanics::PotentialEnergy potential_energy(std::span<const double> q) const;
  /// Sum of the bodies' interval energies; see NodalBody::interval_energy. Of implicit bodies with ⅛ h² v·K v.
  mechanics::PotentialEnergy interval_energy(std::span<const double> q, std::span<const double> p, double h) const;
  mechanics::PotentialEnergy interval_energy(const mechanics::NodalBody& body, std::span<const double> q,
                                             std::span<const double> p, double h) const;
  /// ⅛ h² v·K v of the implicit bodies: what M̃ has beyond M in their kinetic energy.
  double implicit_energy(std::span<const double> q, std::span<const double> p, double h) const;
  mechanics::PotentialEnergy trapezoid_energy(std::span<const double> q, std::span<const double> p, double h) const;

  double chord_energy(std::span<const double> q, std::span<const double> p, double h) const;
  /// Kinetic, strain and gravity energy of momenta p with some potential energy of the nodal bodies.
  model::Stored stored(std::span<const double> p, const mechanics::PotentialEnergy& potential) const;

  mechanics::Momentum momentum(std::span<const double> q, std::span<const double> p) const;
  double momentum_scale(std::span<const double> p) const;

 private:
  mechanics::Momentum settle_kick(std::span<const double> q, double h, std::span<double> p, std::span<double> reaction,
                                  std::span<mechanics::Momentum> supports) const;
  mechanics::Momentum release_to_supports(std::span<const double> q, std::span<double> p,
                                          std::span<mechanics::Momentum> supports) const;
  void list_damping();
  void list_drifts();

  std::vector<BodyPtr> bodies_;
  std::vector<const mechanics::NodalBody*> nodal_;
  std::vector<contact::ContactPair> pairs_;
  std::vector<double> inverse_mass_;
  std::size_t history_ = 0;
  std::vector<double> drift_rate_;  // the same, zero for bodies that turn
  std::vector<mechanics::Range> drifts_;
  std::vector<const mechanics::NodalBody*> turning_;
  std::vector<const mechanics::NodalBody*> implicit_;
  std::vector<Joint> joints_;
  std::vector<std::unique_ptr<const model::Surface>> stops_;
  std::vector<mechanics::Load> loads_;
  std::vector<mechanics::ForceOn> forces_;
  model::ConstraintSet ties_;
  Motions motions_;
  std::vector<const mechanics::NodalBody*> damped_;
  std::vector<double> mass_damping_;
  RestState rest_;
  exec::Executor exec_;
};

}  // namespace ictus::dynamics
