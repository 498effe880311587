// Notation: h interval, h_prev the interval before, g gap, r = w·M⁻¹p its rate, k stiffness of a closed contact's
// layer.
#include <ictus/dynamics/collision/variable_step.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect/detect.hpp>
#include <ictus/dynamics/system/require_finite.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <ictus/math/roots.hpp>
#include <limits>

namespace ictus::dynamics {

using mechanics::Momentum;
using model::ConstraintSet;
using model::Loss;
using model::State;
using model::Store;

namespace {

/// More events than this within one step are not resolved.
constexpr int max_intervals = 1000;

/// Events closer to the first than this share of the step are the same instant.
constexpr double same_instant = 1e-12;

/// Newton steps on the energy of a bounce; the parabola's slope is not that of a layer, so that they converge linearly.
constexpr int max_corrections = 20;

/// A bounce keeps the energy if it misses it by at most this share of what moves and is strained.
constexpr double kept_energy = 1e-12;

double total(const mechanics::PotentialEnergy& energy) { return energy.strain + energy.gravity; }

void rates(const ConstraintSet& constraints, std::span<const double> inverse_mass, std::span<const double> p,
           std::vector<double>& result) {
  result.resize(constraints.size());
  for (std::size_t i = 0; i < constraints.size(); ++i) result[i] = model::rate(constraints.row(i), inverse_mass, p);
}

/// The potentials at q; strain holds the layers ½ k min(g, 0)² of all contacts too.
mechanics::PotentialEnergy potentials(const System& system, std::span<const double> q, ConstraintSet& constraints) {
  mechanics::PotentialEnergy energy = system.potential_energy(q);
  contact::detect(system.pairs(), q, constraints);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const double compression = std::min(constraints.gap(i), 0.0);
    if (constraints.compliance(i) > 0) energy.strain += 0.5 * compression * compression / constraints.compliance(i);
  }
  return energy;
}

/// ½ k min(g, 0)² of the layers at a configuration, and ½ k g g′ of two configurations (the gaps negative).
struct LayerEnergy {
  double trapezoid = 0;
  double bilinear = 0;
};

/// Layers over the interval that ended at q: the gap at its start is g − h r.
LayerEnergy layer_energy(const System& system, const State& state, double h) {
  thread_local ConstraintSet constraints;
  contact::detect(system.pairs(), state.q, constraints);
  LayerEnergy energy;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints.compliance(i) == 0) continue;
    const double k = 1 / constraints.compliance(i), end = std::min(constraints.gap(i), 0.0);
    const double rate = model::rate(constraints.row(i), system.inverse_mass(), state.p);
    const double start = std::min(constraints.gap(i) - h * rate, 0.0);
    energy.trapezoid += 0.25 * k * (start * start + end * end);
    energy.bilinear += 0.5 * k * start * end;
  }
  return energy;
}

/// What the trapezoid of the layers exceeds the form by of which the motion keeps account, over the interval h that
/// ended at the state.
double layer_chord(const System& system, const State& state, double h) {
  const LayerEnergy layers = layer_energy(system, state, h);
  return layers.trapezoid - layers.bilinear;
}

/// What the trapezoid of the potential, layers included, exceeds the form by of which the motion keeps account, over
/// the interval h that ended at the state, with the forces at its end [eq. bars-12].
double chord_energy(const System& system, const State& state, double h) {
  return system.chord_energy(state.q, state.p, -h) + layer_chord(system, state, h);
}

