#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/report/report_data.hpp>
#include <ictus/report/report_page.hpp>
#include <numeric>
#include <unit/report/page_document.hpp>

namespace ictus::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

files::CsvTable table_of(const std::vector<std::pair<std::string, std::vector<double>>>& columns) {
  files::CsvTable table;
  for (const auto& [name, values] : columns) table.columns.push_back({.name = name, .numbers = values});
  table.rows = columns.front().second.size();
  return table;
}

std::vector<double> counting(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

TEST(PackedTest, ShortListsStayReadable) {
  EXPECT_EQ(packed(std::vector{1.5, std::nan(""), 0.1}).dump(), "[1.5,null,0.1]");
  EXPECT_EQ(packed({}).dump(), "[]");
}

TEST(PackedTest, LongListsKeepEveryBit) {
  for (const std::size_t n : {1000u, 1001u, 1002u}) {
    std::vector<double> values = counting(n);
    for (double& v : values) v = std::sin(v) * 1e-7;
    const Document document = packed(values);
    ASSERT_TRUE(document.is_string());
    EXPECT_EQ(unpacked(document), values);
  }
}

TEST(HistoryTablesTest, ShortHistoriesAreKeptWhole) {
  const Document tables = history_tables(table_of({{"a", {5, 6}}, {"time", {0, 1}}}));
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].dump(), R"({"columns":[{"name":"time","values":[0.0,1.0]},{"name":"a","values":[5.0,6.0]}]})");
}

TEST(HistoryTablesTest, HistoriesAtTheLimitAreKeptWhole) {
  EXPECT_EQ(history_tables(table_of({{"time", counting(max_history_rows)}})).size(), 1u);
  EXPECT_EQ(history_tables(table_of({{"time", counting(max_history_rows + 1)}})).size(), 2u);
}

TEST(HistoryTablesTest, ThinningKeepsEndsPeaksAndOrder) {
  const std::size_t n = 123457;
  std::vector<double> quiet = counting(n);
  for (double& v : quiet) v = std::sin(0.001 * v);
  quiet[5000] = 100;
  quiet[70001] = -100;
  quiet[n - 1] = 0.123;
  const Document tables = history_tables(table_of({{"time", counting(n)}, {"probe.a.velocity", quiet}}));
  const std::vector<double> time = column(tables[1], "time");
  const std::vector<double> values = column(tables[1], "probe.a.velocity");
  ASSERT_EQ(time.size(), values.size());
  EXPECT_LE(time.size(), max_history_rows);
  EXPECT_TRUE(std::ranges::is_sorted(time));
  EXPECT_EQ(time.front(), 0);
  EXPECT_EQ(time.back(), n - 1.0);
  EXPECT_EQ(values.back(), 0.123);
  // One interval holds n / (max_history_rows / 2) rows: a peak is displaced by less.
  const double interval = 2.0 * static_cast<double>(n) / max_history_rows + 2;
  const auto high = std::ranges::find(values, 100) - values.begin();
  const auto low = std::ranges::find(values, -100) - values.begin();
  ASSERT_LT(high, std::ssize(values));
  ASSERT_LT(low, std::ssize(values));
  EXPECT_NEAR(time[static_cast<std::size_t>(high)], 5000, interval);
  EXPECT_NEAR(time[static_cast<std::size_t>(low)], 70001, interval);
}

TEST(HistoryTablesTest, ThinnedLedgerStillAddsUp) {
  const std::size_t n = 50000;
  std::vector<double> kinetic(n), strain(n), loss(n);
  for (std::size_t i = 0; i < n; ++i) {
    kinetic[i] = std::round(1000 * (1 + std::sin(0.37 * static_cast<double>(i))));
    loss[i] = static_cast<double>(i / 100);
    strain[i] = 4000 - kinetic[i] - loss[i];
  }
  const Document tables = history_tables(table_of({{"time", counting(n)},
                                                   {"energy.kinetic", kinetic},
                                                   {"energy.strain", strain},
                                                   {"energy.loss.impact", loss},
                                                   {"energy.total", strain}}));
  const std::vector<double> k = column(tables[0], "energy.kinetic");
  const std::vector<double> s = column(tables[0], "energy.strain");
  const std::vector<double> l = column(tables[0], "energy.loss.impact");
  const std::vector<double> time = column(tables[0], "time");
  EXPECT_LE(time.size(), max_history_rows);
  EXPECT_TRUE(std::ranges::is_sorted(time));
  for (std::size_t i = 0; i < k.size(); ++i) {
    ASSERT_EQ(k[i] + s[i] + l[i], 4000);
    ASSERT_EQ(k[i], kinetic[static_cast<std::size_t>(time[i])]);
  }
  EXPECT_EQ(std::ranges::max(k), std::ranges::max(kinetic));
  EXPECT_EQ(tables[1].at("columns").size(), 2u);
}

