#include <ictus/dynamics/scheme/capture_return.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/dynamics/system/step_limit.hpp>
#include <ictus/math/roots.hpp>
#include <limits>

namespace ictus::dynamics {

using model::Loss;
using model::State;

namespace {

/// Share of the time in which a wave crosses the smallest element that must pass between a hit and a return.
constexpr double hold_share = 0.1;
/// Holds after which a bank that no contact can reach goes to the pool.
constexpr double orphan_holds = 40;
/// The control changes a return by at most this share.
constexpr double control_share = 0.5;

}  // namespace

void CaptureReturn::prepare(const System& system) {
  Leapfrog::prepare(system);
  crossing_ = shortest_crossing(system);
  bank_.prepare(system.dofs());
}

StepReport CaptureReturn::start(const System& system, double h, State& state) {
  const StepReport report = Leapfrog::start(system, h, state);
  EnergyBank::lay_out(state.memory);
  state.memory.push_back({"capture-return", std::vector<double>(figures)});
  contact::LastingContacts::lay_out(state.memory);
  figure(state, reference) = shadow().evaluate(system, h, state.q, state.p);
  figure(state, controlled) = -std::numeric_limits<double>::infinity();
  return report;
}

void CaptureReturn::respond(const Contact& contact, StepReport& report) {
  State& state = contact.state;
  const double hold = hold_share * crossing_ / contact.h;
  bank_.open(state, bank_slot);
  give_up(contact, report);
  const double friction_before = report.lost[Loss::friction];  // of the start, in the first step
  capture(contact, report);
  figure(state, lost) += report.lost[Loss::friction] - friction_before;
  find_in_sight(contact);
  return_energy(contact, hold, report);
  close_bank(contact);
}

/// What contacts owe whose obstacle vanishes in this step is lost, but for dofs that are in contact with something
/// else.
void CaptureReturn::give_up(const Contact& contact, StepReport& report) {
  const auto pairs = contact.system.pairs();
  const double time = contact.state.time;
  const auto vanishes = [&](const contact::ContactPair& pair) {
    return pair.is_gone(time) && !pair.is_gone(time - contact.h);
  };
  if (std::none_of(pairs.begin(), pairs.end(), vanishes)) return;
  is_met_.assign(contact.system.dofs(), 0);
  for (std::size_t i = 0; i < contact.constraints.size(); ++i) {
    for (const model::RowEntry& entry : contact.constraints.row(i)) is_met_[entry.index()] = 1;
  }
  std::vector<mechanics::Range> left;
  for (const mechanics::NodalBody* body : contact.system.nodal_bodies()) {
    const bool met = std::any_of(pairs.begin(), pairs.end(), [&](const contact::ContactPair& pair) {
      return vanishes(pair) && (pair.first == body->name() || pair.second == body->name());
    });
    if (met) left.push_back(body->dofs());
  }
  const double given_up = bank_.give_up([&](std::size_t k) {
    return !is_met_[k] && std::any_of(left.begin(), left.end(), [k](const mechanics::Range& range) {
      return k >= range.begin && k < range.end();
    });
  });
  report.lost[Loss::restitution] += given_up;
  figure(contact.state, lost) += given_up;
}

/// Pairs that are owed something get it up to a gap that does not depend on how fast anything moves.
void CaptureReturn::find_in_sight(const Contact& contact) {
  in_sight_.clear();
  for (std::size_t i = 0; i < contact.constraints.size(); ++i) in_sight_.push_back(contact.in_sight(i) ? 1 : 0);
}

void CaptureReturn::keep_account(const Contact& contact, std::span<const model::RowEntry> push, double energy,
                                 StepReport&) {
  bank_.open(contact.state, bank_slot);
  bank_.deposit(push, contact.system.inverse_mass(), energy, contact.state.step);
  close_bank(contact);
}

void CaptureReturn::close_bank(const Contact& contact) {
  State& state = contact.state;
  const double hold = hold_share * crossing_ / contact.h;
  bank_.close(state.step, contact.jointed, in_sight_, std::max(hold, 1.0), orphan_holds * hold);
  figure(state, largest_bank) = std::max(figure(state, largest_bank), EnergyBank::total(state, bank_slot));
}

void CaptureReturn::capture(const Contact& contact, StepReport& report) {
  active_.clear();
  pushed_.assign(contact.constraints.size(), 0);
  bool any_rigid = false;
  for (std::size_t i = 0; i < contact.constraints.size(); ++i) any_rigid = any_rigid || contact.pair(i).rigid;
  if (contact.constraints.any_ahead() || any_rigid) {
    capture_surfaces(contact, report);
  } else {
    capture_points(contact, report);
  }
}

/// A closed gap is held if it was closing or is held already. One that opens on its own is left alone: to stop it would
/// take energy out of the bank.
void CaptureReturn::capture_points(const Contact& contact, StepReport& report) {
  const auto inverse_mass = contact.inverse_mass;
  for (std::size_t i = 0; i < contact.constraints.size(); ++i) {
    if (contact.constraints.gap(i) > 0) continue;
    const bool held = bank_.all_hit(contact.jointed.row(i), contact.system.inverse_mass(), contact.state.step - 1);
    if (held || contact.rate_before(i) <= 0) active_.push_back(static_cast<int>(i));
  }
  if (active_.empty()) return;
  offset_.assign(active_.size(), 0.0);
  const solve::LcpReport solved = response_.apply(contact.constraints, active_, inverse_mass, offset_, contact.state.p);
  report.iterations = solved.iterations;
  if (!solved.solved()) ++report.fallbacks;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const auto i = static_cast<std::size_t>(active_[a]);
    if (response_.lambda()[a] != 0) bank(contact, i, {response_.lambda()[a]}, false, report);
  }
}

