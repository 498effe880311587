#include <ictus/dynamics/support/moving_supports.hpp>

namespace ictus::dynamics {

void MovingSupports::prepare(const System& system) {
  moved_.assign(system.driven().size(), 0.0);
  reaction_.assign(system.driven().size(), 0.0);
}

void MovingSupports::move(const System& system, double time, std::span<double> q) {
  system.motions().place(time, q, moved_);
}

void MovingSupports::velocity(const System& system, double h, std::span<double> v) const {
  const auto driven = system.driven();
  for (std::size_t i = 0; i < driven.size(); ++i) v[static_cast<std::size_t>(driven[i])] = moved_[i] / h;
}

double MovingSupports::work(std::span<const double> before, std::span<const double> now) const {
  double sum = 0;
  for (std::size_t i = 0; i < moved_.size(); ++i) sum -= 0.5 * (before[i] + now[i]) * moved_[i];
  return sum;
}

}  // namespace ictus::dynamics
