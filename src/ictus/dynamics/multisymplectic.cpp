// Notation: h interval, h_prev the interval before, r = w·M⁻¹p rate of a gap g, λ⁰ impulse that reverses a rate.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect.hpp>
#include <ictus/dynamics/multisymplectic.hpp>
#include <ictus/dynamics/step_limit.hpp>
#include <ictus/math/roots.hpp>

namespace ictus::dynamics {

using model::Loss;
using model::State;
using model::Store;

namespace {

/// Slots of State::memory: the length of the last interval, which pairs meet at the present configuration, and the chord
/// energy of the last interval.
enum Slot : std::size_t { interval, meeting, chord };

/// More collisions than this within one step are not resolved: contact that lasts wants another scheme or a smaller
/// step.
constexpr int max_intervals = 1000;

/// Gaps below this share of the way that the pair moves in an interval are closed.
constexpr double meeting_tolerance = 1e-10;
/// m; closes pairs at rest relative to each other that stand at the same place up to rounding.
constexpr double round_off_gap = 1e-15;

double total(const mechanics::PotentialEnergy& energy) { return energy.strain + energy.gravity; }

double& last_interval(State& state) { return state.memory[interval].values[0]; }
double last_interval(const State& state) { return state.memory[interval].values[0]; }

/// ¼ h² v·K v of the last interval: what the trapezoid ½(V(q^j) + V(q^{j+1})) of linear bodies exceeds the bilinear form
/// ½ q^j·K q^{j+1} by, of which the motion keeps account [eq. bars-12].
double chord_energy(const System& system, const State& state) {
  const double h = last_interval(state);
  return total(system.trapezoid_energy(state.q, state.p, -h)) - total(system.interval_energy(state.q, state.p, -h));
}

bool anything_meets(const State& state) {
  const std::vector<double>& flags = state.memory[meeting].values;
  return std::find(flags.begin(), flags.end(), 1.0) != flags.end();
}

void rates(const model::ConstraintSet& constraints, std::span<const double> inverse_mass, std::span<const double> p,
           std::vector<double>& result) {
  result.resize(constraints.size());
  for (std::size_t i = 0; i < constraints.size(); ++i) result[i] = model::rate(constraints.row(i), inverse_mass, p);
}

}  // namespace

Capabilities Multisymplectic::capabilities() const {
  return {.restitution_min = 1, .restitution_max = 1, .losses = {Loss::sub_step, Loss::quadrature, Loss::fallback}};
}

StepLimit Multisymplectic::step_limit(const System& system) const {
  StepLimit limit = explicit_step_limit(system);
  limit.advised = 0.1 * limit.step;
  limit.advice =
      "collisions within a step cut it into unequal intervals, whose energy error is of second order in the step";
  return limit;
}

void Multisymplectic::prepare(const System& system) {
  for (auto* buffer : {&free_p_, &force_, &trial_p_, &trial_q_}) buffer->resize(system.unknowns());
}

StepReport Multisymplectic::start(const System& system, double, State& state) {
  state.memory = {{"interval", {0.0}}, {"meeting", std::vector<double>(system.pairs().size())}, {"chord", {0.0}}};
  return {};
}

StepReport Multisymplectic::step(const System& system, double h, State& state) {
  StepReport report;
  record_.clear();
  double left = h;
  for (int count = 0; left > 0; ++count) {
    if (count == max_intervals) {
      throw base::NumericalFailure("more collisions within one step than can be told apart",
                                   fmt::format("time {:g} s", state.time), "Use a smaller time.step");
    }
    const double taken = anything_meets(state) ? bounce(system, left, state, report) : fly(system, left, state, report);
    state.time += taken;
    left = taken < left ? left - taken : 0;
  }
  ++state.step;
  state.time = static_cast<double>(state.step) * h;
  report.impulses = record_.impulses();
  return report;
}

/// p^j = p^{j−1} + ½(h_prev + h) f(q^j), q^{j+1} = q^j + h M⁻¹p^j [eq. bars-10], h cut to where the first gap closes.
double Multisymplectic::fly(const System& system, double left, State& state, StepReport& report) {
  const double h_prev = last_interval(state);
  contact::detect(system.pairs(), state.q, constraints_);
  rates(constraints_, system.inverse_mass(), state.p, rate_before_);
  report.external_impulse += system.kick(state.q, 0.5 * (h_prev + left), state.p);
  rates(constraints_, system.inverse_mass(), state.p, rate_now_);
  const double h = first_closing(h_prev, left);
  if (h < left) report.external_impulse += system.kick(state.q, 0.5 * (h - left), state.p);
  if (h != h_prev) {
    // Unequal intervals change the energy of a linear body by (h_prev² − h²)/8 f·M⁻¹f [eq. bars-12].
    std::fill(force_.begin(), force_.end(), 0.0);
    system.kick(state.q, 1.0, force_);
    report.lost[Loss::sub_step] += (h * h - h_prev * h_prev) / 4 * system.kinetic_energy(force_);
  }
  system.drift(state.p, h, state.q);
  last_interval(state) = h;
  const double chord_now = chord_energy(system, state);
  report.lost[Loss::quadrature] += state.memory[chord].values[0] - chord_now;
  state.memory[chord].values[0] = chord_now;
  if (h < left) note_meeting(system, state);
  return h;
}

/// The time to the first closing of a gap that the whole interval `left` would close, or `left`. With r the rate
/// before, an interval α takes the gap to g + α [r + ½(h_prev + α) g̈]: quadratic, since its velocity depends on α.
double Multisymplectic::first_closing(double h_prev, double left) const {
  double first = left;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const double gap = std::max(constraints_.gap(i), 0.0);
    if (gap + left * rate_now_[i] >= 0) continue;
    const double acceleration = (rate_now_[i] - rate_before_[i]) / (0.5 * (h_prev + left));
    const auto root =
        math::smallest_positive_root(0.5 * acceleration, rate_before_[i] + 0.5 * h_prev * acceleration, gap);
    first = std::min(first, root.value_or(0.0));
  }
  return first;
}

