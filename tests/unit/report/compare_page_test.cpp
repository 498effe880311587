#include <gmock/gmock.h>

#include <fstream>
#include <ictus/report/compare_page.hpp>
#include <unit/report/page_document.hpp>

namespace ictus::report {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

json comparison() {
  return {{"title", "Bars & <beams>"},
          {"source", "demoures-2016"},
          {"contacts", {"left – right"}},
          {"runs",
           {{{"name", "dcr"},
             {"report", "dcr/report.html"},
             {"summary", {{"integrator", "dcr"}}},
             {"columns",
              {{"time", {0, 1, 2}},
               {"probe.tip.velocity", {1, 2, nullptr}},
               {"exact.probe.tip.velocity", {1, 4, 5}},
               {"contact.0.gap", {1, 1, 1}}}}},
            {{"name", "moreau"},
             {"columns", {{"time", {0, 2}}, {"probe.tip.velocity", {1, 5}}, {"exact.probe.tip.velocity", {1, 5}}}}}}}};
}

TEST(ComparePageTest, CarriesWhatIsComparedAndNothingElse) {
  const Document page = document_in(compare_page(comparison()));
  EXPECT_EQ(page.at("kind"), "compare");
  EXPECT_EQ(page.at("source"), "demoures-2016");
  EXPECT_EQ(page.at("contacts").dump(), R"(["left – right"])");
  const Document& run = page.at("runs").at(0);
  EXPECT_EQ(run.at("report"), "dcr/report.html");
  EXPECT_EQ(run.at("summary").at("integrator"), "dcr");
  const Document& table = run.at("history").at("tables").at(0);
  ASSERT_EQ(table.at("columns").size(), 2u);
  EXPECT_EQ(table.at("columns").at(0).at("name"), "time");
  EXPECT_EQ(column(table, "probe.tip.velocity").at(1), 2);
  EXPECT_TRUE(page.at("runs").at(1).at("report").is_null());
}

TEST(ComparePageTest, KeepsTheExactSolutionOnce) {
  const Document page = document_in(compare_page(comparison()));
  const Document& tables = page.at("exact").at("tables");
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_THAT(column(tables.at(0), "time"), ElementsAre(0, 1, 2));
  EXPECT_THAT(column(tables.at(0), "probe.tip.velocity"), ElementsAre(1, 4, 5));
}

TEST(ComparePageTest, PrefersTheExactSolutionThatIsGiven) {
  json given = comparison();
  given["exact"] = {{"time", {0, 0.5}}, {"probe.tip.velocity", {7, 8}}};
  const Document page = document_in(compare_page(given));
  ASSERT_EQ(page.at("exact").at("tables").size(), 1u);
  EXPECT_THAT(column(page.at("exact").at("tables").at(0), "probe.tip.velocity"), ElementsAre(7, 8));
}

TEST(ComparePageTest, MeasuresTheDistanceFromTheExactSolution) {
  const Document page = document_in(compare_page(comparison()));
  // The row without a value counts for neither sum: (0 + 2) / (1 + 4).
  EXPECT_DOUBLE_EQ(page.at("runs").at(0).at("errors").at("probe.tip.velocity"), 0.4);
  EXPECT_EQ(page.at("runs").at(1).at("errors").at("probe.tip.velocity"), 0.0);
}

TEST(ComparePageTest, LongHistoriesAreThinned) {
  json long_run = comparison();
  json& columns = long_run["runs"][0]["columns"];
  columns = {{"time", json::array()}, {"energy.total", json::array()}};
  for (int i = 0; i < 50000; ++i) {
    columns["time"].push_back(i);
    columns["energy.total"].push_back(i % 100);
  }
  const Document page = document_in(compare_page(long_run));
  const Document& history = page.at("runs").at(0).at("history");
  EXPECT_EQ(history.at("rows"), 50000);
  const std::vector<double> kept = column(history.at("tables").at(1), "energy.total");
  EXPECT_LE(kept.size(), max_history_rows);
  EXPECT_GE(kept.size(), max_history_rows / 2) << "thinned, not lost";
  // What is thinned still reaches as far as the whole.
  EXPECT_EQ(*std::min_element(kept.begin(), kept.end()), 0);
  EXPECT_EQ(*std::max_element(kept.begin(), kept.end()), 99);
}

TEST(ComparePageTest, TextCannotBecomeMarkup) {
  json evil = comparison();
  evil["runs"][0]["name"] = "</script><script>alert(1)</script>";
  const std::string page = compare_page(evil);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("<title>Bars &amp; &lt;beams&gt; · Ictus comparison</title>"));
}

