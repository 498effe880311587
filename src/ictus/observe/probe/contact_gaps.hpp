#pragma once

#include <ictus/contact/audit/surface_gaps.hpp>
#include <ictus/contact/detect/surface_detector.hpp>
#include <ictus/model/constraint_set.hpp>
#include <ictus/model/state.hpp>
#include <ictus/observe/probe/rigid_gaps.hpp>
#include <span>
#include <vector>

namespace ictus::observe {

/// How far the bodies of each contact of the scene are from each other. The gap of a surface with itself beyond its
/// sight is unknown, and that of very many rigid bodies none of which is near another: NaN.
class ContactGaps {
 public:
  explicit ContactGaps(const dynamics::System& system);

  /// How many contacts the scene has.
  std::size_t size() const { return gaps_.size(); }
  /// The contact of the scene to which a pair of the System belongs.
  std::size_t contact_of(int pair) const { return group_[static_cast<std::size_t>(pair)]; }
  /// Gaps (m) in this state, by contact.
  std::span<const double> measure(const dynamics::System& system, const model::State& state);

 private:
  std::vector<std::size_t> group_;  // of each pair of the system
  std::vector<double> gaps_;
  std::vector<char> in_sight_;  // of each pair of the system
  model::ConstraintSet constraints_;
  contact::SurfaceDetector surfaces_;
  contact::SurfaceGaps gaps_of_surfaces_;
  RigidGaps rigid_;
};

}  // namespace ictus::observe
