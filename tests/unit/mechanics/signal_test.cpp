#include <gtest/gtest.h>

#include <cmath>
#include <ictus/mechanics/load/signal.hpp>

namespace ictus::mechanics {
namespace {

/// What `sample` gives differs from `at` by no more than the rounding of some tens of products.
void expect_samples(const Signal& signal, double start, double step, double size) {
  for (const std::size_t count : {1, 3, 64, 65, 300}) {
    std::vector<double> values(count);
    signal.sample(start, step, values);
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_NEAR(values[i], signal.at(start + static_cast<double>(i + 1) * step), 1e-14 * size)
          << i << " of " << count;
  }
}

TEST(Signal, HarmonicsAreSampledAsTheyAre) {
  const std::vector<Harmonics::Term> terms{{8, 6, 0}, {4, 13, 0.7}};
  for (const double ramp : {0.0, 0.02}) {
    const Harmonics signal(terms, ramp);
    expect_samples(signal, 0.0, 2.85e-7, 12);
    expect_samples(signal, 0.17, 2.85e-7, 12);
    expect_samples(signal, 0.17, 1e-3, 12);
  }
}

TEST(Signal, TheRampOfSamplesIsExactAtItsBeginning) {
  const Harmonics signal({{1, 0, M_PI / 2}}, 0.02);  // 1 − e^{−t/ramp}
  std::vector<double> values(100);
  signal.sample(0.0, 1e-9, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double wanted = -std::expm1(-static_cast<double>(i + 1) * 1e-9 / 0.02);
    EXPECT_NEAR(values[i], wanted, 1e-13 * wanted);
  }
}

TEST(Signal, OthersAreSampledByTheirValues) {
  const Table signal({0, 1, 2}, {0, 3, 1});
  std::vector<double> values(4);
  signal.sample(0.0, 0.5, values);
  EXPECT_EQ(values, (std::vector<double>{1.5, 3, 2, 1}));
}

}  // namespace
}  // namespace ictus::mechanics
