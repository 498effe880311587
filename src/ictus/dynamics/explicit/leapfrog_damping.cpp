#include <ictus/dynamics/explicit/leapfrog.hpp>

#include <algorithm>
#include <ictus/dynamics/system/damping.hpp>

// Damping in the leapfrog.

namespace ictus::dynamics {

using model::State;

/// Half of the impulse of damping at the start, from the velocities there.
void Leapfrog::start_damping(const System& system, double h, State& state, StepReport& report) {
  system.velocity(state.p, velocity_);
  system.motions().velocity(state.time, state.time + h, velocity_);
  std::vector<double>& d = state.memory[damped].values;
  system.apply_damping(state.q, velocity_, h, d);
  damp_supports(system, state.q, d, 0.5);
  const auto inverse_mass = system.inverse_mass(), alpha = system.mass_damping();
  for (std::size_t k = 0; k < d.size(); ++k) {
    if (!alpha.empty()) d[k] -= h * alpha[k] * state.p[k];
    if (inverse_mass[k] == 0) d[k] = 0;
    state.p[k] += 0.5 * d[k];
  }
  mechanics::Momentum removed = system.momentum(state.q, d);
  report.external_impulse += removed *= 0.5;
}

/// What the damping of the stiffness puts on held dofs goes to their supports.
void Leapfrog::damp_supports(const System& system, std::span<const double> q, std::span<const double> d,
                             double factor) {
  const auto bodies = system.nodal_bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i]->damping().stiffness == 0) continue;
    for (const int k : bodies[i]->fixed())
      support_impulse_[i] += bodies[i]->support_impulse(k, -factor * d[static_cast<std::size_t>(k)], q);
  }
}

/// On entry p is without damping, on exit (1 + ½ h α) p* [eq. newmark-13]. The part of the stiffness is that of p⁻,
/// which keeps the step explicit; the part of the masses is the mean of p⁻ and p⁺. What acts on a support that moves is
/// damping too, and work of the support.
void Leapfrog::damp(const System& system, double h, State& state, StepReport& report) {
  system.velocity(before_, velocity_);
  supports_.velocity(system, h, velocity_);
  std::vector<double>& d = state.memory[damped].values;
  std::fill(d.begin(), d.end(), 0.0);
  system.apply_damping(state.q, velocity_, h, d);
  damp_supports(system, state.q, d, 1.0);
  double at_supports = 0;
  for (const int k : system.driven())
    at_supports -= d[static_cast<std::size_t>(k)] * velocity_[static_cast<std::size_t>(k)];
  report.external_work += at_supports;
  report.lost[model::Loss::damping] += at_supports;
  const double* alpha = slows() ? system.mass_damping().data() : nullptr;
  system.exec().for_blocks(d.size(), [&, alpha](std::size_t begin, std::size_t end) {
    begin_damping(system, h, begin, end, before_, d, state.p);
    for (std::size_t k = begin; alpha && k < end; ++k) before_slowed_[k] = (1 + 0.5 * h * alpha[k]) * before_[k];
  });
  if (slows() && h != slowed_for_) {
    slow(system, h, slowed_);
    driven_.weigh(system, slowed_);
    slowed_for_ = h;
  }
}

/// p becomes p⁺, and p* what it was; d is complete, and what it took and gave is booked.
void Leapfrog::settle_damping(const System& system, double h, State& state, StepReport& report) {
  std::vector<double>& d = state.memory[damped].values;
  if (slows()) {
    const double* alpha = system.mass_damping().data();
    system.exec().for_blocks(d.size(), [&, alpha](std::size_t begin, std::size_t end) {
      end_damping(system, h, begin, end, d, state.p);
      for (std::size_t k = begin; (contact_may_act() || joints_.any()) && k < end; ++k)
        kicked_[k] /= 1 + 0.5 * h * alpha[k];
    });
  }
  report.external_impulse += system.momentum(state.q, d);
  report.lost[model::Loss::damping] -= damping_work(system, d, state.p);
}

/// ½ d·M⁻¹(p⁺ + p⁻).
double Leapfrog::damping_work(const System& system, std::span<const double> d, std::span<const double> p) const {
  const double *impulse = d.data(), *minus = before_.data(), *plus = p.data();
  return system.exec().sum(p.size(), [=, inverse_mass = system.inverse_mass().data()](std::size_t k) {
    return 0.5 * inverse_mass[k] * impulse[k] * (plus[k] + minus[k]);
  });
}

}  // namespace ictus::dynamics
