#pragma once

#include <ictus/dynamics/system/integrator.hpp>

namespace ictus::dynamics {

/// What an observer may look at: everything, and change nothing.
struct Snapshot {
  const System& system;
  const Integrator& integrator;
  double step;  ///< h (s)
  const model::State& state;
};

/// Watches a run. Cannot alter it.
class Observer {
 public:
  virtual ~Observer() = default;

  /// Before the first step; `report` is that of Integrator::start. Not called on a resumed run.
  virtual void begin(const Snapshot& /*snapshot*/, const StepReport& /*report*/) {}
  /// After every step, or so many of them as the observers have patience for.
  virtual void observe(const Snapshot& snapshot, const StepReport& report) = 0;
  /// How many steps from here it may be told of by one report, at the end of the last; 1: of each by itself.
  virtual std::int64_t patience(const Snapshot& /*snapshot*/) const { return 1; }
};

}  // namespace ictus::dynamics
