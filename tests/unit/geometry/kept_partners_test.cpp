#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/geometry/shape/kept_partners.hpp>
#include <limits>
#include <random>

namespace ictus::geometry {
namespace {

/// Partners above i that box i meets, out of those offered.
std::vector<int> meeting(const KeptPartners& kept, const std::vector<Bounds>& boxes, std::size_t i) {
  std::vector<int> found;
  for (const int j : kept.partners(i)) {
    if (boxes[i].meets(boxes[j])) found.push_back(j);
  }
  return found;
}

TEST(KeptPartners, OffersEveryPairThatMeetsWhileBoxesWanderAndSeeksSeldom) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> anywhere(-5, 5), a_little(-0.02, 0.02), size(0.2, 0.6);
  std::vector<Bounds> boxes(300);
  for (Bounds& box : boxes) {
    box.centre = {anywhere(engine), anywhere(engine), anywhere(engine)};
    box.half = {size(engine), size(engine), size(engine)};
  }
  KeptPartners kept;
  constexpr int steps = 100;
  std::size_t met = 0;
  for (int step = 0; step < steps; ++step) {
    for (Bounds& box : boxes) {
      box.centre += Vec{a_little(engine), a_little(engine), a_little(engine)};
      box.half += Vec{0.1 * a_little(engine), 0.0, 0.0};
    }
    kept.update(boxes, [](std::size_t) { return 0.1; });
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      std::vector<int> all;
      for (std::size_t j = i + 1; j < boxes.size(); ++j) {
        if (boxes[i].meets(boxes[j])) all.push_back(static_cast<int>(j));
      }
      met += all.size();
      ASSERT_EQ(meeting(kept, boxes, i), all) << "box " << i << ", step " << step;
    }
  }
  EXPECT_GT(met, 10000U);
  EXPECT_GT(kept.searches(), 1);
  EXPECT_LT(kept.searches(), steps / 2);
}

TEST(KeptPartners, RefusesPositionsThatAreNotFinite) {
  std::vector<Bounds> boxes{{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {1, 1, 1}}};
  KeptPartners kept;
  const auto reserve = [](std::size_t) { return 0.5; };
  kept.update(boxes, reserve);
  boxes[1].centre.y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(kept.update(boxes, reserve), base::NumericalFailure);
}

}  // namespace
}  // namespace ictus::geometry
