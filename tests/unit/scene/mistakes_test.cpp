#include <unit/scene/scene_texts.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ictus::scene {
namespace {

using test::mistakes_of;
using test::mistakes_with;
using test::small_scene;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

/// What a change of small_scene is answered with.
struct Case {
  const char* name;
  const char* from;
  const char* to;
  std::vector<std::string> lines;
};

class Mistake : public ::testing::TestWithParam<Case> {};

TEST_P(Mistake, IsNamedExactly) {
  EXPECT_THAT(mistakes_with(GetParam().from, GetParam().to), ElementsAreArray(GetParam().lines));
}

const Case keys[] = {
    {"UnknownKeyNearAKnownOne",
     "length: 2",
     "length: 2, lenght: 3",
     {"scene.yaml:3: bodies.bar.lenght: unknown key, did you mean 'length'?"}},
    {"UnknownKeyNearNothing",
     "position:",
     "colour: red, position:",
     {"scene.yaml:4: bodies.wall.colour: unknown key, the keys of plane are type, position, normal, until"}},
    {"UnknownTopLevelKey",
     "contacts:",
     "contact: []\ncontacts:",
     {"scene.yaml:5: contact: unknown key, did you mean 'contacts'?"}},
    {"MissingKey", "length: 2, ", "", {"scene.yaml:3: bodies.bar.length: is missing, must be a length > 0 (in m)"}},
    {"MissingTopLevelKey",
     "time: {end: 1, step: 0.1}\n",
     "",
     {"scene.yaml: time: is missing, must be a map with end, step, courant, follow, allow_unstable"}},
    {"DuplicateKey",
     "length: 2",
     "length: 2, \n    length: 3",
     {"scene.yaml:4: bodies.bar.length: given twice, first on line 3"}},
    {"DuplicateBody",
     "contacts:",
     "  bar: {type: plane, position: [3, 0, 0], normal: [-1, 0, 0]}\ncontacts:",
     {"scene.yaml:5: bodies.bar: given twice, first on line 3"}},
    {"MissingType",
     "type: plane, ",
     "",
     {std::string("scene.yaml:4: bodies.wall.type: is missing, must be ") + test::body_choice()}},
    {"UnknownType",
     "type: plane",
     "type: plain",
     {std::string("scene.yaml:4: bodies.wall.type: must be ") + test::body_choice() +
      ", not plain, did you mean 'plane'?"}},
    {"TypeIsAList",
     "type: plane",
     "type: [plane]",
     {std::string("scene.yaml:4: bodies.wall.type: must be ") + test::body_choice() + ", not a list"}},
    {"BothOfAChoice",
     "step: 0.1",
     "step: 0.1, courant: 1",
     {"scene.yaml:1: time: must have only one of step or courant"}},
};
INSTANTIATE_TEST_SUITE_P(Keys, Mistake, ::testing::ValuesIn(keys), [](const auto& c) { return c.param.name; });

const Case values[] = {
    {"TextForNumber",
     "length: 2",
     "length: long",
     {"scene.yaml:3: bodies.bar.length: must be a length > 0 (in m), not long"}},
    {"ListForNumber",
     "length: 2",
     "length: [2]",
     {"scene.yaml:3: bodies.bar.length: must be a length > 0 (in m), not a list"}},
    {"NothingForNumber",
     "length: 2",
     "length: ",
     {"scene.yaml:3: bodies.bar.length: is empty, must be a length > 0 (in m)"}},
    {"WrongDimension",
     "density: 1",
     "density: 12 mm",
     {"scene.yaml:3: bodies.bar.density: must be a density > 0 (in kg/m^3), not 12 mm, which is a length"}},
    {"UnitForANumber",
     "bar, wall]",
     "bar, wall], friction: 3 deg",
     {"scene.yaml:6: contacts.0.friction: must be a number ≥ 0, not 3 deg, which is an angle"}},
    {"UnknownUnit",
     "youngs_modulus: 1",
     "youngs_modulus: 210 gpa",
     {"scene.yaml:3: bodies.bar.youngs_modulus: must be a stress > 0 (in Pa), not 210 gpa: unknown unit 'gpa', did you "
      "mean "
      "'GPa'?"}},
    {"DecimalComma",
     "length: 2",
     "length: '2,5'",
     {"scene.yaml:3: bodies.bar.length: must be a length > 0 (in m), not \"2,5\" (a decimal point is '.')"}},
    {"Negative",
     "density: 1",
     "density: -1",
     {"scene.yaml:3: bodies.bar.density: must be a density > 0 (in kg/m^3), not -1"}},
    {"Zero",
     "density: 1",
     "density: 0",
     {"scene.yaml:3: bodies.bar.density: must be a density > 0 (in kg/m^3), not 0"}},
    {"NotANumber",
     "length: 2",
     "length: .nan",
     {"scene.yaml:3: bodies.bar.length: must be a length > 0 (in m), not .nan"}},
    {"Infinite",
     "length: 2",
     "length: .inf",
     {"scene.yaml:3: bodies.bar.length: must be a length > 0 (in m), not .inf"}},
    {"TooLarge",
     "length: 2",
     "length: 1e306 km",
     {"scene.yaml:3: bodies.bar.length: must be a length > 0 (in m), not 1e306 km, which is beyond the range of "
      "numbers "
      "(1e-307 to 1e308)"}},
    {"TooSmall",
     "length: 2",
     "length: 1e-400",
     {"scene.yaml:3: bodies.bar.length: must be a length > 0 (in m), not 1e-400, which is beyond the range of numbers "
      "(1e-307 to 1e308)"}},
    {"Courant", "step: 0.1", "courant: 11", {"scene.yaml:1: time.courant: must be a number in (0, 10], not 11"}},
    {"FractionForInteger",
     "cells: 4",
     "cells: 3.7",
     {"scene.yaml:3: bodies.bar.cells: must be an integer ≥ 1, not 3.7"}},
    {"ZeroElements", "cells: 4", "cells: 0", {"scene.yaml:3: bodies.bar.cells: must be an integer ≥ 1, not 0"}},
    {"TextForInteger",
     "cells: 4",
     "cells: \"4\"",
     {"scene.yaml:3: bodies.bar.cells: must be an integer ≥ 1, not \"4\""}},
    {"HugeInteger",
     "cells: 4",
     "cells: 3000000000",
     {"scene.yaml:3: bodies.bar.cells: must be at most 2147483647, not 3000000000"}},
    {"UnknownWord",
     "length: 2",
     "length: 2, supports: [{at: strat}]",
     {"scene.yaml:3: bodies.bar.supports.0.at: must be start or end, not strat, did you mean 'start'?"}},
    {"ShortVector",
     "[3, 0, 0]",
     "[3, 0]",
     {"scene.yaml:4: bodies.wall.position: must be a list of 3, each a length (in m), not a list of 2"}},
    {"NumberForVector",
     "[3, 0, 0]",
     "3 m",
     {"scene.yaml:4: bodies.wall.position: must be a list of 3, each a length (in m), not 3 m"}},
    {"WrongComponent",
     "[3, 0, 0]",
     "[3, 0 s, x]",
     {"scene.yaml:4: bodies.wall.position.1: must be a length (in m), not 0 s, which is a time",
      "scene.yaml:4: bodies.wall.position.2: must be a length (in m), not x"}},
    {"ZeroDirection",
     "[-1, 0, 0]",
     "[0, 0.0, -0]",
     {"scene.yaml:4: bodies.wall.normal: must be a list of 3 numbers that are not all zero, not [0, 0, 0]"}},
    {"YesForTrue",
     "contacts:",
     "output: {report: yes}\ncontacts:",
     {"scene.yaml:5: output.report: must be true or false, not yes"}},
    {"QuotedTrue",
     "contacts:",
     "output: {report: 'true'}\ncontacts:",
     {"scene.yaml:5: output.report: must be true or false, not \"true\""}},
    {"NumberForText",
     "time:",
     "title: 2016\ntime:",
     {"scene.yaml:1: title: must be text, not 2016 (write \"2016\" with quotes)"}},
    {"LongValuesAreCut",
     "length: 2",
     "length: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     {"scene.yaml:3: bodies.bar.length: must be a length > 0 (in m), not aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."}},
    {"MapForList",
     "\n  - {between: [bar, wall]}",
     " {between: [bar, wall]}",
     {"scene.yaml:5: contacts: must be a list, each item a map with between, restitution, friction, friction_across, "
      "friction_direction, tangential_restitution, rolling_friction, spinning_friction, self_contact, gap, "
      "continuous, nodes, direction, distance, "
      "closed_below, overlap, "
      "not a map"}},
    {"SecondDocument",
     "contacts:\n  - {between: [bar, wall]}\n",
     "---\n",
     {"scene.yaml:5: a second document starts here; a scene is one document ('---' may stand only at the top)"}},
};
INSTANTIATE_TEST_SUITE_P(Values, Mistake, ::testing::ValuesIn(values), [](const auto& c) { return c.param.name; });

const Case names[] = {
    {"UnknownBodyInContact",
     "[bar, wall]",
     "[bra, wall]",
     {"scene.yaml:6: contacts.0.between.0: no body is named 'bra', did you mean 'bar'?"}},
    {"UnknownBodyNearNothing",
     "[bar, wall]",
     "[bar, hammer]",
     {"scene.yaml:6: contacts.0.between.1: no body is named 'hammer', the bodies are bar, wall"}},
    {"BodyWithItself",
     "[bar, wall]",
     "[bar, bar]",
     {"scene.yaml:6: contacts.0.between: must be two different bodies, not 'bar' twice"}},
    {"PairTwice",
     "[bar, wall]}",
     "[bar, wall]}\n  - {between: [wall, bar]}",
     {"scene.yaml:7: contacts.1.between: the pair bar, wall is already in contacts.0"}},
    {"Triple",
     "[bar, wall]",
     "[bar, wall, bar]",
     {"scene.yaml:6: contacts.0.between: must be a list of 2, each the name of a body, not a list of 3"}},
    {"UnknownBodyInProbe",
     "contacts:",
     "probes: {tip: {body: rod, at: end}}\ncontacts:",
     {"scene.yaml:5: probes.tip.body: no body is named 'rod', the bodies are bar, wall"}},
    {"ProbePosition",
     "contacts:",
     "probes: {tip: {body: bar, at: 1.5}}\ncontacts:",
     {"scene.yaml:5: probes.tip.at: must be start, middle, end or a number in [0, 1], not 1.5"}},
    {"NameWithDot",
     "contacts:",
     "  a.b: {type: plane, position: [3, 0, 0], normal: [-1, 0, 0]}\ncontacts:",
     {"scene.yaml:5: bodies: must be names of letters, digits, '_' and '-' that start with a letter, not \"a.b\""}},
    {"EmptyCondition",
     "contacts:",
     "expect: {status: {}}\ncontacts:",
     {"scene.yaml:5: expect.status: must have min/max, near/within or equals"}},
    {"MixedCondition",
     "contacts:",
     "expect: {status: {min: 1, equals: 1}}\ncontacts:",
     {"scene.yaml:5: expect.status: must have only one of min/max, near/within or equals"}},
    {"NearWithoutWithin",
     "contacts:",
     "expect: {time.end: {near: 1}}\ncontacts:",
     {"scene.yaml:5: expect.time.end.within: is missing, near and within go together"}},
    {"ImpossibleCondition",
     "contacts:",
     "expect: {time.end: {min: 2, max: 1}}\ncontacts:",
     {"scene.yaml:5: expect.time.end: no value can satisfy it, min is above max"}},
    {"ConditionIsNoMap",
     "contacts:",
     "expect: {time.end: 3}\ncontacts:",
     {"scene.yaml:5: expect.time.end: must be a map with min, max, near, within, equals, not 3"}},
    {"PathOfSummary",
     "contacts:",
     "expect: {time..end: {min: 2}}\ncontacts:",
     {"scene.yaml:5: expect: must be paths of names joined by '.', such as energy.final, not \"time..end\""}},
};
INSTANTIATE_TEST_SUITE_P(Names, Mistake, ::testing::ValuesIn(names), [](const auto& c) { return c.param.name; });

TEST(Mistakes, AreAllReportedAtOnceByLine) {
  EXPECT_THAT(
      mistakes_of(R"(titel: x
time: {end: -1 s, step: 0.1}
bodies:
  a: {type: bar, length: 2 kg, cells: 1.5}
contacts:
  - {between: [a, b], friction: -1}
  - 7
)"),
      ElementsAre("scene.yaml:1: titel: unknown key, did you mean 'title'?",
                  "scene.yaml:2: time.end: must be a time > 0 (in s), not -1 s",
                  "scene.yaml:4: bodies.a.length: must be a length > 0 (in m), not 2 kg, which is a mass",
                  "scene.yaml:4: bodies.a.cells: must be an integer ≥ 1, not 1.5",
                  "scene.yaml:4: bodies.a.density: is missing, must be a density > 0 (in kg/m^3)",
                  "scene.yaml:4: bodies.a.youngs_modulus: is missing, must be a stress > 0 (in Pa)",
                  "scene.yaml:6: contacts.0.friction: must be a number ≥ 0, not -1",
                  "scene.yaml:6: contacts.0.between.1: no body is named 'b', the bodies are a",
                  "scene.yaml:7: contacts.1: must be a map with between, restitution, friction, friction_across, "
                  "friction_direction, tangential_restitution, rolling_friction, spinning_friction, self_contact, "
                  "gap, continuous, nodes, direction, "
                  "distance, "
                  "closed_below, overlap, not 7"));
}

TEST(Mistakes, BeyondAHundredAreCounted) {
  std::string text(small_scene);
  for (int i = 0; i < 150; ++i) text += "zzzzz" + std::to_string(i) + ": 1\n";
  const std::vector<std::string> lines = mistakes_of(text);
  ASSERT_EQ(lines.size(), 101u);
  EXPECT_EQ(lines.back(), "scene.yaml: and 50 more mistakes");
}

TEST(Mistakes, EmptyBodies) {
  EXPECT_THAT(mistakes_of("time: {end: 1, step: 1}\nbodies: {}\n"),
              ElementsAre("scene.yaml:2: bodies: must be a map from names to a map with type: " + test::body_choice() +
                          ", at least 1, not a map"));
}

}  // namespace
}  // namespace ictus::scene
