#pragma once

#include <ictus/math/error_norm.hpp>
#include <ictus/observe/checkpoint/archive.hpp>
#include <ictus/observe/probe/reference.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ictus::observe {

/// A run held against its Reference, instant by instant: the relative error of each probed quantity and of each contact
/// force in the l₁ norm [eq. convergence-1].
class ReferenceErrors {
 public:
  /// `reference` may be empty: then nothing is known.
  ReferenceErrors(std::shared_ptr<const Reference> reference, std::size_t probe_columns, std::size_t pairs);

  bool knows_probe(std::size_t column) const { return knows_probe_[column]; }
  bool knows_force(std::size_t pair) const { return knows_force_[pair]; }

  /// Evaluates the reference at an instant and adds what the run has there to the errors; `forces` (N) by pair.
  void add(double time, std::span<const double> probe_values, std::span<const double> forces);
  /// The solution at the last instant.
  double exact_probe(std::size_t column) const { return probe_values_[column]; }
  double exact_force(std::size_t pair) const { return forces_[pair]; }

  /// None where the solution is unknown, or zero at all instants.
  std::optional<double> probe_error(std::size_t column) const { return probe_errors_[column].value(); }
  std::optional<double> force_error(std::size_t pair) const { return force_errors_[pair].value(); }

  void exchange(Archive& archive);

 private:
  std::shared_ptr<const Reference> reference_;
  std::vector<bool> knows_probe_, knows_force_;
  std::vector<double> probe_values_, forces_;
  std::vector<math::RelativeError> probe_errors_, force_errors_;
};

}  // namespace ictus::observe
