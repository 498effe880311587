// gcc 12 warns of the undefined lanes that its own AVX-512 intrinsics start from, once Eigen's are inlined.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include <ictus/solve/linear/sparse_lu.hpp>

#include <Eigen/SparseLU>

namespace ictus::solve {

struct SparseLu::Factor {
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
};

SparseLu::SparseLu() : factor_(std::make_unique<Factor>()) {}
SparseLu::~SparseLu() = default;

bool SparseLu::factor(const Eigen::SparseMatrix<double>& matrix) {
  factor_->lu.compute(matrix);
  return factor_->lu.info() == Eigen::Success;
}

void SparseLu::solve(std::span<const double> b, std::span<double> x) const {
  const auto size = static_cast<Eigen::Index>(b.size());
  const Eigen::Map<const Eigen::VectorXd> right(b.data(), size);
  Eigen::Map<Eigen::VectorXd>(x.data(), size) = factor_->lu.solve(right);
}

}  // namespace ictus::solve
