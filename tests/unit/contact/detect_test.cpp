#include <gtest/gtest.h>

#include <ictus/contact/detect/detect.hpp>
#include <ictus/contact/scheme/unilateral_response.hpp>
#include <ictus/mechanics/bar/bar.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>

namespace ictus::contact {
namespace {

mechanics::BarProperties unit_bar(double start) {
  mechanics::BarProperties bar{};
  bar.length = 1;
  bar.elements = 2;
  bar.mass_per_length = 4;
  bar.stiffness = 1;
  bar.start = {start, 0, 0};
  bar.direction = {1, 0, 0};
  return bar;
}

TEST(Detect, GapAndGradientBetweenBars) {
  const mechanics::Bar a("a", unit_bar(0), 0), b("b", unit_bar(1.25), 3);
  const ContactPair pair{"a", "b", &a.surface(), &b.surface(), {}, 0, 1, 0};
  std::vector<double> q{0, 0, 0.125, -0.0625, 0, 0};
  model::ConstraintSet constraints;
  detect({&pair, 1}, q, constraints);
  ASSERT_EQ(constraints.size(), 1u);
  EXPECT_DOUBLE_EQ(constraints.gap(0), 0.25 - 0.125 - 0.0625);
  // g = q3 − q2 + constant, so the gradient is −1 at the end of a and +1 at the start of b.
  ASSERT_EQ(constraints.row(0).size(), 2u);
  EXPECT_EQ(constraints.row(0)[0].dof, 2);
  EXPECT_EQ(constraints.row(0)[0].weight, -1);
  EXPECT_EQ(constraints.row(0)[1].dof, 3);
  EXPECT_EQ(constraints.row(0)[1].weight, 1);
  EXPECT_EQ(constraints.contact(0).normal, math::Vec3(1, 0, 0));
}

TEST(Detect, GapAboveAPlaneEitherWayRound) {
  const mechanics::Bar bar("bar", unit_bar(0.5), 0);
  const mechanics::Obstacle wall("wall", {{0.25, 3, 3}, {1, 0, 0}});
  const std::vector<double> q{-0.125, 0, 0};
  for (const bool wall_first : {true, false}) {
    const ContactPair pair = wall_first ? ContactPair{"wall", "bar", &wall.surface(), &bar.surface(), {}, 0, 0, 0}
                                        : ContactPair{"bar", "wall", &bar.surface(), &wall.surface(), {}, 0, 0, 0};
    model::ConstraintSet constraints;
    detect({&pair, 1}, q, constraints);
    EXPECT_DOUBLE_EQ(constraints.gap(0), 0.125);
    ASSERT_EQ(constraints.row(0).size(), 1u);
    EXPECT_EQ(constraints.row(0)[0].weight, 1);
    // The normal pushes the second body of the pair.
    EXPECT_EQ(constraints.contact(0).normal, math::Vec3(wall_first ? 1 : -1, 0, 0));
  }
}

TEST(UnilateralResponse, ContactsThatShareADofAreSolvedTogether) {
  // Three equal masses in a row touch; the left one moves right. Inelastic contact of all three: one common velocity.
  model::ConstraintSet constraints;
  constraints.open_row().insert(constraints.open_row().end(), {{0, -1.0}, {1, 1.0}});
  constraints.add(0, {0, {}, {}});
  constraints.open_row().insert(constraints.open_row().end(), {{1, -1.0}, {2, 1.0}});
  constraints.add(0, {1, {}, {}});
  const std::vector<double> inverse_mass{0.5, 0.5, 0.5}, offset{0, 0};
  const std::vector<int> active{0, 1};
  std::vector<double> p{6, 0, 0};
  UnilateralResponse response;
  EXPECT_TRUE(response.apply(constraints, active, inverse_mass, offset, p).solved());
  for (const double value : p) EXPECT_NEAR(value, 2, 1e-14);
}

}  // namespace
}  // namespace ictus::contact
