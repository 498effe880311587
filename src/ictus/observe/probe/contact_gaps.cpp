#include <ictus/observe/probe/contact_gaps.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/contact/detect/detect.hpp>
#include <limits>

namespace ictus::observe {

namespace {

/// The contact of the scene to which each pair belongs.
std::vector<std::size_t> groups(const dynamics::System& system) {
  std::vector<std::size_t> result;
  for (const contact::ContactPair& pair : system.pairs()) {
    result.push_back(pair.group < 0 ? result.size() : static_cast<std::size_t>(pair.group));
  }
  return result;
}

std::size_t group_count(const dynamics::System& system) {
  std::size_t count = 0;
  for (const std::size_t group : groups(system)) count = std::max(count, group + 1);
  return count;
}

}  // namespace

ContactGaps::ContactGaps(const dynamics::System& system)
    : group_(groups(system)), gaps_(group_count(system)), gaps_of_surfaces_(system.pairs()), rigid_(system) {
  surfaces_.prepare(system.pairs());
}

std::span<const double> ContactGaps::measure(const dynamics::System& system, const model::State& state) {
  contact::detect(system.pairs(), state.q, constraints_, state.time);
  surfaces_.detect(system.pairs(), {state.q, state.p, system.inverse_mass(), 0.0, {}, state.time}, constraints_);
  std::fill(gaps_.begin(), gaps_.end(), std::numeric_limits<double>::quiet_NaN());
  in_sight_.assign(system.pairs().size(), 0);
  const auto lower = [&](std::size_t pair, double gap) {
    double& least = gaps_[group_[pair]];
    if (std::isfinite(gap)) least = std::fmin(least, gap);
  };
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const auto pair = static_cast<std::size_t>(constraints_.contact(i).pair);
    in_sight_[pair] = 1;
    // Of rigid bodies this would be the distance of their centres.
    if (!rigid_.knows(pair)) lower(pair, constraints_.gap(i));
  }
  gaps_of_surfaces_.move(state.q);
  for (std::size_t pair = 0; pair < system.pairs().size(); ++pair) {
    const bool is_gone = system.pairs()[pair].is_gone(state.time);
    if (!in_sight_[pair] && !rigid_.knows(pair) && !is_gone) lower(pair, gaps_of_surfaces_.smallest(pair));
  }
  rigid_.move(state.q);
  for (std::size_t pair = 0; pair < system.pairs().size(); ++pair) {
    if (rigid_.knows(pair) && !system.pairs()[pair].is_gone(state.time)) lower(pair, rigid_.smallest(pair));
  }
  return gaps_;
}

}  // namespace ictus::observe
