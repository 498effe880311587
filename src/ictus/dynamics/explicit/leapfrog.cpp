#include <ictus/dynamics/explicit/leapfrog.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect/detect.hpp>
#include <ictus/dynamics/system/damping.hpp>
#include <ictus/dynamics/system/dof_name.hpp>
#include <ictus/dynamics/system/require_finite.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <limits>

namespace ictus::dynamics {

using model::RowEntry;
using model::State;

namespace {

/// Calls f(dof) for every entry of every constraint.
template <class F>
void for_each_touched(const model::ConstraintSet& constraints, F&& f) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    for (const RowEntry& entry : constraints.row(i)) f(entry.index());
  }
}

}  // namespace

StepLimit Leapfrog::step_limit(const System& system) const {
  StepLimit limit = explicit_step_limit(system);
  advise_against_critical(system, limit);
  return limit;
}

void Leapfrog::prepare(const System& system) {
  surfaces_.prepare(system.pairs(), system.exec());
  closings_ = PairClosings(std::vector<bool>(system.pairs().size(), true));
  surfaces_.expect_layers(!capabilities().meetings);
  surfaces_.expect_parting(sees_parting());
  shadow_.prepare(system);
  joints_.prepare(system);
  implicit_.prepare(system);
  keeps_all_ = surfaces_.any() || !shadow_.is_plain() || system.damped() || joints_.any() || implicit_.any();
  supports_.prepare(system);
  velocity_.resize(system.damped() ? system.dofs() : 0);
  slowed_for_ = 0;
  for (auto* buffer : {&slowed_, &before_slowed_, &unslowed_})
    buffer->resize(system.mass_damping().empty() ? 0 : system.dofs());
  driven_.prepare(system);
  support_impulse_.resize(system.nodal_bodies().size());
  before_.resize(system.dofs());
  kicked_.resize(system.dofs());
  const bool is_pushed = system.pushed() || system.damped() || joints_.any() || implicit_.any();
  forced_.resize(is_pushed && !shadow_.is_plain() ? system.dofs() : 0);
  load_values_.resize(system.loads().size());
  force_velocity_.resize(system.forces().empty() ? 0 : system.dofs());
}

namespace {

/// A step takes this much less than it might, so that it need not change soon; grows this much at once, and that only
/// where it might by this much more; and asks so often: steps that change at random feed the motion.
constexpr double shrink_further = 0.98, growth = 1.05, room_to_grow = 1.1;
constexpr int steps_between_looks = 10;

}  // namespace

/// The share that is asked for of what is stable at q.
double Leapfrog::stable_share(const System& system, std::span<const double> q) const {
  double stable = std::numeric_limits<double>::infinity();
  for (const mechanics::NodalBody* body : system.nodal_bodies())
    stable = std::min(stable, body->stable_step(system.exec(), q));
  return followed_share() * stable;
}

/// h of the interval that begins at a state, at most h.
double Leapfrog::choose_interval(const System& system, double h, State& state) const {
  std::vector<double>& figures_of = state.memory[interval].values;
  const double last = figures_of[length];
  if (state.step % steps_between_looks != 0) return last;
  const double stable = stable_share(system, state.q);
  double next = last;
  if (last > stable) next = shrink_further * stable;
  if (stable > room_to_grow * last) next = std::min({growth * last, shrink_further * stable, h});
  if (next != last) ++figures_of[changes];
  figures_of[smallest] = std::min(figures_of[smallest], next);
  return figures_of[length] = next;
}

