#include <gmock/gmock.h>
#include <sys/mount.h>

#include <ictus/base/error.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/files/folder_lock.hpp>
#include <ictus/files/result_files.hpp>

#include "support/file_size_limit.hpp"
#include "support/temporary_folder.hpp"

namespace ictus::files {
namespace {

using ictus::testing::listing;
using ictus::testing::read;
using ictus::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <class F>
std::string input_error(F&& f) {
  try {
    f();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no InputError";
}

TEST(AtomicFile, AppearsOnlyWithCommit) {
  const TemporaryFolder folder;
  const auto target = folder.path() / "table.csv";
  write_file(target, "old");
  {
    AtomicFile file(target);
    file.write("new");
    EXPECT_EQ(read(target), "old");
    EXPECT_EQ(listing(folder.path()).size(), 2u);
    file.commit();
  }
  EXPECT_EQ(read(target), "new");
  EXPECT_THAT(listing(folder.path()), ElementsAre("table.csv"));
}

TEST(AtomicFile, GoesWithoutATraceWhenNotCommitted) {
  const TemporaryFolder folder;
  { AtomicFile(folder.path() / "table.csv").write("half"); }
  EXPECT_THAT(listing(folder.path()), IsEmpty());
}

TEST(AtomicFile, IsReadableForOthersAsTheUserAllows) {
  const TemporaryFolder folder;
  const mode_t mask = umask(022);
  write_file(folder.path() / "table.csv", "text");
  umask(mask);
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(folder.path() / "table.csv").permissions(),
            perms::owner_read | perms::owner_write | perms::group_read | perms::others_read);
}

TEST(AtomicFile, CopiesTheBeginningOfAFile) {
  const TemporaryFolder folder;
  const std::string content(3'000'000, 'x');
  write_file(folder.path() / "source", content + "tail");
  AtomicFile file(folder.path() / "copy");
  file.write_from(folder.path() / "source", content.size());
  file.write("end");
  file.commit();
  EXPECT_EQ(read(folder.path() / "copy"), content + "end");
  EXPECT_THAT(input_error([&] { AtomicFile(folder.path() / "b").write_from(folder.path() / "copy", 4'000'000); }),
              HasSubstr("copy: has become shorter"));
}

TEST(AtomicFile, SaysWhereAndWhyItCannotBeWritten) {
  const TemporaryFolder folder;
  EXPECT_EQ(input_error([&] { write_file(folder.path() / "missing" / "a", "x"); }),
            (folder.path() / "missing" / "a").string() + ": cannot be written: No such file or directory");
  write_file(folder.path() / "file", "x");
  EXPECT_EQ(input_error([&] { write_file(folder.path() / "file" / "a", "x"); }),
            (folder.path() / "file" / "a").string() + ": cannot be written: Not a directory");
  EXPECT_EQ(input_error([&] { make_folder(folder.path() / "file" / "a"); }),
            (folder.path() / "file" / "a").string() + ": cannot be made a folder: Not a directory");
}

TEST(AtomicFile, AnUnwritableFolderIsAnInputError) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const bool is_root = geteuid() == 0;  // who may write everywhere
  constexpr uid_t nobody = 65534;
  ASSERT_EQ(is_root ? seteuid(nobody) : 0, 0);
  const std::string message = input_error([&] { write_file(folder.path() / "a", "x"); });
  ASSERT_EQ(is_root ? seteuid(0) : 0, 0);
  EXPECT_EQ(message, (folder.path() / "a").string() + ": cannot be written: Permission denied");
}

TEST(AtomicFile, AFailedWriteLeavesTheOldFileAndNothingElse) {
  const TemporaryFolder folder;
  const auto target = folder.path() / "table.csv";
  write_file(target, "old");
  AtomicFile file(target);
  const std::string reason = target.string() + ": cannot be written: File too large";
  {
    const ictus::testing::FileSizeLimit limit(4096);
    EXPECT_EQ(input_error([&] { file.write(std::string(10'000, 'x')); }), reason);
  }
  EXPECT_EQ(input_error([&] { file.write("more"); }), reason);
  EXPECT_EQ(input_error([&] { file.commit(); }), reason);
  EXPECT_EQ(read(target), "old");
  EXPECT_THAT(listing(folder.path()), ElementsAre("table.csv"));
}

TEST(AtomicFile, NoSpaceLeft) {
  const TemporaryFolder folder;
  if (mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "mounting needs privileges";
  write_file(folder.path() / "table.csv", "old");
  EXPECT_EQ(input_error([&] { write_file(folder.path() / "table.csv", std::string(1'000'000, 'x')); }),
            (folder.path() / "table.csv").string() + ": cannot be written: No space left on device");
  EXPECT_EQ(read(folder.path() / "table.csv"), "old");
  EXPECT_THAT(listing(folder.path()), ElementsAre("table.csv"));
  umount(folder.path().c_str());
}

TEST(AtomicFile, WhatAKilledProcessLeftIsRemoved) {
  const TemporaryFolder folder;
  write_file(folder.path() / ".history.csv.123-0.part", "x");
  write_file(folder.path() / "history.csv", "x");
  const std::vector<std::string> of_others{".1-2.part", ".film.part", ".film.x-1.part", ".hidden", "a.1-2.part"};
  for (const std::string& name : of_others) write_file(folder.path() / name, "x");
  remove_leftovers(folder.path());
  std::vector<std::string> kept = of_others;
  kept.emplace_back("history.csv");
  EXPECT_EQ(listing(folder.path()), kept);
}

TEST(ResultFiles, OnlyResultsAreRemoved) {
  const TemporaryFolder folder;
  EXPECT_THAT(existing_results(folder.path() / "none"), IsEmpty());
  write_file(folder.path() / "history.csv", "x");
  write_file(folder.path() / "notes.txt", "x");
  make_folder(folder.path() / "frames");
  write_file(folder.path() / "frames" / "frame_000000.vtu", "x");
  EXPECT_THAT(existing_results(folder.path()), ElementsAre("history.csv", "frames"));
  remove_results(folder.path());
  EXPECT_THAT(listing(folder.path()), ElementsAre("notes.txt"));
}

TEST(ResultFiles, AFolderOfFramesThatHoldsMoreStays) {
  const TemporaryFolder folder;
  make_folder(folder.path() / "frames");
  write_file(folder.path() / "frames" / "poster.png", "x");
  EXPECT_THAT(existing_results(folder.path()), IsEmpty());
  write_file(folder.path() / "frames" / "frame_000000.vtu", "x");
  write_file(folder.path() / "frames" / ".frame_000001.vtu.7-1.part", "x");
  EXPECT_THAT(existing_results(folder.path()), ElementsAre("frames"));
  remove_results(folder.path());
  EXPECT_THAT(listing(folder.path() / "frames"), ElementsAre("poster.png"));
}

TEST(FolderLock, KeepsASecondRunOutWhileItLives) {
  const TemporaryFolder folder;
  {
    const FolderLock lock(folder.path());
    EXPECT_EQ(input_error([&] { const FolderLock second(folder.path()); }),
              folder.path().string() +
                  ": another run is writing its results here; wait for its end, or choose another folder with --out");
  }
  EXPECT_NO_THROW(FolderLock(folder.path()));
  EXPECT_TRUE(listing(folder.path()).empty());
}

}  // namespace
}  // namespace ictus::files
