#pragma once

#include <atomic>
#include <cstdint>
#include <ictus/dynamics/observer.hpp>
#include <span>

namespace ictus::dynamics {

enum class MarchEnd { completed, interrupted };

/// Steps until state.step = `steps`, telling the observers after every step. `stop` is looked at between steps: a step
/// that has begun is finished, observers included.
MarchEnd march(const System& system, Integrator& integrator, double h, std::int64_t steps, model::State& state,
               std::span<Observer* const> observers, const std::atomic<bool>& stop);

}  // namespace ictus::dynamics
