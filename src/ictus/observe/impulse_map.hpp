#pragma once

#include <ictus/dynamics/observer.hpp>
#include <ictus/observe/archive.hpp>
#include <ictus/observe/vtu.hpp>
#include <span>
#include <vector>

namespace ictus::observe {

/// Where the bodies were hit: the normal impulse (N s) that the points of each frame received since the run began. An
/// impulse goes to the nearest point of both bodies, in the configuration of the first frame after it. What a pair of
/// points receives within a step is one impulse.
class ImpulseMap {
 public:
  void observe(const dynamics::System& system, const dynamics::StepReport& report);
  /// Gives every part, one for each body of the system, but those that are endless the field contact_impulse.
  void add_field(const dynamics::System& system, std::span<FramePart> parts);

  /// How many numbers wait for the next frame, and the way back to as many.
  std::size_t waiting() const { return waiting_.size(); }
  void go_back(std::size_t waiting);
  void exchange(Archive& archive);

 private:
  std::vector<double> waiting_;      // pair, x, y, z, impulse; one after the other
  std::vector<std::size_t> latest_;  // where the last impulse of each pair ends there
  std::vector<double> received_;     // of the points of all bodies
};

}  // namespace ictus::observe
