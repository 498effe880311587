#include <gtest/gtest.h>

#include <ictus/contact/scheme/sweep_response.hpp>

namespace ictus::contact {
namespace {

using model::ConstraintSet;

/// Many masses that fall on one heavy floor, each with the dofs x and z; the first one stands in a valley whose
/// sides lean by a little, the one side lower than the other.
class MassesOnAFloor : public ::testing::Test {
 protected:
  static constexpr int masses = 2000;
  static constexpr double lean = 1e-4, speed = 1, h = 1e-3;

  void SetUp() override {
    inverse_mass_.assign(2 * masses + 1, 1.0);
    inverse_mass_.back() = 1e-3;
    p_.assign(inverse_mass_.size(), 0.0);
    for (int i = 0; i < masses; ++i) {
      p_[static_cast<std::size_t>(2 * i + 1)] = -speed;
      if (i == 0) {
        add(i, lean, 0);
        add(i, -lean, 1e-7);
      } else {
        add(i, 0, 0);
      }
    }
  }

  void add(int mass, double along_x, double offset) {
    constraints_.open_row().insert(constraints_.open_row().end(),
                                   {{2 * mass, along_x}, {2 * mass + 1, 1.0}, {2 * masses, -1.0}});
    constraints_.add(0, {0, math::Vec3::Zero(), math::Vec3::UnitZ()}, 0, ConstraintSet::Onset::ahead);
    taking_part_.push_back(static_cast<int>(taking_part_.size()));
    laws_.push_back({.offset = offset, .guess = 0.5 * speed});
  }

  double rate(std::size_t i) const { return model::rate(constraints_.row(i), inverse_mass_, p_) + laws_[i].offset; }

  ConstraintSet constraints_;
  std::vector<int> taking_part_;
  std::vector<ImpactLaw> laws_;
  std::vector<double> inverse_mass_, p_;
};

/// Impulses that nearly parallel constraints hand to each other take hundreds of sweeps, over those two alone.
TEST_F(MassesOnAFloor, OneInAValleySettles) {
  SweepResponse sweeps({.tolerance = 1e-9});
  const SweepReport report = sweeps.apply(constraints_, taking_part_, laws_, inverse_mass_, h, p_);
  EXPECT_TRUE(report.settled);
  EXPECT_LT(report.sweeps, 60);
  EXPECT_EQ(sweeps.lambda()[1], 0);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    EXPECT_GE(rate(i), -3e-9);
    if (sweeps.lambda()[i] > 0) {
      EXPECT_LE(rate(i), 3e-9);
    }
  }
}

/// What is reported of sweeps that ended early is what they left.
TEST_F(MassesOnAFloor, OneSweepIsNotEnoughAndSaysSo) {
  SweepResponse sweeps({.max_sweeps = 1, .tolerance = 1e-9});
  const SweepReport report = sweeps.apply(constraints_, taking_part_, laws_, inverse_mass_, h, p_);
  EXPECT_FALSE(report.settled);
  EXPECT_GT(report.error, 1e-2);
}

}  // namespace
}  // namespace ictus::contact
