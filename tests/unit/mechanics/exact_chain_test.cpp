// Rows of several bars: cradles, simultaneous events, random rows against an independent integration, long times.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <ictus/base/error.hpp>
#include <ictus/mechanics/exact/exact_bars.hpp>

#include "unit/mechanics/exact_rows.hpp"

namespace ictus::mechanics {
namespace {

/// Newton's cradle: `count` identical touching bars at rest from x = origin on, struck from the left by `strikers`
/// touching bars that fly at `velocity` across `gap`. Lengths and materials have no short binary form.
struct Cradle {
  int strikers = 1;
  int count = 4;
  double gap = 0.03;
  double velocity = 0.9;
  double origin = 0.0;
  double length = 0.1;
  double mass_per_length = 0.7;
  double stiffness = 1.3;

  double travel_time() const { return length * std::sqrt(mass_per_length / stiffness); }
  double momentum() const { return length * mass_per_length * velocity; }
  Row row() const {
    Row row;
    for (int i = -strikers; i < count; ++i) {
      const double offset = i < 0 ? -gap : 0.0;
      row.bars.push_back({.length = length,
                          .mass_per_length = mass_per_length,
                          .stiffness = stiffness,
                          .position = origin + length * i + offset,
                          .velocity = i < 0 ? velocity : 0.0});
    }
    return row;
  }
};

void expect_rigid_flight(const ExactBars& exact, const Row& row, std::size_t bar, double velocity, double t) {
  for (const double part : {0.0, 0.3, 1.0}) {
    EXPECT_NEAR(exact.velocity(bar, part * row.bars[bar].length, t), velocity, 1e-15) << "bar " << bar;
    EXPECT_NEAR(exact.force(bar, part * row.bars[bar].length, t), 0.0, 1e-15) << "bar " << bar;
  }
}

TEST(ExactCradle, OneInOneOut) {
  const Cradle cradle;
  const Row row = cradle.row();
  const ExactBars exact = row.solve(100.0);
  const double tau = cradle.travel_time();
  const double first = cradle.gap / cradle.velocity;
  // The pulse, 2τ long, reaches junction j at first + (j − 1)τ. Times within round-off of the positions over the speed.
  for (std::size_t j = 1; j <= 4; ++j) {
    ASSERT_EQ(exact.contacts(j).size(), 1u) << "junction " << j;
    const ContactInterval& contact = exact.contacts(j)[0];
    const double arrival = first + static_cast<double>(j - 1) * tau;
    EXPECT_NEAR(contact.closed, j == 1 ? first : 0.0, 1e-15);
    EXPECT_NEAR(contact.pushed_from, arrival, 1e-15);
    EXPECT_NEAR(contact.pushed_until, arrival + 2.0 * tau, 1e-15);
    EXPECT_NEAR(contact.impulse, cradle.momentum(), 1e-15);
  }
  EXPECT_NEAR(exact.contacts(4)[0].opened, first + 5.0 * tau, 1e-15);
  for (std::size_t j = 1; j <= 3; ++j) EXPECT_TRUE(std::isinf(exact.contacts(j)[0].opened));
  for (std::size_t i = 0; i < 5; ++i)
    expect_rigid_flight(exact, row, i, i == 4 ? cradle.velocity : 0.0, first + 5.001 * tau);
  for (std::size_t i = 1; i < 4; ++i)
    EXPECT_NEAR(exact.displacement(i, 0.05, 50.0), cradle.velocity * tau, 1e-14) << "each bar moves on by v τ";
  EXPECT_EQ(exact.pieces(), 20u) << "a pulse makes two breakpoints where it enters, none once the bar flies free";
  expect_sound(row, exact);
}

TEST(ExactCradle, TwoInTwoOut) {
  Cradle cradle;
  cradle.strikers = 2;
  cradle.count = 3;
  const Row row = cradle.row();
  const ExactBars exact = row.solve(100.0);
  const double tau = cradle.travel_time();
  const double first = cradle.gap / cradle.velocity;
  for (std::size_t j = 1; j <= 4; ++j) EXPECT_EQ(exact.contacts(j).size(), 1u) << "junction " << j;
  EXPECT_NEAR(exact.contacts(2)[0].impulse, 2.0 * cradle.momentum(), 1e-15);
  EXPECT_NEAR(exact.contacts(3)[0].opened, first + 5.0 * tau, 1e-15);
  for (std::size_t i = 0; i < 5; ++i) expect_rigid_flight(exact, row, i, i >= 3 ? cradle.velocity : 0.0, 50.0);
  EXPECT_EQ(exact.gap(4, 50.0), 0.0) << "the two fly on together";
  expect_sound(row, exact);
}

TEST(ExactCradle, SpacedCradlePassesTheBlowOn) {
  // Every gap takes gap/velocity, every bar takes τ to start at its far tip.
  Cradle cradle;
  Row row = cradle.row();
  for (std::size_t i = 1; i < row.bars.size(); ++i) row.bars[i].position += 0.01 * static_cast<double>(i - 1);
  const ExactBars exact = row.solve(100.0);
  const double tau = cradle.travel_time();
  for (std::size_t j = 1; j <= 4; ++j) {
    const double closed =
        (cradle.gap + 0.01 * static_cast<double>(j - 1)) / cradle.velocity + static_cast<double>(j - 1) * tau;
    ASSERT_EQ(exact.contacts(j).size(), 1u);
    EXPECT_NEAR(exact.contacts(j)[0].closed, closed, 1e-15);
    EXPECT_NEAR(exact.contacts(j)[0].opened, closed + 2.0 * tau, 1e-15);
  }
  for (std::size_t i = 0; i < 5; ++i) expect_rigid_flight(exact, row, i, i == 4 ? cradle.velocity : 0.0, 50.0);
  expect_sound(row, exact);
}

TEST(ExactCradle, ThousandSwingsBetweenWallsWithoutChatter) {
  Row row = Cradle{}.row();
  row.wall_left = -0.17;
  row.wall_right = 0.62;
  const ExactBars shorter = row.solve(100.0);
  const ExactBars exact = row.solve(1500.0);
  // Each swing has the same events: a wall, a gap that closes and opens once, junctions 2 and 3 that never open.
  for (std::size_t j : {2u, 3u}) EXPECT_EQ(exact.contacts(j).size(), 1u);
  const double period = exact.contacts(0)[1].closed - exact.contacts(0)[0].closed;
  for (std::size_t j : {0u, 1u, 4u, 5u}) {
    EXPECT_NEAR(static_cast<double>(exact.contacts(j).size()), 1500.0 / period, 1.5) << "junction " << j;
    for (std::size_t k = 2; k < exact.contacts(j).size(); ++k)
      EXPECT_NEAR(exact.contacts(j)[k].closed - exact.contacts(j)[k - 1].closed, period, 1e-11);
  }
  EXPECT_LT(exact.pieces(), 16 * shorter.pieces()) << "work in proportion to time";
  expect_sound(row, exact);
}

TEST(ExactCradle, BlowsFromBothSidesAtOneInstantStaySymmetric) {
  // Far from the origin the two equal gaps differ by 1e-13, the closing times by a thousand round-offs of the time.
  for (const double origin : {0.0, 1234.5}) {
    Cradle cradle;
    cradle.origin = origin;
    cradle.count = 3;
    Row row = cradle.row();
    ExactBar mirror = row.bars[0];
    mirror.position = origin + 0.3 + cradle.gap;
    mirror.velocity = -cradle.velocity;
    row.bars.push_back(mirror);
    const ExactBars exact = row.solve(100.0);
    const double tau = cradle.travel_time();
    for (std::size_t j = 1; j <= 4; ++j) EXPECT_EQ(exact.contacts(j).size(), 1u) << "junction " << j;
    EXPECT_EQ(exact.contacts(1)[0].closed, exact.contacts(4)[0].closed);
    EXPECT_EQ(exact.contacts(2)[0].pushed_from, exact.contacts(3)[0].pushed_from);
    EXPECT_NEAR(exact.contacts(1)[0].opened - exact.contacts(1)[0].closed, 5.0 * tau, 1e-14);
    // Pulses from both sides overlap in the middle: four fronts in each of the five bars, no dust.
    EXPECT_LE(exact.pieces(), 30u);
    expect_rigid_flight(exact, row, 0, -cradle.velocity, 50.0);
    expect_rigid_flight(exact, row, 2, 0.0, 50.0);
    expect_rigid_flight(exact, row, 4, cradle.velocity, 50.0);
    expect_sound(row, exact);
  }
}

TEST(ExactChain, RoundedLengthsGiveThePiecesOfWholeOnes) {
  // Travel times 1, 2, 3 times 0.1/1, 0.1/1.5…: sums differ in the last bits, and must still meet.
  const auto row = [](double scale) {
    return Row{
        {{.length = scale, .position = 0.0, .velocity = 1.0},
         {.length = 2.0 * scale, .stiffness = 2.25, .position = scale},
         {.length = 3.0 * scale, .position = 3.2 * scale, .velocity = -0.3},
         {.length = 3.0 * scale, .mass_per_length = 2.0, .stiffness = 2.0, .position = 6.2 * scale, .velocity = -0.3}},
        -0.5 * scale,
        10.0 * scale};
  };
  const ExactBars whole = row(1.0).solve(60.0);
  for (const double scale : {0.1, 1.0 / 3.0, 0.7}) {
    const ExactBars rounded = row(scale).solve(60.0 * scale);
    EXPECT_EQ(rounded.pieces(), whole.pieces()) << "scale " << scale;
    for (std::size_t j = 0; j < whole.junctions(); ++j)
      EXPECT_EQ(rounded.contacts(j).size(), whole.contacts(j).size()) << "scale " << scale << ", junction " << j;
    expect_sound(row(scale), rounded, 20);
  }
}

TEST(ExactChain, EqualImpedancesOfUnlikeMaterialsTouchWithoutForce) {
  // Z is the same up to rounding, τ_B < τ_A: the push ends at 2τ_B, the touch at 2τ_A, as in case 4. In a third of
  // these bars rounding leaves p_A − p_B = ±1e-17 in between, which is neither a push nor an opening.
  const double mass = 3.3;
  const double stiffness = 0.41;
  const double slowness = std::sqrt(mass / stiffness);
  for (int i = 1; i <= 60; ++i) {
    const double factor = 0.05 * i;
    const Row row{
        {{.length = 2.0, .mass_per_length = mass, .stiffness = stiffness, .position = -2.0, .velocity = 0.3},
         {.length = 0.4, .mass_per_length = mass * factor, .stiffness = stiffness / factor, .velocity = -0.1}},
        {},
        {}};
    const ExactBars exact = row.solve(60.0);
    ASSERT_EQ(exact.contacts(1).size(), 1u) << "factor " << factor;
    EXPECT_NEAR(exact.contacts(1)[0].pushed_until, 0.8 * slowness * factor, 1e-14) << "factor " << factor;
    EXPECT_NEAR(exact.contacts(1)[0].opened, 4.0 * slowness, 1e-14) << "factor " << factor;
    expect_sound(row, exact, 10);
  }
}

TEST(ExactChain, AGapThatClosesAsAFrontArrivesMakesOneFront) {
  // Bars 0 and 1 push from t = 0; the front comes to the far tip of bar 1 at τ, just when bar 2, at −2, arrives there,
  // early or late by the round-off of its position.
  const auto pieces = [](double scale, double origin, double direction) {
    const double position = std::nextafter(origin + 5.0 * scale, direction);
    const Row row{{{.length = 2.0 * scale, .position = origin, .velocity = 1.0},
                   {.length = scale, .position = origin + 2.0 * scale},
                   {.length = scale, .position = position, .velocity = -2.0}},
                  {},
                  {}};
    return row.solve(2.5 * scale).pieces();
  };
  for (const double scale : {0.1, 0.3, 0.7, 1.1})
    for (const double origin : {0.0, 12.3, 1e4})
      for (const double direction : {-infinity, infinity})
        EXPECT_EQ(pieces(scale, origin, direction), pieces(1.0, 0.0, 5.0));
}

TEST(ExactChain, AnOpeningWithinRoundOffDoesNotEndAContact) {
  // At x = 10⁶ positions are 1.2e-10 apart. A light striker A would leave B at t = 1.75, when the blow that C has dealt
  // to B's far tip at 0.75 holds it; one unit in the last place of C's position delays that by 6e-11.
  const double origin = 1e6;
  const double late = std::nextafter(origin + 2.5, infinity);
  const Row row{{{.length = 0.75, .mass_per_length = 0.5, .stiffness = 0.5, .position = origin - 1.0, .velocity = 1.0},
                 {.length = 1.0, .position = origin},
                 {.length = 3.0, .position = late, .velocity = -2.0}},
                {},
                {}};
  const ExactBars exact = row.solve(3.0);
  EXPECT_GT(exact.contacts(2)[0].closed, 0.75);
  ASSERT_EQ(exact.contacts(1).size(), 1u);
  EXPECT_GT(exact.contacts(1)[0].opened, 1.8);
}

// --- Random rows ---

class RandomRows : public ::testing::TestWithParam<int> {
 protected:
  Random random{static_cast<unsigned>(GetParam())};
};

TEST_P(RandomRows, AreSound) {
  for (const int count : {1, 2, 2, 3, 5}) {
    Row row = random_row(random, count, GetParam() % 2 == 0, GetParam() % 3 == 0);
    row.bars[0].fixed_start = GetParam() % 5 == 1;
    row.bars.back().fixed_end = GetParam() % 5 == 2;
    expect_sound(row, row.solve(20.0));
  }
}

TEST_P(RandomRows, DisplacementVelocityAndForceBelongTogether) {
  // ∂u/∂t = v and ∂u/∂x = N/K wherever no front passes, that is, where the value is the same on both sides.
  const Row row = random_row(random, 2, true, true);
  const ExactBars exact = row.solve(10.0);
  const double d = 1e-3;
  int smooth = 0;
  for (int s = 0; s < 200; ++s) {
    const std::size_t i = s % 2;
    const ExactBar& bar = row.bars[i];
    const double x = random.uniform(d, bar.length - d);
    const double t = random.uniform(d, 10.0 - d);
    const double v = exact.velocity(i, x, t);
    const double n = exact.force(i, x, t);
    if (exact.velocity(i, x, t - d) == v && exact.velocity(i, x, t + d) == v) {
      EXPECT_NEAR(exact.displacement(i, x, t + d) - exact.displacement(i, x, t - d), 2.0 * d * v, 1e-14);
      ++smooth;
    }
    if (exact.force(i, x - d, t) == n && exact.force(i, x + d, t) == n) {
      const double stretch = exact.displacement(i, x + d, t) - exact.displacement(i, x - d, t);
      EXPECT_NEAR(stretch, 2.0 * d * n / bar.stiffness, 1e-14);
    }
  }
  EXPECT_GT(smooth, 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRows, ::testing::Range(1, 13));

// --- Against a chain of masses and springs ---

/// Central differences with an inelastic impulse at closed gaps (the limit h → 0 is the elastic bar): shares nothing
/// with the method of characteristics. Largest difference of a tip's displacement from the exact one, over
/// max|v₀|·τ_max.
class SpringChain {
 public:
  SpringChain(const Row& row, int elements) : row_(row), elements_(elements) {
    for (const ExactBar& bar : row.bars) {
      h_.push_back(bar.length / elements);
      u_.emplace_back(elements + 1, 0.0);
      v_.emplace_back(elements + 1, bar.velocity);
      step_ = std::min(step_, 0.9 * h_.back() * std::sqrt(bar.mass_per_length / bar.stiffness));
    }
  }

  /// Largest difference of a tip's displacement from the exact one (m).
  double error(const ExactBars& exact) {
    double worst = 0.0;
    const int steps = static_cast<int>(exact.t_end() / step_);
    for (int n = 1; n <= steps; ++n) {
      step();
      for (std::size_t i = 0; i < u_.size(); ++i) {
        worst = std::max(worst, std::abs(u_[i].front() - exact.displacement(i, 0.0, n * step_)));
        worst = std::max(worst, std::abs(u_[i].back() - exact.displacement(i, row_.bars[i].length, n * step_)));
      }
    }
    return worst;
  }

 private:
  double tip_mass(std::size_t i) const { return 0.5 * h_[i] * row_.bars[i].mass_per_length; }

  void step() {
    for (std::size_t i = 0; i < u_.size(); ++i) {
      const ExactBar& bar = row_.bars[i];
      for (int a = 0; a <= elements_; ++a) {
        const double left = a > 0 ? bar.stiffness / h_[i] * (u_[i][a] - u_[i][a - 1]) : 0.0;
        const double right = a < elements_ ? bar.stiffness / h_[i] * (u_[i][a + 1] - u_[i][a]) : 0.0;
        const double mass = a == 0 || a == elements_ ? tip_mass(i) : 2.0 * tip_mass(i);
        v_[i][a] += step_ * (right - left) / mass;
      }
    }
    for (std::size_t j = 0; j <= u_.size(); ++j) push(j);
    for (std::size_t i = 0; i < u_.size(); ++i)
      for (int a = 0; a <= elements_; ++a) u_[i][a] += step_ * v_[i][a];
  }

  /// Inelastic impulse at junction j: 0 ≤ λ ⟂ relative velocity ≥ 0 where the gap is closed.
  void push(std::size_t j) {
    const bool bar_left = j > 0;
    const bool bar_right = j < u_.size();
    const double left = bar_left ? row_.bars[j - 1].position + row_.bars[j - 1].length + u_[j - 1].back()
                                 : row_.wall_left.value_or(-infinity);
    const double right = bar_right ? row_.bars[j].position + u_[j].front() : row_.wall_right.value_or(infinity);
    if (right - left > 1e-12) return;
    const double v_left = bar_left ? v_[j - 1].back() : 0.0;
    const double v_right = bar_right ? v_[j].front() : 0.0;
    if (v_left <= v_right) return;
    const double y_left = bar_left ? 1.0 / tip_mass(j - 1) : 0.0;
    const double y_right = bar_right ? 1.0 / tip_mass(j) : 0.0;
    const double impulse = (v_left - v_right) / (y_left + y_right);
    if (bar_left) v_[j - 1].back() -= impulse * y_left;
    if (bar_right) v_[j].front() += impulse * y_right;
  }

  const Row& row_;
  int elements_;
  double step_ = infinity;
  std::vector<double> h_;
  std::vector<std::vector<double>> u_, v_;
};

TEST(ExactChain, IsTheLimitOfMassesAndSprings) {
  // A front spreads over a width of h^(2/3) in central differences, and openings and closings come too early or too
  // late by as much: order 2/3, found alike from 50 to 1600 elements. Displacements reach 8 m/s·s.
  double coarse = 0.0;
  double fine = 0.0;
  for (unsigned seed = 2; seed <= 8; ++seed) {
    Random random(seed);
    const Row row = random_row(random, 2 + static_cast<int>(seed % 2), seed % 4 >= 2, seed % 4 == 3);
    const ExactBars exact = row.solve(8.0);
    ASSERT_TRUE(exact.first_push().has_value());
    coarse += SpringChain(row, 100).error(exact);
    const double error = SpringChain(row, 400).error(exact);
    EXPECT_LT(error, 0.04) << "seed " << seed;
    fine += error;
  }
  EXPECT_NEAR(std::log(coarse / fine) / std::log(4.0), 2.0 / 3.0, 0.1);
}

// --- Long times, limits, mistakes ---

TEST(ExactChain, LongTimesOfIncommensurateBars) {
  // Four unlike bars that collide and fly apart: the fronts stay, and so does every digit, over some 10⁴ traversals.
  Random random(3);
  const Row row = random_row(random, 4, false, false);
  const ExactBars exact = row.solve(2.0e4);
  EXPECT_LT(exact.pieces(), 1000000u);
  expect_sound(row, exact, 20);
}

TEST(ExactChain, FrontsThatMultiplyEndInAFailureThatSaysSo) {
  Random random(3);
  const Row row = random_row(random, 6, true, true);
  try {
    ExactBars(row.bars, row.wall_left, row.wall_right, 1000.0, 20000);
    FAIL() << "six unlike bars between walls for 1000 s need more than 20000 pieces";
  } catch (const base::NumericalFailure& failure) {
    EXPECT_NE(failure.where().find("6 bars"), std::string::npos);
    EXPECT_NE(failure.advice().find("end earlier"), std::string::npos);
  }
}

}  // namespace
}  // namespace ictus::mechanics