/// The limit with the contact layers closed. ω² of M⁻¹K is at most the largest sum Σ_j |K_ij|/m_i over a row
/// (Gershgorin); a layer k between dofs of gradient w adds k |w_i| Σ|w| to the rows that it acts on.
StepLimit layered_step_limit(const System& system, StepLimit limit) {
  const std::vector<double> q = system.initial_state().q;
  ConstraintSet constraints;
  contact::detect(system.pairs(), q, constraints);
  std::vector<mechanics::StiffnessEntry> stiffness;
  for (const mechanics::NodalBody* body : system.nodal_bodies()) body->stiffness(q, stiffness);
  std::vector<double> row_sum(system.dofs());
  for (const auto& [row, column, value] : stiffness) row_sum[static_cast<std::size_t>(row)] += std::abs(value);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints.compliance(i) == 0) continue;
    double weights = 0;
    for (const model::RowEntry& entry : constraints.row(i)) weights += std::abs(entry.weight);
    for (const model::RowEntry& entry : constraints.row(i)) {
      const auto k = entry.index();
      const double bound =
          (row_sum[k] + std::abs(entry.weight) * weights / constraints.compliance(i)) * system.inverse_mass()[k];
      if (2 / std::sqrt(bound) >= limit.step) continue;
      const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(constraints.contact(i).pair)];
      limit.step = 2 / std::sqrt(bound);
      limit.reason = fmt::format("the contact layer of {} and {}", pair.first, pair.second);
    }
  }
  return limit;
}

}  // namespace

double VariableStep::last_interval(const State& state) { return state.memory[interval].values[0]; }
bool VariableStep::closed(const State& state, int pair) {
  return state.memory[closed_pairs].values[static_cast<std::size_t>(pair)] != 0;
}
void VariableStep::set_closed(State& state, int pair, bool value) {
  state.memory[closed_pairs].values[static_cast<std::size_t>(pair)] = value ? 1 : 0;
}

StepLimit VariableStep::step_limit(const System& system) const {
  StepLimit limit = layered_step_limit(system, explicit_step_limit(system));
  limit.advised = 0.1 * limit.step;
  limit.advice = "contact cuts a step into unequal intervals, whose energy error is of second order in the step";
  return limit;
}

void VariableStep::prepare(const System& system) {
  const auto bodies = system.nodal_bodies();
  linear_ = std::all_of(bodies.begin(), bodies.end(), [](const auto* body) { return body->linear(); });
  for (auto* buffer : {&force_, &trial_p_, &trial_q_}) buffer->resize(system.dofs());
}

StepReport VariableStep::start(const System& system, double, State& state) {
  state.memory = {{"interval", {0.0}},
                  {"chord", {0.0}},
                  {"closed", std::vector<double>(system.pairs().size())},
                  {"meeting", std::vector<double>(system.pairs().size())}};
  return {};
}

StepReport VariableStep::step(const System& system, double h, State& state) {
  StepReport report;
  record_.clear();
  double left = h;
  for (int count = 0; left > 0; ++count) {
    if (count == max_intervals) {
      throw base::NumericalFailure("more contact events within one step than can be told apart",
                                   fmt::format("time {:g} s", state.time), "Use a smaller time.step");
    }
    contact::detect(system.pairs(), state.q, constraints_);
    require_finite(system, constraints_, state);
    settle_grazing(state);
    const double length =
        lay_out_impulses(system, left, state) ? bounce(system, left, state, report) : fly(system, left, state, report);
    end_interval(length, state, report);
    state.time += length;
    left = length < left ? left - length : 0;
  }
  ++state.step;
  state.time = static_cast<double>(state.step) * h;
  report.impulses = record_.impulses();
  return report;
}

/// A layer that grazed, closing and opening within one interval, is where the sign of its gap says.
void VariableStep::settle_grazing(State& state) const {
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const int pair = constraints_.contact(i).pair;
    const bool at_event = state.memory[meeting_pairs].values[static_cast<std::size_t>(pair)] != 0;
    if (constraints_.compliance(i) > 0 && !at_event) set_closed(state, pair, constraints_.gap(i) < 0);
  }
}

