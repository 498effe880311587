#include <algorithm>
#include <cmath>
#include <ictus/mechanics/signal.hpp>
#include <numbers>

namespace ictus::mechanics {

double Harmonics::at(double time) const {
  double sum = 0;
  for (const Term& term : terms_)
    sum += term.amplitude * std::sin(2 * std::numbers::pi * term.frequency * time + term.phase);
  return ramp_ > 0 ? -std::expm1(-time / ramp_) * sum : sum;
}

double HalfSine::at(double time) const {
  const double share = (time - start_) / duration_;
  return share > 0 && share < 1 ? amplitude_ * std::sin(std::numbers::pi * share) : 0;
}

double Ramp::at(double time) const {
  if (time < start_) return 0;
  return rise_ > 0 ? amplitude_ * std::min((time - start_) / rise_, 1.0) : amplitude_;
}

double Table::at(double time) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  if (after == times_.begin()) return values_.front();
  if (after == times_.end()) return values_.back();
  const auto i = static_cast<std::size_t>(after - times_.begin());
  const double share = (time - times_[i - 1]) / (times_[i] - times_[i - 1]);
  return values_[i - 1] + share * (values_[i] - values_[i - 1]);
}

}  // namespace ictus::mechanics
