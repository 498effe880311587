#include <ictus/scene/schema/schema.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ictus::scene {
namespace {

using ::testing::ElementsAre;

enum class Side { left, right };

struct Damper {
  double rate = 0.5;
  Side side = Side::right;
  bool operator==(const Damper&) const = default;
};

struct Spring {
  double angle = 0;
  std::optional<int> turns;
  Damper damper;
  bool operator==(const Spring&) const = default;
};

struct Rigid {
  bool operator==(const Rigid&) const = default;
};

using Link = std::variant<Rigid, Spring>;

Typed<Link> describe_link() {
  Object<Damper> damper("damper", "Takes energy out.");
  damper.field("rate", &Damper::rate, number().at_least(0.5).at_most(1), "How fast.")
      .field("side", &Damper::side, one_of<Side>({{Side::left, "left", "to the left"}, {Side::right, "right", "not"}}),
             "Where.");
  Object<Spring> spring("spring", "Stores energy.");
  spring.required("angle", &Spring::angle, quantity(dimension::angle).positive(), "How far.")
      .field("turns", &Spring::turns, integer(1), "How often.")
      .field("damper", &Spring::damper, damper, "What is beside it.");
  return variant(Object<Rigid>("rigid", "Does nothing."), spring);
}

Link read(std::string_view text, std::vector<std::string>* lines = nullptr) {
  const Sources sources{"link.yaml"};
  Reading reading(sources);
  Link link;
  describe_link().kind->read(parse_yaml(text, sources, 0), "link", reading, &link);
  for (const base::Mistake& mistake : reading.mistakes)
    if (lines != nullptr) lines->push_back(base::to_string(mistake));
  EXPECT_TRUE(lines != nullptr || reading.mistakes.empty());
  return link;
}

TEST(Describe, ChoosesByTypeAndFillsDefaults) {
  EXPECT_EQ(read("type: rigid"), Link(Rigid{}));
  const Link spring = read("{type: spring, angle: 180 deg, damper: {side: left}}");
  EXPECT_EQ(spring, Link(Spring{3.141592653589793, std::nullopt, {0.5, Side::left}}));
  EXPECT_EQ(to_yaml(describe_link().kind->write(&spring)),
            "type: spring\nangle: 3.141592653589793\ndamper: {rate: 0.5, side: left}\n");
}

TEST(Describe, ReportsMistakesInsideNestedStructs) {
  std::vector<std::string> lines;
  read("{type: spring, angle: 1 Hz, turns: 0, damper: {rate: 2, sides: left}}", &lines);
  EXPECT_THAT(lines,
              ElementsAre("link.yaml:1: link.angle: must be an angle > 0 (in rad), not 1 Hz, which is a frequency",
                          "link.yaml:1: link.turns: must be an integer ≥ 1, not 0",
                          "link.yaml:1: link.damper.rate: must be a number in [0.5, 1], not 2",
                          "link.yaml:1: link.damper.sides: unknown key, did you mean 'side'?"));
}

TEST(Describe, AKeyOfAnotherTypeIsUnknown) {
  std::vector<std::string> lines;
  read("{type: rigid, turns: 2}", &lines);
  EXPECT_THAT(lines, ElementsAre("link.yaml:1: link.turns: unknown key, the keys of rigid are type"));
}

TEST(Describe, TheJsonSchemaHasOneOptionForEachType) {
  const auto schema = describe_link().kind->json_schema();
  ASSERT_EQ(schema["oneOf"].size(), 2u);
  const auto& spring = schema["oneOf"][1];
  EXPECT_EQ(spring["required"], nlohmann::json({"type", "angle"}));
  EXPECT_EQ(spring["properties"]["damper"]["properties"]["side"]["enum"], nlohmann::json({"left", "right"}));
  EXPECT_EQ(spring["properties"]["damper"]["properties"]["side"]["description"],
            "Where. `left`: to the left. `right`: not. Allowed: left or right.");
}

}  // namespace
}  // namespace ictus::scene
