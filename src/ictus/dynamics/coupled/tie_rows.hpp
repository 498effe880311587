#pragma once

#include <Eigen/Core>
#include <array>
#include <ictus/math/pack.hpp>
#include <ictus/model/constraint_set.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// The rows of ties that act on the dofs of one domain: L x and Lᵀ Λ [eq. coupling-2].
class DomainRows {
 public:
  /// One entry of L.
  struct Entry {
    std::size_t row;
    std::size_t dof;  ///< its number in the vectors below
    double weight;
    double rate_weight;  ///< weight over mass
  };

  /// Takes the entries of `ties` on the dofs of the domain that move (inverse mass above zero). `slot` gives the
  /// number of a dof in the vectors that the rows are for, −1 where it is not of the domain. Contacts have rows of
  /// the same kind.
  template <class Slot>
  DomainRows(const model::ConstraintSet& ties, std::span<const double> inverse_mass, Slot&& slot) : size_(ties.size()) {
    for (std::size_t r = 0; r < ties.size(); ++r) {
      for (const model::RowEntry& entry : ties.row(r)) {
        const auto k = entry.index();
        const int number = slot(k);
        if (inverse_mass[k] > 0 && number >= 0)
          entries_.push_back({r, static_cast<std::size_t>(number), entry.weight, entry.weight * inverse_mass[k]});
      }
    }
    make_layers();
  }

  /// Number of ties, of all domains.
  std::size_t size() const { return size_; }
  /// Row by row.
  std::span<const Entry> entries() const { return entries_; }

  /// out += L M⁻¹ p.
  void add_rates(std::span<const double> p, std::span<double> out) const {
    for (const Entry& e : entries_) out[e.row] += e.rate_weight * p[e.dof];
  }
  /// Rows `first` to `first` + 7 of L M⁻¹ p and of L x, zeros beyond the last: for what is asked at every fine step.
  math::Pack rates(std::span<const double> p, std::size_t first) const {
    return product(&Layer::rate_weight, p, first);
  }
  math::Pack values(std::span<const double> x, std::size_t first) const { return product(&Layer::weight, x, first); }
  /// out += L x.
  void add_values(std::span<const double> x, std::span<double> out) const {
    for (const Entry& e : entries_) out[e.row] += e.weight * x[e.dof];
  }
  /// f += factor · Lᵀ Λ.
  void pull(std::span<const double> lambda, double factor, std::span<double> f) const {
    for (const Entry& e : entries_) f[e.dof] += factor * lambda[e.row] * e.weight;
  }
  /// L M⁻¹ Lᵀ.
  Eigen::MatrixXd lumped() const;

 private:
  static constexpr std::size_t lanes = math::Pack::lanes;
  /// An entry of each of eight rows, of no weight where a row has no more.
  struct Layer {
    std::array<int, lanes> dof{};
    math::Pack weight, rate_weight;
  };
  void make_layers();
  math::Pack product(math::Pack Layer::*weight, std::span<const double> x, std::size_t first) const {
    math::Pack sum;
    const double* from = x.data();
    for (std::size_t i = layer_start_[first / lanes]; i < layer_start_[first / lanes + 1]; ++i) {
      const auto& k = layers_[i].dof;
      sum += layers_[i].*weight * math::Pack::Vector{from[k[0]], from[k[1]], from[k[2]], from[k[3]],
                                                     from[k[4]], from[k[5]], from[k[6]], from[k[7]]};
    }
    return sum;
  }

  std::size_t size_;
  std::vector<Entry> entries_;
  std::vector<Layer> layers_;
  std::vector<std::size_t> layer_start_;  // of every eight rows, and the end
};

/// A symmetric matrix of a few rows that is applied very often: columns with room for whole vector registers, eight
/// sums at a time. For the dozen rows of the ties that costs less than a library's setup.
class SmallSymmetric {
 public:
  SmallSymmetric() = default;
  explicit SmallSymmetric(const Eigen::MatrixXd& matrix) { assign(matrix); }
  /// Takes other values; allocates nothing where the size stays.
  void assign(const Eigen::MatrixXd& matrix);

  /// out = A x; out has room for whole packs. Four sums at a time, which need not wait for one another.
  void multiply(std::span<const double> x, std::span<double> out) const {
    std::size_t pack = 0;
    for (; pack + 1 < packs_; pack += 2) multiply<2>(x.data(), values_.data() + pack, out.data() + pack * lanes);
    if (pack < packs_) multiply<1>(x.data(), values_.data() + pack, out.data() + pack * lanes);
  }

 private:
  template <std::size_t packs>
  void multiply(const double* x, const math::Pack* column, double* out) const {
    std::array<math::Pack, packs> even{}, odd{};
    std::size_t k = 0;
    for (; k + 1 < size_; k += 2, column += 2 * packs_) {
      for (std::size_t i = 0; i < packs; ++i) {
        even[i] += math::Pack(x[k]) * column[i];
        odd[i] += math::Pack(x[k + 1]) * column[packs_ + i];
      }
    }
    for (std::size_t i = 0; i < packs; ++i) {
      if (k < size_) even[i] += math::Pack(x[k]) * column[i];
      (even[i] + odd[i]).store(out + i * lanes);
    }
  }

  static constexpr std::size_t lanes = math::Pack::lanes;

  std::size_t size_ = 0, packs_ = 0;  // rows, and packs of a column
  std::vector<math::Pack> values_;
};

/// A⁻¹ of symmetric positive definite matrices by Cholesky; allocates nothing where the size stays.
class SmallInverse {
 public:
  /// Answers whether there is one: none where rows say the same twice.
  [[nodiscard]] bool find(const Eigen::MatrixXd& matrix, SmallSymmetric& inverse);

 private:
  Eigen::MatrixXd lower_, result_;
};

}  // namespace ictus::dynamics
