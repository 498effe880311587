#include <gtest/gtest.h>

#include <cmath>
#include <ictus/math/cfc_filter.hpp>
#include <numbers>

namespace ictus::math {
namespace {

using std::numbers::pi;

double decibels(double gain) { return 20 * std::log10(gain); }

std::vector<double> sine(double frequency, double period, std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(2 * pi * frequency * period * static_cast<double>(i));
  return x;
}

class Classes : public ::testing::TestWithParam<double> {};

/// The corridor of SAE J211-1, figure 1: within +0.5 and −0.5 dB where it begins, −1 dB at the class, −4 dB at the
/// class over 0.6, and falling by between 9 and 24 dB an octave from there.
TEST_P(Classes, LiesInThePublishedCorridor) {
  const double cfc = GetParam();
  const CfcFilter filter(cfc, 1 / (50 * cfc));
  EXPECT_NEAR(decibels(filter.gain(0.1)), 0, 1e-9);
  EXPECT_LT(decibels(filter.gain(cfc)), 0.5);
  EXPECT_GT(decibels(filter.gain(cfc)), -1);
  const double corner = cfc / 0.6;
  EXPECT_NEAR(decibels(filter.gain(corner)), -3.01, 0.03);  // half the power
  EXPECT_GT(decibels(filter.gain(corner)), -4);
  const double octave = decibels(filter.gain(4 * corner)) - decibels(filter.gain(2 * corner));
  EXPECT_LT(octave, -9);
  EXPECT_GT(octave, -26);  // of samples: a little steeper than 24
}

/// What comes out of the middle of a long sine is the sine times the gain, with no delay.
TEST_P(Classes, PassesSinesByTheGain) {
  const double cfc = GetParam(), period = 1 / (20 * cfc);
  const CfcFilter filter(cfc, period);
  for (const double frequency : {0.2 * cfc, cfc, 1.6667 * cfc, 3 * cfc}) {
    const std::vector<double> x = sine(frequency, period, 4000), y = filter.apply(x);
    for (std::size_t i = 1000; i < 3000; ++i) ASSERT_NEAR(y[i], filter.gain(frequency) * x[i], 1e-9) << frequency;
  }
}

TEST_P(Classes, KeepsStraightLinesToTheirEnds) {
  const double cfc = GetParam();
  const CfcFilter filter(cfc, 1 / (25 * cfc));
  std::vector<double> x(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 3 - 0.01 * static_cast<double>(i);
  const std::vector<double> y = filter.apply(x);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i], x[i], 1e-6);
}

INSTANTIATE_TEST_SUITE_P(J211, Classes, ::testing::Values(60.0, 180.0, 600.0, 1000.0));

TEST(CfcFilter, TakesShortSignals) {
  const CfcFilter filter(180, 1e-4);
  EXPECT_TRUE(filter.apply({}).empty());
  EXPECT_EQ(filter.apply(std::vector{2.0}), std::vector{2.0});
  for (const double y : filter.apply(std::vector{2.0, 2.0, 2.0})) EXPECT_NEAR(y, 2, 1e-12);
}

}  // namespace
}  // namespace ictus::math
