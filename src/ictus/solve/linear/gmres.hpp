#pragma once

#include <Eigen/Core>
#include <cmath>

namespace ictus::solve {

/// Solves A x = b by GMRES with a preconditioner P from the right, A P⁻¹ (P x) = b, from zero and without restarts:
/// up to `most` products, or until |b − A x| ≤ tolerance |b|. `product(v, w)` sets w = A v, `precondition(v, w)` w =
/// P⁻¹v. Returns the products made. Keeps its memory.
class Gmres {
 public:
  template <class Product, class Precondition>
  int solve(Product&& product, Precondition&& precondition, const Eigen::VectorXd& b, double tolerance, int most,
            Eigen::VectorXd& x) {
    const Eigen::Index n = b.size();
    x.setZero(n);
    const double size = b.norm();
    if (!(size > 0.0)) return 0;
    if (basis_.rows() != n || basis_.cols() != most + 1) {
      basis_.resize(n, most + 1);
      triangle_.resize(most + 1, most);
      rotation_.resize(most, 2);
      right_.resize(most + 1);
    }
    basis_.col(0) = b / size;
    right_[0] = size;
    int k = 0;
    while (k < most && std::abs(right_[k]) > tolerance * size) {
      image_ = basis_.col(k);
      precondition(image_, direction_);
      product(direction_, image_);
      // Twice, so that the basis stays orthogonal to round-off.
      weights_ = basis_.leftCols(k + 1).transpose() * image_;
      image_ -= basis_.leftCols(k + 1) * weights_;
      correction_ = basis_.leftCols(k + 1).transpose() * image_;
      image_ -= basis_.leftCols(k + 1) * correction_;
      triangle_.col(k).head(k + 1) = weights_ + correction_;
      const double rest = image_.norm();
      rotate(k, rest);
      ++k;
      if (!(rest > 0.0)) break;
      basis_.col(k) = image_ / rest;
    }
    weights_ = triangle_.topLeftCorner(k, k).template triangularView<Eigen::Upper>().solve(right_.head(k));
    image_ = basis_.leftCols(k) * weights_;
    precondition(image_, x);
    return k;
  }

 private:
  /// Makes column k of the Hessenberg matrix, with `rest` below the diagonal, part of the triangle.
  void rotate(int k, double rest) {
    for (int j = 0; j < k; ++j) {
      const double c = rotation_(j, 0), s = rotation_(j, 1), upper = triangle_(j, k), lower = triangle_(j + 1, k);
      triangle_(j, k) = c * upper + s * lower;
      triangle_(j + 1, k) = c * lower - s * upper;
    }
    const double length = std::hypot(triangle_(k, k), rest);
    rotation_(k, 0) = triangle_(k, k) / length;
    rotation_(k, 1) = rest / length;
    triangle_(k, k) = length;
    right_[k + 1] = -rotation_(k, 1) * right_[k];
    right_[k] *= rotation_(k, 0);
  }

  Eigen::MatrixXd basis_, triangle_, rotation_;
  Eigen::VectorXd right_, image_, direction_, weights_, correction_;
};

}  // namespace ictus::solve
