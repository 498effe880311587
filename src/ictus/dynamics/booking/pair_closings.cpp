#include <ictus/dynamics/booking/pair_closings.hpp>

#include <algorithm>

namespace ictus::dynamics {

void PairClosings::count(std::span<const contact::ContactPair> pairs, const model::ConstraintSet& constraints,
                         std::span<const double> approach, std::span<double> closed, StepReport& report) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const auto pair = static_cast<std::size_t>(constraints.contact(i).pair);
    if (!own_[pair]) continue;
    const double gap = constraints.gap(i), slack = pairs[pair].slack;
    const bool is_ahead = constraints.onset(i) == model::ConstraintSet::Onset::ahead;
    if (gap <= slack) report.max_penetration = std::max(report.max_penetration, -gap);
    if (gap <= slack || (closed[pair] != 0 && is_ahead && gap <= approach[pair])) pushed_[pair] = 1;
  }
  for (std::size_t pair = 0; pair < pushed_.size(); ++pair) {
    if (!own_[pair]) continue;
    if (pushed_[pair] && closed[pair] == 0) ++report.closings;
    closed[pair] = pushed_[pair];
    pushed_[pair] = 0;
  }
}

}  // namespace ictus::dynamics
