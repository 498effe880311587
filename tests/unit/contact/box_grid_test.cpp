#include <gtest/gtest.h>

#include <ictus/base/error.hpp>
#include <ictus/contact/detect/box_grid.hpp>
#include <limits>

namespace ictus::contact {
namespace {

using math::Vec3;

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

Box unit_box(double x) { return {Vec3(x, 0, 0), Vec3(x + 1, 1, 1)}; }

std::vector<int> found_by(const std::vector<Box>& boxes, const Box& box, double cell = 1) {
  BoxGrid grid;
  grid.fill(boxes, std::vector<int>(boxes.size(), 0), std::vector<char>{1, 1}, cell);
  BoxGrid::Hits hits;
  std::vector<int> found;
  grid.find(box, 1, -1, hits, found);
  return found;
}

TEST(BoxGrid, FindsWhatOverlapsFromAnywhere) {
  const std::vector<Box> boxes{unit_box(0), unit_box(5), unit_box(10)};
  EXPECT_EQ(found_by(boxes, unit_box(5.5)), std::vector<int>{1});
  EXPECT_EQ(found_by(boxes, {Vec3::Constant(-1e300), Vec3::Constant(1e300)}), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(found_by(boxes, unit_box(1e300)), std::vector<int>{});
  EXPECT_EQ(found_by(boxes, {Vec3(nan, 0, 0), Vec3(1, 1, 1)}), std::vector<int>{});
}

TEST(BoxGrid, TakesAnySizeOfCells) {
  const std::vector<Box> boxes{unit_box(0), unit_box(5)};
  for (const double cell : {0.0, 1e-300, 1e300}) EXPECT_EQ(found_by(boxes, unit_box(5.5), cell), std::vector<int>{1});
}

TEST(BoxGrid, RefusesPositionsThatAreNotFinite) {
  for (const double x : {nan, infinity, -infinity})
    EXPECT_THROW(found_by({unit_box(0), unit_box(x)}, unit_box(0)), base::NumericalFailure) << x;
  EXPECT_THROW(found_by({unit_box(-1.7e308), unit_box(1.7e308)}, unit_box(0)), base::NumericalFailure);
}

}  // namespace
}  // namespace ictus::contact
