#include <ictus/math/cfc_filter.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ictus::math {

using std::numbers::pi;
using std::numbers::sqrt2;

CfcFilter::CfcFilter(double frequency_class, double period) : period_(period) {
  constexpr double decays = 16;  // e-foldings: 1e-7
  const double omega = 2 * pi * design * frequency_class;
  warped_ = std::tan(omega * period / 2);
  const double denominator = 1 + sqrt2 * warped_ + warped_ * warped_;
  a0_ = warped_ * warped_ / denominator;
  b1_ = 2 * (1 - warped_ * warped_) / denominator;
  b2_ = (sqrt2 * warped_ - 1 - warped_ * warped_) / denominator;
  memory_ = decays * sqrt2 / omega;
}

double CfcFilter::gain(double frequency) const {
  const double ratio = std::tan(pi * frequency * period_) / warped_;
  return 1 / (1 + ratio * ratio * ratio * ratio);
}

/// Begins at rest in the first value, which the filter leaves as it is.
void CfcFilter::pass(std::vector<double>& signal) const {
  double x1 = signal.front(), x2 = x1, y1 = x1, y2 = x1;
  for (double& value : signal) {
    const double x = value;
    value = a0_ * (x + 2 * x1 + x2) + b1_ * y1 + b2_ * y2;
    x2 = x1;
    x1 = x;
    y2 = y1;
    y1 = value;
  }
}

std::vector<double> CfcFilter::apply(std::span<const double> signal) const {
  const std::size_t n = signal.size();
  if (n < 2) return {signal.begin(), signal.end()};
  const std::size_t beyond = std::min(n - 1, static_cast<std::size_t>(std::ceil(memory_ / period_)));
  std::vector<double> extended;
  extended.reserve(n + 2 * beyond);
  for (std::size_t i = beyond; i > 0; --i) extended.push_back(2 * signal.front() - signal[i]);
  extended.insert(extended.end(), signal.begin(), signal.end());
  for (std::size_t i = 1; i <= beyond; ++i) extended.push_back(2 * signal.back() - signal[n - 1 - i]);
  pass(extended);
  std::reverse(extended.begin(), extended.end());
  pass(extended);
  std::reverse(extended.begin(), extended.end());
  const auto begin = extended.begin() + static_cast<std::ptrdiff_t>(beyond);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace ictus::math
