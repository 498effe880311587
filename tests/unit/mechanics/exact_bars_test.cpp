#include <ictus/mechanics/exact/exact_bars.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <ictus/base/error.hpp>

#include "unit/mechanics/exact_rows.hpp"

namespace ictus::mechanics {
namespace {

/// Two bars that meet at x = 0, t = 0, with the values of demoures-2016 Fig. 4.2 where nothing else is said.
Row two_bars(double length_b, double mass_b, double stiffness_b, double velocity_a = 0.1, double velocity_b = -0.1) {
  return {{{.length = 10.0, .position = -10.0, .velocity = velocity_a},
           {.length = length_b, .mass_per_length = mass_b, .stiffness = stiffness_b, .velocity = velocity_b}},
          {},
          {}};
}

// --- Demoures et al.'s cases; the figures of the six cases by hand [docs/theory/exact-bars.md, "Two bars"] ---

TEST(ExactBars, Case1IdenticalBars) {
  const Row row = two_bars(10.0, 1.0, 1.0);
  const ExactBars exact = row.solve(100.0);
  ASSERT_EQ(exact.contacts(1).size(), 1u);
  const ContactInterval& contact = exact.contacts(1)[0];
  EXPECT_EQ(contact.closed, 0.0);
  EXPECT_EQ(contact.opened, 20.0);
  EXPECT_EQ(contact.pushed_from, 0.0);
  EXPECT_EQ(contact.pushed_until, 20.0);
  EXPECT_NEAR(contact.impulse, 2.0, 1e-15);
  EXPECT_EQ(exact.contact_force(1, 0.0), 0.1);
  EXPECT_EQ(exact.contact_force(1, 20.0), 0.0) << "limit from the right";
  EXPECT_EQ(exact.velocity(0, 10.0, 10.0), 0.0);
  EXPECT_EQ(exact.velocity(0, 10.0, 20.0), -0.1);
  EXPECT_EQ(exact.velocity(1, 0.0, 20.0), 0.1);
  EXPECT_EQ(exact.force(0, 5.0, 10.0), -0.1) << "the whole bar is compressed";
  EXPECT_NEAR(exact.displacement(0, 0.0, 10.0), 1.0, 1e-15);
  EXPECT_NEAR(exact.displacement(0, 10.0, 30.0), -1.0, 1e-15);
  expect_sound(row, exact);
}

TEST(ExactBars, Case1WithAGapIsOnlyLater) {
  Row row = two_bars(10.0, 1.0, 1.0);
  row.bars[0].position = -10.005;
  row.bars[1].position = 0.005;
  const ExactBars exact = row.solve(40.0);
  ASSERT_EQ(exact.contacts(1).size(), 1u);
  // The gap −10.005 + 10 → 0.005 carries the round-off of 10.005; over a closing speed of 0.2.
  EXPECT_NEAR(exact.contacts(1)[0].closed, 0.05, 1e-14);
  EXPECT_NEAR(exact.contacts(1)[0].opened, 20.05, 1e-14);
  EXPECT_NEAR(exact.gap(1, 0.025), 0.005, 1e-14);
  EXPECT_NEAR(*exact.first_push(), 0.05, 1e-14);
  expect_sound(row, exact);
}

TEST(ExactBars, Case2DenserBar) {
  const Row row = two_bars(10.0, 5.0, 1.0);
  const ExactBars exact = row.solve(200.0);
  ASSERT_EQ(exact.contacts(1).size(), 1u);
  const double z = std::sqrt(5.0);
  const double force = 0.2 / (1.0 + 1.0 / z);
  EXPECT_NEAR(force, 0.138197, 5e-7);
  EXPECT_NEAR(exact.contact_force(1, 5.0), force, 1e-16);
  EXPECT_NEAR(exact.velocity(0, 10.0, 5.0), 0.1 - force, 1e-16);
  EXPECT_NEAR(exact.velocity(1, 0.0, 5.0), 0.1 - force, 1e-16);
  EXPECT_NEAR(exact.contacts(1)[0].opened, 20.0, 1e-14);
  EXPECT_NEAR(exact.contacts(1)[0].impulse, 20.0 * force, 1e-14);
  EXPECT_NEAR(exact.velocity(0, 10.0, 20.0), 0.1 - 2.0 * force, 1e-16);
  EXPECT_NEAR(exact.velocity(1, 0.0, 20.0), -0.1, 1e-16);
  expect_sound(row, exact);
}

TEST(ExactBars, Case3StifferBarPushesInThreeSteps) {
  // Reflections in B arrive every 2τ_B = 20/√5 and multiply the force by ρ = (√5 − 1)/(√5 + 1); A's arrives at 20.
  const Row row = two_bars(10.0, 1.0, 5.0);
  const ExactBars exact = row.solve(200.0);
  ASSERT_EQ(exact.contacts(1).size(), 1u);
  const double z = std::sqrt(5.0);
  const double ratio = (z - 1.0) / (z + 1.0);
  const double force = 0.2 / (1.0 + 1.0 / z);
  const double round_trip = 20.0 / z;
  EXPECT_NEAR(exact.contact_force(1, 1.0), force, 1e-16);
  EXPECT_NEAR(exact.contact_force(1, 10.0), ratio * force, 1e-16);
  EXPECT_NEAR(exact.contact_force(1, 19.0), ratio * ratio * force, 1e-16);
  EXPECT_NEAR(exact.contacts(1)[0].opened, 20.0, 1e-14);
  EXPECT_NEAR(exact.contacts(1)[0].impulse,
              force * (round_trip * (1.0 + ratio) + (20.0 - 2.0 * round_trip) * ratio * ratio), 1e-14);
  expect_sound(row, exact);
}

TEST(ExactBars, Case4ShorterBarTouchesWithoutForce) {
  const Row row = two_bars(5.0, 1.0, 1.0);
  const ExactBars exact = row.solve(100.0);
  ASSERT_EQ(exact.contacts(1).size(), 1u);
  const ContactInterval& contact = exact.contacts(1)[0];
  EXPECT_EQ(contact.pushed_from, 0.0);
  EXPECT_EQ(contact.pushed_until, 10.0);
  EXPECT_EQ(contact.opened, 20.0);
  EXPECT_NEAR(contact.impulse, 1.0, 1e-15);
  EXPECT_EQ(exact.velocity(0, 10.0, 5.0), 0.0);
  EXPECT_EQ(exact.velocity(0, 10.0, 10.0), 0.1);
  EXPECT_EQ(exact.velocity(1, 0.0, 10.0), 0.1);
  EXPECT_EQ(exact.velocity(0, 10.0, 20.0), -0.1);
  EXPECT_EQ(exact.velocity(1, 0.0, 20.0), 0.1);
  EXPECT_EQ(exact.gap(1, 15.0), 0.0);
  EXPECT_NEAR(exact.gap(1, 25.0), 1.0, 1e-15);
  expect_sound(row, exact);
}

TEST(ExactBars, Case6BarAtRestIsSentOff) {
  const Row row = two_bars(10.0, 1.0, 1.0, 0.0, -1.0);
  const ExactBars exact = row.solve(100.0);
  ASSERT_EQ(exact.contacts(1).size(), 1u);
  EXPECT_EQ(exact.contact_force(1, 10.0), 0.5);
  EXPECT_EQ(exact.contacts(1)[0].opened, 20.0);
  EXPECT_EQ(exact.contacts(1)[0].impulse, 10.0);
  for (const double x : {0.0, 3.0, 10.0}) {
    EXPECT_EQ(exact.velocity(0, x, 77.0), -1.0);
    EXPECT_EQ(exact.velocity(1, x, 77.0), 0.0);
    EXPECT_EQ(exact.force(0, x, 77.0), 0.0);
  }
  expect_sound(row, exact);
}

// --- Walls and held ends ---

TEST(ExactBars, WallSendsABarBackAfterTwoTravelTimes) {
  // c = 1.5, Z = 3, L = 0.9, τ = 0.6; the tip meets the wall at 0.3/2.
  Row row{{{.length = 0.9, .mass_per_length = 2.0, .stiffness = 4.5, .position = -1.2, .velocity = 2.0}}, {}, 0.0};
  const ExactBars exact = row.solve(5.0);
  ASSERT_EQ(exact.contacts(1).size(), 1u);
  EXPECT_NEAR(exact.contacts(1)[0].closed, 0.15, 1e-15);
  EXPECT_NEAR(exact.contacts(1)[0].opened, 1.35, 1e-15);
  EXPECT_NEAR(exact.contact_force(1, 0.5), 6.0, 1e-14);
  EXPECT_NEAR(exact.contacts(1)[0].impulse, 2.0 * 1.8 * 2.0, 1e-14);
  EXPECT_NEAR(exact.velocity(0, 0.45, 3.0), -2.0, 1e-15);
  EXPECT_TRUE(exact.contacts(0).empty());
  EXPECT_TRUE(std::isinf(exact.gap(0, 3.0)));
  expect_sound(row, exact);
}

TEST(ExactBars, BarBouncesForEverBetweenTwoWalls) {
  // Free flight 0.5/1 each way, contact 2τ = 2: period 5, contacts at 0.5 + 5k on the right and 3 + 5k on the left.
  Row row{{{.position = 0.0, .velocity = 1.0}}, 0.0, 1.5};
  const ExactBars exact = row.solve(5000.0);
  ASSERT_EQ(exact.contacts(1).size(), 1000u);
  EXPECT_EQ(exact.contacts(1)[999].closed, 4995.5);
  EXPECT_EQ(exact.contacts(1)[999].opened, 4997.5);
  EXPECT_EQ(exact.contacts(0)[0].closed, 3.0) << "it leaves at once the wall that it touches at the start";
  EXPECT_EQ(exact.velocity(0, 0.5, 4995.25), 1.0);
  expect_sound(row, exact);
}

TEST(ExactBars, HeldStartTurnsAStruckBarIntoASpring) {
  // B, held at its end, is struck by an identical bar: a held end doubles the force back, and A leaves at −v.
  Row row{{{.length = 1.0, .position = -1.0, .velocity = 1.0}, {.length = 1.0, .fixed_end = true}}, {}, {}};
  const ExactBars exact = row.solve(40.0);
  ASSERT_EQ(exact.contacts(1).size(), 1u);
  EXPECT_EQ(exact.force(1, 1.0, 1.5), -1.0);
  EXPECT_EQ(exact.contact_force(1, 0.5), 0.5);
  EXPECT_EQ(exact.contacts(1)[0].opened, 4.0);
  EXPECT_EQ(exact.contacts(1)[0].impulse, 2.0) << "A reverses";
  EXPECT_EQ(exact.velocity(0, 0.5, 10.0), -1.0);
  EXPECT_EQ(exact.energy(std::size_t{1}, 10.0), 0.0);
  expect_sound(row, exact);
}

TEST(ExactBars, BarHeldAtBothEndsRingsWithPeriodTwoTravelTimes) {
  Row row{{{.length = 2.0,
            .mass_per_length = 3.0,
            .stiffness = 0.7,
            .velocity = 0.4,
            .fixed_start = true,
            .fixed_end = true}},
          {},
          {}};
  const double period = 4.0 * std::sqrt(3.0 / 0.7);
  const ExactBars exact = row.solve(10.0 * period);
  EXPECT_NEAR(exact.velocity(0, 1.0, 0.0), 0.4, 1e-16);
  EXPECT_NEAR(exact.velocity(0, 1.0, 0.6 * period), -0.4, 1e-16);
  EXPECT_NEAR(exact.velocity(0, 1.0, 9.1 * period), 0.4, 1e-16);
  expect_sound(row, exact);
}

TEST(ExactBars, HeldEndsOfNeighboursAreAWallToEachOther) {
  Row row{{{.length = 1.0, .position = -1.0, .velocity = 1.0, .fixed_end = true},
           {.length = 1.0, .velocity = -1.0, .fixed_end = false},
           {.length = 1.0, .position = 1.5, .fixed_start = true}},
          {},
          {}};
  const ExactBars exact = row.solve(30.0);
  EXPECT_EQ(exact.contact_force(1, 1.0), 1.0) << "B is stopped by the held end of A";
  EXPECT_EQ(exact.contacts(1)[0].opened, 2.0);
  // Its right tip goes back until the front arrives at t = 1, then forth at the same speed across 0.5 + 1.
  EXPECT_EQ(exact.contacts(2)[0].closed, 2.5);
  EXPECT_EQ(exact.energy(std::size_t{2}, 20.0), 0.0);
  expect_sound(row, exact);
}

// --- What may go in and what may be asked ---

TEST(ExactBars, NamesEveryMistakeAtOnce) {
  Row row = two_bars(-1.0, 1.0, 0.0);
  row.bars[0].velocity = infinity;
  try {
    row.solve(-1.0);
    FAIL();
  } catch (const base::InputError& error) {
    std::vector<std::string> keys;
    for (const base::Mistake& mistake : error.mistakes()) keys.push_back(mistake.key);
    EXPECT_EQ(keys, (std::vector<std::string>{"t_end", "bars[0].velocity", "bars[1].length", "bars[1].stiffness"}));
  }
  EXPECT_THROW(ExactBars({}, {}, {}, 1.0), base::InputError);
  EXPECT_THROW(two_bars(10.0, 1.0, 1.0).solve(1e11), base::InputError) << "more traversals than can be told apart";
  EXPECT_THROW(two_bars(10.0, 1.0, 1.0).solve(1e-300), base::InputError) << "the waves would not move";
}

TEST(ExactBars, RefusesOverlapButNotRoundOff) {
  Row row = two_bars(10.0, 1.0, 1.0);
  row.bars[1].position = -1e-14;
  EXPECT_EQ(row.solve(1.0).gap(1, 0.0), 0.0);
  row.bars[1].position = -1e-6;
  EXPECT_THROW(row.solve(1.0), base::InputError);
  row.bars[1].position = 0.0;
  row.wall_right = 9.0;
  EXPECT_THROW(row.solve(1.0), base::InputError);
}

TEST(ExactBars, RefusesQuestionsOutsideTheSolution) {
  const ExactBars exact = two_bars(10.0, 1.0, 1.0).solve(1.0);
  EXPECT_THROW(exact.velocity(2, 0.0, 0.5), std::out_of_range);
  EXPECT_THROW(exact.velocity(0, 10.1, 0.5), std::out_of_range);
  EXPECT_THROW(exact.velocity(0, 0.0, 1.1), std::out_of_range);
  EXPECT_THROW(exact.velocity(0, 0.0, -0.1), std::out_of_range);
  EXPECT_THROW(exact.gap(3, 0.5), std::out_of_range);
  EXPECT_NO_THROW(exact.velocity(0, 0.0, 10 * 0.1));
}

TEST(ExactBars, NothingMovesWithoutVelocity) {
  const Row row = two_bars(10.0, 1.0, 1.0, 0.0, 0.0);
  const ExactBars exact = row.solve(100.0);
  EXPECT_EQ(exact.pieces(), 4u);
  EXPECT_FALSE(exact.first_push().has_value());
  ASSERT_EQ(exact.contacts(1).size(), 1u) << "the tips touch throughout";
  EXPECT_TRUE(std::isnan(exact.contacts(1)[0].pushed_from));
  EXPECT_EQ(exact.energy(50.0), 0.0);
}

}  // namespace
}  // namespace ictus::mechanics