void CaptureReturn::capture_surfaces(const Contact& contact, StepReport& report) {
  hold_and_sweep(contact, report);
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const ContactRecord::Push push{sweeps_.lambda()[a], sweeps_.tangential()[a]};
    const auto i = static_cast<std::size_t>(active_[a]);
    if (push.normal == 0) continue;
    if (contact.pair(i).rigid) {
      bounce(contact, i, push, report);
    } else {
      bank(contact, i, push, sweeps_.sticks(a, laws_[a].friction), report);
    }
  }
}

bool CaptureReturn::let_bounce(const Contact& contact, std::size_t a, double share) {
  const contact::ContactPair& pair = contact.pair(static_cast<std::size_t>(active_[a]));
  return pair.rigid && bounce_at_node(contact, a, share * pair.restitution.value_or(0));
}

/// Nothing elastic parts rigid bodies again: what their contacts take is lost.
void CaptureReturn::bounce(const Contact& contact, std::size_t i, const ContactRecord::Push& push, StepReport& report) {
  const auto [taken, rubbed] = contact.taken_by(i, push);
  record(contact, i, push, Loss::restitution, taken, rubbed, report);
  figure(contact.state, lost) += taken;
  pushed_[i] = 1;
}

/// A contact that slides loses to friction; one that sticks has nothing to slide over, and what stopping its nodes took
/// is banked with the rest.
void CaptureReturn::bank(const Contact& contact, std::size_t i, const ContactRecord::Push& push, bool sticks,
                         StepReport& report) {
  const auto [lost_energy, rubbed] = contact.taken_by(i, push);
  bank_.deposit(contact.jointed.row(i), contact.system.inverse_mass(), sticks ? lost_energy + rubbed : lost_energy,
                contact.state.step);
  record(contact, i, push, Loss::impact, 0.0, sticks ? 0.0 : rubbed, report);
  pushed_[i] = 1;
}

void CaptureReturn::return_energy(const Contact& contact, double hold, StepReport& report) {
  State& state = contact.state;
  returns_.clear();
  untouched_.clear();
  double amount = 0;
  for (std::size_t i = 0; i < contact.constraints.size(); ++i) {
    const auto row = contact.constraints.row(i), owed = contact.jointed.row(i);
    if (pushed_[i] || contact.pair(i).rigid || !in_sight_[i] || !(bank_.available(owed) > 0)) continue;
    if (static_cast<double>(state.step) - bank_.last_hit(owed) <= hold) continue;
    if (contact.rate_kicked(i) <= 0 || contact.rate_now(i) <= 0) continue;
    for (const model::RowEntry& entry : row) {
      untouched_.push_back({entry.dof, state.p[entry.index()]});
    }
    const double e = contact.pair(i).restitution.value_or(1), banked = bank_.withdraw(owed);
    returns_.push_back({i, e * e * banked, (1 - e * e) * banked});
    figure(state, lost) += returns_.back().lost;
    amount += returns_.back().energy;
    apply(contact, returns_.back());
  }
  if (returns_.empty()) return;
  const double correction = this->correction(contact, amount);
  if (correction != 0) {
    for (auto it = untouched_.rbegin(); it != untouched_.rend(); ++it) {
      state.p[static_cast<std::size_t>(it->dof)] = it->weight;
    }
    for (Return& r : returns_) {
      r.energy *= 1 + correction / amount;
      apply(contact, r);
    }
    report.lost[Loss::control] -= correction;
    figure(state, control_energy) += correction;
  }
  for (const Return& r : returns_) {
    record(contact, r.constraint, r.push, Loss::restitution, r.lost, r.sticks ? 0.0 : r.rubbed, report);
    if (r.sticks) {
      bank_.deposit(contact.jointed.row(r.constraint), contact.system.inverse_mass(), r.rubbed, state.step);
    } else {
      figure(state, lost) += r.rubbed;
    }
  }
  figure(state, returns) += static_cast<double>(returns_.size());
}

