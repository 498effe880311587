#pragma once

#include <atomic>

namespace ictus::program {

/// From construction on, Ctrl-C, SIGTERM and a terminal that closes ask the run to stop after the step it is in,
/// instead of ending the program. A second Ctrl-C ends it at once. What the program was started to ignore (nohup) stays
/// ignored.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& requested() const;
};

}  // namespace ictus::program
