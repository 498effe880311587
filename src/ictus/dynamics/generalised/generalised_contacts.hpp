#pragma once

#include <ictus/dynamics/generalised/generalised_motion.hpp>
#include <ictus/solve/cone/small_cone.hpp>

// Notation: w columns of directions, P impulses (N, T1, T2 of each contact), D = wᵀM⁻¹w.

namespace ictus::dynamics {

/// Newton's law of restitution and Coulomb's law of friction between a body and what it touches.
struct ContactLaw {
  double restitution = 0;
  double tangential_restitution = 0;
  solve::FrictionCone cone;
  int pair = -1;  ///< index into System::pairs(); −1: there is no contact
};

/// The closed contacts of one generalised body at one configuration, and the law between their impulses and velocities.
class GeneralisedContacts {
 public:
  using Vector = mechanics::CoordinateVector;
  static constexpr int max_count = solve::SmallCone::max_contacts;
  /// Values of the rows (N, T1, T2) of the closed contacts.
  using Rows = std::array<double, solve::SmallCone::max_rows>;

  /// Finds the contacts with g ≤ 0 and a pair. False where there are more than `most`.
  bool find(const mechanics::GeneralisedBody& body, std::span<const double> q, std::span<const ContactLaw> laws);
  int size() const { return count_; }
  int rows() const { return 3 * count_; }
  std::size_t index(int closed) const { return index_[closed]; }
  double gap(int closed) const { return gap_[closed]; }
  const ContactLaw& law(int closed) const { return *law_[closed]; }
  const mechanics::ContactGeometry& geometry(int closed) const { return geometry_[closed]; }

  /// D with the mass matrix that `motion` has factored.
  void condense(const GeneralisedMotion& motion);
  /// w·x.
  void rates(const Vector& x, Rows& rates) const;
  /// p += w P.
  void add(const Rows& impulses, Vector& p) const;
  /// d·D d of d = a − b.
  double difference_sq(const Rows& a, const Rows& b) const;
  /// x += M⁻¹ w P.
  void add_velocity(const Rows& impulses, Vector& x) const;
  /// Impulses with −ξ ∈ N(P), ξ = D P + free() [eq. moreau-variational-8], from the guess in `impulses`. False where no
  /// combination of open, stick and slide obeys.
  bool solve(Rows& impulses) const;
  /// What ξ would be without impulses, for the caller to set.
  double& free(int row) { return cone_.q[row]; }

 private:
  const Vector& direction(int row) const {
    const mechanics::ContactGeometry& contact = geometry_[row / 3];
    return row % 3 == 0 ? contact.normal : row % 3 == 1 ? contact.tangent1 : contact.tangent2;
  }
  /// The rows that a contact has: N, and T1, T2 where it can slide.
  int row_end(int contact) const { return 3 * contact + 1 + geometry_[contact].tangents; }
  template <class Visit>
  void for_each_row(Visit&& visit) const {
    for (int i = 0; i < count_; ++i) {
      for (int row = 3 * i; row < row_end(i); ++row) visit(row);
    }
  }

  std::size_t coordinates_ = 0;
  int count_ = 0;
  std::array<std::size_t, max_count> index_{};
  std::array<double, max_count> gap_{};
  std::array<const ContactLaw*, max_count> law_{};
  std::array<mechanics::ContactGeometry, max_count> geometry_{};
  std::array<Vector, solve::SmallCone::max_rows> moved_{};  // M⁻¹ w
  std::vector<double> all_gaps_;
  solve::SmallCone cone_;
};

}  // namespace ictus::dynamics
