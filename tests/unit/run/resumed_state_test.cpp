#include <gmock/gmock.h>

#include <functional>
#include <ictus/base/error.hpp>
#include <ictus/run/resumed_state.hpp>
#include <limits>

namespace ictus::run {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

model::State fresh() {
  model::State state{0, 0, {1, 2, 3}, {4, 5, 6}, {}};
  state.memory = {
      {"closed", {0, 0}}, {"contact.touched", {}}, {"contact.pushed", {}}, {"pool", {0}}, {"contact.lasting", {}}};
  return state;
}

/// What is said of a state that was changed after twelve steps.
std::string refusal_of_changed(const std::function<void(model::State&)>& change) {
  model::State saved = fresh();
  saved.step = 12;
  saved.time = 0.5;
  saved.memory[1].values = {0, 2};
  saved.memory[2].values = {0.25, -1};
  saved.memory[4].values.assign(24, -std::numeric_limits<double>::infinity());
  change(saved);
  try {
    check_resumed_state(fresh(), 100, "checkpoint.h5", saved);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ResumedState, IsTakenWhereItFits) {
  EXPECT_EQ(refusal_of_changed([](model::State&) {}), "");
}

TEST(ResumedState, OfAnotherSizeIsRefused) {
  EXPECT_EQ(refusal_of_changed([](model::State& s) { s.q.pop_back(); }),
            "checkpoint.h5: has 2 values of q, where this run has 3; it is damaged, or not of this run");
  EXPECT_THAT(refusal_of_changed([](model::State& s) { s.p.push_back(0); }), HasSubstr("has 4 values of p"));
  EXPECT_THAT(refusal_of_changed([](model::State& s) { s.memory.pop_back(); }), HasSubstr("has 4 arrays in memory"));
  EXPECT_THAT(refusal_of_changed([](model::State& s) { s.memory[0].name = "open"; }),
              HasSubstr("has open where this run has closed"));
  EXPECT_THAT(refusal_of_changed([](model::State& s) { s.memory[0].values.clear(); }),
              HasSubstr("has 0 values of closed"));
  EXPECT_THAT(refusal_of_changed([](model::State& s) { s.memory[4].values.pop_back(); }),
              HasSubstr("has 23 values of contact.lasting, which are no records of 12"));
  EXPECT_THAT(refusal_of_changed([](model::State& s) { s.memory[2].values.pop_back(); }),
              HasSubstr("has 1 values of contact.pushed, and 2 of contact.touched"));
}

TEST(ResumedState, WithIndicesOrNumbersThatLeadNowhereIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double index : {3.0, -1.0, 0.5, 1e300})
    EXPECT_THAT(refusal_of_changed([=](model::State& s) { s.memory[1].values[1] = index; }),
                StartsWith("checkpoint.h5: contact.touched names unknown"));
  EXPECT_THAT(refusal_of_changed([=](model::State& s) { s.memory[3].values[0] = nan; }),
              HasSubstr("pool has a value that is not"));
  EXPECT_THAT(refusal_of_changed([=](model::State& s) { s.q[1] = nan; }), HasSubstr("q of unknown 1 is not a number"));
  EXPECT_THAT(refusal_of_changed([=](model::State& s) { s.p[1] = 1 / (0 * s.q[0]); }),
              HasSubstr("p of unknown 1 is not a number"));
  EXPECT_THAT(refusal_of_changed([](model::State& s) { s.step = 101; }),
              HasSubstr("is of step 101, and the run has 100"));
  EXPECT_THAT(refusal_of_changed([](model::State& s) { s.step = -1; }), HasSubstr("is of step -1"));
  EXPECT_THAT(refusal_of_changed([=](model::State& s) { s.time = nan; }), HasSubstr("a time that is not a number"));
}

}  // namespace
}  // namespace ictus::run
