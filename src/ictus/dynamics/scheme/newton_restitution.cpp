#include <ictus/dynamics/scheme/newton_restitution.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::dynamics {

namespace {

/// Impulses are scaled to conserve energy by at most this: more would not be the rest of unfinished sweeps.
constexpr double max_impulse_scaling = 0.5;
/// Scaling by more than this is no round-off of settled sweeps, and counts.
constexpr double plain_scaling = 1e-6;

}  // namespace

void NewtonRestitution::prepare(const System& system) {
  Leapfrog::prepare(system);
  normal_.assign(system.dofs(), 0.0);
}

void NewtonRestitution::respond(const Contact& contact, StepReport& report) {
  active_.clear();
  for (std::size_t i = 0; i < contact.constraints.size(); ++i) {
    if (contact.in_reach(i)) active_.push_back(static_cast<int>(i));
  }
  if (active_.empty()) return;
  if (contact.constraints.any_ahead()) {
    respond_surfaces(contact, report);
  } else {
    respond_points(contact, report);
  }
}

void NewtonRestitution::respond_points(const Contact& contact, StepReport& report) {
  offset_.clear();
  for (const int number : active_) {
    const auto i = static_cast<std::size_t>(number);
    offset_.push_back(restitution(contact.pair(i)) * contact.rate_before(i));
  }
  const solve::LcpReport solved =
      response_.apply(contact.constraints, active_, contact.inverse_mass, offset_, contact.state.p);
  report.iterations = solved.iterations;
  if (!solved.solved()) ++report.fallbacks;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const auto i = static_cast<std::size_t>(active_[a]);
    const double lambda = response_.lambda()[a];
    record(contact, i, {lambda}, loss(), contact.energy_loss(contact.constraints.row(i), lambda), 0.0, report);
  }
}

bool NewtonRestitution::let_bounce(const Contact& contact, std::size_t a, double share) {
  const auto i = static_cast<std::size_t>(active_[a]);
  const double e = restitution(contact.pair(i));
  if (e == 0) return false;
  const double before = contact.rate_before(i);
  laws_[a].offset = share * e * before;
  return before < 0;
}

/// With e = 0 contacts close as far as their gaps allow, with e > 0 they are reflected in the step that would close
/// them.
void NewtonRestitution::respond_surfaces(const Contact& contact, StepReport& report) {
  laws_.clear();
  bool elastic = true, inelastic = true;
  for (const int number : active_) {
    const auto i = static_cast<std::size_t>(number);
    const double e = restitution(contact.pair(i));
    elastic = elastic && e == 1;
    inelastic = inelastic && e == 0;
    laws_.push_back({0, contact.pair(i).friction});
  }
  if (inelastic) {
    lasting_.recall(contact.state, contact.constraints, active_, laws_);
    hold(contact);
  } else {
    for (contact::ImpactLaw& law : laws_) law.only_closing = true;
  }
  const double share = sweep_without_gain(contact, report);
  if (inelastic) lasting_.remember(contact.geometry, active_, laws_, sweeps_, contact.state);
  const double scale = elastic && share == 1 ? balance(contact, report) : 1;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const auto i = static_cast<std::size_t>(active_[a]);
    const ContactRecord::Push push{scale * sweeps_.lambda()[a], sweeps_.tangential()[a]};
    const auto [taken, rubbed] = contact.taken_by(i, push);
    record(contact, i, push, loss(), taken, rubbed, report);
  }
}

/// Scales the normal impulses by the factor at which they do no work, α = 1 − S/Q, S = Σ λ w·M⁻¹(p⁺ + p⁻),
/// Q = (Σ wλ)·M⁻¹(Σ wλ) [eq. exact-contact-16]; returns it. It is 1 up to what the sweeps left.
double NewtonRestitution::balance(const Contact& contact, StepReport& report) {
  const auto inverse_mass = contact.inverse_mass;
  double work = 0, size = 0;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const auto row = contact.constraints.row(static_cast<std::size_t>(active_[a]));
    model::add_scaled(row, sweeps_.lambda()[a], normal_);
    work -= 2 * contact.energy_loss(row, sweeps_.lambda()[a]);
  }
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const auto row = contact.constraints.row(static_cast<std::size_t>(active_[a]));
    size += sweeps_.lambda()[a] * model::rate(row, inverse_mass, normal_);
  }
  const double wanted = size > 0 ? -work / size : 0,
               change = std::clamp(wanted, -max_impulse_scaling, max_impulse_scaling);
  if (std::abs(change) > plain_scaling) report.accept_unconverged(std::abs(wanted));
  for (const int number : active_) {
    for (const model::RowEntry& entry : contact.constraints.row(static_cast<std::size_t>(number))) {
      const auto k = entry.index();
      contact.state.p[k] += change * normal_[k];
      normal_[k] = 0;  // a dof that several constraints share is scaled once
    }
  }
  return 1 + change;
}

}  // namespace ictus::dynamics
