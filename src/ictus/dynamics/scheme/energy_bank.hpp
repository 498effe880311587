#pragma once

#include <cstdint>
#include <ictus/model/constraint_set.hpp>
#include <ictus/model/state.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// Energy that contacts have taken up and owe, kept at the dofs on which they acted. It lies in four arrays of
/// State::memory, so that only dofs that were hit take space; between `open` and `close` it is at hand here.
class EnergyBank {
 public:
  /// Arrays that the bank appends to State::memory.
  static constexpr std::size_t arrays = 4;

  void prepare(std::size_t dofs) { account_.assign(dofs, 0); }
  static void lay_out(std::vector<model::Memory>& memory);

  /// Makes the accounts of a state, whose arrays begin at memory[first], accessible. Costs the number of accounts.
  void open(model::State& state, std::size_t first);
  /// Ends what `open` began. Forgets accounts that are empty and were not hit for longer than `forget` steps; those
  /// that hold energy, were not hit for longer than `orphan` steps and whose dof is in none of the constraints in
  /// sight go to the pool.
  void close(std::int64_t step, const model::ConstraintSet& constraints, std::span<const char> in_sight, double forget,
             double orphan);

  /// Puts energy q into the accounts of a contact's dofs, to each the share w²/(m W) that it has in the impulse
  /// [eq. exact-contact-9], and notes the hit.
  void deposit(std::span<const model::RowEntry> row, std::span<const double> inverse_mass, double q, std::int64_t step);
  /// What the accounts of these dofs hold together.
  double balance(std::span<const model::RowEntry> row) const;
  /// What a withdrawal would give: the balance and the pool; nothing where the balance is not positive.
  double available(std::span<const model::RowEntry> row) const;
  /// Empties these accounts and the pool; returns what was in them.
  double withdraw(std::span<const model::RowEntry> row);
  /// Empties the accounts of dofs for which `is_left(dof)` holds; returns what was in them.
  template <class IsLeft>
  double give_up(IsLeft&& is_left) {
    double sum = 0;
    for (std::size_t i = 0; i < dof_->size(); ++i) {
      if ((*energy_)[i] == 0 || !is_left(static_cast<std::size_t>((*dof_)[i]))) continue;
      sum += (*energy_)[i];
      (*energy_)[i] = 0;
    }
    return sum;
  }
  /// Step of the last hit on any of these dofs; −∞: never.
  double last_hit(std::span<const model::RowEntry> row) const;
  /// Whether every dof that moves was hit in that step.
  bool all_hit(std::span<const model::RowEntry> row, std::span<const double> inverse_mass, std::int64_t step) const;

  /// All that is owed (J).
  static double total(const model::State& state, std::size_t first);

 private:
  enum Slot : std::size_t { dof, energy, hit, orphaned };

  std::size_t account_of(std::size_t dof);

  std::vector<double>*dof_ = nullptr, *energy_ = nullptr, *hit_ = nullptr, *pool_ = nullptr;
  std::vector<std::size_t> account_;  // account of a dof, counted from 1; 0: none, as all are between close and open
};

}  // namespace ictus::dynamics
