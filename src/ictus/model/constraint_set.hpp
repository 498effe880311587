#pragma once

#include <cstddef>
#include <ictus/math/vector.hpp>
#include <ictus/model/surface.hpp>
#include <span>
#include <vector>

namespace ictus::model {

/// The unilateral constraints g_i(q) ≥ 0 at one configuration: gaps, their gradients w_i = ∂g_i/∂q as sparse rows, and
/// where they act. Filled by contact detection, read by contact response. Clearing keeps the memory.
class ConstraintSet {
 public:
  struct Place {
    int pair;           ///< index of the contact pair of the System
    math::Vec3 point;   ///< where the impulse acts (m)
    math::Vec3 normal;  ///< direction in which it pushes the second body of the pair
  };

  std::size_t size() const { return gap_.size(); }
  /// Entries of all rows together.
  std::size_t entries() const { return entries_.size(); }
  double gap(std::size_t i) const { return gap_[i]; }
  /// 1/k of the elastic layers between the masses that the constraint holds apart (m/N); zero: none.
  double compliance(std::size_t i) const { return compliance_[i]; }
  const Place& place(std::size_t i) const { return place_[i]; }
  std::span<const RowEntry> row(std::size_t i) const {
    return std::span(entries_).subspan(row_start_[i], row_start_[i + 1] - row_start_[i]);
  }

  void clear() {
    gap_.clear();
    compliance_.clear();
    place_.clear();
    entries_.clear();
    row_start_.assign(1, 0);
  }

  /// The entries of the constraint being added; close it with `add`.
  std::vector<RowEntry>& open_row() { return entries_; }
  void add(double gap, const Place& place, double compliance = 0) {
    gap_.push_back(gap);
    compliance_.push_back(compliance);
    place_.push_back(place);
    row_start_.push_back(entries_.size());
  }

 private:
  std::vector<double> gap_;
  std::vector<double> compliance_;
  std::vector<Place> place_;
  std::vector<RowEntry> entries_;
  std::vector<std::size_t> row_start_{0};
};

/// w_i · x for a dense vector over the unknowns.
inline double dot(std::span<const RowEntry> row, std::span<const double> x) {
  double sum = 0;
  for (const RowEntry& entry : row) sum += entry.weight * x[static_cast<std::size_t>(entry.unknown)];
  return sum;
}

/// w_i · M⁻¹ p: the rate of the gap at momentum p.
inline double rate(std::span<const RowEntry> row, std::span<const double> inverse_mass, std::span<const double> p) {
  double sum = 0;
  for (const RowEntry& entry : row) {
    const auto k = static_cast<std::size_t>(entry.unknown);
    sum += entry.weight * inverse_mass[k] * p[k];
  }
  return sum;
}

/// p += λ w_i.
inline void add_scaled(std::span<const RowEntry> row, double lambda, std::span<double> p) {
  for (const RowEntry& entry : row) p[static_cast<std::size_t>(entry.unknown)] += lambda * entry.weight;
}

/// w_i · M⁻¹ w_i, the inverse of the mass that the contact feels.
inline double effective_inverse_mass(std::span<const RowEntry> row, std::span<const double> inverse_mass) {
  double sum = 0;
  for (const RowEntry& entry : row)
    sum += entry.weight * entry.weight * inverse_mass[static_cast<std::size_t>(entry.unknown)];
  return sum;
}

}  // namespace ictus::model
