#pragma once

#include <ictus/model/constraint_set.hpp>
#include <span>
#include <vector>

namespace ictus::contact {

/// Tells whether constraints are coupled through a moving dof. Where none is, each has its answer for itself.
class SharedDofs {
 public:
  /// `active` lists the constraints in question. Costs their entries, whatever the number of dofs, after the first
  /// call for a system.
  bool any(const model::ConstraintSet& constraints, std::span<const int> active, std::span<const double> inverse_mass) {
    constraint_of_.resize(inverse_mass.size(), 0);
    bool shared = false;
    for (const int i : active) {
      for (const model::RowEntry& entry : constraints.row(static_cast<std::size_t>(i))) {
        const auto k = entry.index();
        if (inverse_mass[k] == 0) continue;
        if (constraint_of_[k] != 0 && constraint_of_[k] != i + 1) shared = true;
        constraint_of_[k] = i + 1;
      }
    }
    for (const int i : active) {
      for (const model::RowEntry& entry : constraints.row(static_cast<std::size_t>(i))) {
        constraint_of_[entry.index()] = 0;
      }
    }
    return shared;
  }

 private:
  std::vector<int> constraint_of_;  // number of the constraint that acts on a dof, counted from 1; all 0 between calls
};

}  // namespace ictus::contact
