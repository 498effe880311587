#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <span>

namespace ictus::solve {

/// A = L U of a sparse matrix, symmetric or not, by Eigen; its templates are compiled here alone.
class SparseLu {
 public:
  SparseLu();
  ~SparseLu();

  /// False where the matrix is singular; then there is no factor.
  [[nodiscard]] bool factor(const Eigen::SparseMatrix<double>& matrix);

  /// x = A⁻¹ b. Needs a factor.
  void solve(std::span<const double> b, std::span<double> x) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace ictus::solve
