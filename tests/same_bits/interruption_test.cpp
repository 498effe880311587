// Runs that are killed, or asked to stop, and taken up again.
#include <gmock/gmock.h>

#include "same_bits/killed_runs.hpp"

namespace ictus {
namespace {

using testing::Ended;
using testing::expect_same_bits;
using ::testing::HasSubstr;
using testing::Program;
using testing::RunFolder;
using testing::two_long_bars;

TEST(Kill, SeveralTimesLeavesTheSameBits) {
  testing::KilledRuns(two_long_bars(2500, "cd-lagrange")).expect_same_bits_after(5, 0.15, 2024);
}

TEST(Kill, LeavesTheSameBitsOfCollisionsBetweenSteps) {
  testing::KilledRuns(two_long_bars(1000, "multisymplectic")).expect_same_bits_after(3, 0.2, 2025);
}

/// Ends a run of my.yaml in the folder `stopped` by a signal once it has made some steps.
Ended stopped_by(int signal, const RunFolder& folder) {
  for (int attempt = 0; attempt < 10; ++attempt) {  // the run may come to its end before the signal comes
    Program program({"run", "my.yaml", "--out", "stopped", "--force"}, {folder.path()});
    while (program.running() && !std::filesystem::exists(folder / "stopped/checkpoint.h5")) usleep(500);
    program.kill(signal);
    const Ended ended = program.wait();
    if (ended.code != 0) return ended;
  }
  return {};
}

struct Stopped {
  int signal;
  const char* integrator;
};

class Stop : public ::testing::TestWithParam<Stopped> {};

TEST_P(Stop, KeepsACheckpointFromWhichTheRunGoesOnToTheSameBits) {
  const RunFolder folder("my.yaml", two_long_bars(2000, GetParam().integrator));
  const Ended ended = stopped_by(GetParam().signal, folder);
  EXPECT_EQ(ended.code, 130);
  EXPECT_EQ(ended.err, "");
  EXPECT_THAT(ended.out, HasSubstr("The run was interrupted. Go on with:  ictus run --resume stopped\n"));
  EXPECT_THAT(testing::read(folder / "stopped/summary.json"), HasSubstr("\"status\": \"interrupted\""));
  const std::int64_t step = observe::read_checkpoint(folder / "stopped/checkpoint.h5").state.step;
  EXPECT_GT(step, 0);
  EXPECT_LT(step, 8000);

  EXPECT_EQ(folder.run({"run", "--resume", "stopped", "--quiet"}).code, 0);
  EXPECT_EQ(folder.run({"run", "my.yaml", "--out", "whole", "--quiet"}).code, 0);
  expect_same_bits(folder / "stopped", folder / "whole");
}

constexpr Stopped stops[] = {
    {SIGINT, "cd-lagrange"}, {SIGTERM, "cd-lagrange"}, {SIGHUP, "cd-lagrange"}, {SIGINT, "multisymplectic"}};

INSTANTIATE_TEST_SUITE_P(Interruption, Stop, ::testing::ValuesIn(stops), [](const auto& stop) {
  const bool collisions = std::string_view(stop.param.integrator) == "multisymplectic";
  return std::string("Sig") + sigabbrev_np(stop.param.signal) + (collisions ? "BetweenCollisions" : "");
});

TEST(Lock, ASecondRunIsKeptOutOfAFolderInUse) {
  const RunFolder folder("my.yaml", two_long_bars(3000, "cd-lagrange"));
  Program first({"run", "my.yaml", "--out", "r", "--quiet", "--set", "time.end=3200"}, {folder.path()});
  while (first.running() && !std::filesystem::exists(folder / "r/scene.yaml")) usleep(500);
  for (const char* const option : {"--force", "--resume"}) {
    const Ended second = folder.run({"run", "my.yaml", "--out", "r", option, "--set", "time.end=3200"});
    EXPECT_EQ(second.code, 2);
    EXPECT_EQ(second.err,
              "r: another run is writing its results here; wait for its end, or choose another folder with --out\n");
  }
  EXPECT_TRUE(first.running());
}

TEST(Threads, LeaveTheSameBits) {
  constexpr int elements = 20000;  // several blocks of Executor
  const RunFolder folder("my.yaml", two_long_bars(elements, "cd-lagrange"));
  for (const char* const threads : {"1", "2", "3"}) {
    const Ended ended = folder.run({"run", "my.yaml", "--quiet", "--threads", threads, "--out", threads, "--set",
                                    "time.end=0.12", "--set", "output.frames_every=0.05"});
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
  expect_same_bits(folder / "2", folder / "1");
  expect_same_bits(folder / "3", folder / "1");
}

}  // namespace
}  // namespace ictus
