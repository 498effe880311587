#include <ictus/dynamics/system/step_limit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ictus::dynamics {

StepLimit explicit_step_limit(const System& system) {
  StepLimit limit{std::numeric_limits<double>::infinity(), "nothing"};
  for (const mechanics::NodalBody* body : system.nodal_bodies()) {
    if (system.is_implicit(*body)) continue;
    const mechanics::CriticalStep critical = body->critical_step();
    if (critical.step >= limit.step) continue;
    limit = {critical.step, fmt::format("element {} of {}", critical.element, body->name())};
  }
  leave_room_for_strain(system.nodal_bodies(), limit);
  return limit;
}

double shortest_crossing(const System& system) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const mechanics::NodalBody* body : system.nodal_bodies())
    shortest = std::min(shortest, body->critical_step().step);
  return shortest;
}

void advise_against_critical(const System& system, StepLimit& limit) {
  constexpr double near_critical = 0.95;
  if (system.pairs().empty()) return;
  limit.advised = near_critical * limit.step;
  limit.advice = "near the largest stable step the energy that it keeps says little about the motion after an impact";
}

void leave_room_for_strain(std::span<const mechanics::NodalBody* const> bodies, StepLimit& limit) {
  if (std::all_of(bodies.begin(), bodies.end(), [](const auto* body) { return body->linear(); })) return;
  limit.safe = 0.9;
  limit.safety = "strain makes the stable step of nonlinear bodies shorter than that of the unloaded ones";
}

}  // namespace ictus::dynamics
