#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/solve/cone/cone_solver.hpp>
#include <ictus/solve/formats/contact_problem_file.hpp>
#include <regex>

#include "support/contact_problem_writer.hpp"

namespace ictus::solve {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A folder of its own for each test.
class ContactProblemFile : public ::testing::Test {
 protected:
  ContactProblemFile()
      : folder_(fs::temp_directory_path() /
                (std::string("ictus_problem_") + ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ContactProblemFile() override { fs::remove_all(folder_); }
  ContactProblemFile(const ContactProblemFile&) = delete;
  ContactProblemFile& operator=(const ContactProblemFile&) = delete;

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  static std::string refusal(const fs::path& path) {
    try {
      read_contact_problem(path);
      return "";
    } catch (const base::InputError& error) {
      return error.what();
    }
  }

  fs::path folder_;
};

/// Two blocks of mass 1, the lower (contact 0) on the ground, the upper (contact 1) on the lower.
const std::string two_blocks =
    "3\n2\n1\n6\n6\n4\n2\n2\n3 6\n3 6\n3\n4\n0 2 4\n0 1 0 1\n"
    "0\n 1 0 0 0 1 0 0 0 1\n1\n -1 0 0 0 -1 0 0 0 -1\n2\n -1 0 0 0 -1 0 0 0 -1\n3\n 2 0 0 0 2 0 0 0 2\n"
    "-1.0 0.4 0.0  0.0 0.0 0.0\n0.5 0.5\n";

void expect_two_blocks(const BlockProblem& problem) {
  ASSERT_EQ(problem.size(), 2u);
  EXPECT_EQ(problem.cone(1), FrictionCone(0.5));
  EXPECT_DOUBLE_EQ(problem.free_norm(), std::hypot(1.0, 0.4));
  const std::vector<double> r{1, 2, 3, 10, 20, 30};
  EXPECT_EQ(problem.velocity(0, r), (Local{-10.0, -17.6, -27.0}));
  EXPECT_EQ(problem.velocity(1, r), (Local{19.0, 38.0, 57.0}));
}

TEST_F(ContactProblemFile, ReadsSparseBlocksAsText) {
  const SavedProblem saved = read_contact_problem(write("blocks.dat", two_blocks));
  EXPECT_EQ(saved.dimension, 3);
  expect_two_blocks(saved.problem);
}

/// Rows and columns stand twice, and the values go column by column.
const std::string dense = "3\n1\n0\n3\n3\n3\t3\n2 0 0\n0.25 3 0.5\n0 0.5 4\n-1 0 2\n0.25\n";

void expect_dense(const BlockProblem& problem) {
  ASSERT_EQ(problem.size(), 1u);
  EXPECT_EQ(problem.cone(0), FrictionCone(0.25));
  EXPECT_EQ(problem.velocity(0, std::vector<double>{1, 2, 4}), (Local{1.5, 8, 19}));
}

TEST_F(ContactProblemFile, ReadsADenseMatrixAsText) {
  expect_dense(read_contact_problem(write("dense.dat", dense)).problem);
}

TEST_F(ContactProblemFile, ReadsSparseMatricesAsText) {
  const std::string head = "3\n1\n2\n3\n3\n";
  const std::string version = "CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016\n";
  const std::string triplets =
      "triplet: 3-by-3, nzmax: 8 nnz: 6\n    2 2 : 4\n    1 1 : 3\n    0 0 : 2\n    0 1 : 0.25\n    2 1 : 0.5\n"
      "    1 2 : 5e-01\n";
  const std::string columns =
      "3-by-3, nzmax: 6 nnz: 6, 1-norm: 4.5\n    col 0 : locations 0 to 0\n      0 : 2\n"
      "    col 1 : locations 1 to 3\n      0 : 0.25\n      1 : 3\n      2 : 0.5\n"
      "    col 2 : locations 4 to 5\n      1 : 0.5\n      2 : 4\n";
  const std::string tail = "-1 0 2\n0.25\n";
  expect_dense(read_contact_problem(write("triplets.dat", head + "1\n" + version + triplets + tail)).problem);
  expect_dense(read_contact_problem(write("columns.dat", head + "2\n" + version + columns + tail)).problem);
  expect_dense(read_contact_problem(write("older.dat", head + version + columns + tail)).problem);
  EXPECT_THAT(refusal(write("rows.dat", head + "3\n" + version + columns + tail)),
              HasSubstr("is 3, must lie in 1 .. 2"));
  EXPECT_THAT(refusal(write("short.dat", head + "1\n" + version + "triplet: 3-by-3, nzmax: 8 nnz: 7" +
                                             triplets.substr(triplets.find('\n')) + tail)),
              HasSubstr("row index of the first matrix: is -1, must lie in 0 .. 2"));
  EXPECT_THAT(
      refusal(write("digits.dat", head + "1\n" + version + "triplet: 3-by-3, nzmax: 1 nnz: 1\n 1e+06 0 : 1\n" + tail)),
      HasSubstr("is rounded to six digits"));
}

/// The two blocks as bodies of masses 1 and 1, in each storage of M and H. The matrix H of the second contact is the
/// difference of the bodies' velocities. What Siconos calls q is f, and b is w.
TEST_F(ContactProblemFile, CondensesTheGlobalFormAsText) {
  std::string mass, h;
  for (int column = 0; column < 6; ++column) {
    for (int row = 0; row < 6; ++row) {
      mass += row == column ? "1 " : "0 ";
      h += row == column ? "1 " : row == column - 3 ? "-1 " : "0 ";
    }
  }
  const std::string tail = "-1.0 0.25 0.0 -1.0 0.25 0.0\n0.0 0.15 0.0 0.0 0.0 0.0\n0.5 0.5\n";
  const std::string head = "0\n6\n6\n6\t6\n";
  expect_two_blocks(
      read_contact_problem(write("dense.dat", "3\n2\n" + head + mass + "\n" + head + h + "\n" + tail)).problem);
  const std::string blocks = "1\n6\n6\n1\n1\n1\n6\n6\n2\n1\n0 1\n0\n0\n" + mass +
                             "\n1\n6\n6\n3\n2\n2\n3 6\n3 6\n3\n3\n0 2 3\n0 1 1\n0\n"
                             "1 0 0 0 1 0 0 0 1\n1\n-1 0 0 0 -1 0 0 0 -1\n2\n1 0 0 0 1 0 0 0 1\n";
  expect_two_blocks(read_contact_problem(write("blocks.dat", "3\n2\n" + blocks + tail)).problem);
}

/// A spinning body's M is not symmetric: W = HᵀM⁻¹H of the whole matrix, not of half of it.
TEST_F(ContactProblemFile, CondensesAMassMatrixThatIsNotSymmetric) {
  const std::string identity = "0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n";
  const SavedProblem saved = read_contact_problem(
      write("spin.dat", "3\n1\n0\n3\n3\n3 3\n2 0 0 0 1 0.5 0 -0.5 1\n" + identity + "-2 0 0\n0 0 0\n0.25\n0\n"));
  const Local u = saved.problem.velocity(0, std::vector<double>{1, 1, 1});  // M⁻¹(r + f)
  EXPECT_DOUBLE_EQ(u.x, -0.5);
  EXPECT_DOUBLE_EQ(u.y, 1.2);
  EXPECT_DOUBLE_EQ(u.z, 0.4);
  EXPECT_THAT(
      refusal(write("singular.dat", "3\n1\n0\n3\n3\n3 3\n2 0 0 0 0 0 0 0 1\n" + identity + "-2 0 0\n0 0 0\n0.25\n0\n")),
      HasSubstr("singular.dat: M: is not positive definite"));
}

TEST_F(ContactProblemFile, RefusesWhatIsLeftOver) {
  expect_dense(read_contact_problem(write("mark.dat", dense + "1\n")).problem);  // older files end with a mark
  EXPECT_THAT(refusal(write("over.dat", dense + "0.25\n")),
              HasSubstr("over.dat:12: '0.25' and what follows it is left over"));
  EXPECT_THAT(refusal(write("twice.dat", dense + "0\n1\n")), HasSubstr("twice.dat:12: '0' and what follows"));
  // Rows and columns given once only: the first two values would be taken for them.
  EXPECT_THAT(refusal(write("once.dat", std::regex_replace(dense, std::regex("3\t3\n"), ""))),
              HasSubstr("once.dat:6: rows, the second time, of the first matrix: is 2, must be 3"));
}

TEST_F(ContactProblemFile, SaysWhichMatrixDoesNotFit) {
  EXPECT_THAT(refusal(write("size.dat", "3\n1\n0\n2\n2\n2 2\n1 0 0 1\n-1 0 2\n0.25\n")),
              HasSubstr("the first matrix: has 2 rows. W of 1 contacts has 3; M of a global problem is followed by a "
                        "matrix H of 2 rows and 3 columns"));
  EXPECT_THAT(refusal(write("rolling.dat", "5\n1\n0\n5\n5\n5 5\n")), HasSubstr("rolling friction is not supported"));
}

TEST_F(ContactProblemFile, ReadsPlanarProblems) {
  const SavedProblem saved = read_contact_problem(write("planar.dat", "2\n1\n0\n2\n2\n2 2\n1 0\n0 1\n-1 3\n0.5\n"));
  EXPECT_EQ(saved.problem.cone(0), FrictionCone(0.5, 0.0));
  std::vector<double> r(3, 0.0);
  ASSERT_TRUE(ConeSolver({.tolerance = 1e-12}).solve(saved.problem, r).solved());
  EXPECT_NEAR(r[0], 1.0, 1e-14);
  EXPECT_NEAR(r[1], -0.5, 1e-14);
  EXPECT_EQ(r[2], 0.0);
}

TEST_F(ContactProblemFile, NamesTheLineOfADamagedText) {
  const auto damaged = [&](const std::string& from, const std::string& to) {
    return refusal(write("damaged.dat", std::regex_replace(two_blocks, std::regex(from), to)));
  };
  EXPECT_THAT(damaged("0 2 4", "0 9 4"), HasSubstr("damaged.dat:13: row pointers: is 9, must lie in 0 .. 4"));
  EXPECT_THAT(damaged("0 1 0 1", "0 1 0 7"), HasSubstr("damaged.dat:14: column indices: is 7, must lie in 0 .. 1"));
  EXPECT_THAT(damaged("2 0 0 0 2", "2 0 x 0 2"),
              HasSubstr("damaged.dat:22: block value: found 'x', expected a number"));
  EXPECT_THAT(damaged("\n0.5 0.5\n", "\n0.5"),
              HasSubstr("damaged.dat:24: mu: the file ends where a number should stand"));
  EXPECT_THAT(damaged("^3\n2\n", "3\n200000000\n"),
              HasSubstr("number of contacts: promises more numbers than the file holds"));
  EXPECT_THAT(damaged("^3\n", "4\n"), HasSubstr("damaged.dat:1: dimension: is 4, must lie in 2 .. 3"));
  EXPECT_THAT(damaged("\n0.5 0.5\n", "\n0.5 -0.5\n"), HasSubstr("mu: is -0.5 at contact 1"));
  EXPECT_THAT(damaged("-1.0 0.4", "nan 0.4"), HasSubstr("q: is not finite at contact 0"));
  EXPECT_THAT(refusal(write("empty.dat", "")), HasSubstr("empty.dat:1: dimension: the file ends"));
  EXPECT_THAT(refusal(folder_ / "absent.dat"), HasSubstr("absent.dat: there is no such file"));
  EXPECT_THAT(refusal(folder_), HasSubstr("is a folder"));
}

/// The two blocks in local form with W in the storage that `nz` marks.
void write_local(const fs::path& path, int nz, int last_column = 5) {
  FclibFile file(path);
  file.group("/fclib_local");
  file.integers("/fclib_local/spacedim", {3});
  std::vector<int> rows, columns, pointers{0};
  std::vector<double> values;
  for (int row = 0; row < 6; ++row) {
    for (int block = 0; block < 2; ++block) {
      rows.push_back(row);
      columns.push_back(3 * block + row % 3);
      values.push_back(row < 3 && block == 0 ? 1.0 : row >= 3 && block == 1 ? 2.0 : -1.0);
    }
    pointers.push_back(static_cast<int>(values.size()));
  }
  columns.back() = last_column;
  if (nz == -2) file.matrix("/fclib_local/W", 6, 6, nz, pointers, columns, values);
  if (nz == -1) file.matrix("/fclib_local/W", 6, 6, nz, pointers, columns, values);  // symmetric: rows are columns
  if (nz >= 0) file.matrix("/fclib_local/W", 6, 6, static_cast<int>(values.size()), columns, rows, values);
  file.group("/fclib_local/vectors");
  file.numbers("/fclib_local/vectors/q", {-1.0, 0.4, 0.0, 0.0, 0.0, 0.0});
  file.numbers("/fclib_local/vectors/mu", {0.5, 0.5});
}

TEST_F(ContactProblemFile, ReadsFclibInEveryStorage) {
  for (const int nz : {-2, -1, 0}) {
    write_local(folder_ / "local.hdf5", nz);
    expect_two_blocks(read_contact_problem(folder_ / "local.hdf5").problem);
  }
}

TEST_F(ContactProblemFile, CondensesTheGlobalForm) {
  // The same blocks as bodies: H has the ground contact on body 0 and the other between 0 and 1; f = M v.
  {
    FclibFile file(folder_ / "global.hdf5");
    file.group("/fclib_global");
    file.integers("/fclib_global/spacedim", {3});
    file.matrix("/fclib_global/M", 6, 6, 6, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}, {1, 1, 1, 1, 1, 1});
    file.matrix("/fclib_global/H", 6, 6, 9, {0, 1, 2, 3, 4, 5, 3, 4, 5}, {0, 1, 2, 0, 1, 2, 3, 4, 5},
                {1, 1, 1, -1, -1, -1, 1, 1, 1});
    file.group("/fclib_global/vectors");
    file.numbers("/fclib_global/vectors/f", {-1.0, 0.25, 0.0, -1.0, 0.25, 0.0});
    file.numbers("/fclib_global/vectors/w", {0.0, 0.15, 0.0, 0.0, 0.0, 0.0});
    file.numbers("/fclib_global/vectors/mu", {0.5, 0.5});
  }
  expect_two_blocks(read_contact_problem(folder_ / "global.hdf5").problem);
}

TEST_F(ContactProblemFile, NamesTheDatasetOfADamagedFile) {
  const fs::path path = folder_ / "local.hdf5";
  write_local(path, -2, 77);
  EXPECT_THAT(refusal(path), HasSubstr("local.hdf5: /fclib_local/W: entry 11 is 77, must lie in 0 .. 5"));
  { FclibFile file(path); }
  EXPECT_THAT(refusal(path), HasSubstr("neither a group fclib_local nor fclib_global"));
  {
    FclibFile file(path);
    file.group("/fclib_local");
    file.integers("/fclib_local/spacedim", {3});
  }
  EXPECT_THAT(refusal(path), HasSubstr("/fclib_local/vectors/mu: is missing"));
  {
    FclibFile file(path);
    file.group("/fclib_local");
    file.integers("/fclib_local/spacedim", {3});
    file.group("/fclib_local/vectors");
    file.numbers("/fclib_local/vectors/mu", {0.5, 0.5});
    file.matrix("/fclib_local/W", 2147483647, 6, 0, {}, {}, {});
  }
  EXPECT_THAT(refusal(path),
              HasSubstr("/fclib_local/W: has 2147483647 rows and 6 columns; the vectors beside it ask for "
                        "6 and 6"));
  {
    FclibFile file(path);
    file.group("/fclib_local");
    file.integers("/fclib_local/spacedim", {3});
    file.group("/fclib_local/vectors");
    file.promise("/fclib_local/vectors/mu", hsize_t{1} << 40);
  }
  EXPECT_THAT(refusal(path), HasSubstr("/fclib_local/vectors/mu: has 1099511627776 entries, more than a file of"));
  write_local(path, -2);
  for (const std::uintmax_t size : {fs::file_size(path) / 2, std::uintmax_t{100}}) {
    fs::resize_file(path, size);
    EXPECT_THAT(refusal(path), HasSubstr("is not a complete HDF5 file"));
  }
}

}  // namespace
}  // namespace ictus::solve