double VariableStep::fly(const System& system, double left, State& state, StepReport& report) {
  const double h_prev = last_interval(state), whole = 0.5 * (h_prev + left);
  rates(constraints_, system.inverse_mass(), state.p, rate_before_);
  report.external_impulse += system.kick(state.q, whole, state.p);
  kick_layers(constraints_, whole, state, state.p);
  rates(constraints_, system.inverse_mass(), state.p, rate_now_);
  const double h = first_event(h_prev, left, state);
  if (h < left) {
    report.external_impulse += system.kick(state.q, 0.5 * (h - left), state.p);
    kick_layers(constraints_, 0.5 * (h - left), state, state.p);
  }
  if (h != h_prev) {
    force(system, state, force_);  // (h_prev² − h²)/8 f·M⁻¹f [eq. bars-12]
    report.lost[Loss::sub_step] += 0.25 * (h * h - h_prev * h_prev) * system.kinetic_energy(force_);
  }
  record_layers(system, 0.5 * (h_prev + h), state, report);
  // The chord of bodies as the forces at the start see it, which act now; linear ones have the same at both ends.
  const double bodies_at_start = linear_ ? 0 : system.chord_energy(state.q, state.p, h);
  system.drift(state.p, h, state.q);
  const double chord_at_end = chord_energy(system, state, h);
  const double chord_at_start = linear_ ? chord_at_end : bodies_at_start + layer_chord(system, state, h);
  report.lost[Loss::quadrature] += state.memory[chord].values[0] - chord_at_start;
  state.memory[chord].values[0] = chord_at_end;
  return h;
}

/// Notes the interval and the pairs that meet where it ended.
void VariableStep::end_interval(double h, State& state, StepReport& report) {
  state.memory[interval].values[0] = h;
  std::vector<double>& meeting = state.memory[meeting_pairs].values;
  std::fill(meeting.begin(), meeting.end(), 0.0);
  for (const int pair : events_) meeting[static_cast<std::size_t>(pair)] = 1;
  if (!events_.empty()) meet(events_, state, report);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    report.max_penetration = std::max(report.max_penetration, -constraints_.gap(i));
  }
}

/// The time to the first event that an interval `left` would pass: an open gap closes, or a closed one opens. An
/// interval α takes the gap to g + α [r + ½(h_prev + α) g̈], r the rate before: quadratic, since its velocity depends on
/// α.
double VariableStep::first_event(double h_prev, double left, const State& state) {
  events_.clear();
  double first = left;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const int pair = constraints_.contact(i).pair;
    const double side = closed(state, pair) ? -1 : 1, gap = side * constraints_.gap(i);
    if (gap + left * side * rate_now_[i] >= 0) continue;
    const double acceleration = side * (rate_now_[i] - rate_before_[i]) / (0.5 * (h_prev + left));
    const double rate = side * rate_before_[i] + 0.5 * h_prev * acceleration;
    // A gap that stands at zero up to rounding and opens first is followed to where it closes.
    const bool starts_closed = gap <= 0 && rate <= 0;
    const double time =
        starts_closed ? 0.0 : math::smallest_positive_root(0.5 * acceleration, rate, std::max(gap, 0.0)).value_or(0.0);
    if (time < first - same_instant * left) events_.clear();
    if (time <= first + same_instant * left) events_.push_back(pair);
    first = std::min(first, time);
  }
  return first;
}

/// k of the layer between the surfaces, while the contact is closed.
double VariableStep::layer_stiffness(const ConstraintSet& constraints, std::size_t i, const State& state) {
  const double compliance = constraints.compliance(i);
  return compliance > 0 && closed(state, constraints.contact(i).pair) ? 1 / compliance : 0;
}

/// p += h Σ w k (−g).
void VariableStep::kick_layers(const ConstraintSet& constraints, double h, const State& state, std::span<double> p) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const double k = layer_stiffness(constraints, i, state);
    if (k > 0) model::add_scaled(constraints.row(i), -h * k * constraints.gap(i), p);
  }
}

void VariableStep::record_layers(const System& system, double h, const State& state, StepReport& report) {
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const double impulse = -h * layer_stiffness(constraints_, i, state) * constraints_.gap(i);
    if (impulse > 0) record_.add(system, constraints_, i, state, impulse, Loss::impact, 0.0, report);
  }
}

