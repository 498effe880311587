#pragma once

#include <array>
#include <ictus/dynamics/system/step_report.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/model/constraint_set.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// An impulse between surfaces, with its tangential part as a vector.
struct SurfacePush {
  Impulse impulse;
  math::Vec3 tangential = math::Vec3::Zero();  ///< on the second body
  double lost = 0;                             ///< by the normal part (J)
  double lost_to_friction = 0;
};

/// The impulses of a step as its report shows them: one for each constraint that pushes, where it acts. Clearing keeps
/// the memory.
class ContactRecord {
 public:
  void clear() { impulses_.clear(); }
  /// Makes room for the impulses of so many constraints.
  void reserve(std::size_t constraints) { impulses_.reserve(constraints); }
  /// What was added since clear.
  std::span<const Impulse> impulses() const { return impulses_; }

  /// An impulse: λ along the normal, λ_t along the tangents where there is friction.
  struct Push {
    double normal = 0;
    std::array<double, 2> tangential{0.0, 0.0};
  };

  /// Books the impulse of constraint i at the time and configuration of `state`, with the energy `lost` by its normal
  /// part under `name` and by its tangential part to friction. An obstacle has no dofs: what it gives to the other body
  /// is booked as momentum from outside.
  void add(const System& system, const model::ConstraintSet& constraints, std::size_t i, const model::State& state,
           const Push& push, model::Loss name, double lost, double lost_to_friction, StepReport& report);
  void add(const System& system, const SurfacePush& push, model::Loss name, StepReport& report);
  /// An impulse λ between points of a contact.
  void add(const System& system, const model::ConstraintSet::Contact& at, double time, double lambda, model::Loss name,
           double lost, StepReport& report);
  /// The same without friction.
  void add(const System& system, const model::ConstraintSet& constraints, std::size_t i, const model::State& state,
           double lambda, model::Loss name, double lost, StepReport& report) {
    add(system, constraints, i, state, Push{lambda}, name, lost, 0.0, report);
  }

 private:
  static void add_from_guides(const System& system, const model::ConstraintSet& constraints, std::size_t i,
                              std::span<const double> q, const Push& push, const math::Vec3& force, StepReport& report);
  static void add_from_obstacle(const System& system, int pair, const math::Vec3& point, const math::Vec3& push,
                                StepReport& report);

  std::vector<Impulse> impulses_;
};

}  // namespace ictus::dynamics
