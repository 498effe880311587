#include <algorithm>
#include <ictus/contact/detect.hpp>
#include <ictus/dynamics/leapfrog.hpp>
#include <ictus/dynamics/require_finite.hpp>
#include <ictus/dynamics/step_limit.hpp>

namespace ictus::dynamics {

using model::RowEntry;
using model::State;

namespace {

/// Slots of State::memory: which pairs were closed, and the momenta that contact gave in the last step and to which
/// unknowns, from which the velocity at t_n follows.
enum Slot : std::size_t { closed, touched, pushed, slots };
static_assert(slots == Leapfrog::memory_arrays);

std::size_t index(const RowEntry& entry) { return static_cast<std::size_t>(entry.unknown); }

/// Calls f(unknown) for every entry of every constraint.
template <class F>
void for_each_touched(const model::ConstraintSet& constraints, F&& f) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    for (const RowEntry& entry : constraints.row(i)) f(index(entry));
  }
}

void count_closings(const model::ConstraintSet& constraints, std::vector<double>& closed_pairs, StepReport& report) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    double& was_closed = closed_pairs[static_cast<std::size_t>(constraints.place(i).pair)];
    const double is_closed = constraints.gap(i) <= 0 ? 1 : 0;
    if (is_closed > was_closed) ++report.closings;
    was_closed = is_closed;
    report.max_penetration = std::max(report.max_penetration, -constraints.gap(i));
  }
}

}  // namespace

StepLimit Leapfrog::step_limit(const System& system) const { return explicit_step_limit(system); }

void Leapfrog::prepare(const System& system) {
  before_.resize(system.unknowns());
  kicked_.resize(system.unknowns());
}

StepReport Leapfrog::start(const System& system, double h, State& state) {
  state.memory = {
      {"contact.closed", std::vector<double>(system.pairs().size())}, {"contact.touched", {}}, {"contact.pushed", {}}};
  StepReport report;
  report.external_impulse = system.kick(state.q, h / 2, state.p);
  return report;
}

StepReport Leapfrog::step(const System& system, double h, State& state) {
  StepReport report;
  record_.clear();
  system.drift(state.p, h, state.q);
  ++state.step;
  state.time = static_cast<double>(state.step) * h;
  contact::detect(system.pairs(), state.q, constraints_);
  record_.reserve(constraints_.size());
  count_closings(constraints_, state.memory[closed].values, report);
  for_each_touched(constraints_, [&](std::size_t k) { before_[k] = state.p[k]; });
  report.external_impulse = system.kick(state.q, h, state.p);
  for_each_touched(constraints_, [&](std::size_t k) { kicked_[k] = state.p[k]; });
  require_finite(system, constraints_, state);
  respond({system, h, constraints_, before_, kicked_, state}, report);
  remember_push(state);
  report.impulses = record_.impulses();
  return report;
}

void Leapfrog::remember_push(State& state) {
  auto& unknowns = state.memory[touched].values;
  auto& momenta = state.memory[pushed].values;
  unknowns.clear();
  momenta.clear();
  unknowns.reserve(constraints_.entries());
  momenta.reserve(constraints_.entries());
  for_each_touched(constraints_, [&](std::size_t k) {
    if (state.p[k] == kicked_[k]) return;
    unknowns.push_back(static_cast<double>(k));
    momenta.push_back(state.p[k] - kicked_[k]);
    kicked_[k] = state.p[k];  // an unknown that two constraints share is noted once
  });
}

void Leapfrog::record(const Contact& contact, std::size_t i, double lambda, model::Loss name, double lost,
                      StepReport& report) {
  record_.add(contact.system, contact.constraints, i, contact.state.time, lambda, name, lost, report);
}

model::Stored Leapfrog::energy(const System& system, double h, const State& state) const {
  return system.stored(state.p, system.interval_energy(state.q, state.p, h));
}

void Leapfrog::velocity(const System& system, double h, const State& state, std::span<double> v) const {
  // V_n = M⁻¹(p⁺ − ½(h f(q_n) + Σ w λ)): the mean of the velocities before and after t_n.
  std::vector<double> p = state.p;
  system.kick(state.q, -h / 2, p);
  const auto& unknowns = state.memory[touched].values;
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    p[static_cast<std::size_t>(unknowns[i])] -= 0.5 * state.memory[pushed].values[i];
  }
  system.velocity(p, v);
}

Extras Leapfrog::extras(const State&) const { return {}; }

}  // namespace ictus::dynamics
