#pragma once

#include <filesystem>
#include <ictus/dynamics/system/observer.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/observe/checkpoint/archive.hpp>
#include <ictus/observe/frames/impulse_map.hpp>
#include <ictus/observe/history/schedule.hpp>
#include <vector>

namespace ictus::observe {

/// frames/frame_000000.vtu, … and frames.pvd, which lists them with their times.
class FrameSeries {
 public:
  /// `folder` is that of the run; `every` in s.
  FrameSeries(std::filesystem::path folder, double every);

  /// Takes note of the impulses of a step.
  void observe(const dynamics::System& system, const dynamics::StepReport& report) {
    impulses_.observe(system, report);
  }
  bool due(const dynamics::Snapshot& snapshot) const;
  /// Steps until it is.
  std::int64_t patience(const dynamics::Snapshot& snapshot) const;
  /// Whether the impulses noted should go to the points of the bodies before the next frame: see settle().
  bool is_full() const { return impulses_.is_full(); }
  void settle(const dynamics::Snapshot& snapshot) { drawn_parts(snapshot, false); }
  void write_frame(const dynamics::Snapshot& snapshot);
  /// Whether the last frame is that of this step.
  bool has_frame(const dynamics::Snapshot& snapshot) const { return last_step_ == snapshot.state.step; }
  /// Lets the frames appear, and frames.pvd that lists them.
  void publish();

  /// The impulses that were noted, and the way back to them.
  void note_impulses(ImpulseMap::Position& position) const { impulses_.note(position); }
  void go_back(const ImpulseMap::Position& impulses) { impulses_.go_back(impulses); }
  void exchange(Archive& archive);

 private:
  /// The bodies as they are, with the impulses received.
  std::vector<FramePart> drawn_parts(const dynamics::Snapshot& snapshot, bool is_frame);

  std::filesystem::path folder_;
  Schedule schedule_;
  std::int64_t last_step_ = -1;
  std::vector<double> times_;
  ImpulseMap impulses_;
  files::FileBatch waiting_;  // frames that have not appeared yet
};

}  // namespace ictus::observe
