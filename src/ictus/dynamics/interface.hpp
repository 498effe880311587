#pragma once

#include <Eigen/Core>
#include <ictus/model/constraint_set.hpp>
#include <optional>
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

/// A symmetric matrix of a few unknowns that is applied very often. Plain loops over columns: for the dozen unknowns of
/// an interface they cost less than a library's setup.
class SmallSymmetric {
 public:
  SmallSymmetric() = default;
  explicit SmallSymmetric(const Eigen::MatrixXd& matrix);

  /// out += factor · A x.
  void add_product(std::span<const double> x, double factor, std::span<double> out) const {
    const double* column = values_.data();
    for (std::size_t k = 0; k < size_; ++k, column += size_) {
      const double share = factor * x[k];
      for (std::size_t i = 0; i < size_; ++i) out[i] += share * column[i];
    }
  }

 private:
  std::size_t size_ = 0;
  std::vector<double> values_;
};

/// A⁻¹ of a symmetric positive definite matrix by Cholesky, or nothing where it is not: rows that say the same twice.
std::optional<SmallSymmetric> inverse(const Eigen::MatrixXd& matrix);

}  // namespace ictus::dynamics