/// Flags the pairs that are closed at the present configuration and still closing.
void Multisymplectic::note_meeting(const System& system, State& state) {
  contact::detect(system.pairs(), state.q, after_);
  const double h = last_interval(state);
  for (std::size_t i = 0; i < after_.size(); ++i) {
    const double rate = model::rate(after_.row(i), system.inverse_mass(), state.p);
    const bool closed = after_.gap(i) <= meeting_tolerance * std::abs(rate) * h + round_off_gap;
    state.memory[meeting].values[static_cast<std::size_t>(after_.place(i).pair)] = closed && rate < 0 ? 1 : 0;
  }
}

/// The interval after a collision: impulses θ λ⁰ with the θ that keeps the energy of an interval [eq. bars-13].
double Multisymplectic::bounce(const System& system, double left, State& state, StepReport& report) {
  const double h_prev = last_interval(state), collision_time = state.time;
  contact::detect(system.pairs(), state.q, constraints_);
  std::fill(force_.begin(), force_.end(), 0.0);
  mechanics::Momentum given = system.kick(state.q, 1.0, force_);
  if (!lay_out_impulses(system, state)) return fly(system, left, state, report);

  trial_q_ = state.q;
  system.drift(state.p, -h_prev, trial_q_);
  energy_before_ = system.kinetic_energy(state.p) + 0.5 * total(system.potential_energy(trial_q_));
  solve_bounce(system, left, state);
  const double h = deepest_gap(system) < 0 ? first_other_closing(system, left, state) : left;

  const double lost = -energy_change(system, h, state, theta_);
  for (std::size_t m = 0; m < meeting_.size(); ++m) {
    record_.add(system, constraints_, meeting_[m], collision_time, theta_ * reversal_[m], Loss::fallback,
                fallback_ && m == 0 ? lost : 0.0, report);
  }
  report.closings += static_cast<int>(meeting_.size());
  if (fallback_) ++report.fallbacks;
  given *= 0.5 * (h_prev + h);
  report.external_impulse += given;
  std::swap(state.p, trial_p_);
  std::swap(state.q, trial_q_);
  last_interval(state) = h;
  state.memory[chord].values[0] = chord_energy(system, state);
  std::fill(state.memory[meeting].values.begin(), state.memory[meeting].values.end(), 0.0);
  if (h < left) note_meeting(system, state);
  return h;
}