TEST(ComparePageTest, NamesTheKeyThatIsWrong) {
  const auto complaint = [](auto change) {
    json document = comparison();
    change(document);
    return complaint_of([&] { compare_page(document); });
  };
  EXPECT_EQ(complaint([](json& d) { d.erase("title"); }), "title: is missing");
  EXPECT_EQ(complaint([](json& d) { d["runs"] = 1; }), "runs: a list is expected");
  EXPECT_EQ(complaint([](json& d) { d["runs"][1]["name"] = "dcr"; }), "runs[1].name: 'dcr' is the name of two runs");
  EXPECT_EQ(complaint([](json& d) { d["runs"][1].erase("columns"); }), "runs[1].columns: is missing");
  EXPECT_EQ(complaint([](json& d) { d["runs"][0]["columns"].erase("time"); }), "runs[0].columns.time: is missing");
  EXPECT_EQ(complaint([](json& d) {
              d["runs"][0]["columns"]["time"] = {0, 2, 1};
            }),
            "runs[0].columns.time: time runs back");
  EXPECT_EQ(complaint([](json& d) {
              d["runs"][0]["columns"]["time"] = {0, nullptr, 1};
            }),
            "runs[0].columns.time: null is no time");
  EXPECT_EQ(complaint([](json& d) { d["runs"][0]["columns"]["energy.total"] = {1}; }),
            "runs[0].columns.energy.total: has 1 values, but there are 3 times");
  EXPECT_EQ(complaint([](json& d) {
              d["runs"][0]["columns"]["energy.total"] = {1, "x", 2};
            }),
            "runs[0].columns.energy.total[1]: a number or null is expected");
  EXPECT_EQ(complaint([](json& d) { d = json::array(); }), "an object is expected");
}

class ComparisonOfTest : public ::testing::Test {
 protected:
  void write_run(const std::string& name, std::string_view history) const {
    std::filesystem::create_directories(folder_ / name);
    std::ofstream(folder_ / name / "summary.json") << R"({"integrator": ")" << name << "\"}";
    std::ofstream(folder_ / name / "scene.yaml") << "source: book\ncontacts: [{between: [a, b]}]\n";
    std::ofstream(folder_ / name / "history.csv") << history;
  }

  const std::string name_ = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) / ("comparison_of_" + name_);
};

TEST_F(ComparisonOfTest, ReadsResultFolders) {
  write_run("one", "time,energy.total,momentum.x\n0,1,1\n1,,1\n");
  write_run("two", "time,energy.total\n0,2\n");
  std::ofstream(folder_ / "two" / "report.html") << "page";
  const json document = comparison_of("Both", {{"first", folder_ / "one"}, {"second", folder_ / "two"}}, folder_);
  EXPECT_EQ(document.at("source"), "book");
  EXPECT_EQ(document.at("contacts").dump(), R"(["a – b"])");
  EXPECT_EQ(document.at("runs").at(0).at("columns").dump(), R"({"energy.total":[1.0,null],"time":[0.0,1.0]})");
  EXPECT_TRUE(document.at("runs").at(0).at("report").is_null());
  EXPECT_EQ(document.at("runs").at(1).at("name"), "second");
  EXPECT_EQ(document.at("runs").at(1).at("report"), "two/report.html");
  EXPECT_EQ(document_in(compare_page(document)).at("runs").size(), 2u);
}

TEST_F(ComparisonOfTest, ComplainsOfEveryRunAtOnce) {
  try {
    comparison_of("None", {{"first", folder_ / "x"}, {"second", folder_ / "y"}}, folder_);
    FAIL() << "no complaint";
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.mistakes().size(), 2u);
  }
}

}  // namespace
}  // namespace ictus::report
