#include <ictus/scene/spec/expectation.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace ictus::scene {
namespace {

const nlohmann::json summary = {
    {"status", "completed"},
    {"energy", {{"error", 4.7e-4}, {"final", nullptr}}},
    {"contact", {{"events", 75}, {"last_time", 20.07}, {"fallbacks", 0}}},
    {"extra", {{"exact", true}, {"list", {1, 2}}, {"nan", std::numeric_limits<double>::quiet_NaN()}}},
};

ExpectationResult check(const std::string& path, const Condition& condition) {
  const auto results = check_expectations({{path, condition}}, summary);
  EXPECT_EQ(results.size(), 1u);
  EXPECT_EQ(results.at(0).path, path);
  return results.at(0);
}

Condition at_least(double min) { return {min, {}, {}, {}, {}}; }
Condition at_most(double max) { return {{}, max, {}, {}, {}}; }
Condition between(double min, double max) { return {min, max, {}, {}, {}}; }
Condition near(double value, double within) { return {{}, {}, value, within, {}}; }
Condition equal_to(Scalar value) { return {{}, {}, {}, {}, std::move(value)}; }

void expect_met(const std::string& path, const Condition& condition, const std::string& line) {
  const ExpectationResult result = check(path, condition);
  EXPECT_TRUE(result.met) << result.line;
  EXPECT_EQ(result.line, line);
}

void expect_missed(const std::string& path, const Condition& condition, const std::string& line) {
  const ExpectationResult result = check(path, condition);
  EXPECT_FALSE(result.met) << result.line;
  EXPECT_EQ(result.line, line);
}

TEST(Expectation, Met) {
  expect_met("energy.error", at_most(2e-3), "met     energy.error = 0.00047, wanted ≤ 0.002");
  expect_met("contact.events", at_least(75), "met     contact.events = 75, wanted ≥ 75");
  expect_met("contact.events", between(70, 75), "met     contact.events = 75, wanted ≥ 70 and ≤ 75");
  expect_met("contact.last_time", near(20, 0.3), "met     contact.last_time = 20.07, wanted 20 ± 0.3");
  expect_met("status", equal_to("completed"), "met     status = \"completed\", wanted \"completed\"");
  expect_met("contact.fallbacks", equal_to(0.0), "met     contact.fallbacks = 0, wanted 0");
  expect_met("extra.exact", equal_to(true), "met     extra.exact = true, wanted true");
  expect_met("energy.final", equal_to(std::monostate{}), "met     energy.final = null, wanted null");
}

TEST(Expectation, Missed) {
  expect_missed("energy.error", at_most(1e-4), "missed  energy.error = 0.00047, wanted ≤ 0.0001");
  expect_missed("contact.events", at_least(76), "missed  contact.events = 75, wanted ≥ 76");
  expect_missed("contact.events", between(1, 74), "missed  contact.events = 75, wanted ≥ 1 and ≤ 74");
  expect_missed("contact.last_time", near(21, 0.3), "missed  contact.last_time = 20.07, wanted 21 ± 0.3");
  expect_missed("status", equal_to("failed"), "missed  status = \"completed\", wanted \"failed\"");
  expect_missed("status", equal_to(std::monostate{}), "missed  status = \"completed\", wanted null");
}

TEST(Expectation, AValueOfAnotherTypeIsAMiss) {
  expect_missed("energy.final", at_most(1), "missed  energy.final = null, wanted ≤ 1");
  expect_missed("status", at_least(0), "missed  status = \"completed\", wanted ≥ 0");
  expect_missed("extra.exact", equal_to(1.0), "missed  extra.exact = true, wanted 1");
  expect_missed("contact.fallbacks", equal_to(false), "missed  contact.fallbacks = 0, wanted false");
  expect_missed("contact", at_least(0), "missed  contact = a map, wanted ≥ 0");
  expect_missed("extra.list", at_least(0), "missed  extra.list = a list, wanted ≥ 0");
  expect_missed("extra.nan", at_most(1), "missed  extra.nan = nan, wanted ≤ 1");
  expect_missed("extra.nan", near(0, 1), "missed  extra.nan = nan, wanted 0 ± 1");
}

TEST(Expectation, AMissingPathNamesTheNearest) {
  expect_missed("contact.lst_time", at_least(0),
                "missed  contact.lst_time is not in the summary, did you mean 'contact.last_time'?");
  expect_missed("events", at_least(0), "missed  events is not in the summary, did you mean 'contact.events'?");
  expect_missed("status.code", at_least(0), "missed  status.code is not in the summary");
}

TEST(Expectation, ResultsKeepTheOrder) {
  const auto results =
      check_expectations({{"status", equal_to("completed")}, {"contact.events", at_least(99)}}, summary);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(results[0].met);
  EXPECT_FALSE(results[1].met);
  EXPECT_TRUE(check_expectations({}, summary).empty());
}

}  // namespace
}  // namespace ictus::scene