/// The flagged constraints that the force does not open by itself, and λ⁰ = −2 r/(w·M⁻¹w) of each.
bool Multisymplectic::lay_out_impulses(const System& system, const State& state) {
  meeting_.clear();
  reversal_.clear();
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    if (state.memory[meeting].values[static_cast<std::size_t>(constraints_.place(i).pair)] == 0) continue;
    const double rate = model::rate(constraints_.row(i), system.inverse_mass(), state.p);
    if (rate >= 0) continue;
    meeting_.push_back(i);
    reversal_.push_back(-2 * rate / model::effective_inverse_mass(constraints_.row(i), system.inverse_mass()));
  }
  return !meeting_.empty();
}

/// E(θ) − E(before) over an interval h, ½V(q^j) being common to both; leaves the interval's end in trial_p_, trial_q_.
double Multisymplectic::energy_change(const System& system, double h, const State& state, double theta) {
  const double kick = 0.5 * (last_interval(state) + h);
  for (std::size_t k = 0; k < trial_p_.size(); ++k) trial_p_[k] = state.p[k] + kick * force_[k];
  for (std::size_t m = 0; m < meeting_.size(); ++m) {
    model::add_scaled(constraints_.row(meeting_[m]), theta * reversal_[m], trial_p_);
  }
  trial_q_ = state.q;
  system.drift(trial_p_, h, trial_q_);
  return system.kinetic_energy(trial_p_) + 0.5 * total(system.potential_energy(trial_q_)) - energy_before_;
}

/// The larger root of E(θ) = E(before), near 1: the smaller one, near 0, penetrates. A parabola for linear bodies;
/// Newton steps with its slope do the rest. Where there is no such root the impulse reverses the rate after the force.
void Multisymplectic::solve_bounce(const System& system, double h, const State& state) {
  const double e0 = energy_change(system, h, state, 0), e1 = energy_change(system, h, state, 1),
               e2 = energy_change(system, h, state, 2);
  const double a = 0.5 * (e2 - 2 * e1 + e0), b = e1 - e0 - a;
  const auto roots = math::real_roots(a, b, e0);
  fallback_ = !roots;
  if (roots) {
    theta_ = roots->second;
    for (int i = 0; i < 4; ++i) theta_ -= energy_change(system, h, state, theta_) / (2 * a * theta_ + b);
    for (const std::size_t i : meeting_) {
      if (!(model::rate(constraints_.row(i), system.inverse_mass(), trial_p_) > 0)) fallback_ = true;
    }
  }
  if (fallback_) theta_ = 1;
  energy_change(system, h, state, theta_);
}

/// Smallest gap at the end of the trial interval, of the pairs that did not meet at its start.
double Multisymplectic::deepest_gap(const System& system) {
  contact::detect(system.pairs(), trial_q_, after_);
  double deepest = 0;
  for (std::size_t i = 0; i < after_.size(); ++i) {
    if (std::find(meeting_.begin(), meeting_.end(), i) == meeting_.end()) deepest = std::min(deepest, after_.gap(i));
  }
  return deepest;
}

/// The interval after which the first other pair closes, θ solved again for each trial: bisection, for it is rare.
double Multisymplectic::first_other_closing(const System& system, double left, const State& state) {
  double open = 0, closed = left;
  while (closed - open > 1e-15 * left) {
    const double middle = 0.5 * (open + closed);
    if (middle <= open || middle >= closed) break;
    solve_bounce(system, middle, state);
    (deepest_gap(system) < 0 ? closed : open) = middle;
  }
  solve_bounce(system, closed, state);
  return closed;
}

model::Stored Multisymplectic::energy(const System& system, double, const State& state) const {
  const mechanics::PotentialEnergy potential = system.trapezoid_energy(state.q, state.p, -last_interval(state));
  model::Stored stored;
  stored[Store::kinetic] = system.kinetic_energy(state.p);
  stored[Store::strain] = potential.strain;
  stored[Store::potential] = potential.gravity;
  return stored;
}

void Multisymplectic::velocity(const System& system, double, const State& state, std::span<double> v) const {
  // The interval before t_n has p; half its kick more is the velocity at t_n.
  std::vector<double> p = state.p;
  system.kick(state.q, 0.5 * last_interval(state), p);
  system.velocity(p, v);
}

}  // namespace ictus::dynamics
