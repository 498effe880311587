#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/files/csv_table.hpp>

#include "support/complaint_of.hpp"

namespace ictus::files {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CsvTableTest : public ::testing::Test {
 protected:
  CsvTable read(std::string_view content, std::vector<std::string_view> required = {},
                std::vector<std::string_view> text = {}) const {
    std::ofstream(file_, std::ios::binary) << content;
    return read_csv(file_, required, text);
  }

  /// The complaint about a file with that content.
  std::string complaint(std::string_view content, std::vector<std::string_view> required = {}) const {
    return testing::complaint_of([&] { read(content, std::move(required)); });
  }

  const std::string name_ = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::filesystem::path file_ = std::filesystem::path(::testing::TempDir()) / ("csv_" + name_ + ".csv");
};

TEST_F(CsvTableTest, ReadsNumbersExactly) {
  const CsvTable table = read("time,a b\n0,0.1\n1e-300,-2.5E+3\n");
  EXPECT_EQ(table.rows, 2u);
  ASSERT_NE(table.find("a b"), nullptr);
  EXPECT_THAT(table.find("time")->numbers, ElementsAre(0.0, 1e-300));
  EXPECT_THAT(table.find("a b")->numbers, ElementsAre(0.1, -2.5e3));
  EXPECT_EQ(table.find("a"), nullptr);
}

TEST_F(CsvTableTest, EmptyAndNonFiniteCellsHaveNoValue) {
  const CsvTable table = read("a,b,c,d\n,nan,inf,1e999\n");
  for (const CsvColumn& column : table.columns) EXPECT_TRUE(std::isnan(column.numbers.at(0))) << column.name;
}

TEST_F(CsvTableTest, UnderstandsQuotesAndCarriageReturns) {
  const CsvTable table = read("\"x, \"\"y\"\"\",name\r\n1,\"two\nlines\"\r\n2,plain\r\n", {}, {"name"});
  EXPECT_THAT(table.find("x, \"y\"")->numbers, ElementsAre(1.0, 2.0));
  EXPECT_THAT(table.find("name")->words, ElementsAre("two\nlines", "plain"));
}

TEST_F(CsvTableTest, KeepsEachWordOnce) {
  const CsvTable table = read("who\nleft\nright\nleft\n", {}, {"who"});
  EXPECT_THAT(table.find("who")->words, ElementsAre("left", "right"));
  EXPECT_THAT(table.find("who")->text, ElementsAre(0u, 1u, 0u));
}

TEST_F(CsvTableTest, LastLineNeedsNoLineBreak) {
  EXPECT_THAT(read("a,b\n1,2").find("b")->numbers, ElementsAre(2.0));
  EXPECT_EQ(read("a,b\n").rows, 0u);
}

TEST_F(CsvTableTest, NamesFileLineAndTroubleOfADamagedFile) {
  const std::string file = file_.string();
  EXPECT_EQ(complaint("a,b\n1,2\n3\n"), file + ":3: the row has 1 cells, the header 2");
  EXPECT_EQ(complaint("a,b\n1,2,3\n"), file + ":2: the row has 3 cells, the header 2");
  EXPECT_EQ(complaint("a,b\n1,2\n3,4x\n"), file + ":3: '4x' in column 'b' is not a number");
  EXPECT_EQ(complaint("a,b\n1,\"2\n"), file + ":2: a quoted cell does not end");
  EXPECT_EQ(complaint("a,b\n\"1\"2,3\n"), file + ":2: text follows a quoted cell");
  EXPECT_EQ(complaint("a,b,a\n"), file + ":1: column 'a' appears twice");
  EXPECT_EQ(complaint("a,b\n", {"time"}), file + ":1: column 'time' is missing");
  EXPECT_THAT(complaint(""), HasSubstr("the file is empty"));
}

TEST_F(CsvTableTest, CountsLinesInsideQuotes) {
  EXPECT_THAT(complaint("\"a\nb\",c\n1,2\n3,x\n"), HasSubstr(":4: 'x' in column 'c'"));
}

TEST_F(CsvTableTest, MissingFileIsAnInputError) {
  EXPECT_THROW(read_csv(file_.string() + ".absent", {}), base::InputError);
  EXPECT_THROW(read_csv(::testing::TempDir(), {}), base::InputError);
}

}  // namespace
}  // namespace ictus::files
