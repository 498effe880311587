#include <ictus/dynamics/explicit/shadow_energy.hpp>

#include <algorithm>

namespace ictus::dynamics {

using mechanics::NodalBody;
using mechanics::PotentialEnergy;

namespace {

/// Bodies that turn are reported by their interval energy: at impulses it jumps less than a shadow energy of theirs
/// would. So are those that flow, whose potential is another in each step.
bool has_shadow(const NodalBody& body) { return !body.linear() && !body.turns() && body.history() == 0; }

}  // namespace

void ShadowEnergy::prepare(const System& system) {
  const auto bodies = system.nodal_bodies();
  plain_ = std::all_of(bodies.begin(), bodies.end(), [](const NodalBody* body) { return body->linear(); });
  for (auto* buffer : {&force_, &next_force_, &last_p_}) buffer->resize(plain_ ? 0 : system.dofs());
  for (auto* buffer : {&next_, &last_q_}) buffer->resize(plain_ ? 0 : system.dofs() + system.history());
  last_h_ = 0;
}

PotentialEnergy ShadowEnergy::potential(const System& system, double h, std::span<const double> q,
                                        std::span<const double> p) {
  if (plain_) return system.interval_energy(q, p, h);
  const bool as_before = h == last_h_ && std::equal(q.begin(), q.end(), last_q_.begin()) &&
                         std::equal(p.begin(), p.end(), last_p_.begin());
  if (as_before) return last_;
  std::copy(q.begin(), q.end(), last_q_.begin());
  std::copy(p.begin(), p.end(), last_p_.begin());
  last_h_ = h;
  force_at(system, q, force_);
  return last_ = of_interval(system, h, q, p);
}

void ShadowEnergy::force_at(const System& system, std::span<const double> q, std::vector<double>& force) const {
  std::fill(force.begin(), force.end(), 0.0);
  for (const NodalBody* body : system.nodal_bodies()) {
    if (has_shadow(*body)) body->kick(system.exec(), q, 1.0, force);
  }
}

/// Expects f₀ in force_.
PotentialEnergy ShadowEnergy::of_interval(const System& system, double h, std::span<const double> q,
                                          std::span<const double> p) {
  const exec::Executor& exec = system.exec();
  std::copy(q.begin(), q.end(), next_.begin());
  system.drift(p, h, next_);
  force_at(system, next_, next_force_);
  PotentialEnergy sum;
  for (const NodalBody* body : system.nodal_bodies()) {
    if (!has_shadow(*body)) {
      const PotentialEnergy interval = system.interval_energy(*body, q, p, h);
      sum.strain += interval.strain;
      sum.gravity += interval.gravity;
      continue;
    }
    const PotentialEnergy before = body->potential_energy(exec, q), after = body->potential_energy(exec, next_);
    sum.strain += 0.5 * (before.strain + after.strain);
    sum.gravity += 0.5 * (before.gravity + after.gravity);
    const double *f0 = force_.data(), *f1 = next_force_.data(), *inverse_mass = system.inverse_mass().data();
    const double* momentum = p.data();
    const std::size_t begin = body->dofs().begin;
    sum.strain += exec.sum(body->dofs().size, [=](std::size_t i) {
      const std::size_t k = begin + i;
      const double mean = 0.5 * (f0[k] + f1[k]);
      return inverse_mass[k] * ((f1[k] - f0[k]) * h * momentum[k] / 6 + h * h * mean * mean / 12);
    });
  }
  return sum;
}

double ShadowEnergy::evaluate(const System& system, double h, std::span<const double> q, std::span<const double> p) {
  const PotentialEnergy potential = this->potential(system, h, q, p);
  return system.kinetic_energy(p) + potential.strain + potential.gravity;
}

double ShadowEnergy::evaluate_kicked(const System& system, double h, double kick, std::span<const double> q,
                                     std::span<const double> p, std::span<const double> before,
                                     std::span<const double> kicked) {
  if (plain_ || system.pushed() || system.damped()) return evaluate(system, h, q, p);
  for (std::size_t k = 0; k < force_.size(); ++k) force_[k] = (kicked[k] - before[k]) / kick;
  const PotentialEnergy potential = of_interval(system, h, q, p);
  return system.kinetic_energy(p) + potential.strain + potential.gravity;
}

}  // namespace ictus::dynamics
