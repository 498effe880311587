#include <ictus/dynamics/coupled/tie_rows.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::dynamics {

void DomainRows::make_layers() {
  layer_start_.push_back(0);
  for (std::size_t first = 0; first < size_; first += lanes) {
    std::array<std::size_t, lanes> depth{};  // entries of each row so far
    for (const Entry& e : entries_) {
      if (e.row < first || e.row >= first + lanes) continue;
      const std::size_t lane = e.row - first, layer = layer_start_.back() + depth[lane]++;
      if (layer == layers_.size()) layers_.emplace_back();
      layers_[layer].dof[lane] = static_cast<int>(e.dof);
      layers_[layer].weight.v[lane] = e.weight;
      layers_[layer].rate_weight.v[lane] = e.rate_weight;
    }
    layer_start_.push_back(layers_.size());
  }
}

Eigen::MatrixXd DomainRows::lumped() const {
  const auto n = static_cast<Eigen::Index>(size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (const Entry& a : entries_) {
    for (const Entry& b : entries_) {
      if (a.dof == b.dof)
        matrix(static_cast<Eigen::Index>(a.row), static_cast<Eigen::Index>(b.row)) += a.rate_weight * b.weight;
    }
  }
  return matrix;
}

void SmallSymmetric::assign(const Eigen::MatrixXd& matrix) {
  size_ = static_cast<std::size_t>(matrix.rows());
  packs_ = (size_ + lanes - 1) / lanes;
  values_.assign(size_ * packs_, math::Pack());
  for (std::size_t j = 0; j < size_; ++j) {
    for (std::size_t i = 0; i < size_; ++i)
      values_[j * packs_ + i / lanes].v[i % lanes] = matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  }
}

bool SmallInverse::find(const Eigen::MatrixXd& matrix, SmallSymmetric& inverse) {
  const Eigen::Index n = matrix.rows();
  lower_.setZero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      double sum = matrix(i, j);
      for (Eigen::Index k = 0; k < j; ++k) sum -= lower_(i, k) * lower_(j, k);
      if (i == j && !(sum > 1e-13 * matrix(i, i))) return false;
      lower_(i, j) = i == j ? std::sqrt(sum) : sum / lower_(j, j);
    }
  }
  result_.setIdentity(n, n);
  for (Eigen::Index column = 0; column < n; ++column) {
    auto x = result_.col(column);
    for (Eigen::Index i = 0; i < n; ++i) {
      double sum = x(i);
      for (Eigen::Index k = 0; k < i; ++k) sum -= lower_(i, k) * x(k);
      x(i) = sum / lower_(i, i);
    }
    for (Eigen::Index i = n; i-- > 0;) {
      double sum = x(i);
      for (Eigen::Index k = i + 1; k < n; ++k) sum -= lower_(k, i) * x(k);
      x(i) = sum / lower_(i, i);
    }
  }
  inverse.assign(result_);
  return true;
}

}  // namespace ictus::dynamics
