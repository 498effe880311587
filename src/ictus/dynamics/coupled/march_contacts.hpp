#pragma once

#include <ictus/contact/scheme/unilateral_response.hpp>
#include <ictus/dynamics/booking/contact_record.hpp>
#include <ictus/dynamics/coupled/interface.hpp>
#include <ictus/dynamics/coupled/linear_march.hpp>
#include <ictus/model/constraint_set.hpp>
#include <optional>
#include <vector>

namespace ictus::dynamics {

/// Contacts between points of the bodies of a LinearMarch, and between them and planes. Rows and directions never
/// change, and gaps follow from the shift: g = g(q_n) + w·s.
class MarchContacts {
 public:
  MarchContacts() = default;
  /// Takes the pairs whose bodies are all in the march or do not move.
  MarchContacts(const System& system, LinearMarch& march);

  bool takes(int pair) const { return takes_[static_cast<std::size_t>(pair)]; }
  bool any() const { return rows_.size() > 0; }

  /// `now` holds the constraints of all pairs at q_n, as contact::detect gives them.
  void begin(const model::ConstraintSet& now);
  /// Finds closed contacts, before the forces of the step act. `closed` tells which pairs were, and are afterwards.
  void find(LinearMarch& march, std::span<double> closed, StepReport& report);
  /// CD-Lagrange: the smallest impulses after which no closed contact closes further [eq. bars-7].
  void respond(const System& system, double time, LinearMarch& march, ContactRecord& record, StepReport& report);

 private:
  /// How a coordinate of a contact's point follows a place of the march.
  struct PointEntry {
    int coordinate;
    std::size_t place;
    double weight;
  };

  void add_point(const LinearMarch& march, std::span<const double> q, const model::Surface& surface, std::size_t point,
                 double share);
  void find_rates(LinearMarch& march, std::span<double> rates) const;
  math::Vec3 point_of(std::size_t i, std::span<const double> shift) const;
  void solve(LinearMarch& march, StepReport& report);

  std::vector<bool> takes_;           // by pair
  std::vector<double> slack_;         // by constraint, like all that follows
  std::vector<std::size_t> number_;   // among all constraints
  model::ConstraintSet rows_;         // by place in the march
  std::optional<DomainRows> packed_;  // the same rows
  std::vector<PointEntry> points_;
  std::vector<std::size_t> point_start_{0};  // of each constraint's entries, and their end
  std::vector<double> inertia_;              // w·M⁻¹w
  bool is_apart_ = true;                     // no two rows share an unknown
  std::vector<double> gap_;                  // at the beginning of the march; whole packs
  std::vector<model::ConstraintSet::Place> place_;
  contact::UnilateralResponse response_;
  std::vector<int> active_;
  std::vector<double> offset_;                             // of the active ones
  std::vector<double> now_, rate_before_, rate_, lambda_;  // gaps, rates and impulses of all; whole packs
};

}  // namespace ictus::dynamics
