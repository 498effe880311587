#include <ictus/dynamics/dcr/dcr.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/contact/detect/detect.hpp>
#include <ictus/dynamics/system/require_finite.hpp>
#include <ictus/dynamics/system/step_limit.hpp>

namespace ictus::dynamics {

using model::Loss;
using model::RowEntry;
using model::State;

namespace {

/// p += factor f.
void add_force(const System& system, std::span<const double> f, double factor, std::span<double> p) {
  system.exec().for_blocks(p.size(), [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) p[i] += factor * f[i];
  });
}

/// f(q), and what gravity and supports give per unit of time.
mechanics::Momentum evaluate_force(const System& system, std::span<const double> q, std::span<double> f) {
  std::fill(f.begin(), f.end(), 0.0);
  return system.kick(q, 1.0, f);
}

}  // namespace

Capabilities Dcr::capabilities() const {
  return {.friction = true,
          .restitution_max = 1,
          .surfaces = SurfaceContact::stepwise,
          .losses = {Loss::impact, Loss::restitution, Loss::friction, Loss::projection, Loss::quadrature}};
}

StepLimit Dcr::step_limit(const System& system) const {
  StepLimit limit = explicit_step_limit(system);
  advise_against_critical(system, limit);
  return limit;
}

void Dcr::prepare(const System& system) {
  before_.resize(system.dofs());
  surfaces_.prepare(system);
  const auto bodies = system.nodal_bodies();
  plain_ = std::all_of(bodies.begin(), bodies.end(), [](const auto* body) { return body->linear(); });
  for (auto* buffer : {&q_before_, &q_projected_}) buffer->resize(surfaces_.any() ? system.dofs() : 0);
  const bool watch = surfaces_.any() || !plain_;
  for (auto* buffer : {&q_predicted_, &p_predicted_}) buffer->resize(watch ? system.dofs() : 0);
}

StepReport Dcr::start(const System& system, double, State& state) {
  state.memory = {{"force", std::vector<double>(system.dofs())},
                  {"contact.closed", std::vector<double>(system.pairs().size())},
                  {"dcr", std::vector<double>(figures)}};
  const mechanics::PotentialEnergy potential = system.potential_energy(state.q);
  state.memory[account].values[potential_at_start] = potential.strain + potential.gravity;
  evaluate_force(system, state.q, state.memory[force].values);
  return {};
}

StepReport Dcr::step(const System& system, double h, State& state) {
  StepReport report;
  record_.clear();
  predict(system, h, state);
  project(system, state, report);
  if (surfaces_.any()) {
    std::copy(state.q.begin(), state.q.end(), q_projected_.begin());
    surfaces_.respond(system, q_before_, state, state.memory[closed].values, record_, report);
  }
  std::vector<double>& f = state.memory[force].values;
  std::swap(before_, f);
  mechanics::Momentum from_outside = evaluate_force(system, state.q, f);
  from_outside *= h;
  report.external_impulse += from_outside;
  if (surfaces_.any()) account_for_surfaces(system, h, state, report);
  if (plain_) report.lost[Loss::quadrature] += h * h / 4 * (system.kinetic_energy(before_) - system.kinetic_energy(f));
  reflect(system, h, state, report);
  if (!plain_) count_work(system, h, state);
  add_force(system, f, h / 2, state.p);
  report.impulses = record_.impulses();
  return report;
}

void Dcr::predict(const System& system, double h, State& state) {
  add_force(system, state.memory[force].values, h / 2, state.p);
  std::copy_n(state.q.begin(), q_before_.size(), q_before_.begin());
  std::copy_n(state.p.begin(), p_predicted_.size(), p_predicted_.begin());
  system.drift(state.p, h, state.q);
  std::copy_n(state.q.begin(), q_predicted_.size(), q_predicted_.begin());
  ++state.step;
  state.time = static_cast<double>(state.step) * h;
}

/// Work of the forces of nonlinear bodies, with p between impulses and the second half kick: ½ h f·M⁻¹(mean of p over
/// each half kick) without what the second adds to the work of the impulses, and ½ (f_n + f_{n+1})·δ of projections.
void Dcr::count_work(const System& system, double h, State& state) const {
  const double *f0 = before_.data(), *f1 = state.memory[force].values.data();
  const double *q = state.q.data(), *predicted = q_predicted_.data(), *p = p_predicted_.data();
  const double* inverse_mass = system.inverse_mass().data();
  state.memory[account].values[work_of_forces] += system.exec().sum(state.q.size(), [=](std::size_t k) {
    const double first = f0[k] * (p[k] - 0.25 * h * f0[k]), second = f1[k] * (p[k] + 0.25 * h * f1[k]);
    return 0.5 * h * inverse_mass[k] * (first + second) + 0.5 * (f0[k] + f1[k]) * (q[k] - predicted[k]);
  });
}

