#pragma once

#include <ictus/contact/detect/shared_dofs.hpp>
#include <ictus/model/constraint_set.hpp>
#include <ictus/solve/complementarity/lcp.hpp>
#include <span>
#include <vector>

namespace ictus::contact {

/// Impulses λ on a set of constraints by an impact law on the rates of the gaps,
///   0 ≤ λ ⟂ w·M⁻¹(p + w λ) + c ≥ 0   [eq. bars-7],
/// all constraints together: where they share dofs the complementarity problem is solved, not one after another.
/// Without shared dofs the cost is linear in the number of constraints.
/// Allocates only when there are more constraints than ever before.
class UnilateralResponse {
 public:
  /// `active` lists the constraints that take part, `offset` their c. Adds Σ w λ to p; the impulses are in lambda().
  solve::LcpReport apply(const model::ConstraintSet& constraints, std::span<const int> active,
                         std::span<const double> inverse_mass, std::span<const double> offset, std::span<double> p);

  std::span<const double> lambda() const { return lambda_; }

 private:
  solve::LcpReport solve_apart(const model::ConstraintSet& constraints, std::span<const int> active,
                               std::span<const double> inverse_mass);
  solve::LcpReport solve_together(const model::ConstraintSet& constraints, std::span<const int> active,
                                  std::span<const double> inverse_mass);

  SharedDofs shared_;
  std::vector<double> matrix_;  // H_ij = w_i·M⁻¹w_j, row by row
  std::vector<double> rate_;    // w_i·M⁻¹p + c_i
  std::vector<double> lambda_;
  solve::LcpSolver solver_;
};

}  // namespace ictus::contact
