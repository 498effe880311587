#include <ictus/math/error_norm.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ictus::math {
namespace {

TEST(RelativeError, SumsDifferencesOverSumsOfTheReference) {
  RelativeError error;
  error.add(1.5, 1.0);
  error.add(-2.25, -2.0);
  error.add(0.25, 0.0);
  EXPECT_EQ(*error.value(), (0.5 + 0.25 + 0.25) / 3.0);
}

TEST(RelativeError, IsZeroForTheReferenceItself) {
  RelativeError error;
  for (const double f : {0.1, -0.3, 0.0}) error.add(f, f);
  EXPECT_EQ(*error.value(), 0.0);
}

TEST(RelativeError, HasNoValueWithoutAReference) {
  RelativeError error;
  EXPECT_FALSE(error.value().has_value());
  error.add(1.0, 0.0);
  EXPECT_FALSE(error.value().has_value()) << "1/0 is no relative error";
}

TEST(RelativeError, DoesNotHideABadValue) {
  RelativeError error;
  error.add(std::numeric_limits<double>::quiet_NaN(), 1.0);
  error.add(1.0, 1.0);
  EXPECT_TRUE(std::isnan(*error.value()));
}

TEST(RelativeError, OfALateJumpGoesToZeroWithTheStep) {
  // v jumps from 1 to −1 at t = 0.5 and the computed one a step later: one value of N is off by 2, e = 2/N.
  for (const int n : {10, 100, 1000}) {
    RelativeError error;
    for (int i = 1; i <= n; ++i) error.add(2 * (i - 1) < n ? 1.0 : -1.0, 2 * i < n ? 1.0 : -1.0);
    EXPECT_EQ(*error.value(), 2.0 / n);
  }
}

}  // namespace
}  // namespace ictus::math
