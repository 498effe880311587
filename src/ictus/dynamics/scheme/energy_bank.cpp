#include <ictus/dynamics/scheme/energy_bank.hpp>

#include <algorithm>
#include <limits>

namespace ictus::dynamics {

using model::RowEntry;

void EnergyBank::lay_out(std::vector<model::Memory>& memory) {
  memory.insert(memory.end(), {{"bank.unknown", {}}, {"bank.energy", {}}, {"bank.hit", {}}, {"bank.pool", {0.0}}});
}

void EnergyBank::open(model::State& state, std::size_t first) {
  dof_ = &state.memory[first + dof].values;
  energy_ = &state.memory[first + energy].values;
  hit_ = &state.memory[first + hit].values;
  pool_ = &state.memory[first + orphaned].values;
  for (std::size_t i = 0; i < dof_->size(); ++i) account_[static_cast<std::size_t>((*dof_)[i])] = i + 1;
}

void EnergyBank::close(std::int64_t step, const model::ConstraintSet& constraints, std::span<const char> in_sight,
                       double forget, double orphan) {
  const auto age = [&](std::size_t i) { return static_cast<double>(step) - (*hit_)[i]; };
  const auto is_old = [&](std::size_t i) { return (*energy_)[i] != 0 && age(i) > orphan; };
  bool any_old = false;
  for (std::size_t i = 0; i < dof_->size() && !any_old; ++i) any_old = is_old(i);
  // Accounts in sight of a constraint are marked by the account 0.
  for (std::size_t c = 0; c < constraints.size() && any_old; ++c) {
    if (!in_sight[c]) continue;
    for (const RowEntry& entry : constraints.row(c)) account_[entry.index()] = 0;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < dof_->size(); ++i) {
    const auto k = static_cast<std::size_t>((*dof_)[i]);
    const bool is_near = account_[k] == 0;
    account_[k] = 0;
    if (!is_near && is_old(i)) {
      pool_->front() += (*energy_)[i];
      (*energy_)[i] = 0;
    }
    if ((*energy_)[i] == 0 && age(i) > forget) continue;
    (*dof_)[kept] = (*dof_)[i];
    (*energy_)[kept] = (*energy_)[i];
    (*hit_)[kept] = (*hit_)[i];
    ++kept;
  }
  for (auto* array : {dof_, energy_, hit_}) array->resize(kept);
}

std::size_t EnergyBank::account_of(std::size_t k) {
  if (account_[k] == 0) {
    dof_->push_back(static_cast<double>(k));
    energy_->push_back(0.0);
    hit_->push_back(-std::numeric_limits<double>::infinity());
    account_[k] = dof_->size();
  }
  return account_[k] - 1;
}

void EnergyBank::deposit(std::span<const RowEntry> row, std::span<const double> inverse_mass, double q,
                         std::int64_t step) {
  const double whole = model::effective_inverse_mass(row, inverse_mass);
  for (const RowEntry& entry : row) {
    const double part = entry.weight * entry.weight * inverse_mass[entry.index()];
    if (part == 0) continue;
    const std::size_t i = account_of(entry.index());
    (*energy_)[i] += q * part / whole;
    (*hit_)[i] = static_cast<double>(step);
  }
}

double EnergyBank::balance(std::span<const RowEntry> row) const {
  double sum = 0;
  for (const RowEntry& entry : row) {
    if (const std::size_t i = account_[entry.index()]) sum += (*energy_)[i - 1];
  }
  return sum;
}

double EnergyBank::available(std::span<const RowEntry> row) const {
  const double own = balance(row);
  return own > 0 ? own + pool_->front() : 0;
}

double EnergyBank::withdraw(std::span<const RowEntry> row) {
  const double sum = balance(row) + pool_->front();
  pool_->front() = 0;
  for (const RowEntry& entry : row) {
    if (const std::size_t i = account_[entry.index()]) (*energy_)[i - 1] = 0;
  }
  return sum;
}

double EnergyBank::last_hit(std::span<const RowEntry> row) const {
  double last = -std::numeric_limits<double>::infinity();
  for (const RowEntry& entry : row) {
    if (const std::size_t i = account_[entry.index()]) last = std::max(last, (*hit_)[i - 1]);
  }
  return last;
}

bool EnergyBank::all_hit(std::span<const RowEntry> row, std::span<const double> inverse_mass, std::int64_t step) const {
  return std::all_of(row.begin(), row.end(), [&](const RowEntry& entry) {
    const std::size_t i = account_[entry.index()];
    return inverse_mass[entry.index()] == 0 || (i > 0 && (*hit_)[i - 1] == static_cast<double>(step));
  });
}

double EnergyBank::total(const model::State& state, std::size_t first) {
  double sum = state.memory[first + orphaned].values[0];
  for (const double value : state.memory[first + energy].values) sum += value;
  return sum;
}

}  // namespace ictus::dynamics
