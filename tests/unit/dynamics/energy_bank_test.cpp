#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/scheme/energy_bank.hpp>

namespace ictus::dynamics {
namespace {

class EnergyBankTest : public ::testing::Test {
 protected:
  EnergyBankTest() {
    EnergyBank::lay_out(state.memory);
    bank.prepare(4);
    constraints.open_row().insert(constraints.open_row().end(), {{0, -1.0}, {2, 1.0}});
    constraints.add(0, {0, math::Vec3::Zero(), math::Vec3::Zero()});
  }

  std::vector<model::RowEntry> pair{{0, -1.0}, {2, 1.0}};
  std::vector<double> inverse_mass{1.0, 5.0, 3.0, 0.0};
  model::State state;
  model::ConstraintSet constraints;
  std::vector<char> in_sight{1};
  EnergyBank bank;
};

TEST_F(EnergyBankTest, DepositIsSharedByInverseMass) {
  bank.open(state, 0);
  bank.deposit(pair, inverse_mass, 8.0, 3);
  EXPECT_DOUBLE_EQ(bank.balance(pair), 8.0);
  EXPECT_DOUBLE_EQ(bank.balance(std::span(pair).first(1)), 2.0);  // 1 of 1 + 3
  EXPECT_EQ(bank.last_hit(pair), 3);
  EXPECT_TRUE(bank.all_hit(pair, inverse_mass, 3));
  EXPECT_FALSE(bank.all_hit(pair, inverse_mass, 2));
  bank.close(3, constraints, in_sight, 10, 100);
  EXPECT_DOUBLE_EQ(EnergyBank::total(state, 0), 8.0);
}

TEST_F(EnergyBankTest, HeldDofHasNoAccount) {
  const std::vector<model::RowEntry> with_support{{1, 1.0}, {3, -1.0}};
  bank.open(state, 0);
  bank.deposit(with_support, inverse_mass, 1.0, 1);
  EXPECT_TRUE(bank.all_hit(with_support, inverse_mass, 1));
  bank.close(1, constraints, in_sight, 10, 100);
  EXPECT_EQ(state.memory[0].values, std::vector<double>{1});
}

TEST_F(EnergyBankTest, AFreshBankContinuesFromTheState) {
  bank.open(state, 0);
  bank.deposit(pair, inverse_mass, 8.0, 3);
  bank.close(3, constraints, in_sight, 10, 100);
  EnergyBank fresh;
  fresh.prepare(4);
  fresh.open(state, 0);
  EXPECT_DOUBLE_EQ(fresh.withdraw(pair), 8.0);
  EXPECT_EQ(fresh.balance(pair), 0.0);
  fresh.close(4, constraints, in_sight, 10, 100);
  EXPECT_EQ(EnergyBank::total(state, 0), 0.0);
}

TEST_F(EnergyBankTest, EmptyAccountsAreForgotten) {
  bank.open(state, 0);
  bank.deposit(pair, inverse_mass, 0.0, 3);
  bank.close(5, constraints, in_sight, 2, 100);
  EXPECT_EQ(state.memory[0].values.size(), 2u);  // hit within the last two steps
  bank.open(state, 0);
  bank.close(6, constraints, in_sight, 2, 100);
  EXPECT_TRUE(state.memory[0].values.empty());
}

TEST_F(EnergyBankTest, WhatNoContactCanReachGoesToThePoolAndTheNextReturnTakesIt) {
  const std::vector<model::RowEntry> lone{{1, 1.0}};
  bank.open(state, 0);
  bank.deposit(lone, inverse_mass, 5.0, 1);
  bank.deposit(pair, inverse_mass, 8.0, 1);
  bank.close(50, constraints, in_sight, 2, 100);
  bank.open(state, 0);
  EXPECT_DOUBLE_EQ(bank.balance(lone), 5.0);  // not yet
  bank.close(102, constraints, in_sight, 2, 100);
  EXPECT_DOUBLE_EQ(EnergyBank::total(state, 0), 13.0);
  bank.open(state, 0);
  EXPECT_EQ(bank.balance(lone), 0.0);
  EXPECT_DOUBLE_EQ(bank.balance(pair), 8.0);  // in sight of a constraint: stays
  EXPECT_DOUBLE_EQ(bank.withdraw(pair), 13.0);
  bank.close(103, constraints, in_sight, 2, 100);
  EXPECT_EQ(EnergyBank::total(state, 0), 0.0);
}

}  // namespace
}  // namespace ictus::dynamics
