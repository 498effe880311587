#pragma once

#include <ictus/contact/law/contact_pair.hpp>
#include <ictus/dynamics/system/step_report.hpp>
#include <ictus/model/constraint_set.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// Follows from step to step which pairs are closed, and counts how often they close. A pair closes where one of its
/// gaps is closed or an impulse acts in it: surfaces are held apart in the step that would let them meet, so that their
/// gap stays open by a hair. It stays closed while a step could close one of its gaps.
class PairClosings {
 public:
  PairClosings() = default;
  /// Of the pairs that are `own`; the others are left to others.
  explicit PairClosings(std::vector<bool> own) : own_(std::move(own)), pushed_(own_.size(), 0) {}

  /// An impulse acts in the pair in this step.
  void push(int pair) { pushed_[static_cast<std::size_t>(pair)] = 1; }

  /// Ends a step with the constraints that were in sight; `approach` is how far surfaces of a pair approach in a step
  /// at most (m). `closed` holds 1 for pairs that were closed, and afterwards for those that are.
  void count(std::span<const contact::ContactPair> pairs, const model::ConstraintSet& constraints,
             std::span<const double> approach, std::span<double> closed, StepReport& report);

 private:
  std::vector<bool> own_;
  std::vector<char> pushed_;  // by pair
};

}  // namespace ictus::dynamics
