#pragma once

#include <ictus/solve/cone/rigid_contacts.hpp>
#include <ictus/solve/sweeps/gauss_seidel.hpp>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "support/settling_scene.hpp"

namespace ictus::race {

using Vec = math::Vector3<double>;

/// The bodies of a Settling at the start, each at rest with the axes of space.
struct Start {
  Settling settling;
  std::vector<Vec> positions;
  double mass = 0, inertia = 0;  ///< of each; balls and cubes have one moment about every axis
  double gravity = 9.81;         ///< m/s², downwards
};

/// A program that steps the settling bodies on one core.
class Racer {
 public:
  virtual ~Racer() = default;
  virtual std::string_view name() const = 0;
  virtual void step() = 0;
  /// Error of the impulses of the last step [eq. contact-solvers-6].
  virtual double error() = 0;
  /// How far the velocities after the step are from those that its impulses explain, over |q|: a judge that has
  /// misread an impulse shows here.
  virtual double unexplained() { return 0; }
  virtual double kinetic_energy() const = 0;
};

/// Judges impulses that another program gave to equal bodies, by the law that it meant to obey: contacts that
/// overlap or are apart enter with the offset of its own stabilisation.
class Judge {
 public:
  explicit Judge(const Start& start)
      : inertias_(start.positions.size(),
                  {1 / start.mass, {1 / start.inertia, 1 / start.inertia, 1 / start.inertia}, {}}) {}

  void clear() {
    velocities_.clear();
    contacts_.clear();
    impulses_.clear();
  }
  /// Velocities with which a body went into the step, its weight's impulse included.
  void add_body(const Vec& linear, const Vec& angular) { velocities_.push_back({linear, angular}); }
  /// `impulse` is that on body b, in space.
  void add_contact(const solve::RigidContact& contact, const Vec& impulse) {
    contacts_.push_back(contact);
    impulses_.push_back(impulse);
  }
  double error() {
    if (contacts_.empty()) return 0;
    problem_.assign(inertias_, velocities_, contacts_);
    state_.assign(problem_.state_size(), 0.0);
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      const std::size_t k = problem_.caller_index(i);
      const solve::RigidContact& c = contacts_[k];
      const Vec& r = impulses_[k];
      solve::store({math::dot(c.normal, r), math::dot(c.tangent, r), math::dot(math::cross(c.normal, c.tangent), r)}, i,
                   state_);
    }
    problem_.rebuild(exec::Executor(), state_);
    return solve::contact_error(problem_, exec::Executor(), state_);
  }
  /// After error(): what velocity a body should have.
  Vec explained(std::size_t body) const {
    return contacts_.empty() ? velocities_[body].linear : problem_.body_velocity(body, state_).linear;
  }
  double scale() const { return contacts_.empty() || problem_.free_norm() == 0 ? 1 : problem_.free_norm(); }

 private:
  std::vector<solve::RigidInertia> inertias_;
  std::vector<solve::RigidVelocity> velocities_;
  std::vector<solve::RigidContact> contacts_;
  std::vector<Vec> impulses_;
  std::vector<double> state_;
  solve::RigidContacts problem_;
};

std::unique_ptr<Racer> make_ode(const Start& start, bool judged);
std::unique_ptr<Racer> make_bullet(const Start& start, bool judged);

}  // namespace ictus::race
