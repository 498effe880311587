#include <gmock/gmock.h>
#include <hdf5.h>

#include <ictus/base/error.hpp>
#include <ictus/base/version.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/observe/checkpoint/build_identity.hpp>
#include <ictus/observe/checkpoint/checkpoint.hpp>

#include "support/temporary_folder.hpp"

namespace ictus::observe {
namespace {

using ictus::testing::read;
using ictus::testing::TemporaryFolder;
using ::testing::HasSubstr;

Checkpoint example(std::size_t dofs = 50) {
  Checkpoint checkpoint{{}, std::string(build_identity()), "title: Ä\n", {}, {{"ledger.x", {0.1}}, {"empty", {}}}};
  checkpoint.state = {0.3, 12, std::vector<double>(dofs, 1.0 / 3), std::vector<double>(dofs, -7), {}};
  checkpoint.state.memory = {{"contact.closed", {1, 0}}, {"contact.touched", {}}};
  return checkpoint;
}

std::string input_error(const std::filesystem::path& path) {
  try {
    read_checkpoint(path);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no InputError";
}

void expect_same(const Checkpoint& a, const Checkpoint& b) {
  EXPECT_EQ(a.build, b.build);
  EXPECT_EQ(a.scene, b.scene);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.record, b.record);
}

TEST(Checkpoint, ReadsBackWhatWasWritten) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "checkpoint.h5";
  for (const std::size_t dofs : {0, 1, 50, 10000}) {
    write_checkpoint(path, example(dofs));
    expect_same(read_checkpoint(path), example(dofs));
  }
  EXPECT_EQ(read_checkpoint(path).path, path);
  EXPECT_EQ(H5Fis_hdf5(path.c_str()), 1);
}

TEST(Checkpoint, EveryDamageIsFound) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "checkpoint.h5";
  write_checkpoint(path, example());
  const std::string whole = read(path);
  for (std::size_t i = 0; i < whole.size(); i += 31) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    files::write_file(path, damaged);
    EXPECT_THROW(read_checkpoint(path), base::InputError) << i;
  }
}

TEST(Checkpoint, ATruncatedFileIsRefused) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "checkpoint.h5";
  write_checkpoint(path, example());
  const std::string whole = read(path);
  for (const std::size_t size : {std::size_t{0}, std::size_t{8}, whole.size() / 2, whole.size() - 1}) {
    files::write_file(path, whole.substr(0, size));
    EXPECT_EQ(input_error(path), path.string() + ": is damaged, or not a checkpoint of Ictus") << size;
  }
}

TEST(Checkpoint, ForeignFilesAreRefused) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "checkpoint.h5";
  EXPECT_EQ(input_error(path), path.string() + ": there is no such file");
  EXPECT_EQ(input_error(folder.path()), folder.path().string() + ": is a folder, not a file");
  files::write_file(path, "time,energy\n");
  EXPECT_THAT(input_error(path), HasSubstr("not a checkpoint of Ictus"));
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  EXPECT_THAT(input_error(path), HasSubstr("not a checkpoint of Ictus"));
}

TEST(Checkpoint, AnotherBuildIsNamed) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "checkpoint.h5";
  Checkpoint other = example();
  other.build = std::string(base::version) + ", sources 0123456789abcdef, GNU 12.2.0, -O3";
  write_checkpoint(path, other);
  EXPECT_THAT(input_error(path), HasSubstr("was written by another build of Ictus (" + other.build + ")"));
  EXPECT_THAT(input_error(path), HasSubstr("this is " + std::string(build_identity())));
}

TEST(Checkpoint, TheBuildIsNamedByVersionSourcesCompilerAndFlags) {
  EXPECT_THAT(
      std::string(build_identity()),
      ::testing::MatchesRegex(std::string(base::version) + ", sources [0-9a-f]+, [A-Za-z]+ [0-9.]+, .*-O[123].*"));
}

TEST(Checkpoint, EqualContentsHaveEqualBytes) {
  const TemporaryFolder folder;
  write_checkpoint(folder.path() / "a.h5", example());
  usleep(1'100'000);  // times in HDF5 have a resolution of one second
  write_checkpoint(folder.path() / "b.h5", example());
  EXPECT_EQ(read(folder.path() / "a.h5"), read(folder.path() / "b.h5"));
}

}  // namespace
}  // namespace ictus::observe
