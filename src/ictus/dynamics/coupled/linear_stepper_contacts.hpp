#pragma once

#include <ictus/contact/scheme/unilateral_response.hpp>
#include <ictus/dynamics/booking/contact_record.hpp>
#include <ictus/dynamics/coupled/linear_stepper.hpp>
#include <ictus/dynamics/coupled/tie_rows.hpp>
#include <ictus/model/constraint_set.hpp>
#include <optional>
#include <vector>

namespace ictus::dynamics {

/// Contacts between points of the bodies of a LinearStepper, and between them and planes. Rows and directions never
/// change, and gaps follow from the shift: g = g(q_n) + w·s.
class LinearStepperContacts {
 public:
  LinearStepperContacts() = default;
  /// Takes the pairs whose bodies are all in the stepper's vectors or do not move.
  LinearStepperContacts(const System& system, LinearStepper& stepper);

  bool takes(int pair) const { return takes_[static_cast<std::size_t>(pair)]; }
  bool any() const { return rows_.size() > 0; }

  /// `now` holds the constraints of all pairs at q_n, as contact::detect gives them.
  void begin(const model::ConstraintSet& now);
  /// Finds closed contacts, before the forces of the step act. `closed` tells which pairs were, and are afterwards.
  void find(LinearStepper& stepper, std::span<double> closed, StepReport& report);
  /// CD-Lagrange: the smallest impulses after which no closed contact closes further [eq. bars-7].
  void respond(const System& system, double time, LinearStepper& stepper, ContactRecord& record, StepReport& report);

 private:
  /// How a coordinate of a contact's point follows a slot of the stepper's vectors.
  struct PointEntry {
    int coordinate;
    std::size_t slot;
    double weight;
  };

  void add_point(const LinearStepper& stepper, std::span<const double> q, const model::Surface& surface,
                 std::size_t point, double share);
  void find_rates(LinearStepper& stepper, std::span<double> rates) const;
  math::Vec3 point_of(std::size_t i, std::span<const double> shift) const;
  void solve(LinearStepper& stepper, StepReport& report);

  std::vector<bool> takes_;           // by pair
  std::vector<double> slack_;         // by constraint, like all that follows
  std::vector<std::size_t> number_;   // among all constraints
  model::ConstraintSet rows_;         // by slot of the stepper's vectors
  std::optional<DomainRows> packed_;  // the same rows
  std::vector<PointEntry> points_;
  std::vector<std::size_t> point_start_{0};  // of each constraint's entries, and their end
  std::vector<double> inertia_;              // w·M⁻¹w
  bool is_apart_ = true;                     // no two rows share a dof
  std::vector<double> gap_;                  // at the beginning of the steps; whole packs
  std::vector<model::ConstraintSet::Contact> contact_;
  contact::UnilateralResponse response_;
  std::vector<int> active_;
  std::vector<double> offset_;                             // of the active ones
  std::vector<double> now_, rate_before_, rate_, lambda_;  // gaps, rates and impulses of all; whole packs
};

}  // namespace ictus::dynamics
