#include <algorithm>
#include <ictus/dynamics/shadow_energy.hpp>

namespace ictus::dynamics {

using mechanics::PotentialEnergy;

void ShadowEnergy::prepare(const System& system) {
  nonlinear_.clear();
  for (const mechanics::NodalBody* body : system.nodal_bodies()) {
    if (!body->linear()) nonlinear_.push_back(body);
  }
  for (auto* buffer : {&next_, &force_, &next_force_}) buffer->resize(is_plain() ? 0 : system.unknowns());
}

double ShadowEnergy::evaluate(const System& system, double h, std::span<const double> q, std::span<const double> p) {
  const exec::Executor& exec = system.exec();
  const PotentialEnergy interval = system.interval_energy(q, p, h);
  double energy = system.kinetic_energy(p) + interval.strain + interval.gravity;
  if (is_plain()) return energy;
  std::copy(q.begin(), q.end(), next_.begin());
  system.drift(p, h, next_);
  std::fill(force_.begin(), force_.end(), 0.0);
  std::fill(next_force_.begin(), next_force_.end(), 0.0);
  for (const mechanics::NodalBody* body : nonlinear_) {
    body->kick(exec, q, 1.0, force_);
    body->kick(exec, next_, 1.0, next_force_);
    const PotentialEnergy body_interval = body->interval_energy(exec, q, p, h);
    const PotentialEnergy trapezoid = body->trapezoid_energy(exec, q, p, h);
    energy += trapezoid.strain + trapezoid.gravity - body_interval.strain - body_interval.gravity;
    const double *f0 = force_.data(), *f1 = next_force_.data(), *inverse_mass = system.inverse_mass().data();
    const std::size_t begin = body->unknowns().begin;
    energy += exec.sum(body->unknowns().size, [=](std::size_t i) {
      const std::size_t k = begin + i;
      const double mean = 0.5 * (f0[k] + f1[k]);
      return inverse_mass[k] * ((f1[k] - f0[k]) * h * p[k] / 6 + h * h * mean * mean / 12);
    });
  }
  return energy;
}

}  // namespace ictus::dynamics
