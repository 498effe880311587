#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <ictus/math/pack.hpp>
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
    std::size_t unknown;  ///< its number in the vectors below
    double weight;
    double rate_weight;  ///< weight over mass
  };

  /// Takes the entries of `ties` on the unknowns of the domain that move (inverse mass above zero). `place` gives the
  /// number of an unknown in the vectors that the rows are for, −1 where it is not of the domain.
  template <class Place>
  DomainRows(const model::ConstraintSet& ties, std::span<const double> inverse_mass, Place&& place)
      : size_(ties.size()) {
    for (std::size_t r = 0; r < ties.size(); ++r) {
      for (const model::RowEntry& entry : ties.row(r)) {
        const auto k = static_cast<std::size_t>(entry.unknown);
        const int number = place(k);
        if (inverse_mass[k] > 0 && number >= 0)
          entries_.push_back({r, static_cast<std::size_t>(number), entry.weight, entry.weight * inverse_mass[k]});
      }
    }
  }

  /// Number of ties, of all domains.
  std::size_t size() const { return size_; }
  /// Row by row.
  std::span<const Entry> entries() const { return entries_; }

  /// out += L M⁻¹ p.
  void add_rates(std::span<const double> p, std::span<double> out) const {
    for (const Entry& e : entries_) out[e.row] += e.rate_weight * p[e.unknown];
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

/// A symmetric matrix of a few unknowns that is applied very often: columns with room for whole vector registers, eight
/// sums at a time. For the dozen unknowns of an interface that costs less than a library's setup.
class SmallSymmetric {
 public:
  SmallSymmetric() = default;
  explicit SmallSymmetric(const Eigen::MatrixXd& matrix);

  /// out = A x.
  void multiply(std::span<const double> x, std::span<double> out) const {
    for (std::size_t begin = 0; begin < size_; begin += lanes) {
      const double* column = values_.data() + begin;
      math::Pack sum;
      for (std::size_t k = 0; k < size_; ++k, column += stride_) sum += math::Pack(x[k]) * math::Pack::load(column);
      for (std::size_t i = begin; i < std::min(begin + lanes, size_); ++i) out[i] = sum[static_cast<int>(i - begin)];
    }
  }

 private:
  static constexpr std::size_t lanes = math::Pack::lanes;

  std::size_t size_ = 0, stride_ = 0;
  std::vector<double> values_;
};

/// A⁻¹ of a symmetric positive definite matrix by Cholesky, or nothing where it is not: rows that say the same twice.
std::optional<SmallSymmetric> inverse(const Eigen::MatrixXd& matrix);

}  // namespace ictus::dynamics
