#pragma once

#include <ictus/dynamics/observer.hpp>
#include <ictus/observe/archive.hpp>
#include <ictus/observe/vtu.hpp>
#include <span>
#include <vector>

namespace ictus::observe {

/// Where the bodies were hit: the normal impulse (N s) that the points of each frame received since the run began. An
/// impulse goes to the nearest point of both bodies, in the configuration of the first frame after it.
class ImpulseMap {
 public:
  void observe(const dynamics::StepReport& report);
  /// Gives every part, one for each body of the system, but those that are endless the field contact_impulse.
  void add_field(const dynamics::System& system, std::span<FramePart> parts);

  /// How many numbers wait for the next frame, and the way back to as many.
  std::size_t waiting() const { return waiting_.size(); }
  void go_back(std::size_t waiting) { waiting_.resize(waiting); }
  void exchange(Archive& archive);

 private:
  std::vector<double> waiting_;   // pair, x, y, z, impulse; one after the other
  std::vector<double> received_;  // of the points of all bodies
};

}  // namespace ictus::observe
