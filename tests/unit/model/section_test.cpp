#include <gtest/gtest.h>

#include <cmath>
#include <ictus/model/section.hpp>
#include <numbers>

namespace ictus::model {
namespace {

TEST(Section, BoxesOfTheCrane) {
  // fekak-2017's masses with the figures of the three boxes, to the digits given.
  const Section girder = box_section(0.6, 0.4, 0.02), carriage = box_section(0.5, 0.35, 0.025);
  EXPECT_EQ(girder.height, 0.6);
  EXPECT_EQ(girder.width, 0.4);
  EXPECT_NEAR(girder.area, 0.03840, 1e-12);
  EXPECT_NEAR(girder.inertia_y, 1.931520e-3, 5e-10);
  EXPECT_NEAR(girder.torsion, 2.024007e-3, 5e-10);
  EXPECT_NEAR(carriage.area, 0.04, 1e-12);
  EXPECT_NEAR(carriage.inertia_y, 1.367708e-3, 5e-10);
  EXPECT_NEAR(carriage.torsion, 1.489478e-3, 5e-10);
}

TEST(Section, AFullTubeIsACircle) {
  const Section circle = pipe_section(0.2, 0.1);
  EXPECT_NEAR(circle.area, std::numbers::pi * 0.01, 1e-15);
  EXPECT_NEAR(circle.torsion, circle.polar(), 1e-18);
}

TEST(Section, TorsionOfASquareAndOfAPlate) {
  EXPECT_NEAR(rectangle_section(1, 1).torsion, 0.140577, 0.003 * 0.140577);  // Saint-Venant's series
  EXPECT_NEAR(rectangle_section(1, 0.01).torsion, 1e-6 / 3, 0.01 * 1e-6 / 3);
  EXPECT_EQ(rectangle_section(2, 1).torsion, rectangle_section(1, 2).torsion);
}

TEST(Section, AnIWithAThickWebIsARectangle) {
  const Section i = i_section(0.4, 0.2, 0.2, 0.05), solid = rectangle_section(0.4, 0.2);
  EXPECT_NEAR(i.area, solid.area, 1e-15);
  EXPECT_NEAR(i.inertia_y, solid.inertia_y, 1e-15);
  EXPECT_NEAR(i.inertia_z, solid.inertia_z, 1e-15);
}

}  // namespace
}  // namespace ictus::model
