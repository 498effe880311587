#include <ictus/dynamics/scheme/swept_impacts.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::dynamics {

namespace {

/// Halvings after which the largest share of restitution without a gain of energy is known well enough.
constexpr int gain_halvings = 20;
/// Share of the work of an impact that is no gain but rounding.
constexpr double gain_rounding = 1e-9;
/// Share of the critical step up to which the energy bounds what reflections leave in the fastest modes.
constexpr double max_of_critical = 0.98;

}  // namespace

StepReport SweptImpacts::start(const System& system, double h, model::State& state) {
  const StepReport report = Leapfrog::start(system, h, state);
  contact::LastingContacts::lay_out(state.memory);
  return report;
}

void SweptImpacts::hold_and_sweep(const Contact& contact, StepReport& report) {
  active_.clear();
  laws_.clear();
  for (std::size_t i = 0; i < contact.constraints.size(); ++i) {
    if (!contact.in_reach(i)) continue;
    active_.push_back(static_cast<int>(i));
    laws_.push_back({0, contact.pair(i).friction});
  }
  lasting_.recall(contact.state, contact.constraints, active_, laws_);
  hold(contact);
  sweep_without_gain(contact, report);
  lasting_.remember(contact.geometry, active_, laws_, sweeps_, contact.state);
}

void SweptImpacts::hold(const Contact& contact) {
  lasting_.hold(contact.state, contact.geometry, active_, contact.moving, contact.h, laws_);
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const auto i = static_cast<std::size_t>(active_[a]);
    laws_[a].offset += contact.turning_rate(i);
    for (std::size_t k = 0; k < 2 && contact.constraints.has_tangents(i); ++k)
      laws_[a].tangential_offset[k] += contact.turning_slip(i, k);
  }
}

double SweptImpacts::sweep_without_gain(const Contact& contact, StepReport& report) {
  held_.assign(laws_.begin(), laws_.end());
  bounced_.assign(active_.size(), 0);
  bool may_gain = false;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    bounced_[a] = let_bounce(contact, a, 1) ? 1 : 0;
    may_gain = may_gain || (bounced_[a] && laws_[a].friction > 0);
  }
  if (!may_gain) {
    sweep(contact, active_, laws_, sweeps_, report);
    return 1;
  }
  StepReport full = report;
  const Gain gain = try_share(contact, 1, full);
  if (gain.energy <= gain.rounding) {
    report = full;
    return 1;
  }
  // What is gained without restitution, because forces turn a slip around within the step, is not its doing.
  StepReport trial;
  take_back(contact);
  const double max_gain = std::max(try_share(contact, 0, trial).energy, 0.0) + gain.rounding;
  double without = 0, with = 1;
  for (int halving = 0; gain.energy > max_gain && halving < gain_halvings; ++halving) {
    take_back(contact);
    const double share = 0.5 * (without + with);
    (try_share(contact, share, trial).energy > max_gain ? with : without) = share;
  }
  const double share = gain.energy > max_gain ? without : 1;
  take_back(contact);
  try_share(contact, share, report);
  if (share < 1) ++report.fallbacks;
  return share;
}

SweptImpacts::Gain SweptImpacts::try_share(const Contact& contact, double share, StepReport& report) {
  laws_.assign(held_.begin(), held_.end());
  for (std::size_t a = 0; a < active_.size(); ++a) let_bounce(contact, a, share);
  sweep(contact, active_, laws_, sweeps_, report);
  Gain gain;
  double size = 0;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    if (!bounced_[a]) continue;
    const auto i = static_cast<std::size_t>(active_[a]);
    const ContactRecord::Push push{sweeps_.lambda()[a], sweeps_.tangential()[a]};
    const auto [taken, rubbed] = contact.taken_by(i, push);
    gain.energy -= taken + rubbed;
    size += std::abs(push.normal * contact.rate_before(i));
  }
  gain.rounding = gain_rounding * size;
  return gain;
}

/// Undoes the impulses of the last sweeps.
void SweptImpacts::take_back(const Contact& contact) const {
  for (const int number : active_) {
    for (const model::RowEntry& entry : contact.constraints.row(static_cast<std::size_t>(number)))
      contact.state.p[entry.index()] = contact.kicked[entry.index()];
  }
}

double SweptImpacts::reversed_at_node(const Contact& contact, std::span<const model::RowEntry> row, double e) {
  const double before = model::rate(row, contact.inverse_mass, contact.before);
  const double kicked = model::rate(row, contact.inverse_mass, contact.kicked);
  return 0.5 * (e * (before + kicked) - (kicked - before));
}

bool SweptImpacts::bounce_at_node(const Contact& contact, std::size_t a, double e) {
  const auto i = static_cast<std::size_t>(active_[a]);
  const double bounce = reversed_at_node(contact, contact.constraints.row(i), e);
  if (e == 0 || -contact.h * bounce <= lasting_.explained(a)) return false;
  laws_[a].offset = bounce;
  laws_[a].tangential_offset = {0.0, 0.0};
  laws_[a].only_closing = true;
  return true;
}

StepLimit SweptImpacts::keep_from_critical(const System& system, StepLimit limit) {
  if (system.pairs().empty() || limit.safe < max_of_critical) return limit;
  limit.safe = max_of_critical;
  limit.safety = "nearer to the largest stable step the energy that reflections keep does not bound the motion";
  return limit;
}

}  // namespace ictus::dynamics