TEST(HistoryTablesTest, ThinningPassesOverCellsWithoutValue) {
  const std::size_t n = 10000;
  std::vector<double> sparse(n, std::nan(""));
  for (std::size_t i = 0; i < n; i += 3) sparse[i] = static_cast<double>(i);
  const Document tables = history_tables(table_of({{"time", counting(n)}, {"a", sparse}}));
  const std::vector<double> values = column(tables[1], "a");
  EXPECT_EQ(std::ranges::count_if(values, [](double v) { return std::isnan(v); }), 0);
}

files::CsvTable contacts_of(std::size_t n) {
  files::CsvTable table = table_of({{"time", counting(n)},
                                    {"normal_impulse", std::vector<double>(n, 0.5)},
                                    {"tangential_impulse", std::vector<double>(n, 0.25)},
                                    {"energy_lost", std::vector<double>(n, 0.125)}});
  files::CsvColumn first{.name = "first", .text = std::vector<std::uint32_t>(n, 0), .words = {"left"}};
  files::CsvColumn second{.name = "second", .text = {}, .words = {"right", "wall"}};
  for (std::size_t i = 0; i < n; ++i) second.text.push_back(i % 4 == 3 ? 1 : 0);
  table.columns.push_back(first);
  table.columns.push_back(second);
  return table;
}

TEST(ContactLanesTest, EachPairIsOneLane) {
  const Document lanes = contact_lanes(contacts_of(8));
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_EQ(lanes[0].at("second"), "right");
  EXPECT_EQ(lanes[0].at("count"), 6);
  EXPECT_EQ(lanes[0].at("last_time"), 6.0);
  EXPECT_TRUE(lanes[0].at("bin").is_null());
  EXPECT_EQ(lanes[1].at("second"), "wall");
  EXPECT_EQ(lanes[1].at("normal_impulse"), 1.0);
  EXPECT_EQ(lanes[1].at("tangential_impulse"), 0.5);
  EXPECT_EQ(lanes[1].at("energy_lost"), 0.25);
  EXPECT_THAT(unpacked(lanes[1].at("time")), ElementsAre(3, 7));
  EXPECT_THAT(unpacked(lanes[1].at("impulse")), ElementsAre(0.5, 0.5));
}

TEST(ContactLanesTest, ManyImpulsesAreSummedWithoutLoss) {
  const Document lanes = contact_lanes(contacts_of(100000));
  const std::vector<double> impulse = unpacked(lanes[0].at("impulse"));
  EXPECT_EQ(lanes[0].at("count"), 75000);
  EXPECT_EQ(impulse.size(), impulse_bins);
  EXPECT_EQ(std::accumulate(impulse.begin(), impulse.end(), 0.0), 37500);  // multiples of 1/2: exact
  EXPECT_DOUBLE_EQ(lanes[0].at("bin"), 99999.0 / impulse_bins);
}

TEST(ContactLanesTest, ManyImpulsesAtOneInstantStaySingle) {
  files::CsvTable contacts = contacts_of(5000);
  contacts.columns.front().numbers.assign(5000, 1.0);
  EXPECT_EQ(unpacked(contact_lanes(contacts)[0].at("time")).size(), 3750u);
}

class ReportPageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    write("summary.json", R"({"status": "completed", "scene": {"title": "Two bars"}})");
    write("scene.yaml",
          "title: Two bars\nsource: somewhere\nabout: |\n  Look.\ncontacts:\n  - {between: [left, right]}\n  - {}\n");
    write("history.csv", "time,energy.kinetic\n0,1\n1,0.5\n");
    write("contacts.csv", contacts_header_);
  }

  void write(const std::string& name, std::string_view content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }

  Document document() const { return document_in(report_page(folder_)); }

  std::vector<std::string> complaints() const {
    std::vector<std::string> result;
    try {
      report_page(folder_);
    } catch (const base::InputError& error) {
      for (base::Mistake mistake : error.mistakes()) {
        mistake.file = std::filesystem::path(mistake.file).filename();
        result.push_back(base::to_string(mistake));
      }
    }
    return result;
  }

  const std::string contacts_header_ =
      "time,first,second,x,y,z,nx,ny,nz,normal_impulse,tangential_impulse,energy_lost\n";
  const std::string name_ = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) / ("report_page_" + name_);
};

