#include <ictus/dynamics/explicit/leapfrog.hpp>

#include <algorithm>
#include <ictus/contact/detect/detect.hpp>

// The leapfrog at t₀: half a kick, and what acts with it.

namespace ictus::dynamics {

using model::RowEntry;
using model::State;

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
  if (!shadow_.is_plain()) state.memory[account].values[potential_at_start] = potential_energy(system, h, state);
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

/// What half a kick does to implicit bodies.
void Leapfrog::weigh(const System& system, double h, std::span<const double> from, State& state, StepReport& report) {
  implicit_.weigh(system, h, from, state.p);
  report.external_impulse += implicit_.support_impulse(system, h, state.q, from, state.p, support_impulse_);
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

}  // namespace ictus::dynamics
