#include <ictus/mechanics/load/signal.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ictus::mechanics {

void Signal::sample(double start, double step, std::span<double> values) const {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = at(start + static_cast<double>(i + 1) * step);
}

double Harmonics::at(double time) const {
  double sum = 0;
  for (const Term& term : terms_)
    sum += term.amplitude * std::sin(2 * std::numbers::pi * term.frequency * time + term.phase);
  return ramp_ > 0 ? -std::expm1(-time / ramp_) * sum : sum;
}

/// From one time to the next, sine and cosine of each term turn by ω·step and the exponential shrinks by a factor. They
/// are begun anew often enough for rounding to stay below 1e-14.
void Harmonics::sample(double start, double step, std::span<double> values) const {
  constexpr std::size_t min_length = 4, max_length = 64;
  if (values.size() < min_length) return Signal::sample(start, step, values);
  for (std::size_t begin = 0; begin < values.size(); begin += max_length) {
    const auto part = values.subspan(begin, std::min(max_length, values.size() - begin));
    const double from = start + static_cast<double>(begin) * step;
    std::fill(part.begin(), part.end(), 0.0);
    for (const Term& term : terms_) {
      const double omega = 2 * std::numbers::pi * term.frequency, turn_sine = std::sin(omega * step),
                   turn_cosine = std::cos(omega * step);
      double sine = term.amplitude * std::sin(omega * from + term.phase),
             cosine = term.amplitude * std::cos(omega * from + term.phase);
      for (double& value : part) {
        const double turned = sine * turn_cosine + cosine * turn_sine;
        cosine = cosine * turn_cosine - sine * turn_sine;
        value += sine = turned;
      }
    }
    if (ramp_ <= 0) continue;
    const double factor = std::exp(-step / ramp_), remainder = std::expm1(-step / ramp_);
    double rise = -std::expm1(-from / ramp_);  // 1 − e^{−t/ramp}
    for (double& value : part) value *= rise = rise * factor - remainder;
  }
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
