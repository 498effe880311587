#pragma once

#include <cstdint>
#include <functional>
#include <ictus/dynamics/system/observer.hpp>
#include <span>

namespace ictus::dynamics {

enum class RunEnd { completed, interrupted };

/// Whether a run has come to its end, that of so many steps of h.
bool finished(const Integrator& integrator, double h, std::int64_t steps, const model::State& state);

/// Steps until the run is finished, telling the observers after every step. `stop` is asked between steps: a step that
/// has begun is finished, observers included.
RunEnd run_steps(const System& system, Integrator& integrator, double h, std::int64_t steps, model::State& state,
                 std::span<Observer* const> observers, const std::function<bool()>& stop);

}  // namespace ictus::dynamics
