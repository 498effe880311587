#pragma once

#include <span>
#include <vector>

namespace ictus::math {

/// The phaseless filter of a channel frequency class of SAE J211-1: a Butterworth filter of second order, run forward
/// and then backward over the whole signal. With ω_d = 2π · 2.0775 · class and ω_a = tan(ω_d T/2) for samples T apart,
///   y_t = a₀ (x_t + 2 x_{t−1} + x_{t−2}) + b₁ y_{t−1} + b₂ y_{t−2},
///   a₀ = ω_a²/(1 + √2 ω_a + ω_a²), b₁ = 2 (1 − ω_a²)/(…), b₂ = (√2 ω_a − 1 − ω_a²)/(…),
/// and the gain of both passes at f is 1/(1 + (tan(π f T)/ω_a)⁴): it halves the power at 5/3 of the class.
class CfcFilter {
 public:
  static constexpr double design = 2.0775;
  /// Samples within 1/class that it takes at least: J211 asks for ten.
  static constexpr double min_samples = 10;

  /// `period` in s, at most 1/(10 class).
  CfcFilter(double frequency_class, double period);

  /// Of both passes (1).
  double gain(double frequency) const;
  /// The signal, filtered. Beyond both ends it goes on turned about its end point, so that neither its value nor its
  /// slope jumps there, for the time in which the filter forgets.
  std::vector<double> apply(std::span<const double> signal) const;

 private:
  void pass(std::vector<double>& signal) const;

  double period_, warped_;
  double a0_, b1_, b2_;
  double memory_;  // time in which it forgets (s)
};

}  // namespace ictus::math
