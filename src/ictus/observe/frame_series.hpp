#pragma once

#include <filesystem>
#include <ictus/dynamics/observer.hpp>
#include <ictus/observe/archive.hpp>
#include <ictus/observe/schedule.hpp>
#include <vector>

namespace ictus::observe {

/// frames/frame_000000.vtu, … and frames.pvd, which lists them with their times.
class FrameSeries {
 public:
  /// `folder` is that of the run; `every` in s.
  FrameSeries(std::filesystem::path folder, double every);

  bool due(const dynamics::Snapshot& snapshot) const;
  void write_frame(const dynamics::Snapshot& snapshot);
  /// Whether the last frame is that of this step.
  bool has_frame(const dynamics::Snapshot& snapshot) const { return last_step_ == snapshot.state.step; }
  /// Writes frames.pvd.
  void publish() const;

  void exchange(Archive& archive);

 private:
  std::filesystem::path folder_;
  Schedule schedule_;
  std::int64_t last_step_ = -1;
  std::vector<double> times_;
};

}  // namespace ictus::observe
