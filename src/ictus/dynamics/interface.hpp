#pragma once

#include <Eigen/Core>
#include <ictus/model/constraint_set.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// The rows of ties that act on the unknowns of one domain: L x and Lᵀ Λ [eq. coupling-2].
class DomainRows {
 public:
  /// One entry of L.
  struct Entry {
    std::size_t row;
    std::size_t unknown;
    double weight;
    double rate_weight;  ///< weight over mass
  };

  /// Takes the entries of `ties` on the unknowns for which `belongs` holds and that move (inverse mass above zero).
  template <class Belongs>
  DomainRows(const model::ConstraintSet& ties, std::span<const double> inverse_mass, Belongs&& belongs)
      : size_(ties.size()) {
    for (std::size_t r = 0; r < ties.size(); ++r) {
      for (const model::RowEntry& entry : ties.row(r)) {
        const auto k = static_cast<std::size_t>(entry.unknown);
        if (inverse_mass[k] > 0 && belongs(k)) entries_.push_back({r, k, entry.weight, entry.weight * inverse_mass[k]});
      }
    }
  }

  /// Number of ties, of all domains.
  std::size_t size() const { return size_; }
  /// Row by row.
  std::span<const Entry> entries() const { return entries_; }

  /// out += factor · L M⁻¹ p.
  void add_rates(std::span<const double> p, double factor, std::span<double> out) const {
    for (const Entry& e : entries_) out[e.row] += factor * e.rate_weight * p[e.unknown];
  }
  /// out += L x.
  void add_values(std::span<const double> x, std::span<double> out) const {
    for (const Entry& e : entries_) out[e.row] += e.weight * x[e.unknown];
  }
  /// f += factor · Lᵀ Λ.
  void pull(std::span<const double> lambda, double factor, std::span<double> f) const {
    for (const Entry& e : entries_) f[e.unknown] += factor * lambda[e.row] * e.weight;
  }
  /// L M⁻¹ Lᵀ.
  Eigen::MatrixXd lumped() const;

 private:
  std::size_t size_;
  std::vector<Entry> entries_;
};

/// A symmetric positive definite system of a few unknowns, factored once and solved very often. Plain loops: for the
/// dozen unknowns of an interface they cost less than a library's setup.
class SmallCholesky {
 public:
  /// False where the matrix is not positive definite: rows that say the same twice.
  [[nodiscard]] bool factor(const Eigen::MatrixXd& matrix);
  /// In place: x → A⁻¹ x.
  void solve(std::span<double> x) const;

 private:
  std::size_t size_ = 0;
  std::vector<double> lower_;  ///< L row by row, with 1/L_ii on the diagonal
  std::vector<double> upper_;  ///< Lᵀ row by row
};

}  // namespace ictus::dynamics
