#include <ictus/dynamics/generalised/generalised_system.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/mechanics/generalised/small_vibrations.hpp>
#include <limits>

namespace ictus::dynamics {

using mechanics::GeneralisedBody;

namespace {

std::vector<ContactLaw> laws_of(const System& system, const GeneralisedBody& body) {
  std::vector<ContactLaw> laws(body.contacts());
  for (std::size_t k = 0; k < system.pairs().size(); ++k) {
    const contact::ContactPair& pair = system.pairs()[k];
    if (pair.first_surface != &body.surface()) continue;
    laws[pair.first_point] = {pair.restitution.value_or(0),
                              pair.tangential_restitution,
                              {pair.friction, pair.friction_across.value_or(pair.friction)},
                              static_cast<int>(k)};
  }
  return laws;
}

template <class Visit>
void for_each_generalised(const System& system, Visit&& visit) {
  for (const BodyPtr& body : system.bodies()) {
    if (const auto* generalised = body->generalised()) visit(*generalised);
  }
}

}  // namespace

std::vector<GeneralisedMember> generalised_members(const System& system) {
  std::vector<GeneralisedMember> members;
  for_each_generalised(system, [&](const GeneralisedBody& body) {
    members.push_back({GeneralisedMotion(body), laws_of(system, body), members.size()});
  });
  return members;
}

bool is_generalised_or_fixed(const mechanics::Body& body) { return body.dofs().size == 0 || body.generalised(); }

StepLimit generalised_step_limit(const System& system) {
  StepLimit limit{std::numeric_limits<double>::infinity(), ""};
  for_each_generalised(system, [&](const GeneralisedBody& body) {
    const double omega_sq = mechanics::small_vibrations(body).frequency_sq;
    const double step = omega_sq > 0 ? 2 / std::sqrt(omega_sq) : std::numeric_limits<double>::infinity();
    if (step < limit.step) limit = {step, fmt::format("the fastest vibration of {} at the start", body.name())};
  });
  return limit;
}

void lay_out_generalised_memory(const System& system, model::State& state) {
  const std::size_t pairs = system.pairs().size();
  std::size_t bodies = 0;
  for_each_generalised(system, [&](const GeneralisedBody&) { ++bodies; });
  state.memory = {{"interval.velocity", std::vector<double>(system.dofs())},
                  {"contact.closed", std::vector<double>(pairs)},
                  {"contact.impulse", std::vector<double>(3 * pairs)},
                  {"interval.second_half", std::vector<double>(2 * bodies)}};
  generalised_velocity(system, state, state.memory[interval_velocity].values);
}

void node_velocity(const GeneralisedBody& body, const model::State& state, mechanics::CoordinateVector& v) {
  GeneralisedMotion motion(body);
  if (motion.velocity(body.part(std::span(state.q)), body.part(std::span(state.p)), v)) return;
  fail_generalised("No velocity belongs to the momentum: the mass matrix is singular", body, state.time,
                   "Choose coordinates that stay away from such places");
}

void generalised_velocity(const System& system, const model::State& state, std::span<double> v) {
  for_each_generalised(system, [&](const GeneralisedBody& body) {
    mechanics::CoordinateVector own{};
    node_velocity(body, state, own);
    std::copy_n(own.begin(), body.coordinates(), body.part(v).begin());
  });
}

void add_energy(const GeneralisedBody& body, const mechanics::CoordinateVector& q, const mechanics::CoordinateVector& v,
                model::Stored& stored) {
  const std::size_t n = body.coordinates();
  const std::span<const double> own_q = std::span(q).first(n), own_v = std::span(v).first(n);
  mechanics::Inertia inertia;
  body.inertia(own_q, own_v, inertia);
  const mechanics::PotentialEnergy potential = body.potential_energy(own_q);
  stored[model::Store::kinetic] += dot(v, inertia.momentum, n) - body.kinetic_energy(own_q, own_v);
  stored[model::Store::strain] += potential.strain;
  stored[model::Store::potential] += potential.gravity;
}

void GeneralisedRecord::add(const GeneralisedMember& member, const GeneralisedContacts& contacts,
                            const GeneralisedContacts::Rows& impulses, std::span<const double> lost, double time,
                            model::State& state, StepReport& report) {
  std::vector<double>& closed = state.memory[contact_closed].values;
  std::vector<double>& remembered = state.memory[contact_impulse].values;
  int next = 0;
  for (std::size_t i = 0; i < member.laws.size(); ++i) {
    if (member.laws[i].pair < 0) continue;
    const auto pair = static_cast<std::size_t>(member.laws[i].pair);
    const bool found = next < contacts.size() && contacts.index(next) == i;
    const int row = 3 * next;
    const double normal = found ? impulses[row] : 0;
    for (std::size_t d = 0; d < 3; ++d) remembered[3 * pair + d] = found ? impulses[row + static_cast<int>(d)] : 0;
    if (normal > 0 && closed[pair] == 0) ++report.closings;
    closed[pair] = normal > 0 ? 1 : 0;
    if (!found) continue;
    const mechanics::ContactGeometry& geometry = contacts.geometry(next);
    report.max_penetration = std::max(report.max_penetration, -contacts.gap(next) * geometry.metres_per_gap);
    if (normal > 0) {
      ++report.contacts;
      const double along = impulses[row + 1], across = impulses[row + 2];
      impulses_.push_back({time, static_cast<int>(pair), geometry.point, -geometry.push,
                           normal / geometry.metres_per_gap, std::sqrt(along * along + across * across),
                           lost[static_cast<std::size_t>(next)]});
    }
    ++next;
  }
}

void recall_impulses(const GeneralisedContacts& contacts, const model::State& state,
                     GeneralisedContacts::Rows& impulses) {
  const std::vector<double>& remembered = state.memory[contact_impulse].values;
  for (int i = 0; i < contacts.size(); ++i) {
    for (int d = 0; d < 3; ++d) {
      impulses[3 * i + d] = remembered[static_cast<std::size_t>(3 * contacts.law(i).pair + d)];
    }
  }
}

void fail_generalised(std::string what, const mechanics::Body& body, double time, std::string advice) {
  throw base::NumericalFailure(std::move(what), fmt::format("{}, t = {} s", body.name(), time), std::move(advice));
}

void require_finite_motion(const GeneralisedBody& body, const mechanics::CoordinateVector& q,
                           const mechanics::CoordinateVector& p, double time) {
  for (std::size_t i = 0; i < body.coordinates(); ++i) {
    if (std::isfinite(q[i]) && std::isfinite(p[i])) continue;
    fail_generalised(fmt::format("Coordinate {} is no longer a finite number", i), body, time,
                     "Try a smaller time.step");
  }
}

}  // namespace ictus::dynamics
