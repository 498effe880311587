#include <algorithm>
#include <cmath>
#include <ictus/contact/detect.hpp>
#include <ictus/dynamics/dcr.hpp>
#include <ictus/dynamics/require_finite.hpp>
#include <ictus/dynamics/step_limit.hpp>

namespace ictus::dynamics {

using model::Loss;
using model::RowEntry;
using model::State;

namespace {

/// Slots of State::memory: f_n, and which pairs were closed.
enum Slot : std::size_t { force, closed };

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
  return {.restitution_max = 1, .losses = {Loss::impact, Loss::restitution, Loss::projection, Loss::quadrature}};
}

StepLimit Dcr::step_limit(const System& system) const { return explicit_step_limit(system); }

void Dcr::prepare(const System& system) { before_.resize(system.unknowns()); }

StepReport Dcr::start(const System& system, double, State& state) {
  state.memory = {{"force", std::vector<double>(system.unknowns())},
                  {"contact.closed", std::vector<double>(system.pairs().size())}};
  evaluate_force(system, state.q, state.memory[force].values);
  return {};
}

StepReport Dcr::step(const System& system, double h, State& state) {
  StepReport report;
  record_.clear();
  std::vector<double>& f = state.memory[force].values;
  add_force(system, f, h / 2, state.p);
  system.drift(state.p, h, state.q);
  ++state.step;
  state.time = static_cast<double>(state.step) * h;
  project(system, state, report);
  std::swap(before_, f);
  mechanics::Momentum given = evaluate_force(system, state.q, f);
  given *= h;
  report.external_impulse += given;
  report.lost[Loss::quadrature] += h * h / 4 * (system.kinetic_energy(before_) - system.kinetic_energy(f));
  reflect(system, h, state, report);
  add_force(system, f, h / 2, state.p);
  report.impulses = record_.impulses();
  return report;
}

/// Pairs that penetrate are put where their gap is zero, each side in proportion to its inverse mass, one after the
/// other: the centre of mass stays.
void Dcr::project(const System& system, State& state, StepReport& report) {
  contact::detect(system.pairs(), state.q, constraints_);
  require_finite(system, constraints_, state);
  projection_.assign(constraints_.size(), 0.0);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const auto row = constraints_.row(i);
    double& was_closed = state.memory[closed].values[static_cast<std::size_t>(constraints_.place(i).pair)];
    const bool penetrates = constraints_.gap(i) < 0;
    if (penetrates && was_closed == 0) ++report.closings;
    was_closed = penetrates ? 1 : 0;
    if (!penetrates) continue;
    report.max_penetration = std::max(report.max_penetration, -constraints_.gap(i));
    projection_[i] = -constraints_.gap(i) / model::effective_inverse_mass(row, system.inverse_mass());
    for (const RowEntry& entry : row) {
      const auto k = static_cast<std::size_t>(entry.unknown);
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
    const auto pair = static_cast<std::size_t>(constraints_.place(i).pair);
    const double w = model::effective_inverse_mass(row, inverse_mass);
    const double lambda = impulse(rate, w, system.pairs()[pair].restitution.value_or(1), work, report);
    model::add_scaled(row, lambda, state.p);
    const double kinetic_gain = lambda * (rate + 0.5 * w * lambda);
    report.lost[Loss::restitution] -= kinetic_gain;
    const double kick_gain = 0.5 * h * lambda * model::rate(row, inverse_mass, after);
    record_.add(system, constraints_, i, state.time, lambda, Loss::impact, -kick_gain, report);
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

void Dcr::velocity(const System& system, double, const State& state, std::span<double> v) const {
  system.velocity(state.p, v);
}

}  // namespace ictus::dynamics