/// ½ h f_{n+1}·M⁻¹(p − p'): what the kick adds to the work of the impulses so far.
double Dcr::work_of_push(const System& system, double h, const State& state) const {
  const double *f = state.memory[force].values.data(), *p = state.p.data(), *predicted = p_predicted_.data();
  const double* inverse_mass = system.inverse_mass().data();
  return 0.5 * h * system.exec().sum(state.p.size(), [=](std::size_t k) {
    return inverse_mass[k] * f[k] * (p[k] - predicted[k]);
  });
}

/// Surfaces are projected and pushed before the forces are known: their share of the energy follows from the sums over
/// all pairs, −½ δq·(f_n + f_{n+1}) for the projection.
void Dcr::account_for_surfaces(const System& system, double h, const State& state, StepReport& report) const {
  const double *f0 = before_.data(), *f1 = state.memory[force].values.data();
  const double *q = state.q.data(), *predicted = q_projected_.data();
  report.lost[Loss::impact] -= work_of_push(system, h, state);
  report.lost[Loss::projection] +=
      0.5 * system.exec().sum(state.q.size(), [=](std::size_t k) { return (q[k] - predicted[k]) * (f0[k] + f1[k]); });
}

/// Pairs that penetrate are put where their gap is zero, each side in proportion to its inverse mass, one after the
/// other: the centre of mass stays.
void Dcr::project(const System& system, State& state, StepReport& report) {
  contact::detect(system.pairs(), state.q, constraints_);
  require_finite(system, constraints_, state);
  projection_.assign(constraints_.size(), 0.0);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const auto row = constraints_.row(i);
    double& was_closed = state.memory[closed].values[static_cast<std::size_t>(constraints_.contact(i).pair)];
    const bool penetrates = constraints_.gap(i) < 0;
    if (penetrates && was_closed == 0) ++report.closings;
    was_closed = penetrates ? 1 : 0;
    if (!penetrates) continue;
    report.max_penetration = std::max(report.max_penetration, -constraints_.gap(i));
    projection_[i] = -constraints_.gap(i) / model::effective_inverse_mass(row, system.inverse_mass());
    for (const RowEntry& entry : row) {
      const auto k = entry.index();
      state.q[k] += projection_[i] * entry.weight * system.inverse_mass()[k];
    }
  }
}

/// Impulses on the predictor p'. The energy that a projection δ puts in is −½ δ·(f_n + f_{n+1}); an impulse before the
/// kick costs −½ h λ w·M⁻¹f_{n+1} besides what restitution takes.
void Dcr::reflect(const System& system, double h, State& state, StepReport& report) {
  const std::vector<double>& after = state.memory[force].values;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    if (projection_[i] == 0) continue;
    const auto row = constraints_.row(i);
    const auto inverse_mass = system.inverse_mass();
    const double work =
        -0.5 * projection_[i] * (model::rate(row, inverse_mass, before_) + model::rate(row, inverse_mass, after));
    report.lost[Loss::projection] -= work;
    const double rate = model::rate(row, inverse_mass, state.p);
    if (rate >= 0) continue;
    const auto pair = static_cast<std::size_t>(constraints_.contact(i).pair);
    const double w = model::effective_inverse_mass(row, inverse_mass);
    const double lambda = impulse(rate, w, system.pairs()[pair].restitution.value_or(1), work, report);
    model::add_scaled(row, lambda, state.p);
    const double kinetic_gain = lambda * (rate + 0.5 * w * lambda);
    report.lost[Loss::restitution] -= kinetic_gain;
    const double kick_gain = 0.5 * h * lambda * model::rate(row, inverse_mass, after);
    record_.add(system, constraints_, i, state, lambda, Loss::impact, -kick_gain, report);
  }
}

/// λ with ½Wλ² + rλ = −½(1 − e²)r²/W − (projection work, where it is corrected for); never less than stops the closing.
double Dcr::impulse(double rate, double w, double restitution, double projection_work, StepReport& report) const {
  if (!energy_correction_) return -(1 + restitution) * rate / w;
  const double discriminant = restitution * restitution * rate * rate - 2 * w * projection_work;
  if (discriminant < 0) ++report.fallbacks;
  return (-rate + std::sqrt(std::max(discriminant, 0.0))) / w;
}

model::Stored Dcr::energy(const System& system, double, const State& state) const {
  return system.stored(state.p, system.potential_energy(state.q));
}

double Dcr::quadrature(const System& system, double, const State& state) const {
  if (plain_) return 0;
  const mechanics::PotentialEnergy potential = system.potential_energy(state.q);
  const std::vector<double>& values = state.memory[account].values;
  return values[potential_at_start] - potential.strain - potential.gravity - values[work_of_forces];
}

void Dcr::velocity(const System& system, double, const State& state, std::span<double> v) const {
  system.velocity(state.p, v);
}

}  // namespace ictus::dynamics
