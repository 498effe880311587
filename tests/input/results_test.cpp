// Folders of results: that cannot be written, are full, or hold something already.
#include <gmock/gmock.h>
#include <sys/mount.h>

#include "replaced.hpp"
#include "run_in_folder.hpp"

namespace ictus {
namespace {

namespace fs = std::filesystem;
using testing::bars_and_wall;
using ::testing::ElementsAre;
using testing::Ended;
using ::testing::HasSubstr;
using testing::listing;
using testing::read;
using testing::replaced;
using testing::RunFolder;

constexpr auto read_only = fs::perms::owner_read | fs::perms::owner_exec;

TEST(ResultFolder, BelowAFile) {
  const RunFolder folder("my.yaml", bars_and_wall);
  folder.put("file", "");
  folder.expect_refused({"run", "my.yaml", "--out", "file/results"},
                        "file/results: cannot be made a folder: Not a directory\n");
  folder.expect_refused({"run", "my.yaml", "--out", "file"}, "file: cannot be made a folder: Not a directory\n");
}

TEST(ResultFolder, NotWritable) {
  const RunFolder folder("my.yaml", bars_and_wall);
  fs::create_directory(folder / "closed");
  fs::permissions(folder / "closed", read_only);
  folder.expect_refused({"run", "my.yaml", "--out", "closed"},
                        "closed/scene.yaml: cannot be written: Permission denied\n");
  folder.expect_refused({"run", "my.yaml", "--out", "closed/results"},
                        "closed/results: cannot be made a folder: Permission denied\n");
}

/// A file system of a few kilobytes, for which the tests must run as root.
class SmallDisk {
 public:
  explicit SmallDisk(const fs::path& path) : path_(path) {
    fs::create_directory(path);
    mounted_ = mount("tmpfs", path.c_str(), "tmpfs", 0, "size=64k,mode=0755") == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }

