#pragma once

#include <ictus/dynamics/step_report.hpp>
#include <ictus/dynamics/system.hpp>
#include <ictus/model/constraint_set.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// The impulses of a step as its report shows them. Clearing keeps the memory.
class ContactRecord {
 public:
  void clear() { impulses_.clear(); }
  /// Makes room for the impulses of so many constraints.
  void reserve(std::size_t constraints) { impulses_.reserve(constraints); }
  std::span<const Impulse> impulses() const { return impulses_; }

  /// Books impulse λ of constraint i at `time`, with the energy `lost` by it under `name`. An obstacle has no unknowns:
  /// what it gives to the other body is booked as momentum from outside.
  void add(const System& system, const model::ConstraintSet& constraints, std::size_t i, double time, double lambda,
           model::Loss name, double lost, StepReport& report);

 private:
  std::vector<Impulse> impulses_;
};

}  // namespace ictus::dynamics
