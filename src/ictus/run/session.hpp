#pragma once

#include <filesystem>
#include <functional>
#include <ictus/build/build.hpp>
#include <ictus/files/folder_lock.hpp>
#include <ictus/observe/record/run_record.hpp>
#include <ictus/run/cases.hpp>
#include <ictus/run/published.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

namespace ictus::run {

/// How a run ended.
struct Outcome {
  observe::RunStatus status;
  bool out_of_time;                ///< it was limits.wall_time that interrupted it
  nlohmann::ordered_json summary;  ///< as in summary.json
  std::vector<scene::ExpectationResult> expectations;
  std::vector<PublishedResult> published;
};

/// One run of a scene with its results in a folder: the whole path from scene to report.
class Session {
 public:
  /// A new run. Throws base::InputError when the folder holds results already, unless `force` lets them be removed, and
  /// when they would replace the file that the scene was read from.
  static Session begin(const LoadedScene& scene, const std::filesystem::path& folder, const exec::Resources& resources,
                       bool force, const build::Own& own = {});
  /// Takes up the run in a folder where its last checkpoint left it; from the start if it was ended before the first.
  /// `expected`, if given, must be the scene of that run. Of the scene, `changes` may change when the run ends; it then
  /// goes on as one that had this end from the beginning.
  static Session resume(const std::filesystem::path& folder, const LoadedScene* expected,
                        const exec::Resources& resources, const std::vector<scene::Override>& changes = {},
                        const build::Own& own = {});

  const build::Simulation& simulation() const { return *simulation_; }
  observe::LiveFigures live() const { return record_->live(); }
  bool resumed() const { return resumed_; }

  /// Steps to the end, or until `stop` says so or limits.wall_time has passed, and writes every file. On a
  /// base::NumericalFailure the files tell the run up to its last good state, then the failure goes on to the caller.
  Outcome run(const std::function<bool()>& stop, std::span<dynamics::Observer* const> watchers);

 private:
  Session(const LoadedScene& scene, const std::filesystem::path& folder, const exec::Resources& resources,
          const build::Own& own);

  /// Makes the folder ready and begins at t = 0.
  void start();
  /// The state with which the run began.
  model::State first_state();
  dynamics::Snapshot snapshot() const;
  Outcome finish(observe::RunStatus status);

  std::filesystem::path folder_;
  std::optional<files::FolderLock> lock_;
  std::unique_ptr<build::Simulation> simulation_;
  std::unique_ptr<observe::RunRecord> record_;
  model::State state_;
  bool resumed_ = false;
};

/// Makes report.html from the other result files of a folder; `snapshots` as report_page has them.
void write_report(const std::filesystem::path& folder, const std::vector<double>& snapshots = {});

}  // namespace ictus::run