StepReport Leapfrog::step(const System& system, double longest, State& state) {
  StepReport report;
  const double last = interval_of(longest, state);
  record_.clear();
  driven_.clear();
  std::fill(support_impulse_.begin(), support_impulse_.end(), mechanics::Momentum{});
  report.supports = support_impulse_;
  if (state.step == 0 && surfaces_.any() && capabilities().meetings) meet_at_start(system, last, state, report);
  system.drift(state.p, last, state.q);
  const double gained = system.fly(last, state.q, state.p);
  ++state.step;
  state.time = follows() ? state.time + last : static_cast<double>(state.step) * last;
  const double next = follows() ? choose_interval(system, longest, state) : last, h = 0.5 * (last + next);
  if (supports_.any()) supports_.move(system, state.time, state.q);
  contact::detect(system.pairs(), state.q, constraints_, state.time);
  keep(system, before_, state.p);
  system.load_values(state.time, load_values_);
  evaluate_forces(system, state);
  power_before_ = outside_power(system, state, state.p);
  report.external_impulse += system.advance(last, state.q, h, state.p, supports_.reaction(), support_impulse_);
  if (!forced_.empty()) keep_all(system, forced_, state.p);
  report.external_impulse += system.apply_loads(load_values_, state.q, h, state.p);
  if (!force_velocity_.empty())
    report.external_impulse += system.apply_forces(state.memory[own].values, state.q, h, state.p);
  support_work_ = supports_.any() ? work_of_supports(h, state) : 0;
  if (system.damped()) damp(system, h, state, report);
  if (implicit_.any()) implicit_.weigh(system, h, before_, state.p);
  const std::span<double> before = slows() ? before_slowed_ : before_;
  if (driven_.any()) driven_.arm(system, state.time, h, before, state.p);
  const std::span<const double> inverse_mass = slows() ? slowed_ : driven_.inverse_mass(system);
  const Joints::Node node{state.q, h, inverse_mass, before, state.p, state.memory[joints].values};
  if (joints_.any()) {
    joints_.begin(node);
    joints_.push(node, state.time, h);
    joints_.open(node, h);
  }
  surfaces_.detect(
      system.pairs(),
      {state.q, state.p, inverse_mass, next, looks_back() ? before : std::span<const double>(), state.time},
      constraints_);
  record_.reserve(constraints_.size());
  pushing_.clear();
  pushing_.reserve(constraints_.size());
  require_finite(system, constraints_, state);
  std::vector<double>& figures_so_far = state.memory[account].values;
  figures_so_far[gained_in_flight] += gained;
  meet(system, next, h, inverse_mass, before, before, figures_so_far[outside], state, report);
  if (joints_.any()) close_joints(node, report);
  if (driven_.any())
    report.external_impulse += driven_.release(system, state.q, before, kicked_, state.p, support_impulse_);
  if (system.damped()) settle_damping(system, h, state, report);
  report.external_work += support_work_ + 0.5 * h * (power_before_ + outside_power(system, state, state.p));
  using model::Loss;
  const double work = report.external_work - report.lost[Loss::damping] - report.lost[Loss::joint] -
                      report.lost[Loss::joint_damping] - report.lost[Loss::motor];
  figures_so_far[outside] += work + driven_.work();
  if (!shadow_.is_plain()) count_work(system, {h, next - last}, state, report);
  report.external_work += driven_.work();
  remember_push(system, h, state);
  report.impulses = record_.impulses();
  for (const Impulse& impulse : report.impulses) closings_.push(impulse.pair);
  closings_.count(system.pairs(), constraints_, surfaces_.approach(), state.memory[closed].values, report);
  return report;
}

void Leapfrog::evaluate_forces(const System& system, State& state) {
  if (force_velocity_.empty()) return;
  system.evaluate_forces(state.time, state.q, state.p, force_velocity_, state.memory[own].values);
}

double Leapfrog::outside_power(const System& system, const State& state, std::span<const double> p) const {
  const double power = system.load_power(load_values_, state.q, p);
  return force_velocity_.empty() ? power : power + system.force_power(state.memory[own].values, p);
}

/// Closes the joints after contact; p* becomes what it was before joints did anything.
void Leapfrog::close_joints(const Joints::Node& node, StepReport& report, Joints::Books books) {
  joints_.close(node, report, books);
  joints_.restore(kicked_);
  if (driven_.any()) joints_.for_each_driven_push([&](auto row, double impulse) { driven_.push(row, impulse); });
}

void Leapfrog::keep_all(const System& system, std::vector<double>& buffer, std::span<const double> p) {
  system.exec().for_blocks(p.size(), [&](std::size_t begin, std::size_t end) {
    std::copy(p.data() + begin, p.data() + end, buffer.data() + begin);
  });
}

void Leapfrog::keep(const System& system, std::vector<double>& buffer, std::span<const double> p) const {
  if (keeps_all_) {
    keep_all(system, buffer, p);
  } else {
    for_each_touched(constraints_, [&](std::size_t k) { buffer[k] = p[k]; });
  }
}

/// Work of the supports' last move; the forces on them become those of the next.
double Leapfrog::work_of_supports(double h, State& state) {
  for (double& force : supports_.reaction()) force /= h;
  std::vector<double>& before = state.memory[reaction].values;
  const double work = supports_.work(before, supports_.reaction());
  std::copy(supports_.reaction().begin(), supports_.reaction().end(), before.begin());
  return work;
}

