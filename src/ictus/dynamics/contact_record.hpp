#pragma once

#include <array>
#include <ictus/dynamics/step_report.hpp>
#include <ictus/dynamics/system.hpp>
#include <ictus/model/constraint_set.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// An impulse between surfaces, given by vectors.
struct SurfacePush {
  double time = 0;
  int pair = 0;
  math::Vec3 point = math::Vec3::Zero();
  math::Vec3 normal = math::Vec3::Zero();  ///< direction in which it pushes the second body
  double normal_impulse = 0;
  math::Vec3 tangential = math::Vec3::Zero();  ///< on the second body
  double lost = 0;                             ///< by the normal part (J)
  double lost_to_friction = 0;
  std::optional<Impulse::Split> split = std::nullopt;
};

/// The impulses of a step as its report shows them: one for each constraint between points, one for all constraints of
/// a pair with a triangulated surface, at their mean point. Clearing keeps the memory.
class ContactRecord {
 public:
  void clear() {
    impulses_.clear();
    sums_.clear();
  }
  /// Makes room for the impulses of so many constraints.
  void reserve(std::size_t constraints) { impulses_.reserve(constraints); }
  /// What was added since clear. Ends the step: nothing may be added afterwards.
  std::span<const Impulse> impulses();

  /// An impulse: λ along the normal, λ_t along the tangents where there is friction.
  struct Push {
    double normal = 0;
    std::array<double, 2> tangential{0.0, 0.0};
  };

  /// Books the impulse of constraint i at `time`, with the energy `lost` by its normal part under `name` and by its
  /// tangential part to friction. An obstacle has no unknowns: what it gives to the other body is booked as momentum
  /// from outside.
  void add(const System& system, const model::ConstraintSet& constraints, std::size_t i, double time, const Push& push,
           model::Loss name, double lost, double lost_to_friction, StepReport& report);
  void add(const System& system, const SurfacePush& push, model::Loss name, StepReport& report);
  /// An impulse λ between points at a place.
  void add(const System& system, const model::ConstraintSet::Place& place, double time, double lambda, model::Loss name,
           double lost, StepReport& report);
  /// The same without friction.
  void add(const System& system, const model::ConstraintSet& constraints, std::size_t i, double time, double lambda,
           model::Loss name, double lost, StepReport& report) {
    add(system, constraints, i, time, Push{lambda}, name, lost, 0.0, report);
  }

 private:
  void add_to_surface(const Impulse& impulse);
  static void add_from_obstacle(const System& system, int pair, const math::Vec3& point, const math::Vec3& push,
                                StepReport& report);

  std::vector<Impulse> impulses_;
  std::vector<Impulse> sums_;  // of pairs with surfaces; point and normal are sums weighted by the normal impulse
};

}  // namespace ictus::dynamics