/// The impulse that adds r.energy to the discrete energy, and the friction that goes with it.
void CaptureReturn::apply(const Contact& contact, Return& r) {
  const auto row = contact.constraints.row(r.constraint);
  const double inertia = model::effective_inverse_mass(row, contact.inverse_mass);
  const double b =
      2 * contact.rate_now(r.constraint) - contact.rate_kicked(r.constraint) + contact.rate_before(r.constraint);
  r.push = {math::certain_roots(inertia, b, -2 * r.energy).second};
  model::add_scaled(row, r.push.normal, contact.state.p);
  r.rubbed = 0;
  r.sticks = false;
  if (contact.pair(r.constraint).friction > 0 && contact.constraints.has_tangents(r.constraint)) rub(contact, r);
}

/// A push that parts rubs, too: against the slip s, by at most μλ and what stops it. On top of the other impulses it
/// adds ½ λ_t·(s + s⁺ − s* + s⁻), s⁺ the slip after it [eq. exact-contact-33]; where it stops the slip nothing slides,
/// and what it takes goes back to the bank.
void CaptureReturn::rub(const Contact& contact, Return& r) {
  const auto rates = [&](std::span<const double> p) {
    std::array<double, 2> slip{};
    for (std::size_t k = 0; k < 2; ++k)
      slip[k] = model::rate(contact.constraints.tangent(r.constraint, k), contact.inverse_mass, p);
    return slip;
  };
  double inertia = 0;
  for (std::size_t k = 0; k < 2; ++k)
    inertia = std::max(
        inertia, model::effective_inverse_mass(contact.constraints.tangent(r.constraint, k), contact.inverse_mass));
  const auto slip = rates(contact.state.p);
  const double speed = std::hypot(slip[0], slip[1]);
  if (!(speed > 0) || !(inertia > 0)) return;
  const double limit = contact.pair(r.constraint).friction * r.push.normal;
  r.sticks = speed / inertia < limit;
  const double size = std::min(limit, speed / inertia);
  for (std::size_t k = 0; k < 2; ++k) {
    r.push.tangential[k] = -size * slip[k] / speed;
    model::add_scaled(contact.constraints.tangent(r.constraint, k), r.push.tangential[k], contact.state.p);
  }
  const auto after = rates(contact.state.p), kicked = rates(contact.kicked), before = rates(contact.before);
  for (std::size_t k = 0; k < 2; ++k)
    r.rubbed -= 0.5 * r.push.tangential[k] * (slip[k] + after[k] - kicked[k] + before[k]);
}

/// What the control adds to returns of `amount` together, judged by the energy that they lead to. It looks once in the
/// time in which a wave crosses the smallest element: contacts do not part faster, and looking costs forces.
double CaptureReturn::correction(const Contact& contact, double amount) {
  State& state = contact.state;
  if (shadow().is_plain()) return 0;
  if (state.step == 0) return 0;  // nothing has run yet that could be in error
  if ((static_cast<double>(state.step) - figure(state, controlled)) * contact.h < crossing_) return 0;
  figure(state, controlled) = static_cast<double>(state.step);
  double rubbed = 0, driven = 0;
  for (const Return& r : returns_) {
    rubbed += r.rubbed;
    driven += driven_work(contact.constraints.row(r.constraint), r.push.normal);
    for (std::size_t k = 0; k < 2 && contact.constraints.has_tangents(r.constraint); ++k)
      driven += driven_work(contact.constraints.tangent(r.constraint, k), r.push.tangential[k]);
  }
  const double explained = evaluate(contact) - driven + EnergyBank::total(state, bank_slot);
  const double error = figure(state, reference) - explained - figure(state, lost) - rubbed;
  figure(state, control_error) = error;
  const double limit = control_share * amount;
  return options_.control ? std::clamp(error, -limit, limit) : 0;
}

model::Stored CaptureReturn::energy(const System& system, double h, const State& state) const {
  model::Stored stored = Leapfrog::energy(system, h, state);
  stored[model::Store::bank] = EnergyBank::total(state, bank_slot);
  return stored;
}

Extras CaptureReturn::extras(const State& state) const {
  const std::vector<double>& values = state.memory[figures_slot].values;
  return {{"bank", EnergyBank::total(state, bank_slot)},
          {"bank_max", values[largest_bank]},
          {"returns", values[returns]},
          {"control_error", values[control_error]},
          {"control_given", values[control_energy]}};
}

}  // namespace ictus::dynamics
