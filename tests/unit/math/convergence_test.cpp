#include <ictus/math/convergence.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

namespace ictus::math {
namespace {

TEST(FitPowerLaw, FindsTheLawItWasGiven) {
  const std::vector<double> steps{0.3, 0.1, 0.02, 0.7};
  for (const double order : {2.0, 0.5, 1.0 / 3.0, -1.0}) {
    std::vector<double> errors;
    for (const double h : steps) errors.push_back(4.2 * std::pow(h, order));
    const PowerLaw law = *fit_power_law(steps, errors);
    EXPECT_NEAR(law.order, order, 1e-14);
    EXPECT_NEAR(law.constant, 4.2, 1e-13);
    EXPECT_NEAR(law.scatter, 0.0, 1e-14);
  }
}

TEST(FitPowerLaw, IsALeastSquaresFit) {
  // In log₂: x = 0, 1, 2 and y = 0, 2, 1 have the slope 1/2 and the mean 1; residuals −1/2, 1, −1/2.
  const PowerLaw law = *fit_power_law(std::vector{1.0, 2.0, 4.0}, std::vector{1.0, 4.0, 2.0});
  EXPECT_NEAR(law.order, 0.5, 1e-15);
  EXPECT_NEAR(law.constant, std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(law.scatter, std::log10(2.0), 1e-15);
}

TEST(FitPowerLaw, HasNoSlopeWhereThereIsNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(fit_power_law({}, {}));
  EXPECT_FALSE(fit_power_law(std::vector{0.1}, std::vector{0.1}));
  EXPECT_FALSE(fit_power_law(std::vector{0.1, 0.1, 0.1}, std::vector{1.0, 2.0, 3.0}));
  EXPECT_FALSE(fit_power_law(std::vector{0.1, 0.2}, std::vector{0.0, 1.0})) << "an exact result";
  EXPECT_FALSE(fit_power_law(std::vector{0.1, 0.2}, std::vector{1.0, nan}));
  EXPECT_FALSE(fit_power_law(std::vector{0.1, 0.2}, std::vector{1.0, infinity}));
  EXPECT_FALSE(fit_power_law(std::vector{-0.1, 0.2}, std::vector{1.0, 1.0}));
  EXPECT_THROW(fit_power_law(std::vector{0.1, 0.2}, std::vector{1.0}), std::invalid_argument);
}

TEST(LocalOrders, AreThoseBetweenNeighbours) {
  const std::vector<double> steps{0.4, 0.2, 0.1, 0.05};
  const std::vector<double> errors{1.0, 0.25, 0.125, 0.0};
  const std::vector<std::optional<double>> orders = local_orders(steps, errors);
  ASSERT_EQ(orders.size(), 3u);
  EXPECT_NEAR(*orders[0], 2.0, 1e-14);
  EXPECT_NEAR(*orders[1], 1.0, 1e-14);
  EXPECT_FALSE(orders[2].has_value());
  EXPECT_TRUE(local_orders({}, {}).empty());
  EXPECT_THROW(local_orders(steps, std::vector{1.0}), std::invalid_argument);
}

}  // namespace
}  // namespace ictus::math
