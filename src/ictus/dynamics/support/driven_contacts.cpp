#include <ictus/dynamics/support/driven_contacts.hpp>

#include <algorithm>
#include <ictus/base/index.hpp>

namespace ictus::dynamics {

using base::index;

namespace {

/// A power of two, so that momenta give velocities back exactly.
constexpr double driven_mass = 0x1p200;

}  // namespace

void DrivenContacts::prepare(const System& system) {
  const auto driven = system.driven();
  pushed_.assign(driven.size(), 0.0);
  sum_.assign(driven.size(), 0.0);
  body_.clear();
  number_.clear();
  if (driven.empty()) return;
  inverse_mass_.assign(system.inverse_mass().begin(), system.inverse_mass().end());
  weigh(system, inverse_mass_);
  velocity_.resize(system.dofs());
  slot_.assign(system.dofs(), -1);
  for (const int k : driven) {
    slot_[index(k)] = static_cast<int>(body_.size());
    const auto bodies = system.nodal_bodies();
    const auto owner = std::find_if(bodies.begin(), bodies.end(), [k](const mechanics::NodalBody* body) {
      return index(k) >= body->dofs().begin && index(k) < body->dofs().end();
    });
    body_.push_back(*owner);
    number_.push_back(static_cast<std::size_t>(owner - bodies.begin()));
  }
}

void DrivenContacts::weigh(const System& system, std::span<double> inverse_mass) const {
  for (const int k : system.driven()) inverse_mass[index(k)] = 1 / driven_mass;
}

void DrivenContacts::arm(const System& system, double time, double h, std::span<double> before, std::span<double> p) {
  const auto driven = system.driven();
  system.motions().velocity(time, time + h, velocity_);
  for (std::size_t i = 0; i < driven.size(); ++i) {
    sum_[i] = velocity_[index(driven[i])];
    p[index(driven[i])] = driven_mass * sum_[i];
  }
  if (time > 0) system.motions().velocity(time - h, time, velocity_);
  for (std::size_t i = 0; i < driven.size(); ++i) {
    sum_[i] += velocity_[index(driven[i])];
    before[index(driven[i])] = driven_mass * velocity_[index(driven[i])];
  }
}

void DrivenContacts::push(std::span<const model::RowEntry> row, double impulse) {
  for (const model::RowEntry& entry : row) {
    const int i = slot_[index(entry.dof)];
    if (i < 0) continue;
    pushed_[index(i)] += entry.weight * impulse;
  }
  work_ += work_of(row, impulse);
}

double DrivenContacts::work_of(std::span<const model::RowEntry> row, double impulse) const {
  double work = 0;
  for (const model::RowEntry& entry : row) {
    const int i = any() ? slot_[index(entry.dof)] : -1;
    if (i >= 0) work -= 0.5 * entry.weight * impulse * sum_[index(i)];
  }
  return work;
}

mechanics::Momentum DrivenContacts::release(const System& system, std::span<const double> q, std::span<double> before,
                                            std::span<double> kicked, std::span<double> p,
                                            std::span<mechanics::Momentum> supports) {
  const auto driven = system.driven();
  mechanics::Momentum from_outside;
  for (std::size_t i = 0; i < driven.size(); ++i) {
    before[index(driven[i])] = kicked[index(driven[i])] = p[index(driven[i])] = 0;
    if (pushed_[i] == 0) continue;
    const mechanics::Momentum given = reaction(driven[i], pushed_[i], q);
    from_outside += given;
    supports[number_[i]] += given;
    pushed_[i] = 0;
  }
  return from_outside;
}

}  // namespace ictus::dynamics
