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

double sum(const mechanics::PotentialEnergy& energy) { return energy.strain + energy.gravity; }

void keep_all(const System& system, std::vector<double>& buffer, std::span<const double> p) {
  system.exec().for_blocks(p.size(), [&](std::size_t begin, std::size_t end) {
    std::copy(p.data() + begin, p.data() + end, buffer.data() + begin);
  });
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

StepReport Leapfrog::start(const System& system, double longest, State& state) {
  const double h = follows() ? std::min(longest, shrink_further * stable_share(system, state.q)) : longest;
  state.memory = {{"contact.closed", std::vector<double>(system.pairs().size())},
                  {"contact.touched", {}},
                  {"contact.pushed", {}},
                  {"leapfrog", std::vector<double>(figures)},
                  {"leapfrog.damping", std::vector<double>(velocity_.size())},
                  {"leapfrog.reaction", std::vector<double>(system.driven().size())},
                  {"leapfrog.own", std::vector<double>(force_velocity_.size())},
                  {"joints", {}},
                  {"leapfrog.interval", follows() ? std::vector<double>{h, h, 0} : std::vector<double>()}};
  StepReport report;
  const std::vector<double> unforced = joints_.any() || implicit_.any() ? state.p : std::vector<double>();
  std::fill(support_impulse_.begin(), support_impulse_.end(), mechanics::Momentum{});
  report.supports = support_impulse_;
  system.load_values(state.time, load_values_);
  evaluate_forces(system, state);
  if (system.damped()) start_damping(system, h, state, report);
  report.external_impulse += system.kick(state.q, h / 2, state.p, state.memory[reaction].values, support_impulse_);
  for (double& force : state.memory[reaction].values) force /= h / 2;
  report.external_impulse += system.apply_loads(load_values_, state.q, h / 2, state.p);
  if (!force_velocity_.empty())
    report.external_impulse += system.apply_forces(state.memory[own].values, state.q, h / 2, state.p);
  if (joints_.any()) join_at_start(system, h, unforced, state, report);
  if (!system.initial_contact_force().empty()) rest_on_contacts(system, h, state, report);
  if (implicit_.any()) weigh(system, h, unforced, state, report);
  if (!shadow_.is_plain())
    state.memory[account].values[potential_at_start] =
        sum(shadow_.potential(system, h, state.q, state.p)) - system.implicit_energy(state.q, state.p, h);
  return report;
}

/// Impulses of the joints at t₀, where p⁻ = p₀ − ½ h f and p* = p₀ + ½ h f: the joints' half of the kick, which is no
/// work. A motor that leads works by its own.
void Leapfrog::join_at_start(const System& system, double h, std::span<const double> unforced, State& state,
                             StepReport& report) {
  joints_.lay_out(state.q, state.memory[joints].values);
  std::copy(state.p.begin(), state.p.end(), kicked_.begin());
  if (driven_.any()) driven_.arm(system, state.time, h, before_, state.p);
  const Joints::Node node{state.q, h, driven_.inverse_mass(system), before_, state.p, state.memory[joints].values};
  joints_.begin(node);
  joints_.push(node, state.time, h / 2);
  for (std::size_t k = 0; k < before_.size(); ++k) {
    if (!driven_.drives(static_cast<int>(k))) before_[k] = 2 * unforced[k] - state.p[k];
  }
  joints_.open(node, h / 2);
  joints_.close(node, report, Joints::Books::none);
  if (driven_.any()) {
    joints_.for_each_driven_push([&](auto row, double impulse) { driven_.push(row, impulse); });
    report.external_impulse += driven_.release(system, state.q, before_, kicked_, state.p, support_impulse_);
    report.external_work += driven_.work();
    driven_.clear();
  }
  for (const int dof : joints_.dofs()) {
    const auto k = static_cast<std::size_t>(dof);
    if (state.p[k] == kicked_[k]) continue;
    state.memory[touched].values.push_back(static_cast<double>(k));
    state.memory[pushed].values.push_back(2 * (state.p[k] - kicked_[k]));
  }
}

/// Half a step of the forces by which bodies lie on each other at the start, as start gives half a kick of the others.
void Leapfrog::rest_on_contacts(const System& system, double h, State& state, StepReport& report) {
  record_.clear();
  contact::detect(system.pairs(), state.q, constraints_);
  std::fill(kicked_.begin(), kicked_.end(), 0.0);
  const auto press = [&](const model::ConstraintSet& constraints, std::size_t i, double force,
                         const std::array<double, 2>& friction = {0.0, 0.0}) {
    const auto push = [&](std::span<const RowEntry> row, double of) {
      model::add_scaled(row, h / 2 * of, state.p);
      model::add_scaled(row, h * of, kicked_);
    };
    push(constraints.row(i), force);
    for (std::size_t k = 0; k < 2 && constraints.has_tangents(i); ++k) push(constraints.tangent(i, k), friction[k]);
    const ContactRecord::Push half{h / 2 * force, {h / 2 * friction[0], h / 2 * friction[1]}};
    record_.add(system, constraints, i, state, half, model::Loss::impact, 0.0, 0.0, report);
  };
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const auto pair = static_cast<std::size_t>(constraints_.contact(i).pair);
    state.memory[closed].values[pair] = constraints_.gap(i) <= system.pairs()[pair].slack ? 1 : 0;
    const double force = system.initial_contact_force()[pair];
    if (force != 0) press(constraints_, i, force);
  }
  system.for_each_initial_surface_force(
      [&](const model::ConstraintSet& surfaces, std::size_t i, double force, const std::array<double, 2>& friction) {
        state.memory[closed].values[static_cast<std::size_t>(surfaces.contact(i).pair)] = 1;
        press(surfaces, i, force, friction);
      });
  for (const int k : system.driven()) {
    double& p = state.p[static_cast<std::size_t>(k)];
    report.external_impulse += driven_.reaction(k, p, state.q);
    p = 0;
  }
  for (std::size_t k = 0; k < kicked_.size(); ++k) {
    if (kicked_[k] == 0) continue;
    state.memory[touched].values.push_back(static_cast<double>(k));
    state.memory[pushed].values.push_back(kicked_[k]);
  }
  report.impulses = record_.impulses();
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

void Leapfrog::meet(const System& system, double h, double kick, std::span<const double> inverse_mass,
                    std::span<double> before, std::span<const double> held_from, double work_before, State& state,
                    StepReport& report) {
  const model::ConstraintSet& jointed = joints_.fit(constraints_, inverse_mass);
  const model::ConstraintSet& rows = implicit_.open(system, h, jointed, inverse_mass, before, state.p);
  if (contact_may_act() || joints_.any()) keep(system, kicked_, state.p);  // else p⁺ is p*
  const auto contact = [&](const model::ConstraintSet& constraints) {
    return Contact{system,
                   implicit_.inverse_mass(inverse_mass),
                   h,
                   kick,
                   constraints,
                   jointed,
                   constraints_,
                   {inverse_mass, implicit_.kicked(kicked_)},
                   surfaces_.skins(),
                   surfaces_.approach(),
                   surfaces_.sight(),
                   before,
                   kicked_,
                   work_before,
                   state};
  };
  respond(contact(rows), report);
  implicit_.close(system, before, kicked_, state.p);
  if (implicit_.any())
    report.external_impulse += implicit_.support_impulse(system, h, state.q, held_from, state.p, support_impulse_);
  keep_apart(contact(jointed), report);
}

/// What half a kick does to implicit bodies.
void Leapfrog::weigh(const System& system, double h, std::span<const double> from, State& state, StepReport& report) {
  implicit_.weigh(system, h, from, state.p);
  report.external_impulse += implicit_.support_impulse(system, h, state.q, from, state.p, support_impulse_);
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

/// Surfaces so near that they would meet within the first step: impulses at t₀, where p⁺ = p* and p⁻ = p* − h f(q₀).
/// The forces work by ½ h f·M⁻¹(p⁺ − p*) more than they did without them. Damping has acted by the velocities at t₀
/// already, and slows no impulse.
void Leapfrog::meet_at_start(const System& system, double h, State& state, StepReport& report) {
  constraints_.clear();
  std::copy(state.p.begin(), state.p.end(), before_.begin());
  system.kick(state.q, -h, before_);
  if (!forced_.empty()) keep_all(system, forced_, before_);
  if (implicit_.any()) implicit_.weigh(system, h, state.p, before_);
  if (driven_.any()) driven_.arm(system, state.time, h, before_, state.p);
  const auto inverse_mass = driven_.inverse_mass(system);
  surfaces_.detect(system.pairs(), {state.q, state.p, inverse_mass, h}, constraints_);
  const std::vector<double> start = state.p;
  const Joints::Node node{state.q, h, inverse_mass, before_, state.p, state.memory[joints].values};
  if (joints_.any()) {
    joints_.begin(node);
    joints_.reopen(node);
    joints_.take_back_springs(h, before_);
  }
  record_.reserve(constraints_.size());
  meet(system, h, h, inverse_mass, before_, start, 0.0, state, report);
  if (joints_.any()) close_joints(node, report, Joints::Books::joints);
  if (driven_.any())
    report.external_impulse += driven_.release(system, state.q, before_, kicked_, state.p, support_impulse_);
  const double *kicked = start.data(), *plus = state.p.data();
  state.memory[account].values[work_of_forces] +=
      system.exec().sum(state.p.size(), [&, inverse_mass = system.inverse_mass().data()](std::size_t k) {
        const double minus = !forced_.empty() && implicit_.moves(k) ? forced_[k] : before_[k];
        return 0.5 * inverse_mass[k] * (kicked[k] - minus) * (plus[k] - kicked[k]);
      });
}

/// In long steps, what the impulses leave on its way through each other. A change Δp on top of y adds
/// ½ Δp·M⁻¹(2y + Δp − p* + p⁻) to the discrete energy, as in [eq. exact-contact-10].
void Leapfrog::keep_apart(const Contact& contact, StepReport& report) {
  const contact::StepMotion motion{contact.state.q,   contact.state.p, contact.inverse_mass, contact.h, {},
                                   contact.state.time};
  kept_apart_ = surfaces_.keep_apart(motion, contact.state.p);
  if (kept_apart_.empty()) return;
  for (const RowEntry& entry : kept_apart_) {
    if (!driven_.drives(entry.dof)) continue;
    throw base::NumericalFailure(
        "a surface with a node that follows a prescribed motion would pass through another in spite of all impulses",
        fmt::format("{} at t = {:g} s", dof_name(contact.system, entry.index()), contact.state.time),
        "Use a smaller time.step");
  }
  ++report.fallbacks;
  const auto& [linear, angular] = surfaces_.moving().external_impulse();
  report.external_impulse += {linear, angular};
  const auto inverse_mass = contact.inverse_mass;
  if (implicit_.any()) return keep_account(contact, kept_apart_, -implicit_gain(contact), report);
  const double added = 2 * model::rate(kept_apart_, inverse_mass, contact.state.p) -
                       model::effective_inverse_mass(kept_apart_, inverse_mass) -
                       model::rate(kept_apart_, inverse_mass, contact.kicked) +
                       model::rate(kept_apart_, inverse_mass, contact.before);
  keep_account(contact, kept_apart_, -0.5 * added, report);
}

/// What they gain, where p = M v is not all the momentum that there is.
double Leapfrog::implicit_gain(const Contact& contact) {
  const State& state = contact.state;
  const auto energy = [&](std::span<const double> p) {
    return contact.system.kinetic_energy(p) + sum(contact.system.interval_energy(state.q, p, contact.h));
  };
  std::vector<double> apart = state.p;
  model::add_scaled(kept_apart_, -1, apart);
  return energy(state.p) - energy(apart);
}

void Leapfrog::keep_account(const Contact&, std::span<const RowEntry>, double energy, StepReport& report) {
  report.lost[model::Loss::fallback] += energy;
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

/// Impulses of contact on dofs: p⁺ − p*, times what damping slows them by.
void Leapfrog::remember_push(const System& system, double h, State& state) {
  auto& dofs = state.memory[touched].values;
  auto& momenta = state.memory[pushed].values;
  dofs.clear();
  momenta.clear();
  dofs.reserve(constraints_.entries() + kept_apart_.size() + joints_.dofs().size());
  momenta.reserve(constraints_.entries() + kept_apart_.size() + joints_.dofs().size());
  const auto note = [&](std::size_t k) {
    if (state.p[k] == kicked_[k] || implicit_.moves(k)) return;
    dofs.push_back(static_cast<double>(k));
    momenta.push_back((1 + (slows() ? 0.5 * h * system.mass_damping()[k] : 0)) * (state.p[k] - kicked_[k]));
    kicked_[k] = state.p[k];  // a dof that two constraints share is noted once
  };
  for (const std::size_t i : pushing_) {
    for (const RowEntry& entry : constraints_.row(i)) note(entry.index());
  }
  for (const RowEntry& entry : kept_apart_) note(entry.index());
  for (const int dof : joints_.dofs()) note(static_cast<std::size_t>(dof));
  implicit_.for_each_push([&](std::size_t k, double impulse) {
    dofs.push_back(static_cast<double>(k));
    momenta.push_back(impulse);
  });
}

void Leapfrog::sweep(const Contact& contact, std::span<const int> taking_part, std::span<const contact::ImpactLaw> laws,
                     contact::SweepResponse& response, StepReport& report) {
  const contact::SweepReport swept =
      response.apply(contact.constraints, taking_part, laws, contact.inverse_mass, contact.h, contact.state.p);
  report.iterations = std::max(report.iterations, swept.sweeps);
  if (!swept.settled) report.accept_unconverged(swept.error);
}

Leapfrog::Contact::Taken Leapfrog::Contact::taken_by(std::size_t i, const ContactRecord::Push& push) const {
  const auto row = constraints.row(i);
  if (!constraints.has_tangents(i) || push.tangential == std::array{0.0, 0.0})
    return {energy_loss(row, push.normal), 0};
  const auto first = constraints.tangent(i, 0), second = constraints.tangent(i, 1);
  std::array<double, 3> rates{};
  for (std::size_t k = 0; k < row.size(); ++k) {  // the three have the same dofs
    const std::size_t dof = row[k].index();
    const double sum = inverse_mass[dof] * (state.p[dof] + before[dof]);
    rates[0] += row[k].weight * sum;
    rates[1] += first[k].weight * sum;
    rates[2] += second[k].weight * sum;
  }
  return {-0.5 * push.normal * rates[0], -0.5 * (push.tangential[0] * rates[1] + push.tangential[1] * rates[2])};
}

void Leapfrog::record(const Contact& contact, std::size_t i, const ContactRecord::Push& push, model::Loss name,
                      double lost, double lost_to_friction, StepReport& report) {
  if (push.normal != 0) pushing_.push_back(i);
  if (driven_.any()) {
    driven_.push(contact.constraints.row(i), push.normal);
    for (std::size_t k = 0; k < 2 && contact.constraints.has_tangents(i); ++k)
      driven_.push(contact.constraints.tangent(i, k), push.tangential[k]);
  }
  if (joints_.any()) {
    joints_.note(contact.geometry.row(i), push.normal);
    for (std::size_t k = 0; k < 2 && contact.geometry.has_tangents(i); ++k)
      joints_.note(contact.geometry.tangent(i, k), push.tangential[k]);
  }
  record_.add(contact.system, contact.geometry, i, contact.state, push, name, lost, lost_to_friction, report);
}

model::Stored Leapfrog::energy(const System& system, double longest, const State& state) const {
  const double h = interval_of(longest, state);
  model::Stored stored = system.stored(state.p, shadow_.potential(system, h, state.q, state.p));
  stored[model::Store::strain] += joints_.stored(state.memory[joints].values);
  return stored;
}

double Leapfrog::quadrature(const System& system, double longest, const State& state) const {
  if (shadow_.is_plain()) return 0;
  const double h = interval_of(longest, state);
  const std::vector<double>& values = state.memory[account].values;
  const double potential =
      sum(shadow_.potential(system, h, state.q, state.p)) - system.implicit_energy(state.q, state.p, h);
  return values[potential_at_start] - potential - values[work_of_forces] - values[gained_in_flight] - values[stepped] -
         system.dissipated(state.q).total();
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
