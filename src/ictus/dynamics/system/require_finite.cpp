#include <ictus/dynamics/system/require_finite.hpp>

#include <fmt/format.h>

#include <cmath>
#include <ictus/base/error.hpp>

namespace ictus::dynamics {

void require_finite(const System& system, const model::ConstraintSet& constraints, const model::State& state) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const auto row = constraints.row(i);
    if (std::isfinite(constraints.gap(i)) && std::isfinite(model::dot(row, state.p))) continue;
    const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(constraints.contact(i).pair)];
    throw base::NumericalFailure("the motion of a contact is not finite",
                                 fmt::format("{} and {} at t = {:g} s", pair.first, pair.second, state.time),
                                 "Use a smaller time.step");
  }
}

}  // namespace ictus::dynamics
