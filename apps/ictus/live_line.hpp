#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <ictus/base/interval_timer.hpp>
#include <ictus/dynamics/system/observer.hpp>
#include <ictus/observe/record/run_record.hpp>
#include <limits>
#include <string>

namespace ictus::program {

/// The line that a run shows: time, step and what limits it, energy error, momentum drift, contacts, time left. In
/// place on a terminal; elsewhere a line of its own every few seconds.
class LiveLine final : public dynamics::Observer {
 public:
  /// `figures` is asked only when a line is shown.
  LiveLine(std::int64_t steps, const dynamics::StepLimit& limit, std::function<observe::LiveFigures()> figures);
  ~LiveLine() override;

  void begin(const dynamics::Snapshot&, const dynamics::StepReport&) override {}
  void observe(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) override;
  std::int64_t patience(const dynamics::Snapshot&) const override { return std::numeric_limits<std::int64_t>::max(); }
  /// Ends the line in place, so that what follows starts on a line of its own.
  void close();

 private:
  using Clock = std::chrono::steady_clock;

  void show(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report);

  std::int64_t steps_;
  std::string limit_;  ///< what limits the step
  std::function<observe::LiveFigures()> figures_;
  bool in_place_;
  bool open_ = false;
  std::optional<double> began_;  // time before the first step that is seen
  base::IntervalTimer timer_;
  Clock::time_point started_ = Clock::now();
};

}  // namespace ictus::program
