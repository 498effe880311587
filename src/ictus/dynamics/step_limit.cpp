#include <fmt/format.h>

#include <ictus/dynamics/step_limit.hpp>
#include <limits>

namespace ictus::dynamics {

StepLimit explicit_step_limit(const System& system) {
  StepLimit limit{std::numeric_limits<double>::infinity(), "nothing"};
  for (const mechanics::NodalBody* body : system.nodal_bodies()) {
    const mechanics::CriticalStep critical = body->critical_step();
    if (critical.step >= limit.step) continue;
    limit = {critical.step, fmt::format("element {} of {}", critical.element, body->name())};
  }
  return limit;
}

}  // namespace ictus::dynamics
