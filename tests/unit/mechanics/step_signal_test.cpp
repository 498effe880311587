#include <ictus/mechanics/exact/step_signal.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace ictus::mechanics {
namespace {

TEST(Clock, ConvertsDoublesWithoutRounding) {
  const Clock clock(1000.0);
  for (const double t : {1000.0, 1.0 / 3.0, 1e-9, -0.1, 0.0}) EXPECT_EQ(clock.seconds(clock.ticks(t)), t);
}

TEST(Clock, SumsOfTravelTimesDoNotDependOnTheOrder) {
  // In doubles 0.1 + 0.1 + … differs from 0.3 + 0.3 + … after a few terms.
  const Clock clock(1000.0);
  const Tick a = clock.ticks(0.1);
  const Tick b = clock.ticks(1.0 / 3.0);
  Tick forth = 0;
  Tick back = 0;
  for (int i = 0; i < 1000; ++i) forth += a;
  for (int i = 0; i < 1000; ++i) forth += b;
  for (int i = 0; i < 1000; ++i) back += b + a;
  EXPECT_TRUE(forth == back);
  EXPECT_EQ(clock.seconds(forth), 1000.0 * 0.1 + 1000.0 / 3.0);
}

class StepSignalTest : public ::testing::Test {
 protected:
  Tick at(double t) const { return clock.ticks(t); }

  Clock clock{16.0};
  StepSignal signal{clock, clock.ticks(-1.0), 2.0, -2.0};
};

TEST_F(StepSignalTest, IsContinuousFromTheRight) {
  EXPECT_TRUE(signal.append(at(3.0), 5.0, 0.0));
  EXPECT_EQ(signal.at(at(3.0) - 1), 2.0);
  EXPECT_EQ(signal.at(at(3.0)), 5.0);
  EXPECT_EQ(signal.at(at(-1.0) - 1), 2.0);
}

TEST_F(StepSignalTest, EqualValuesMakeNoPiece) {
  EXPECT_FALSE(signal.append(at(1.0), 2.0 + 1e-9, 2e-9));
  EXPECT_TRUE(signal.append(at(1.0), 2.0 + 1e-9, 0.5e-9));
  EXPECT_EQ(signal.size(), 2u);
}

TEST_F(StepSignalTest, ASecondValueAtOneInstantReplacesTheFirst) {
  signal.append(at(1.0), 7.0, 0.0);
  signal.append(at(1.0), 3.0, 0.0);
  EXPECT_EQ(signal.size(), 2u);
  EXPECT_EQ(signal.integral(at(2.0)), 5.0);
}

TEST_F(StepSignalTest, IntegratesAndRestarts) {
  signal.append(at(3.0), -1.0, 0.0);
  EXPECT_EQ(signal.integral(at(0.0)), 0.0);
  EXPECT_EQ(signal.integral(at(3.0)), 6.0);
  EXPECT_EQ(signal.integral(at(5.0)), 4.0);
  signal.restart(at(6.0), 0.5, 10.0);
  EXPECT_EQ(signal.integral(at(8.0)), 11.0);
}

TEST_F(StepSignalTest, MomentsOfAWindow) {
  signal.append(at(3.0), -1.0, 0.0);
  signal.append(at(4.0), 3.0, 0.0);
  const StepSignal::Moments moments = signal.moments(at(2.5), at(6.0));
  EXPECT_EQ(moments.first, 0.5 * 2.0 - 1.0 + 2.0 * 3.0);
  EXPECT_EQ(moments.second, 0.5 * 4.0 + 1.0 + 2.0 * 9.0);
  EXPECT_EQ(signal.moments(at(4.0), at(4.0)).second, 0.0);
}

TEST(StepSignal, LongIntegralsDoNotDrift) {
  // 10⁵ unequal pieces: a plain sum is off by 2.5e-10; one unit in the last place of the result is 7e-12.
  const Clock clock(1e6);
  StepSignal signal(clock, 0, 0.0, 1000.0);
  long double sum = 1000.0L;
  for (int i = 0; i < 100000; ++i) {
    const double value = std::abs(std::sin(i));
    signal.append(clock.ticks(i), value, 0.0);
    sum += value;
  }
  EXPECT_NEAR(signal.integral(clock.ticks(100000)), static_cast<double>(sum), 1.5e-11);
}

}  // namespace
}  // namespace ictus::mechanics
