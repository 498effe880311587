#include <ictus/dynamics/explicit/leapfrog.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/system/dof_name.hpp>

// Contact in a step of the leapfrog: between the kick and the next flight.

namespace ictus::dynamics {

using model::RowEntry;
using model::State;

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
    const mechanics::PotentialEnergy potential = contact.system.interval_energy(state.q, p, contact.h);
    return contact.system.kinetic_energy(p) + potential.strain + potential.gravity;
  };
  std::vector<double> apart = state.p;
  model::add_scaled(kept_apart_, -1, apart);
  return energy(state.p) - energy(apart);
}

void Leapfrog::keep_account(const Contact&, std::span<const RowEntry>, double energy, StepReport& report) {
  report.lost[model::Loss::fallback] += energy;
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
  if (push.normal == 0 && push.tangential == std::array{0.0, 0.0}) return {};
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

}  // namespace ictus::dynamics
