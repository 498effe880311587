#include <gtest/gtest.h>

#include <ictus/dynamics/booking/pair_closings.hpp>

namespace ictus::dynamics {
namespace {

using Onset = model::ConstraintSet::Onset;

/// Two pairs, of which surfaces approach by up to 0.1 in a step.
class PairClosingsTest : public ::testing::Test {
 protected:
  int step(double gap, Onset onset, bool is_pushed, int pair = 0) {
    model::ConstraintSet constraints;
    constraints.add(gap, {pair, math::Vec3::Zero(), math::Vec3::UnitX()}, 0, onset);
    if (is_pushed) closings_.push(pair);
    StepReport report;
    closings_.count(pairs_, constraints, approach_, closed_, report);
    penetration_ = report.max_penetration;
    return report.closings;
  }

  std::vector<contact::ContactPair> pairs_{2};
  std::vector<double> approach_{0.1, 0.1};
  std::vector<double> closed_{0.0, 0.0};
  PairClosings closings_{{true, true}};
  double penetration_ = 0;
};

TEST_F(PairClosingsTest, PointsCloseWhereTheirGapDoes) {
  EXPECT_EQ(step(0.05, Onset::closed, false), 0);
  EXPECT_EQ(step(-0.02, Onset::closed, true), 1);
  EXPECT_EQ(penetration_, 0.02);
  EXPECT_EQ(step(0.0, Onset::closed, false), 0) << "still closed";
  EXPECT_EQ(step(0.01, Onset::closed, false), 0);
  EXPECT_EQ(closed_[0], 0.0);
  EXPECT_EQ(step(0.0, Onset::closed, false), 1) << "again";
}

TEST_F(PairClosingsTest, SurfacesCloseWithAnImpulseAndOpenOutOfReach) {
  EXPECT_EQ(step(0.05, Onset::ahead, false), 0) << "near, but nothing acts";
  EXPECT_EQ(step(1e-9, Onset::ahead, true), 1);
  EXPECT_EQ(step(1e-3, Onset::ahead, false), 0) << "a step without impulse on the way";
  EXPECT_EQ(step(1e-9, Onset::ahead, true), 0);
  EXPECT_EQ(step(0.2, Onset::ahead, false), 0);
  EXPECT_EQ(step(1e-9, Onset::ahead, true), 1) << "it had gone";
  EXPECT_EQ(penetration_, 0.0);
}

TEST_F(PairClosingsTest, LeavesPairsOfOthersAlone) {
  closings_ = PairClosings({true, false});
  closed_ = {0.0, 1.0};
  EXPECT_EQ(step(0.5, Onset::closed, false), 0);
  EXPECT_EQ(step(-0.5, Onset::closed, false, 1), 0);
  EXPECT_EQ(closed_, (std::vector<double>{0.0, 1.0}));
}

}  // namespace
}  // namespace ictus::dynamics
