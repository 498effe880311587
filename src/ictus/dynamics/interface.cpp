#include <cmath>
#include <ictus/dynamics/interface.hpp>

namespace ictus::dynamics {

Eigen::MatrixXd DomainRows::lumped() const {
  const auto n = static_cast<Eigen::Index>(size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (const Entry& a : entries_) {
    for (const Entry& b : entries_) {
      if (a.unknown == b.unknown)
        matrix(static_cast<Eigen::Index>(a.row), static_cast<Eigen::Index>(b.row)) += a.rate_weight * b.weight;
    }
  }
  return matrix;
}

bool SmallCholesky::factor(const Eigen::MatrixXd& matrix) {
  size_ = static_cast<std::size_t>(matrix.rows());
  lower_.assign(size_ * size_, 0.0);
  upper_.assign(size_ * size_, 0.0);
  for (std::size_t i = 0; i < size_; ++i) {
    const double diagonal = matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i));
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      for (std::size_t k = 0; k < j; ++k) sum -= lower_[i * size_ + k] * lower_[j * size_ + k];
      if (j < i) {
        lower_[i * size_ + j] = sum * lower_[j * size_ + j];
      } else {
        if (!(sum > 1e-13 * diagonal)) return false;
        lower_[i * size_ + i] = 1 / std::sqrt(sum);
      }
      upper_[j * size_ + i] = lower_[i * size_ + j];
    }
  }
  return true;
}

void SmallCholesky::solve(std::span<double> x) const {
  const double *lower = lower_.data(), *upper = upper_.data();
  for (std::size_t i = 0; i < size_; ++i) {
    double sum = x[i];
    for (std::size_t k = 0; k < i; ++k) sum -= lower[i * size_ + k] * x[k];
    x[i] = sum * lower[i * size_ + i];
  }
  for (std::size_t i = size_; i-- > 0;) {
    double sum = x[i];
    for (std::size_t k = i + 1; k < size_; ++k) sum -= upper[i * size_ + k] * x[k];
    x[i] = sum * upper[i * size_ + i];
  }
}

}  // namespace ictus::dynamics
