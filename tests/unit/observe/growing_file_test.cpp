#include <gmock/gmock.h>

#include <ictus/base/error.hpp>
#include <ictus/files/csv_text.hpp>
#include <ictus/observe/history/growing_file.hpp>
#include <limits>

#include "support/temporary_folder.hpp"

namespace ictus::observe {
namespace {

using ictus::testing::listing;
using ictus::testing::read;
using ictus::testing::TemporaryFolder;
using ::testing::ElementsAre;

class GrowingFileTest : public ::testing::Test {
 protected:
  static void add(GrowingFile& file, const std::string& row) {
    file.row() += row;
    file.end_row();
  }
  static std::string rows(int from, int to) {
    std::string text;
    for (int i = from; i < to; ++i) text += long_row(i) + "\n";
    return text;
  }
  static void add_rows(GrowingFile& file, int from, int to) {
    for (int i = from; i < to; ++i) add(file, long_row(i));
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "t.csv";

 private:
  // Some twenty of them exceed what is kept in memory.
  static std::string long_row(int i) { return std::to_string(i) + std::string(60'000, 'r'); }
};

TEST_F(GrowingFileTest, RowsAppearWhenPublished) {
  GrowingFile file(path_, "a,b");
  add(file, "1,2");
  EXPECT_FALSE(std::filesystem::exists(path_));
  file.publish();
  EXPECT_EQ(read(path_), "a,b\n1,2\n");
  add(file, "3,4");
  EXPECT_EQ(read(path_), "a,b\n1,2\n");
  file.publish();
  EXPECT_EQ(read(path_), "a,b\n1,2\n3,4\n");
  EXPECT_EQ(file.position().rows, 2);
  EXPECT_EQ(file.position().bytes, 12);
  EXPECT_THAT(listing(folder_.path()), ElementsAre("t.csv"));
}

TEST_F(GrowingFileTest, ManyRowsWaitAside) {
  GrowingFile file(path_, "h");
  add_rows(file, 0, 50);
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_EQ(listing(folder_.path()).size(), 1u);  // the next version, hidden
  file.publish();
  add_rows(file, 50, 100);
  file.publish();
  EXPECT_EQ(read(path_), "h\n" + rows(0, 100));
}

TEST_F(GrowingFileTest, GoesBackToAnyEarlierPosition) {
  for (const int published : {0, 30}) {
    for (const int kept : {10, 40, 55, 61}) {
      GrowingFile file(path_, "h");
      TextPosition position;
      for (int i = 0; i < 62; ++i) {
        if (i == published && i > 0) file.publish();
        if (i == kept) position = file.position();
        add_rows(file, i, i + 1);
      }
      file.go_back(position);
      EXPECT_EQ(file.position().rows, kept);
      file.publish();
      EXPECT_EQ(read(path_), "h\n" + rows(0, kept)) << published << " " << kept;
      add_rows(file, 100, 102);
      file.publish();
      EXPECT_EQ(read(path_), "h\n" + rows(0, kept) + rows(100, 102)) << published << " " << kept;
    }
  }
}

TEST_F(GrowingFileTest, ResumesWithoutTheRowsAfterTheCheckpoint) {
  Archive saved;
  {
    GrowingFile file(path_, "h");
    add(file, "1");
    file.publish();
    file.exchange(saved, "t");
    add(file, "2");
    file.publish();
  }
  for (const bool more : {false, true}) {
    GrowingFile file(path_, "h");
    Archive archive(saved.saved(), "checkpoint.h5");
    file.exchange(archive, "t");
    if (more) add(file, "3");
    file.publish();
    EXPECT_EQ(read(path_), more ? "h\n1\n3\n" : "h\n1\n");
  }
}

TEST_F(GrowingFileTest, RefusesAFileThatDoesNotFit) {
  Archive saved;
  GrowingFile file(path_, "h");
  add(file, "123");
  file.exchange(saved, "t");
  for (const char* content : {"", "h\n12", "g\n123\n", "h\n1234\n", "h\r\n123\r\n", "h\n124\n"}) {
    files::write_file(path_, content);
    Archive archive(saved.saved(), "checkpoint.h5");
    EXPECT_THROW(GrowingFile(path_, "h").exchange(archive, "t"), base::InputError) << content;
  }
  std::filesystem::remove(path_);
  Archive archive(saved.saved(), "checkpoint.h5");
  EXPECT_THROW(GrowingFile(path_, "h").exchange(archive, "t"), base::InputError);
}

TEST(CsvText, NumbersReadBackToTheSameBits) {
  for (const double value : {0.1, 1.0 / 3, -2.5e-300, 5e-324, 1e22, 123456789.0, -0.0}) {
    std::string text;
    files::append_number(text, value);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)), std::bit_cast<std::uint64_t>(value))
        << text;
  }
  std::string text;
  files::append_number(text, 0.1);
  EXPECT_EQ(text, "0.1");
  text.clear();
  files::append_number(text, -std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(text, "nan");
}

TEST(CsvText, WordsAreQuotedWhereNeeded) {
  std::string text;
  files::append_words(text, "left bar");
  text += '|';
  files::append_words(text, "a \"b\", c");
  EXPECT_EQ(text, "left bar|\"a \"\"b\"\", c\"");
}

TEST(Archive, RestoresWhatItSaved) {
  double x = 0.1;
  std::int64_t n = (std::int64_t{1} << 53) - 1;
  std::optional<double> none, some = 2.5;
  math::Vec3 v(1, 2, 3);
  std::vector<double> list{4, 5};
  Archive saving;
  const auto exchange = [&](Archive& archive) {
    archive.number("x", x);
    archive.number("n", n);
    archive.number("none", none);
    archive.number("some", some);
    archive.number("v", v);
    archive.numbers("list", list);
  };
  exchange(saving);
  x = 0, n = 0, none = 1, some = 0, v.setZero(), list = {0, 0};
  Archive restoring(saving.saved(), "file");
  exchange(restoring);
  EXPECT_EQ(x, 0.1);
  EXPECT_EQ(n, (std::int64_t{1} << 53) - 1);
  EXPECT_EQ(none, std::nullopt);
  EXPECT_EQ(some, 2.5);
  EXPECT_EQ(v, math::Vec3(1, 2, 3));
  EXPECT_THAT(list, ElementsAre(4, 5));
  list.resize(3);
  EXPECT_THROW(restoring.numbers("list", list), base::InputError);
  EXPECT_THROW(restoring.number("x", n), base::InputError) << "0.1 is no whole number";
  EXPECT_THROW(restoring.number("none", n), base::InputError) << "nor is what is not a number";
  EXPECT_THROW(restoring.records("list", list, 3), base::InputError);
  EXPECT_NO_THROW(restoring.records("list", list, 2));
  EXPECT_THROW(restoring.number("unknown", x), base::InputError);
}

}  // namespace
}  // namespace ictus::observe
