#pragma once

#include <ictus/math/error_norm.hpp>
#include <ictus/observe/archive.hpp>
#include <ictus/observe/reference.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ictus::observe {

/// A run held against its Reference, row by row: the relative error of each probed quantity in the l₁ norm
/// [eq. convergence-1].
class ReferenceErrors {
 public:
  /// `reference` may be empty: then nothing is known.
  ReferenceErrors(std::shared_ptr<const Reference> reference, std::size_t probe_columns, std::size_t pairs);

  bool knows_probe(std::size_t column) const { return knows_probe_[column]; }
  bool knows_force(std::size_t pair) const { return knows_force_[pair]; }

  /// Evaluates the reference at the time of a row and adds the row's probe values to the errors.
  void add(double time, std::span<const double> probe_values);
  /// The solution at the last row.
  double exact_probe(std::size_t column) const { return probe_values_[column]; }
  double exact_force(std::size_t pair) const { return forces_[pair]; }

  /// None where the solution is unknown, or zero in all rows.
  std::optional<double> error(std::size_t column) const;

  void exchange(Archive& archive);

 private:
  std::shared_ptr<const Reference> reference_;
  std::vector<bool> knows_probe_, knows_force_;
  std::vector<double> probe_values_, forces_;
  std::vector<math::RelativeError> errors_;
};

}  // namespace ictus::observe
