#include <gtest/gtest.h>

#include <algorithm>
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

/// Three points in a row, the second and heavier one held along y, and a body that turns with the first. Contacts of
/// the first with the second and of the second with the third rub; their rows have the dofs of a point one after the
/// other, or in another order.
class PointsThatRub : public ::testing::Test {
 protected:
  struct Result {
    std::vector<double> p, impulses;
  };

  static Result solve(bool in_order) {
    const std::vector<double> inverse_mass{1, 1, 1, 0.5, 0, 0.5, 2, 2, 2, 7, 5, 3};
    Result result{{0.3, -0.2, 1, 0.1, 0, -0.2, -0.4, 0.5, -1, 0.02, -0.05, 0.01}, {}};
    ConstraintSet constraints;
    add(constraints, 0, 3, math::Vec3(0.2, -0.1, 1).normalized(), in_order);
    add(constraints, 3, 6, math::Vec3(-0.3, 0.1, 1).normalized(), in_order);
    const std::vector<int> taking_part{0, 1};
    const std::vector<ImpactLaw> laws{{.friction = 0.3}, {.offset = -0.1, .friction = 0.8, .guess = 0.1}};
    SweepResponse sweeps({.tolerance = 1e-13});
    EXPECT_TRUE(sweeps.apply(constraints, taking_part, laws, inverse_mass, 1e-3, result.p).settled);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& [first, second] = sweeps.tangential()[i];
      result.impulses.insert(result.impulses.end(), {sweeps.lambda()[i], first, second});
    }
    return result;
  }

  static void add(ConstraintSet& constraints, int first, int second, const math::Vec3& n, bool in_order) {
    using Kind = model::RowEntry::Kind;
    const auto push = [&](const math::Vec3& e) {
      std::vector<model::RowEntry> row;
      for (int c = 0; c < 3; ++c) row.push_back({first + c, -e[c]});
      const math::Vec3 moment = math::Vec3(0.1, 0.4, -0.2).cross(e);
      for (int c = 0; c < 3 && first == 0; ++c) row.push_back({9 + c, moment[c], Kind::turning});
      for (int c = 0; c < 3; ++c) row.push_back({second + c, e[c]});
      if (!in_order) std::reverse(row.begin(), row.end());
      constraints.open_row().insert(constraints.open_row().end(), row.begin(), row.end());
    };
    push(n);
    constraints.add(0, {0, math::Vec3::Zero(), n}, 0, ConstraintSet::Onset::ahead);
    for (const math::Vec3& tangent : constraints.open_tangents()) {
      push(tangent);
      constraints.add_tangent();
    }
  }
};

/// A point as one block of three dofs along the directions of its contact has the impulses of its dofs one by one.
TEST_F(PointsThatRub, HaveTheSameImpulsesHoweverTheirDofsAreListed) {
  const Result points = solve(true), dofs = solve(false);
  EXPECT_GT(points.impulses[0], 0.1);
  EXPECT_GT(points.impulses[3], 0.1);
  for (std::size_t k = 0; k < points.impulses.size(); ++k)
    EXPECT_NEAR(points.impulses[k], dofs.impulses[k], 1e-11) << k;
  for (std::size_t k = 0; k < points.p.size(); ++k) EXPECT_NEAR(points.p[k], dofs.p[k], 1e-11) << k;
  // The first slides: its tangential impulse is as large as friction allows.
  EXPECT_NEAR(std::hypot(points.impulses[1], points.impulses[2]), 0.3 * points.impulses[0], 1e-12);
}

}  // namespace
}  // namespace ictus::contact