double Leapfrog::evaluate(const Contact& contact) {
  const System& system = contact.system;
  const State& state = contact.state;
  std::span<const double> p = implicit_.momenta(system, state.p);
  double damping = 0;
  if (system.damped()) {
    velocity_ = state.memory[damped].values;
    if (slows()) {
      unslowed_.assign(p.begin(), p.end());
      end_damping(system, contact.kick, 0, velocity_.size(), velocity_, unslowed_);
      p = unslowed_;
    }
    damping = damping_work(system, velocity_, p);
  }
  const double loads = 0.5 * contact.kick * (power_before_ + outside_power(system, state, p));
  const double work = contact.outside + support_work_ + driven_.work() + loads + damping;
  const double free = joints_.any() ? shadow_.evaluate(system, contact.h, state.q, p)
                                    : shadow_.evaluate_kicked(system, contact.h, contact.kick, state.q, p,
                                                              contact.before, contact.kicked);
  const double taken = system.history() > 0 ? system.dissipated(state.q).total() : 0;
  return free + taken - work;
}

/// Work of the forces of the bodies: ½ h f·M⁻¹(p⁺ + p⁻) with the impulses h f that they gave, and that on the supports,
/// against which they work.
void Leapfrog::count_work(const System& system, const Kick& kick, State& state, StepReport& report) const {
  const double *minus = before_.data(), *plus = state.p.data();
  const double* forced = !forced_.empty() ? forced_.data() : contact_may_act() ? kicked_.data() : plus;
  const double* inverse_mass = system.inverse_mass().data();
  state.memory[account].values[work_of_forces] += system.exec().sum(state.p.size(), [=](std::size_t k) {
    return 0.5 * inverse_mass[k] * (forced[k] - minus[k]) * (plus[k] + minus[k]);
  });
  state.memory[account].values[work_of_forces] -= support_work_;
  if (kick.growth == 0) return;
  const double lost = kick.growth / (4 * kick.time) * system.exec().sum(state.p.size(), [=](std::size_t k) {
    return inverse_mass[k] * (forced[k] - minus[k]) * (plus[k] - minus[k]);
  });
  state.memory[account].values[stepped] += lost;
  report.lost[model::Loss::sub_step] += lost;
}

StepReport Leapfrog::run_free(FreeMotion& free, const System& system, double h, std::int64_t count, State& state) {
  std::fill(support_impulse_.begin(), support_impulse_.end(), mechanics::Momentum{});
  double work = 0;
  const StepReport report = free.run(system, h, count, state, work, support_impulse_);
  if (!shadow_.is_plain()) state.memory[account].values[work_of_forces] += work;
  return report;
}

model::Stored Leapfrog::energy(const System& system, double longest, const State& state) const {
  const double h = interval_of(longest, state);
  model::Stored stored = system.stored(state.p, shadow_.potential(system, h, state.q, state.p));
  stored[model::Store::strain] += joints_.stored(state.memory[joints].values);
  return stored;
}

double Leapfrog::potential_energy(const System& system, double h, const State& state) const {
  const mechanics::PotentialEnergy all = shadow_.potential(system, h, state.q, state.p);
  return all.strain + all.gravity - system.implicit_energy(state.q, state.p, h);
}

double Leapfrog::quadrature(const System& system, double longest, const State& state) const {
  if (shadow_.is_plain()) return 0;
  const double h = interval_of(longest, state);
  const std::vector<double>& values = state.memory[account].values;
  return values[potential_at_start] - potential_energy(system, h, state) - values[work_of_forces] -
         values[gained_in_flight] - values[stepped] - system.dissipated(state.q).total();
}

void Leapfrog::velocity(const System& system, double longest, const State& state, std::span<double> v) const {
  const double h = interval_of(longest, state);
  // V_n = M⁻¹(p⁺ − ½(h f(q_n) + h F(t_n) + d + Σ w λ)): the mean of the velocities before and after t_n.
  std::vector<double> p = state.p;
  system.kick(state.q, -h / 2, p);
  std::vector<double> values(system.loads().size());
  system.load_values(state.time, values);
  system.apply_loads(values, state.q, -h / 2, p);
  if (!system.forces().empty()) system.apply_forces(state.memory[own].values, state.q, -h / 2, p);
  const std::vector<double>& d = state.memory[damped].values;
  for (std::size_t k = 0; k < d.size(); ++k) p[k] -= 0.5 * d[k];
  const auto& dofs = state.memory[touched].values;
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    p[static_cast<std::size_t>(dofs[i])] -= 0.5 * state.memory[pushed].values[i];
  }
  if (implicit_.any()) implicit_.weigh(system, h, state.p, p);
  system.velocity(p, v);
  system.motions().velocity(std::max(state.time - h / 2, 0.0), state.time + h / 2, v);
}

Extras Leapfrog::extras(const State& state) const {
  if (!follows()) return {};
  const std::vector<double>& values = state.memory[interval].values;
  return {{"step_last", values[length]}, {"step_smallest", values[smallest]}, {"step_changes", values[changes]}};
}

}  // namespace ictus::dynamics
