#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <optional>
#include <span>

namespace ictus::solve {

/// A = L Lᵀ of a sparse symmetric positive definite matrix by SuiteSparse CHOLMOD, in an order that keeps L sparse.
/// The order is found once; matrices with the same pattern are factored again in it, and a factor serves any number of
/// right sides.
class SparseCholesky {
 public:
  SparseCholesky();
  ~SparseCholesky();
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;

  /// Finds the order for the pattern of a matrix, of which only the lower triangle is read. Throws
  /// base::NumericalFailure when memory runs out.
  void analyse(const Eigen::SparseMatrix<double>& matrix);

  /// Factors a matrix of the analysed pattern. Answers with nothing, or with the unknown at which it broke down: its
  /// pivot is negative or, within round-off of its diagonal entry, zero, so that the matrix is indefinite or singular.
  /// Then there is no factor.
  [[nodiscard]] std::optional<int> factor(const Eigen::SparseMatrix<double>& matrix);
  bool factored() const;

  /// x = A⁻¹ b; x and b may be the same. Needs a factor. Allocates nothing after the first call.
  void solve(std::span<const double> b, std::span<double> x);

  /// Entries of the factor, for people: what it costs to keep and to solve with.
  std::size_t factor_entries() const;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> work_;
};

}  // namespace ictus::solve
