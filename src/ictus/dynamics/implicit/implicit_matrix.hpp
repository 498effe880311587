#pragma once

#include <Eigen/SparseCore>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/solve/linear/sparse_cholesky.hpp>
#include <span>
#include <string>
#include <vector>

namespace ictus::dynamics {

/// What a matrix is made of: mass · M + damping · C + stiffness · K(q), C = αM + βK(q) of damped bodies.
struct MatrixParts {
  double mass = 0;
  double damping = 0;
  double stiffness = 0;
};

/// The lower triangle of such a matrix of some nodal bodies, and its factor; rows are their dofs, body by body. An
/// dof that a support holds has a row of its own with 1 on the diagonal. The pattern and the order of elimination
/// are found once; assembling and factoring again allocate nothing of their own.
class ImplicitMatrix {
 public:
  /// Finds pattern and order; q is any configuration.
  void prepare(const System& system, std::span<const mechanics::NodalBody* const> bodies, std::span<const double> q);
  void assemble(const System& system, std::span<const double> q, const MatrixParts& parts);
  /// Answers with the row at which the factor broke down; see solve::SparseCholesky.
  [[nodiscard]] std::optional<int> factor() { return factors_.factor(matrix_); }
  bool factored() const { return factors_.factored(); }

  /// x = A⁻¹ b; x and b may be the same.
  void solve(std::span<const double> b, std::span<double> x) { factors_.solve(b, x); }
  const Eigen::SparseMatrix<double>& lower_triangle() const { return matrix_; }
  /// Entries of the factor: what it costs to solve with.
  std::size_t factor_entries() const { return factors_.factor_entries(); }
  /// The dof of the System that a row is of.
  std::size_t dof(int row) const { return dofs_[static_cast<std::size_t>(row)]; }

 private:
  std::vector<const mechanics::NodalBody*> bodies_;
  std::vector<std::size_t> dofs_;  // by row
  std::vector<mechanics::StiffnessEntry> entries_;
  std::vector<std::ptrdiff_t> slot_;      // of each entry among the values of the matrix; −1: not in it
  std::vector<std::ptrdiff_t> diagonal_;  // of each row
  Eigen::SparseMatrix<double> matrix_;
  solve::SparseCholesky factors_;
};

}  // namespace ictus::dynamics
