#include <gtest/gtest.h>

#include <ictus/base/error.hpp>
#include <ictus/geometry/shape/body_grid.hpp>
#include <limits>

namespace ictus::geometry {
namespace {

TEST(BodyGrid, RefusesPositionsThatAreNotFinite) {
  const std::vector<Bounds> near{{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {1, 1, 1}}, {{1e300, 0, 0}, {1, 1, 1}}};
  BodyGrid grid;
  grid.assign(near);
  std::vector<int> found;
  grid.partners(0, found);
  EXPECT_EQ(found, std::vector<int>{1});
  for (const double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<Bounds> lost = near;
    lost[1].centre.x = x;
    EXPECT_THROW(grid.assign(lost), base::NumericalFailure);
    lost = near;
    lost[1].half.z = x;
    EXPECT_THROW(grid.assign(lost), base::NumericalFailure);
  }
}

}  // namespace
}  // namespace ictus::geometry