Momentum VariableStep::force(const System& system, const State& state, std::span<double> f) const {
  std::fill(f.begin(), f.end(), 0.0);
  const Momentum from_outside = system.kick(state.q, 1.0, f);
  kick_layers(constraints_, 1.0, state, f);
  return from_outside;
}

/// The interval after an event.
double VariableStep::bounce(const System& system, double left, State& state, StepReport& report) {
  const double h_prev = last_interval(state);
  trial_q_ = state.q;
  system.drift(state.p, -h_prev, trial_q_);
  const mechanics::PotentialEnergy before = potentials(system, trial_q_, trial_constraints_);
  energy_before_ = system.kinetic_energy(state.p) + 0.5 * total(before);
  // Neither depends on the sign of the energy, which a datum of gravity decides.
  const double moving = system.kinetic_energy(state.p) + 0.5 * before.strain;
  rounding_ = std::numeric_limits<double>::epsilon() * (moving + 0.5 * std::abs(before.gravity));
  max_miss_ = kept_energy * moving + 64 * rounding_;
  solve_bounce(system, left, state);
  events_.clear();
  const double h = passes_event(system, state) ? first_other_event(system, left, state) : left;

  const double lost = -energy_change(system, h, state, theta_);
  for (std::size_t m = 0; m < meeting_.size(); ++m) {
    record_.add(system, constraints_, meeting_[m], state, theta_ * reversal_[m], Loss::fallback,
                fallback_ && m == 0 ? lost : 0.0, report);
  }
  report.fallbacks += fallback_ ? 1 : 0;
  record_layers(system, 0.5 * (h_prev + h), state, report);
  mechanics::Momentum from_outside = force(system, state, force_);
  from_outside *= 0.5 * (h_prev + h);
  report.external_impulse += from_outside;
  std::copy(trial_p_.begin(), trial_p_.end(), state.p.begin());
  std::copy(trial_q_.begin(), trial_q_.end(), state.q.begin());
  state.memory[chord].values[0] = chord_energy(system, state, h);
  return h;
}

/// The contacts that meet here and that the force alone would carry on, and λ⁰ = −2 r/(w·M⁻¹w) of each, r the rate
/// without impulses.
bool VariableStep::lay_out_impulses(const System& system, double left, const State& state) {
  meeting_.clear();
  reversal_.clear();
  const std::vector<double>& meeting = state.memory[meeting_pairs].values;
  if (std::find(meeting.begin(), meeting.end(), 1.0) == meeting.end()) return false;
  force(system, state, force_);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const auto row = constraints_.row(i);
    if (meeting[static_cast<std::size_t>(constraints_.contact(i).pair)] == 0) continue;
    const double rate = model::rate(row, system.inverse_mass(), state.p) +
                        0.5 * (last_interval(state) + left) * model::rate(row, system.inverse_mass(), force_);
    if (impulses() == Impulses::rebound && rate >= 0) continue;
    meeting_.push_back(i);
    reversal_.push_back(-2 * rate / model::effective_inverse_mass(row, system.inverse_mass()));
  }
  return !meeting_.empty();
}

/// E(θ) − E(before) over an interval h, ½V(q^j) being common to both; leaves the interval's end in trial_p_, trial_q_.
double VariableStep::energy_change(const System& system, double h, const State& state, double theta) {
  const double kick = 0.5 * (last_interval(state) + h);
  for (std::size_t k = 0; k < trial_p_.size(); ++k) trial_p_[k] = state.p[k] + kick * force_[k];
  for (std::size_t m = 0; m < meeting_.size(); ++m) {
    model::add_scaled(constraints_.row(meeting_[m]), theta * reversal_[m], trial_p_);
  }
  trial_q_ = state.q;
  system.drift(trial_p_, h, trial_q_);
  return system.kinetic_energy(trial_p_) + 0.5 * total(potentials(system, trial_q_, trial_constraints_)) -
         energy_before_;
}