 private:
  fs::path path_;
  bool mounted_;
};

TEST(ResultFolder, WithoutSpaceLeft) {
  const RunFolder folder("my.yaml", bars_and_wall);
  const SmallDisk disk(folder / "disk");
  if (!disk.mounted()) GTEST_SKIP() << "no small file system can be mounted; run as root to test it";
  const Ended ended = folder.run({"run", "my.yaml", "--out", "disk/results", "--set", "output.history_every=0.001",
                                  "--set", "time.step=0.001", "--set", "output.frames_every=none"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err, "disk/results/history.csv: cannot be written: No space left on device\n");
  EXPECT_THAT(listing(folder / "disk/results"), ElementsAre("scene.yaml"));
}

TEST(ResultFolder, FullInTheMiddleKeepsTheLastCheckpointAndSaysHowToGoOn) {
  const RunFolder folder("my.yaml", bars_and_wall);
  const std::vector<std::string> arguments{"run",
                                           "my.yaml",
                                           "--quiet",
                                           "--out",
                                           "short",
                                           "--set",
                                           "time.step=2e-4",
                                           "--set",
                                           "output.history_every=2e-4",
                                           "--set",
                                           "output.checkpoint_every=0.001"};
  const Ended ended = testing::ictus(arguments, {.folder = folder.path(), .largest_file = 2'000'000});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err,
            "short/history.csv: cannot be written: File too large\n"
            "short: holds the run up to its last checkpoint; once that is put right, go on with:  "
            "ictus run --resume short\n");
  EXPECT_EQ(folder.run({"run", "--resume", "short", "--quiet"}).code, 0);
  std::vector<std::string> whole = arguments;
  whole[4] = "whole";
  EXPECT_EQ(folder.run(whole).code, 0);
  EXPECT_EQ(read(folder / "short/history.csv"), read(folder / "whole/history.csv"));
}

TEST(ResultFolder, WithResultsIsRefusedAndForceReplacesThemAndNothingElse) {
  const RunFolder folder("my.yaml", bars_and_wall);
  ASSERT_EQ(folder.run({"run", "my.yaml", "--quiet", "--out", "r", "--set", "output.frames_every=0.5"}).code, 0);
  folder.put("r/notes.txt", "mine");
  folder.put("r/frames/poster.png", "mine");
  const std::string before = read(folder / "r/summary.json");
  folder.expect_refused(
      {"run", "my.yaml", "--out", "r"},
      "r: holds results already (scene.yaml, summary.json, history.csv, contacts.csv, frames.pvd, frames, "
      "checkpoint.h5, report.html); choose another folder with --out, replace them with --force, or go on with "
      "--resume r\n");
  EXPECT_EQ(read(folder / "r/summary.json"), before);

  EXPECT_EQ(folder
                .run({"run", "my.yaml", "--quiet", "--out", "r", "--force", "--set", "output.report=false", "--set",
                      "output.frames_every=none"})
                .code,
            0);
  EXPECT_THAT(listing(folder / "r"), ElementsAre("checkpoint.h5", "contacts.csv", "frames", "history.csv", "notes.txt",
                                                 "scene.yaml", "summary.json"));
  EXPECT_THAT(listing(folder / "r/frames"), ElementsAre("poster.png"));
}

TEST(ResultFolder, HasFramesOfEveryRunThatDoesNotRefuseThem) {
  const RunFolder folder("my.yaml", bars_and_wall);
  ASSERT_EQ(folder.run({"run", "my.yaml", "--quiet", "--out", "r", "--set", "time.step=0.002"}).code, 0);
  EXPECT_EQ(listing(folder / "r/frames").size(), 101u);
  EXPECT_THAT(read(folder / "r/report.html"), HasSubstr("\"replay\":{"));
  for (const char* none : {"output.frames_every=0", "output.frames_every=none"}) {
    ASSERT_EQ(folder.run({"run", "my.yaml", "--quiet", "--out", "r", "--force", "--set", none}).code, 0);
    EXPECT_FALSE(fs::exists(folder / "r/frames.pvd"));
    EXPECT_THAT(read(folder / "r/report.html"), HasSubstr("\"replay\":null"));
  }
}

TEST(Render, SaysWhatItCannotDraw) {
  const RunFolder folder("my.yaml", bars_and_wall);
  ASSERT_EQ(folder.run({"run", "my.yaml", "--quiet", "--out", "r"}).code, 0);
  folder.expect_refused({"render", "r"}, "render needs one of --out FILE, a picture, and --video FILE\n");
  folder.expect_refused({"render", "r", "--out", "r.bmp"},
                        "r.bmp: --out: must end in one of .png, .jpg, .jpeg, .webp\n");
  folder.expect_refused({"render", "r", "--video", "r.png"}, "r.png: --video: must end in one of .mp4, .webm, .gif\n");
  folder.expect_refused({"render", "r", "--out", "r.png", "--time", "2001 ms"},
                        "--time: 2.001 s is outside of the run, which has frames from 0 s to 2 s\n");
  folder.expect_refused({"render", "r", "--out", "r.png", "--time", "-1 us"},
                        "--time: -1e-06 s is outside of the run, which has frames from 0 s to 2 s\n");
  folder.expect_refused({"render", "r", "--out", "r.png", "--time", "2 kg"},
                        "--time: must be a time (in s), not 2 kg, which is a mass\n");
  folder.expect_refused({"render", "r", "--out", "r.png", "--see-through", "lft"},
                        "--see-through: no body is named 'lft', did you mean 'left'?\n");
  folder.expect_refused({"render", "r", "--out", "r.png", "--hide", "left", "--hide", "floor"},
                        "--hide: no body is named 'floor', the bodies are left, right, wall\n");
  folder.expect_refused(
      {"render", "nothing", "--out", "r.png"},
      "nothing: has no frames to draw: it is no run, or one with `output.frames_every: none`; leave that "
      "key out and run it again\n");
}

TEST(ResultFolder, IsNotThatOfTheSceneItself) {
  const RunFolder folder("scene.yaml", bars_and_wall);
  folder.expect_refused({"run", "scene.yaml", "--out", ".", "--force"},
                        "./scene.yaml: is the scene to run, which the results would replace; choose another folder "
                        "with --out\n");
  EXPECT_EQ(read(folder / "scene.yaml"), bars_and_wall);
}

TEST(Resume, OfNothing) {
  const RunFolder folder("my.yaml", bars_and_wall);
  fs::create_directory(folder / "empty");
  folder.expect_refused({"run", "--resume", "empty"}, "empty: holds no run to resume: there is no scene.yaml in it\n");
  folder.expect_refused({"run", "--resume", "nowhere"},
                        "nowhere: holds no run to resume: there is no scene.yaml in it\n");
  folder.expect_refused({"run", "my.yaml", "--resume"},
                        "runs/my: holds no run to resume: there is no scene.yaml in it\n");
}

class Results : public ::testing::Test {
 protected:
  Results() : folder_("my.yaml", bars_and_wall) {
    EXPECT_EQ(folder_.run({"run", "my.yaml", "--quiet", "--out", "r"}).code, 0);
  }
  RunFolder folder_;
};

TEST_F(Results, AreNotResumedWithAnotherScene) {
  const std::string message = "r: holds the run of another scene; leave the scene out to resume that one\n";
  folder_.expect_refused({"run", "two-bars/steel", "--resume", "r"}, message);
  folder_.expect_refused({"run", "my.yaml", "--set", "time.end=3", "--resume", "r"}, message);
}

TEST_F(Results, AreNotResumedFromTheCheckpointOfAnotherScene) {
  const auto take_checkpoint_of = [&](const char* change) {
    ASSERT_EQ(folder_.run({"run", "my.yaml", "--quiet", "--out", "other", "--force", "--set", change}).code, 0);
    fs::copy_file(folder_ / "other/checkpoint.h5", folder_ / "r/checkpoint.h5", fs::copy_options::overwrite_existing);
  };
  take_checkpoint_of("bodies.left.density=3");
  folder_.expect_refused({"run", "--resume", "r"},
                         "r/checkpoint.h5: belongs to another scene; a run is resumed with the scene it began with\n");
  take_checkpoint_of("time.end=3");
  folder_.expect_refused({"run", "--resume", "r"},
                         "r/checkpoint.h5: is of step 30, and the run has 20; it is damaged, or not of this run\n");
}

TEST_F(Results, AreNotResumedFromADamagedCheckpoint) {
  folder_.put("r/checkpoint.h5", "not a checkpoint");
  folder_.expect_refused({"run", "--resume", "r"}, "r/checkpoint.h5: is damaged, or not a checkpoint of Ictus\n");
}

TEST_F(Results, KeepTheirSceneWhenResumed) {
  folder_.expect_refused({"run", "--resume", "r", "--set", "bodies.left.density=3"},
                         "--set: a resumed run keeps its scene but for time.end; start a new run to change more\n");
  folder_.expect_refused({"run", "--resume", "r", "--set", "time.end=1"},
                         "time.end: 1 s is before 2 s, which the run has reached\n");
}

TEST_F(Results, ThatAreCompleteDoNotChangeWhenResumed) {
  const std::string history = read(folder_ / "r/history.csv");
  const Ended ended = folder_.run({"run", "my.yaml", "--resume", "r"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err, "");
  EXPECT_THAT(ended.out, HasSubstr(", resumed\n"));
  EXPECT_EQ(read(folder_ / "r/history.csv"), history);
}

TEST_F(Results, AreExportedToOneFile) {
  const Ended inside = folder_.run({"export", "r"});
  EXPECT_EQ(inside.code, 0);
  EXPECT_EQ(inside.err, "");
  EXPECT_EQ(inside.out, (folder_ / "r/results.h5").string() + "\n");
  EXPECT_EQ(folder_.run({"export", "r", "--to", "other.h5"}).code, 0);
  EXPECT_EQ(read(folder_ / "r/results.h5"), read(folder_ / "other.h5"));
  folder_.expect_refused({"export", "r", "--to", "my.yaml"},
                         "my.yaml: exists and is not an exported file; choose another name with --to\n");
  folder_.expect_refused({"export", "r", "--to", "nowhere/a.h5"},
                         "nowhere/a.h5: cannot be written: No such file or directory\n");
}

TEST(Expect, AMissHasItsOwnExitCode) {
  const RunFolder folder("my.yaml", replaced(bars_and_wall, "probes:", "expect: {time.steps: {equals: 21}}\nprobes:"));
  const Ended asked = folder.run({"run", "my.yaml", "--expect", "--out", "a"});
  EXPECT_EQ(asked.code, 4);
  EXPECT_THAT(asked.out, HasSubstr("expect    missed  time.steps = 20, wanted 21\n"));
  EXPECT_EQ(folder.run({"run", "my.yaml", "--out", "b"}).code, 0);
}

TEST(Failure, StopsWithItsOwnExitCodeAndKeepsTheResults) {
  const RunFolder folder("my.yaml", replaced(bars_and_wall, "step: 0.1", "step: 0.3, allow_unstable: true"));
  const Ended ended = folder.run({"run", "my.yaml", "--set", "time.end=1000", "--out", "r"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err,
              HasSubstr("The run stopped: The motion is unstable: kinetic and potential energy together are "));
  EXPECT_THAT(ended.err, HasSubstr("Try a time.step smaller than 0.3 s; element 0 of left allows 0.25 s at most\n"));
  EXPECT_THAT(ended.out, HasSubstr("results   r, up to the last good state\n"));
  EXPECT_THAT(read(folder / "r/summary.json"), HasSubstr("\"status\": \"failed\""));
}

}  // namespace
}  // namespace ictus
