#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ictus::solve {

/// Gaussian elimination with row pivoting for a few rows, without allocation. The caller sets the leading rows and
/// columns that it factors; the others are never read, and no time goes into clearing them.
class SmallLu {
 public:
  static constexpr int capacity = 9;
  using Vector = std::array<double, capacity>;

  double& at(int row, int column) { return a_[row][column]; }

  /// Replaces the leading n rows and columns by their factors; false where a pivot vanishes to round-off.
  bool factor(int n) {
    n_ = n;
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(a_[i][j]));
    }
    for (int k = 0; k < n; ++k) {
      int pivot = k;
      for (int i = k + 1; i < n; ++i) {
        if (std::abs(a_[i][k]) > std::abs(a_[pivot][k])) pivot = i;
      }
      swap_[k] = pivot;
      if (pivot != k) std::swap(a_[k], a_[pivot]);
      if (!(std::abs(a_[k][k]) > 1e-14 * largest)) return false;
      for (int i = k + 1; i < n; ++i) {
        a_[i][k] /= a_[k][k];
        for (int j = k + 1; j < n; ++j) a_[i][j] -= a_[i][k] * a_[k][j];
      }
    }
    return true;
  }

  void solve(Vector& x) const {
    for (int k = 0; k < n_; ++k) std::swap(x[k], x[swap_[k]]);
    for (int i = 1; i < n_; ++i) {
      for (int j = 0; j < i; ++j) x[i] -= a_[i][j] * x[j];
    }
    for (int i = n_; i-- > 0;) {
      for (int j = i + 1; j < n_; ++j) x[i] -= a_[i][j] * x[j];
      x[i] /= a_[i][i];
    }
  }

 private:
  std::array<Vector, capacity> a_;
  std::array<int, capacity> swap_;
  int n_ = 0;
};

}  // namespace ictus::solve