TEST_F(ReportPageTest, CarriesTheFilesOfTheRun) {
  const Document run = document();
  EXPECT_EQ(run.at("kind"), "run");
  EXPECT_EQ(run.at("summary").at("status"), "completed");
  EXPECT_EQ(run.at("scene").at("source"), "somewhere");
  EXPECT_EQ(run.at("scene").at("about"), "Look.\n");
  EXPECT_EQ(run.at("scene").at("contacts").dump(), R"(["left – right","contact 1"])");
  EXPECT_EQ(run.at("history").at("rows"), 2);
  EXPECT_EQ(column(run.at("history").at("tables")[0], "energy.kinetic"), (std::vector{1.0, 0.5}));
  EXPECT_EQ(run.at("contacts").dump(), R"({"rows":0,"lanes":[]})");
  EXPECT_THAT(report_page(folder_), HasSubstr("<title>Two bars · Ictus</title>"));
}

TEST_F(ReportPageTest, LeavesNoMarkUnfilledAndAsksForNothing) {
  const std::string page = report_page(folder_);
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr(" src=")));
}

TEST_F(ReportPageTest, TextCannotBecomeMarkup) {
  const std::string evil = "</script><script>alert(1)</script><!-- {{document}} & </title>";
  write("summary.json", Document{{"scene", {{"title", evil}}}, {"status", evil}}.dump());
  write("scene.yaml", "title: x\nsource: \"" + evil + "\"\n");
  write("history.csv", "time,\"probe." + evil + ".velocity\"\n0,1\n");
  write("contacts.csv", contacts_header_ + "0.5,\"" + evil + "\",b,0,0,0,0,0,1,1,0,0\n");
  const Document run = document();
  EXPECT_EQ(run.at("summary").at("status"), evil);
  EXPECT_EQ(run.at("scene").at("source"), evil);
  EXPECT_EQ(run.at("contacts").at("lanes")[0].at("first"), evil);
  const std::string page = report_page(folder_);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<!--")));
}

TEST_F(ReportPageTest, BytesThatAreNotUtf8DoNotBreakThePage) {
  write("scene.yaml", "title: ok\n# \xff\xfe\n");
  EXPECT_EQ(document().at("scene").at("title"), "ok");
}

TEST_F(ReportPageTest, ContactsBetweenNodesHaveANameEach) {
  write("scene.yaml",
        "contacts:\n  - {between: [bridge, trolley], nodes: [[w1, w1], [w2, v2], 3]}\n  - {between: [a, b], nodes: "
        "[]}\n");
  EXPECT_EQ(document().at("scene").at("contacts").dump(),
            R"(["bridge – trolley at w1","bridge – trolley at w2 and v2","bridge – trolley, nodes 2","a – b"])");
}

TEST_F(ReportPageTest, SnapshotsAreThoseAskedFor) {
  EXPECT_FALSE(document().contains("snapshots"));
  EXPECT_EQ(document_in(report_page(folder_, {0.5, 1})).at("snapshots"), (std::vector{0.5, 1.0}));
}

TEST_F(ReportPageTest, TitleComesFromTheSceneOrIsSaidToBeMissing) {
  write("summary.json", "{\"scene\": null}");
  EXPECT_THAT(report_page(folder_), HasSubstr("<title>Two bars · Ictus</title>"));
  write("scene.yaml", "source: x\n");
  EXPECT_THAT(report_page(folder_), HasSubstr("<title>Untitled run · Ictus</title>"));
}

TEST_F(ReportPageTest, NamesEveryMissingFileAtOnce) {
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) std::filesystem::remove(entry);
  EXPECT_THAT(complaints(), ElementsAre("summary.json: there is no such file", "scene.yaml: there is no such file",
                                        "history.csv: there is no such file", "contacts.csv: there is no such file"));
}

TEST_F(ReportPageTest, NamesWhatIsDamaged) {
  write("summary.json", R"({"status": "comp)");
  write("scene.yaml", "title: x\nbodies: {left: [\n");
  write("history.csv", "time,a\n0,1\n2,1\n1,1\n");
  write("contacts.csv", "time,first,second,x,y,z\n");
  EXPECT_THAT(
      complaints(),
      ElementsAre("summary.json: not valid JSON at byte 17", HasSubstr("scene.yaml:3: not valid YAML: "),
                  "history.csv:4: time runs back, from 2 to 1", "contacts.csv:1: column 'normal_impulse' is missing"));
  write("summary.json", "[]");
  write("scene.yaml", "- 1\n");
  write("history.csv", "time,a\n0,1\n,1\n");
  write("contacts.csv", contacts_header_);
  EXPECT_THAT(complaints(),
              ElementsAre("summary.json: a JSON object is expected", "scene.yaml: a YAML mapping is expected",
                          "history.csv:3: the row has no time"));
}

}  // namespace
}  // namespace ictus::report
