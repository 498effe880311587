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
  /// After every step.
  virtual void observe(const Snapshot& snapshot, const StepReport& report) = 0;
};

}  // namespace ictus::dynamics
