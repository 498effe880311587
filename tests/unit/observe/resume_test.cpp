#include <gmock/gmock.h>

#include <ictus/base/error.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/files/result_files.hpp>
#include <limits>
#include <map>
#include <random>

#include "support/file_size_limit.hpp"
#include "support/temporary_folder.hpp"
#include "unit/observe/recorded_run.hpp"

namespace ictus::observe {
namespace {

using ictus::testing::listing;
using ictus::testing::read;
using ictus::testing::RecordedRun;
using ictus::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

constexpr std::int64_t all_steps = 50;

/// The contents of a run's folder, hidden files included; without the wall time.
std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = std::filesystem::relative(entry.path(), folder);
    if (name == "checkpoint.h5") continue;
    files[name] = read(entry.path());
  }
  if (files.contains("summary.json")) {
    Json summary = Json::parse(files["summary.json"]);
    summary["time"].erase("wall_seconds");
    files["summary.json"] = summary.dump(2);
  }
  return files;
}

/// Runs that are interrupted in many ways and must end as the one that never was.
class ResumeTest : public ::testing::Test {
 protected:
  ResumeTest() {
    RecordedRun run(whole_folder_.path());
    configure(run);
    RunRecord record(run.options, run.system, run.integrator);
    run.begin(record);
    run.run_to(all_steps, record);
    record.finish(run.snapshot(), RunStatus::completed);
  }

  static void configure(RecordedRun& run) {
    run.options.frames = 9.5 * run.h;
    run.options.ledger.every = 4;
  }

  /// A fresh run that goes on from the checkpoint in the folder.
  struct Resumed {
    explicit Resumed(const std::filesystem::path& folder) : run(folder) {
      configure(run);
      record.emplace(run.options, run.system, run.integrator);
      const Checkpoint checkpoint = read_checkpoint(folder / files::result_files::checkpoint);
      record->resume(checkpoint);
      run.state = checkpoint.state;
    }
    RecordedRun run;
    std::optional<RunRecord> record;
  };

  void expect_resumed_as_whole() {
    Resumed resumed(folder_.path());
    resumed.run.run_to(all_steps, *resumed.record);
    resumed.record->finish(resumed.run.snapshot(), RunStatus::completed);
    expect_as_whole();
  }
  void expect_as_whole() {
    EXPECT_EQ(contents(folder_.path()), contents(whole_folder_.path()));
    const Checkpoint a = read_checkpoint(folder_.path() / files::result_files::checkpoint),
                     b = read_checkpoint(whole_folder_.path() / files::result_files::checkpoint);
    EXPECT_EQ(a.state, b.state);
  }

  TemporaryFolder whole_folder_, folder_;
};

TEST_F(ResumeTest, KilledSomeStepsAfterACheckpoint) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 12; ++trial) {
    const auto saved = static_cast<std::int64_t>(random() % all_steps);
    const std::int64_t killed = saved + static_cast<std::int64_t>(random() % static_cast<unsigned>(all_steps - saved));
    {
      RecordedRun run(folder_.path());
      configure(run);
      RunRecord record(run.options, run.system, run.integrator);
      run.begin(record);
      run.run_to(saved, record);
      record.checkpoint(run.snapshot());
      run.run_to(killed, record);
    }
    SCOPED_TRACE("checkpoint at " + std::to_string(saved) + ", killed at " + std::to_string(killed));
    expect_resumed_as_whole();
    files::remove_results(folder_.path());
  }
}

TEST_F(ResumeTest, KilledBetweenTheFilesOfACheckpoint) {
  RecordedRun run(folder_.path());
  configure(run);
  RunRecord record(run.options, run.system, run.integrator);
  run.begin(record);
  run.run_to(11, record);
  record.checkpoint(run.snapshot());
  const std::string checkpoint = read(folder_.path() / "checkpoint.h5"), pvd = read(folder_.path() / "frames.pvd");
  run.run_to(29, record);
  record.checkpoint(run.snapshot());
  // History and contacts are of step 29, the rest still of step 11.
  files::write_file(folder_.path() / "checkpoint.h5", checkpoint);
  files::write_file(folder_.path() / "frames.pvd", pvd);
  files::write_file(folder_.path() / ".frames.pvd.17-3.part", "half");
  files::write_file(folder_.path() / "frames" / ".frame_000002.vtu.17-2.part", "half");
  expect_resumed_as_whole();
}

