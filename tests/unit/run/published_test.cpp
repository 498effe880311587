#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <ictus/run/published.hpp>

#include "support/temporary_folder.hpp"

namespace ictus::run {
namespace {

using scene::PublishedSpec;
using scene::Take;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

PublishedSpec number(std::string of, double value, std::optional<Take> take = {}) {
  PublishedSpec spec;
  spec.what = "force";
  spec.by = "somebody";
  spec.unit = "N";
  spec.of = std::move(of);
  spec.value = value;
  spec.take = take;
  spec.tolerance = 0.01;
  return spec;
}

class Published : public ::testing::Test {
 protected:
  Published() { std::ofstream(folder_.path() / "history.csv") << "time,a,b\n0,4,0\n1,2,10\n2,1,\n3,1.001,20\n"; }

  PublishedResult check(const PublishedSpec& spec) {
    return check_published({spec}, Json::parse(R"({"contact": {"first": 2, "last": 5}, "status": "completed"})"),
                           folder_.path())
        .front();
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Published, FiguresOfTheSummaryAndTheirDifferences) {
  PublishedSpec spec = number("contact.last", 3);
  spec.minus = "contact.first";
  const PublishedResult result = check(spec);
  EXPECT_EQ(result.own, 3);
  EXPECT_EQ(result.error, 0);
  EXPECT_TRUE(result.met);
  EXPECT_EQ(result.line, "met     force: 3 N by somebody, here 3 N (+0 %)");
}

TEST_F(Published, WhatIsAddedAndKnownMisses) {
  PublishedSpec spec = number("a", 105, Take::largest);
  spec.scale = 25;
  spec.plus = 6;
  EXPECT_EQ(check(spec).own, 106);
  EXPECT_TRUE(check(spec).met);
  spec.known_miss = "the model has no weight";
  EXPECT_FALSE(check(spec).explained) << "nothing is missed";
  spec.plus = 0;
  EXPECT_FALSE(check(spec).met);
  EXPECT_TRUE(check(spec).explained);
  EXPECT_THAT(check(spec).line, ::testing::AllOf(::testing::StartsWith("missed"), HasSubstr("; known: the model has")));
}

TEST_F(Published, WhatIsTakenOfAColumn) {
  EXPECT_EQ(check(number("a", 1, Take::largest)).own, 4);
  EXPECT_EQ(check(number("a", 1, Take::smallest)).own, 1);
  EXPECT_EQ(check(number("a", 1, Take::last)).own, 1.001);
  EXPECT_EQ(check(number("b", 1, Take::mean)).own, 10) << "an empty cell is no value";
  EXPECT_DOUBLE_EQ(*check(number("b", 1, Take::mean_square)).own, 500.0 / 3);
  EXPECT_EQ(check(number("a", 1, Take::settled)).own, 2) << "within a thousandth of the range";
  PublishedSpec window = number("a", 1, Take::largest);
  window.from = 0.5;
  window.to = 2;
  EXPECT_EQ(check(window).own, 2);
}

TEST_F(Published, ErrorsAreSharesOfTheNumberAndPlainWhereItIsZero) {
  PublishedSpec spec = number("contact.first", -4);
  spec.scale = -2.02;
  const PublishedResult near = check(spec);
  EXPECT_NEAR(*near.error, -0.01, 1e-12) << "larger than the published one in size, further from zero";
  spec.scale = -2.1;
  EXPECT_FALSE(check(spec).met);
  EXPECT_EQ(check(number("contact.first", 0)).error, 2);
}

TEST_F(Published, WhatIsNotThereIsAMissThatSaysSo) {
  const PublishedResult figure = check(number("contact.frst", 1));
  EXPECT_FALSE(figure.met);
  EXPECT_EQ(figure.own, std::nullopt);
  EXPECT_THAT(figure.line, HasSubstr("contact.frst is not in summary.json, did you mean 'contact.first'?"));
  EXPECT_THAT(check(number("status", 1)).line, HasSubstr("no number"));
  EXPECT_THAT(check(number("contact.0.force", 1, Take::last)).line, HasSubstr("is not in history.csv"));
  PublishedSpec late = number("a", 1, Take::last);
  late.from = 9;
  EXPECT_THAT(check(late).line, HasSubstr("no value in the rows"));
}

}  // namespace
}  // namespace ictus::run