/// E(θ) = E(before): a parabola for linear bodies, taken through three trials near the root that is wanted, where no
/// layer opens or closes between them; Newton steps with its slope do the rest. Where it has no root, or one that does
/// not part the pairs that rebound, the impulse is what the law of impulses() alone gives: θ = 1, or none.
void VariableStep::solve_bounce(const System& system, double h, const State& state) {
  const bool rebound = impulses() == Impulses::rebound;
  const double spread = rebound ? 1 : 0.1;
  const double e0 = energy_change(system, h, state, 0), e1 = energy_change(system, h, state, spread),
               e2 = energy_change(system, h, state, 2 * spread);
  const double a = (e2 - 2 * e1 + e0) / (2 * spread * spread), b = (e1 - e0) / spread - a * spread;
  const auto roots = math::real_roots(a, b, e0);
  fallback_ = !roots;
  if (roots) {
    const bool second = rebound || std::abs(roots->second) < std::abs(roots->first);
    theta_ = second ? roots->second : roots->first;
    for (int i = 0; i < max_corrections; ++i) {
      const double excess = energy_change(system, h, state, theta_);
      if (std::abs(excess) <= rounding_) break;
      theta_ -= excess / (2 * a * theta_ + b);
    }
    for (const std::size_t i : meeting_) {
      if (rebound && !(model::rate(constraints_.row(i), system.inverse_mass(), trial_p_) > 0)) fallback_ = true;
    }
  }
  // What is left of the energy is booked: a root that the Newton steps missed is no root.
  const double left_over = fallback_ ? 0 : energy_change(system, h, state, theta_);
  if (!(std::abs(left_over) <= max_miss_)) fallback_ = true;
  if (fallback_) theta_ = rebound ? 1 : 0;
  energy_change(system, h, state, theta_);
}

/// Whether a pair that did not meet at the start of the trial interval closes or opens within it.
bool VariableStep::passes_event(const System& system, const State& state) {
  contact::detect(system.pairs(), trial_q_, trial_constraints_);
  events_.clear();
  for (std::size_t i = 0; i < trial_constraints_.size(); ++i) {
    const int pair = trial_constraints_.contact(i).pair;
    const double side = closed(state, pair) ? -1 : 1;
    if (state.memory[meeting_pairs].values[static_cast<std::size_t>(pair)] != 0) continue;
    if (side * trial_constraints_.gap(i) < 0) events_.push_back(pair);
  }
  return !events_.empty();
}

/// The interval after which the first other pair has its event, θ solved again for each trial. Bisection: it is rare.
double VariableStep::first_other_event(const System& system, double left, const State& state) {
  double before = 0, after = left;
  for (double middle = 0.5 * left; middle > before && middle < after && after - before > 1e-15 * left;
       middle = 0.5 * (before + after)) {
    solve_bounce(system, middle, state);
    (passes_event(system, state) ? after : before) = middle;
  }
  solve_bounce(system, after, state);
  passes_event(system, state);
  return after;
}

model::Stored VariableStep::energy(const System& system, double, const State& state) const {
  const double h = last_interval(state);
  model::Stored stored = system.stored(state.p, system.trapezoid_energy(state.q, state.p, -h));
  stored[Store::layer] = layer_energy(system, state, h).trapezoid;
  return stored;
}

void VariableStep::velocity(const System& system, double, const State& state, std::span<double> v) const {
  // p is that of the interval before t_n; half its kick more gives the velocity at t_n.
  std::vector<double> p = state.p;
  const double half = 0.5 * last_interval(state);
  system.kick(state.q, half, p);
  ConstraintSet constraints;
  contact::detect(system.pairs(), state.q, constraints);
  kick_layers(constraints, half, state, p);
  system.velocity(p, v);
}

Extras VariableStep::extras(const State&) const { return {}; }

}  // namespace ictus::dynamics