TEST_F(ResumeTest, InterruptedManyTimes) {
  {
    RecordedRun run(folder_.path());
    configure(run);
    RunRecord record(run.options, run.system, run.integrator);
    run.begin(record);
    run.run_to(3, record);
    record.finish(run.snapshot(), RunStatus::interrupted);
  }
  for (const std::int64_t step : {3, 7, 23, 24, 46, 50}) {
    EXPECT_EQ(Json::parse(read(folder_.path() / "summary.json"))["status"], "interrupted");
    Resumed resumed(folder_.path());
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "summary.json"));
    resumed.run.run_to(step, *resumed.record);
    resumed.record->finish(resumed.run.snapshot(), RunStatus::interrupted);
  }
  expect_resumed_as_whole();
}

TEST_F(ResumeTest, ResumingACompletedRunChangesNothing) {
  std::filesystem::copy(whole_folder_.path(), folder_.path(), std::filesystem::copy_options::recursive);
  expect_resumed_as_whole();
}

TEST_F(ResumeTest, AFailedRunKeepsItsLastGoodState) {
  RecordedRun run(folder_.path());
  configure(run);
  RunRecord record(run.options, run.system, run.integrator);
  run.begin(record);
  run.run_to(21, record);  // last reading at step 20
  run.state.p[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(run.run_to(all_steps, record), base::NumericalFailure);
  const Json summary = record.finish(run.snapshot(), RunStatus::failed);
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_EQ(summary["time"]["steps"], 20);
  for (const auto& [name, text] : contents(folder_.path())) {
    if (name.ends_with(".csv")) {
      EXPECT_THAT(text, ::testing::Not(HasSubstr("nan"))) << name;
    }
  }
  EXPECT_EQ(read_checkpoint(folder_.path() / "checkpoint.h5").state.step, 20);
  expect_resumed_as_whole();  // the cause was not in the state that was kept
}

TEST_F(ResumeTest, ARunThatFailsAtOnceWritesNothing) {
  RecordedRun run(folder_.path());
  RunRecord record(run.options, run.system, run.integrator);
  run.state = run.system.initial_state();
  const dynamics::StepReport report = run.integrator.start(run.system, run.h, run.state);
  run.state.q[0] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(record.begin(run.snapshot(), report), base::NumericalFailure);
  EXPECT_TRUE(record.finish(run.snapshot(), RunStatus::failed).is_null());
  EXPECT_TRUE(listing(folder_.path()).empty());
}

TEST_F(ResumeTest, NoSpaceLeftKeepsTheLastCheckpoint) {
  RecordedRun run(folder_.path());
  configure(run);
  {
    RunRecord record(run.options, run.system, run.integrator);
    run.begin(record);
    run.run_to(15, record);
    record.checkpoint(run.snapshot());
    const std::string history = read(folder_.path() / "history.csv");
    const testing::FileSizeLimit limit(history.size() + 100);
    EXPECT_THROW(
        {
          run.run_to(25, record);
          record.checkpoint(run.snapshot());
        },
        base::InputError);
    EXPECT_EQ(read(folder_.path() / "history.csv"), history);
  }
  EXPECT_EQ(read_checkpoint(folder_.path() / "checkpoint.h5").state.step, 15);
  expect_resumed_as_whole();
}

TEST_F(ResumeTest, ACheckpointOfAnotherSceneIsRefused) {
  RecordedRun run(whole_folder_.path());
  configure(run);
  run.options.scene = "title: Other\n";
  RunRecord record(run.options, run.system, run.integrator);
  const Checkpoint checkpoint = read_checkpoint(whole_folder_.path() / "checkpoint.h5");
  try {
    record.resume(checkpoint);
    FAIL() << "resumed";
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("checkpoint.h5: belongs to another scene"));
  }
}

TEST_F(ResumeTest, AHistoryOfAnotherRunIsRefused) {
  files::write_file(whole_folder_.path() / "history.csv", "time,energy.kinetic\n0,1\n");
  EXPECT_THROW(Resumed(whole_folder_.path()), base::InputError);
}

}  // namespace
}  // namespace ictus::observe
