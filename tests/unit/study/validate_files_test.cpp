#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <ictus/run/cases.hpp>
#include <ictus/study/validate/validate_files.hpp>
#include <ictus/study/validate/validate_page.hpp>
#include <sstream>

namespace ictus::study {
namespace {

using ::testing::HasSubstr;

Validation validation() {
  scene::PublishedSpec spec;
  spec.what = "force";
  spec.value = 200;
  spec.unit = "N";
  spec.by = "somebody";
  spec.of = "contact.0.force";
  spec.tolerance = 0.02;
  spec.because = "of the mesh";
  spec.others = {{"another program", 100}};
  Benchmark benchmark{"validation/bar", "A bar", "a book", "about", {spec}, {}};
  ValidationRun coarse;
  coarse.label = "elements=2";
  coarse.integrator = "dcr";
  coarse.dofs = 3;
  coarse.status = ComparedStatus::failed;
  coarse.reason = "not a number";
  ValidationRun own = coarse;
  own = {.label = "",
         .folder = "bar",
         .status = ComparedStatus::completed,
         .reason = "",
         .integrator = "dcr",
         .dofs = 11,
         .step = 0.5,
         .wall_seconds = 1,
         .numbers = {{.own = 202.0, .error = 0.01, .met = true, .line = ""}}};
  benchmark.runs = {coarse, own};
  NotYet missing{"plastic", "A plastic bar", "a paper", "plastic materials", {spec}};
  return {{benchmark}, {missing}};
}

TEST(ValidateFiles, CsvHasARowForEachNumberAndOneForWhatIsMissing) {
  EXPECT_EQ(to_csv(full_table(validation())),
            "benchmark,what,unit,published,by,own,error,tolerance,verdict,unknowns,step,wall_seconds\n"
            "validation/bar,force,N,200,somebody,202,0.01,0.02,met,11,0.5,1\n"
            "plastic,force,N,200,somebody,,,,not yet: plastic materials,,,\n");
}

TEST(ValidateFiles, JsonTellsRunsAndReasons) {
  const nlohmann::ordered_json json = to_json(validation());
  EXPECT_EQ(json["benchmarks"][0]["published"][0]["because"], "of the mesh");
  EXPECT_EQ(json["benchmarks"][0]["published"][0]["others"][0]["value"], 100);
  EXPECT_EQ(json["benchmarks"][0]["runs"][0]["reason"], "not a number");
  EXPECT_EQ(json["benchmarks"][0]["runs"][1]["error"][0], 0.01);
  EXPECT_EQ(json["not_yet"][0]["missing"], "plastic materials");
}

TEST(ValidateFiles, MarkdownTellsNumbersErrorsAndOtherPrograms) {
  const std::string page = to_markdown(validation());
  EXPECT_THAT(page, HasSubstr("| A bar | force | somebody | 200 N | 202 N | +1 % | met |\n"));
  EXPECT_THAT(page, HasSubstr("| | | *another program* | | *100 N* | *-50 %* | |\n"));
  EXPECT_THAT(page, HasSubstr("| A plastic bar | force | somebody | 200 N | | | not yet: plastic materials |\n"));
  EXPECT_THAT(page, HasSubstr("- force, to 2 %: of the mesh.\n"));
  EXPECT_THAT(page, HasSubstr("| 3 | – |\n| 11 | +1 % |\n"));
  EXPECT_THAT(page, HasSubstr("- **elements=2 failed: not a number**\n"));
}

TEST(ValidateFiles, AKnownMissStaysAMissAndIsExplained) {
  Validation missed = validation();
  missed.benchmarks[0].published[0].known_miss = "of the weight";
  missed.benchmarks[0].runs[1].numbers[0] = {.own = 220.0, .error = 0.1, .met = false, .explained = true, .line = ""};
  const std::string page = to_markdown(missed);
  EXPECT_THAT(page, HasSubstr("| 220 N | +10 % | missed |\n"));
  EXPECT_THAT(page, HasSubstr("- force, to 2 %: of the mesh. **Missed**: of the weight.\n"));
  EXPECT_EQ(to_json(missed)["benchmarks"][0]["published"][0]["known_miss"], "of the weight");
}

std::vector<std::string> rows_of_the_documentation() {
  std::ifstream file(std::string(ICTUS_SOURCE_DIR) + "/docs/validation.md");
  std::vector<std::string> rows;
  for (std::string line; std::getline(file, line);) {
    const bool is_row = line.starts_with("| ") && !line.starts_with("| |") && !line.starts_with("| ---");
    if (is_row && std::count(line.begin(), line.end(), '|') == 8) rows.push_back(line);
  }
  return rows;
}

/// `ictus validate` makes docs/validation.md anew; a number that was added, changed or taken away shows here.
TEST(ValidationPage, OfTheDocumentationHasTheRowsOfTheCases) {
  const std::vector<std::string> rows = rows_of_the_documentation(), known = markdown_rows_of_cases();
  ASSERT_EQ(rows.size(), known.size() + 1) << "the head and a row for each published number";
  for (std::size_t i = 0; i < known.size(); ++i) EXPECT_THAT(rows[i + 1], ::testing::StartsWith(known[i]));
}

TEST(NotYet, NamesNothingThatTheProgramCanDo) {
  const std::vector<std::string> names = benchmark_names();
  for (const NotYet& row : benchmarks_not_yet()) {
    EXPECT_FALSE(row.published.empty());
    EXPECT_EQ(std::count(names.begin(), names.end(), "validation/" + row.name), 0) << row.name << " is a case by now";
  }
}

TEST(BenchmarkCases, EachHasASourceAndNumbersWithReasons) {
  ASSERT_GE(benchmark_names().size(), 10u);
  for (const std::string& name : benchmark_names()) {
    const scene::Scene scene = run::load(name, {}).document.scene;
    EXPECT_FALSE(scene.source.empty()) << name;
    EXPECT_FALSE(scene.published.empty()) << name;
  }
}

}  // namespace
}  // namespace ictus::study
