#include <ictus/mechanics/exact/step_signal.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::mechanics {

Clock::Clock(double horizon) {
  std::frexp(horizon, &exponent_);
  exponent_ = 110 - exponent_;
}

Tick Clock::ticks(double seconds) const { return static_cast<Tick>(std::nearbyint(std::ldexp(seconds, exponent_))); }

double Clock::seconds(Tick ticks) const { return std::ldexp(static_cast<double>(ticks), -exponent_); }

StepSignal::StepSignal(Clock clock, Tick start, double value, double integral)
    : clock_(clock), starts_{start}, values_{value}, integrals_{integral} {}

bool StepSignal::append(Tick t, double value, double tolerance) {
  if (std::abs(value - values_.back()) <= tolerance) return false;
  // Neumaier's sum: the integral of a long run of pieces keeps the accuracy of one piece.
  const double before = integrals_.back();
  const double increment = values_.back() * clock_.seconds(t - starts_.back()) + carry_;
  const double after = before + increment;
  const double carry =
      std::abs(before) >= std::abs(increment) ? (before - after) + increment : (increment - after) + before;
  restart(t, value, after);
  carry_ = carry;
  return true;
}

void StepSignal::restart(Tick t, double value, double integral) {
  if (t > starts_.back()) {
    starts_.push_back(t);
    values_.push_back(value);
    integrals_.push_back(integral);
  } else {
    values_.back() = value;
    integrals_.back() = integral;
  }
  carry_ = 0.0;
}

double StepSignal::integral(Tick t) const {
  const std::size_t i = piece(t);
  return integrals_[i] + values_[i] * clock_.seconds(t - starts_[i]);
}

StepSignal::Moments StepSignal::moments(Tick from, Tick to) const {
  Moments sum;
  for (std::size_t i = piece(from); i < size() && (i == 0 || starts_[i] < to); ++i) {
    const Tick begin = i == 0 ? from : std::max(from, starts_[i]);
    const Tick end = i + 1 < size() ? std::min(to, starts_[i + 1]) : to;
    const double duration = clock_.seconds(end - begin);
    sum.first += duration * values_[i];
    sum.second += duration * values_[i] * values_[i];
  }
  return sum;
}

std::size_t StepSignal::piece(Tick t) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), t);
  return after == starts_.begin() ? 0 : static_cast<std::size_t>(after - starts_.begin()) - 1;
}

}  // namespace ictus::mechanics
