#pragma once

#include <ictus/dynamics/system/observer.hpp>
#include <ictus/observe/checkpoint/archive.hpp>
#include <ictus/observe/frames/outer_areas.hpp>
#include <ictus/observe/frames/vtu.hpp>
#include <span>
#include <vector>

namespace ictus::observe {

/// Where the bodies were hit: the normal impulse (N s) that the points of each frame received since the run began.
/// Impulses on nodes go to these, in their shares; others to the nearest point of both bodies, in the configuration of
/// the first frame after them, or earlier where very many wait. What a pair of points receives within a step is one
/// impulse.
class ImpulseMap {
 public:
  /// How far it has come.
  struct Position {
    std::size_t waiting = 0;
    std::vector<double> nodes{};
  };

  void observe(const dynamics::System& system, const dynamics::StepReport& report);
  /// Gives every part, one for each body of the system, but those that are endless the field contact_impulse, and
  /// those with faces contact_pressure (Pa): what each point received since the frame before over the time and the
  /// area that belongs to it. `is_frame`: the next frame follows on this one.
  void add_fields(const dynamics::System& system, double time, bool is_frame, std::span<FramePart> parts);

  /// Whether so much waits for a frame that it should be handed over without one.
  bool is_full() const { return waiting_.size() > max_waiting; }

  /// Writes the position, without allocating where it has been written before.
  void note(Position& position) const {
    position.waiting = waiting_.size();
    position.nodes.assign(nodes_.begin(), nodes_.end());
  }
  /// Forgets what came after a position that was reached since the last frame.
  void go_back(const Position& position);
  void exchange(Archive& archive);

 private:
  static constexpr std::size_t max_waiting = std::size_t{1} << 22;

  void receive(const dynamics::System& system, const FramePart& part, std::span<double> received) const;

  std::vector<double> nodes_;        // of nodes, by their first dof; the rest is zero
  std::vector<double> waiting_;      // of others: pair, x, y, z, impulse; one after the other
  std::vector<std::size_t> latest_;  // where the last impulse of each pair ends there
  std::vector<double> received_;     // of the points of all bodies, those of nodes apart
  std::vector<double> before_;       // impulses of the points of all bodies at the frame before
  double frame_time_ = 0;            // of that
  std::vector<OuterAreas> areas_;    // of all bodies
};

}  // namespace ictus::observe
