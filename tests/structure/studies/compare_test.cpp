#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <ictus/files/csv_table.hpp>
#include <ictus/study/compare/compare_files.hpp>

#include "structure/studies/small_scene.hpp"

namespace ictus::study {
namespace {

using ictus::testing::listing;
using ictus::testing::read;
using ictus::testing::refusal;
using ictus::testing::SmallScene;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using Json = nlohmann::ordered_json;

constexpr auto never = [] { return false; };
constexpr auto ignore = [](const ComparedRun&, const StudyProgress&) {};

CompareOptions options(const SmallScene& scene, const char* integrators, std::vector<scene::Override> overrides = {}) {
  return {scene.source(std::move(overrides)), parse_integrators(integrators), scene.results(), 2, false};
}

TEST(Compare, WritesEveryRunAndTheThreeFilesThatTellThemTogether) {
  const SmallScene scene;
  std::vector<std::string> ended;
  const Comparison comparison =
      compare(options(scene, "cd-lagrange,capture-return,central-difference"), never,
              [&](const ComparedRun& run, const StudyProgress&) { ended.push_back(run.name); });
  write_comparison(comparison, scene.results());
  EXPECT_THAT(ended, UnorderedElementsAre("cd-lagrange", "capture-return"));
  EXPECT_THAT(listing(scene.results()),
              ElementsAre("capture-return", "cd-lagrange", "compare.csv", "compare.html", "compare.json"));
  for (const char* name : {"cd-lagrange", "capture-return"}) {
    const Json summary = Json::parse(read(scene.results() / name / "summary.json"));
    EXPECT_EQ(summary["integrator"], name);
    EXPECT_EQ(summary["status"], "completed");
  }

  const Json json = Json::parse(read(scene.results() / "compare.json"));
  ASSERT_EQ(json["runs"].size(), 2);
  // The whole loss of CD-Lagrange is that of the first touch, the share 1/(2·elements) of 0.1 J.
  EXPECT_NEAR(json["runs"][0]["energy"]["losses"]["impact"].get<double>(), 0.1 / 20, 1e-15);
  for (const Json& run : json["runs"]) {
    const Json extra = Json::parse(read(scene.results() / run["folder"] / "summary.json"))["extra"];
    EXPECT_EQ(run["error"]["displacement"], extra["error"]["left_tip"]["displacement"]);
    EXPECT_EQ(run["error"]["velocity"], extra["error"]["left_tip"]["velocity"]);
    EXPECT_EQ(run["error"]["contact_force"], extra["contact_force_error"][0]);
    EXPECT_LT(run["error"]["contact_force"].get<double>(), 0.5) << "a force of zero throughout would have 1";
    EXPECT_LT(run["momentum"]["linear_drift"].get<double>(), 1e-13);
    EXPECT_NEAR(run["contact"]["duration"].get<double>(), 20, 1);
  }
  EXPECT_EQ(json["refused"][0]["name"], "central-difference");
  EXPECT_THAT(json["refused"][0]["reason"].get<std::string>(), HasSubstr("has no contact"));

  constexpr std::array<std::string_view, 4> words{"integrator", "status", "reason", "notes"};
  const files::CsvTable csv = files::read_csv(scene.results() / "compare.csv", words, words);
  EXPECT_EQ(csv.rows, 3);
  EXPECT_EQ(csv.find("error.velocity")->numbers[0], json["runs"][0]["error"]["velocity"].get<double>());

  const std::string page = read(scene.results() / "compare.html");
  EXPECT_THAT(page, HasSubstr("\"kind\":\"compare\""));
  EXPECT_THAT(page, HasSubstr("\"name\":\"energy.total\""));
  EXPECT_THAT(page, HasSubstr("Two small bars"));
}

TEST(Compare, TheNumberOfThreadsDoesNotChangeTheResults) {
  const SmallScene one, three;
  CompareOptions alone = options(one, "cd-lagrange,dcr,reflection"),
                 together = options(three, "cd-lagrange,dcr,reflection");
  alone.threads = 1;
  together.threads = 3;
  compare(alone, never, ignore);
  compare(together, never, ignore);
  for (const char* name : {"cd-lagrange", "dcr", "reflection"}) {
    EXPECT_EQ(read(one.results() / name / "history.csv"), read(three.results() / name / "history.csv")) << name;
    EXPECT_EQ(read(one.results() / name / "contacts.csv"), read(three.results() / name / "contacts.csv")) << name;
  }
}

TEST(Compare, AFailureIsReportedAndTheOthersGoOn) {
  const SmallScene scene;
  // The reflection of DCR breaks no account, but no run explains every joule to 1e-30.
  const Comparison comparison =
      compare(options(scene, "dcr,central-difference", {{"limits.energy_residual", "1e-30"}}), never, ignore);
  EXPECT_EQ(comparison.runs[0].status, ComparedStatus::failed);
  EXPECT_NE(comparison.runs[0].reason, "");
  EXPECT_EQ(comparison.runs[1].status, ComparedStatus::refused);
  write_comparison(comparison, scene.results());
  EXPECT_EQ(Json::parse(read(scene.results() / "compare.json"))["runs"][0]["status"], "failed");
}

TEST(Compare, WhenAskedToStopItStops) {
  const SmallScene scene;
  const Comparison comparison = compare(
      options(scene, "dcr"), [] { return true; }, ignore);
  EXPECT_EQ(comparison.runs[0].status, ComparedStatus::interrupted);
}

TEST(Compare, ResultsThatExistAreKeptUnlessForced) {
  const SmallScene scene;
  CompareOptions again = options(scene, "dcr");
  write_comparison(compare(again, never, ignore), scene.results());
  EXPECT_THAT(refusal([&] { compare(again, never, ignore); }),
              HasSubstr("compare.json, compare.csv, compare.html, dcr"));
  again.force = true;
  EXPECT_EQ(compare(again, never, ignore).runs[0].status, ComparedStatus::completed);
  EXPECT_THAT(listing(scene.results()), ElementsAre("dcr")) << "old files do not stand beside new runs";
}

TEST(Compare, AKeyIsVariedAloneOrWithEachIntegrator) {
  const SmallScene scene;
  CompareOptions study{scene.source(), {}, scene.results(), 2, false, {parse_variation("bodies.left.cells=10, 20")}};
  const Comparison alone = compare(study, never, ignore);
  ASSERT_EQ(alone.runs.size(), 2);
  EXPECT_EQ(alone.runs[0].name, "cells=10");
  EXPECT_EQ(alone.runs[1].name, "cells=20");
  // ½ m₁m₂/(m₁ + m₂) (0.2 m/s)² is lost when the end nodes, of half an element each, meet.
  EXPECT_NEAR(alone.runs[0].figures->losses[0].second, 0.02 * 0.5 * 0.5, 1e-14);
  // Ends of unequal elements part after 0.05 s and meet once more at 0.15 s, which costs 7e-4 of that.
  const double first_touch = 0.02 * 0.25 * 0.5 / 0.75, lost = alone.runs[1].figures->losses[0].second;
  EXPECT_GE(lost, first_touch - 1e-14);
  EXPECT_LT(lost, 1.001 * first_touch);
  EXPECT_THAT(listing(scene.results()), ElementsAre("cells=10", "cells=20"));

  study.integrators = parse_integrators("cd-lagrange,dcr");
  study.force = true;
  const Comparison both = compare(study, never, ignore);
  ASSERT_EQ(both.runs.size(), 4);
  EXPECT_EQ(both.runs[3].name, "dcr cells=20");
  EXPECT_EQ(both.runs[3].folder, "dcr-cells=20");
}

TEST(Compare, SeveralKeysMakeAGridWithOneTable) {
  const SmallScene scene;
  const CompareOptions study{
      scene.source(),
      {},
      scene.results(),
      2,
      false,
      parse_variations({"bodies.left.cells=10,20", "bodies.right.cells=10,20", "bodies.left.velocity=[0.1, 0, 0]"})};
  std::vector<std::size_t> ended;
  const Comparison grid = compare(study, never, [&](const ComparedRun&, const StudyProgress& progress) {
    ended.push_back(progress.ended);
    EXPECT_EQ(progress.runs, 4);
    EXPECT_EQ(progress.seconds_left > 0, progress.ended < 4);
  });
  EXPECT_THAT(ended, ElementsAre(1, 2, 3, 4));
  ASSERT_EQ(grid.runs.size(), 4);
  EXPECT_EQ(grid.runs[1].name, "bodies.left.cells=10 bodies.right.cells=20 bodies.left.velocity=[0.1, 0, 0]");
  EXPECT_THAT(grid.runs[2].values, ElementsAre("20", "10", "[0.1, 0, 0]"));
  write_comparison(grid, scene.results());
  const files::CsvTable table = files::read_csv(
      scene.results() / comparison_files::csv, {},
      std::array<std::string_view, 6>{"run", "status", "vary.bodies.left.velocity", "reason", "notes", ""});
  EXPECT_THAT(table.find("vary.bodies.left.cells")->numbers, ElementsAre(10, 10, 20, 20));
  EXPECT_THAT(table.find("vary.bodies.right.cells")->numbers, ElementsAre(10, 20, 10, 20));
  EXPECT_THAT(refusal([] { parse_variations({"a=1", "a=2"}); }), HasSubstr("a varies twice"));
}

TEST(Compare, VariationsAreReadWithTheirBrackets) {
  const KeyVariation variation = parse_variation("gravity= [0, 0, -1] ,[0, 0, -2]");
  EXPECT_EQ(variation.key, "gravity");
  EXPECT_THAT(variation.values, ElementsAre("[0, 0, -1]", "[0, 0, -2]"));
  EXPECT_THAT(refusal([] { parse_variation("friction"); }), HasSubstr("'friction' must be KEY=VALUE,VALUE,..."));
  EXPECT_THAT(refusal([] { parse_variation("=1"); }), HasSubstr("must be KEY=VALUE"));
  EXPECT_THAT(refusal([] { parse_variation("a=1,,2"); }), HasSubstr("has an empty value"));
  EXPECT_THAT(refusal([] { parse_variation("a=1,1"); }), HasSubstr("a = 1 is given twice"));
}

TEST(Compare, WhereNothingCanRunEveryReasonIsAMistake) {
  const SmallScene scene;
  const std::string message = refusal([&] {
    compare(options(scene, "central-difference,cd-lagrange", {{"time.courant", "2"}}), never, ignore);
  });
  EXPECT_THAT(message, HasSubstr("central-difference: contacts.0"));
  EXPECT_THAT(message, HasSubstr("cd-lagrange: time.courant"));
  EXPECT_FALSE(std::filesystem::exists(scene.results()));
}

}  // namespace
}  // namespace ictus::study
