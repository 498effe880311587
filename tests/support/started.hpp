#pragma once

#include <ictus/dynamics/system/integrator.hpp>

namespace ictus::testing {

/// A state that begins a run.
inline model::State started(const dynamics::System& system, dynamics::Integrator& integrator, double h) {
  integrator.prepare(system);
  model::State state = system.initial_state();
  integrator.start(system, h, state);
  return state;
}

}  // namespace ictus::testing
