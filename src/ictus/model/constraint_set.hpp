#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <ictus/math/vector.hpp>
#include <ictus/model/surface.hpp>
#include <span>
#include <vector>

namespace ictus::model {

/// Two unit vectors that make a right-handed frame with the unit normal n.
inline std::array<math::Vec3, 2> tangent_basis(const math::Vec3& n) {
  // The axis that n is least aligned with keeps the cross product away from zero.
  math::Vec3::Index axis = 0;
  n.cwiseAbs().minCoeff(&axis);
  const math::Vec3 first = n.cross(math::Vec3::Unit(axis)).normalized();
  return {first, n.cross(first)};
}

/// The two features between which a constraint acts, by numbers that stay the same from step to step: what a contact
/// remembers is found again by them.
struct FeatureNames {
  static constexpr int nameless = -1;

  int kind = nameless;
  int first = 0, second = 0;

  friend constexpr auto operator<=>(const FeatureNames&, const FeatureNames&) = default;
};

/// The unilateral constraints g_i(q) ≥ 0 at one configuration: gaps, their gradients w_i = ∂g_i/∂q as sparse rows,
/// where they act, and, where there is friction, the rates of slip along two tangents as rows of the same kind. Filled
/// by contact detection, read by contact response. Clearing keeps the memory.
class ConstraintSet {
 public:
  struct Contact {
    int pair;           ///< index of the contact pair of the System
    math::Vec3 point;   ///< where the impulse acts (m)
    math::Vec3 normal;  ///< direction in which it pushes the second body of the pair
  };
  using Name = FeatureNames;
  static constexpr int nameless = FeatureNames::nameless;

  /// When a constraint acts: once its gap has closed, or already in the step in which it would. The latter is for
  /// surfaces, whose unsigned distance does not tell that they have passed through each other.
  enum class Onset : unsigned char { closed, ahead };

  std::size_t size() const { return gap_.size(); }
  /// Entries of all rows together.
  std::size_t entries() const { return entries_.size(); }
  double gap(std::size_t i) const { return gap_[i]; }
  /// 1/k of the elastic layers between the masses that the constraint holds apart (m/N); zero: none.
  double compliance(std::size_t i) const { return compliance_[i]; }
  const Contact& contact(std::size_t i) const { return contact_[i]; }
  Onset onset(std::size_t i) const { return onset_[i]; }
  /// Names increase along the set, but for those that are nameless.
  const Name& name(std::size_t i) const { return name_[i]; }
  /// Whether any constraint acts ahead: then surfaces are among them.
  bool any_ahead() const { return any_ahead_; }
  std::span<const RowEntry> row(std::size_t i) const { return entries_of(first_row_[i]); }
  bool has_tangents(std::size_t i) const { return first_row_[i + 1] > first_row_[i] + 1; }
  /// tangent_basis(contact(i).normal) of a constraint with rates of slip.
  const std::array<math::Vec3, 2>& tangents(std::size_t i) const { return tangents_[i]; }
  /// The rate of slip of the second body over the first along tangents(i)[direction]: a row over the same dofs as that
  /// of the gap, in the same order.
  std::span<const RowEntry> tangent(std::size_t i, std::size_t direction) const {
    return entries_of(first_row_[i] + 1 + direction);
  }

  void clear() {
    gap_.clear();
    compliance_.clear();
    contact_.clear();
    onset_.clear();
    name_.clear();
    tangents_.clear();
    any_ahead_ = false;
    entries_.clear();
    row_start_.assign(1, 0);
    first_row_.assign(1, 0);
  }

  /// The entries of the row being added; close it with `add`, or `add_tangent` for the two tangents that may follow.
  std::vector<RowEntry>& open_row() { return entries_; }
  /// So many new entries of it, to be written.
  std::span<RowEntry> open_entries(std::size_t count) {
    entries_.resize(entries_.size() + count);
    return std::span(entries_).last(count);
  }
  void add(double gap, const Contact& contact, double compliance = 0, Onset onset = Onset::closed,
           const Name& name = {}) {
    gap_.push_back(gap);
    compliance_.push_back(compliance);
    contact_.push_back(contact);
    onset_.push_back(onset);
    name_.push_back(name);
    tangents_.push_back({math::Vec3::Zero(), math::Vec3::Zero()});
    any_ahead_ = any_ahead_ || onset == Onset::ahead;
    row_start_.push_back(entries_.size());
    first_row_.push_back(row_start_.size() - 1);
  }
  /// The tangents of the constraint that was added last.
  const std::array<math::Vec3, 2>& open_tangents() {
    if (tangents_.back()[0].isZero(0)) tangents_.back() = tangent_basis(contact_.back().normal);
    return tangents_.back();
  }
  void add_tangent() {
    open_tangents();
    assert(has_dofs_of_gap(row_start_.back()));
    row_start_.push_back(entries_.size());
    first_row_.back() = row_start_.size() - 1;
  }

 private:
  /// Whether the entries from `begin` on move the dofs of the gap that was added last, in the same order.
  bool has_dofs_of_gap(std::size_t begin) const {
    const auto same = [](const RowEntry& a, const RowEntry& b) { return a.dof == b.dof; };
    const auto gap = row(size() - 1), own = std::span(entries_).subspan(begin);
    return std::equal(gap.begin(), gap.end(), own.begin(), own.end(), same);
  }
  std::span<const RowEntry> entries_of(std::size_t row) const {
    return std::span(entries_).subspan(row_start_[row], row_start_[row + 1] - row_start_[row]);
  }

  std::vector<double> gap_;
  std::vector<double> compliance_;
  std::vector<Contact> contact_;
  std::vector<Onset> onset_;
  std::vector<Name> name_;
  std::vector<std::array<math::Vec3, 2>> tangents_;
  bool any_ahead_ = false;
  std::vector<RowEntry> entries_;
  std::vector<std::size_t> row_start_{0};
  std::vector<std::size_t> first_row_{0};
};

/// w_i · x for a dense vector over the dofs.
inline double dot(std::span<const RowEntry> row, std::span<const double> x) {
  double sum = 0;
  for (const RowEntry& entry : row) sum += entry.weight * x[entry.index()];
  return sum;
}

/// w_i · M⁻¹ p: the rate of the gap at momentum p.
inline double rate(std::span<const RowEntry> row, std::span<const double> inverse_mass, std::span<const double> p) {
  double sum = 0;
  for (const RowEntry& entry : row) {
    const auto k = entry.index();
    sum += entry.weight * inverse_mass[k] * p[k];
  }
  return sum;
}

/// p += λ w_i.
inline void add_scaled(std::span<const RowEntry> row, double lambda, std::span<double> p) {
  for (const RowEntry& entry : row) p[entry.index()] += lambda * entry.weight;
}

/// w_i · M⁻¹ w_i, the inverse of the mass that the contact feels.
inline double effective_inverse_mass(std::span<const RowEntry> row, std::span<const double> inverse_mass) {
  double sum = 0;
  for (const RowEntry& entry : row) sum += entry.weight * entry.weight * inverse_mass[entry.index()];
  return sum;
}

}  // namespace ictus::model
