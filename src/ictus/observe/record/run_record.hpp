#pragma once

#include <chrono>
#include <filesystem>
#include <ictus/dynamics/system/observer.hpp>
#include <ictus/observe/checkpoint/checkpoint.hpp>
#include <ictus/observe/frames/frame_series.hpp>
#include <ictus/observe/history/contact_log.hpp>
#include <ictus/observe/history/history.hpp>
#include <ictus/observe/ledger/audit.hpp>
#include <ictus/observe/ledger/ledger.hpp>
#include <ictus/observe/probe/probe.hpp>
#include <ictus/observe/probe/reference.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ictus::observe {

struct RecordOptions {
  std::filesystem::path folder;  ///< where the results go; made if it does not exist
  std::string title;
  std::string case_name;  ///< empty: not a case of the program
  std::string scene;      ///< resolved scene: written as scene.yaml, and kept in checkpoints
  LedgerOptions ledger;
  HistoryOptions history;
  std::optional<double> frames;  ///< s between frames, > 0; none: no frames
  std::optional<int> audit;      ///< steps between audits, > 0; none: no audit
  ContactRows contacts = ContactRows::merged;
  std::optional<int> filter_class{};  ///< of filtered.csv; none: no such file
};

enum class RunStatus { completed, interrupted, failed };

/// Figures for people who watch.
struct LiveFigures {
  double time = 0;
  std::int64_t step = 0;
  std::optional<double> energy_error;    ///< of the last reading, over its scale; see Ledger
  std::optional<double> momentum_drift;  ///< of the last reading, over the momenta met
  int contacts = 0;                      ///< in the last step
  std::int64_t events = 0;               ///< closings so far
};

/// Everything that is kept of a run, as files in one folder. Use:
///   RunRecord record(options, system, integrator);
///   record.begin(snapshot, report of Integrator::start)   or   record.resume(read_checkpoint(...));
///   run_steps(..., {&record}, ...), with record.checkpoint(snapshot) between steps, as often as wanted;
///   record.finish(snapshot, status).
/// Between begin and finish each file that exists is complete, and checkpoint.h5 fits the others.
class RunRecord final : public dynamics::Observer {
 public:
  RunRecord(RecordOptions options, const dynamics::System& system, const dynamics::Integrator& integrator);

  void begin(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) override;
  void observe(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) override;
  std::int64_t patience(const dynamics::Snapshot& snapshot) const override;

  /// Goes on where `checkpoint` was written; the caller continues from checkpoint.state. Throws base::InputError for a
  /// checkpoint of another scene and for files that do not fit it.
  void resume(const Checkpoint& checkpoint);

  /// Brings history, contacts and the list of frames up to date, for those who look while the run goes on.
  void publish();

  /// Brings the files up to date and writes checkpoint.h5. Leaves no trace in the results.
  void checkpoint(const dynamics::Snapshot& snapshot);

  /// Writes everything that is left, then summary.json, and returns the summary. A completed run gets its last row and
  /// frame. An interrupted one can be resumed. A failed one goes back to its last good state, which is what
  /// checkpoint.h5 then holds; `snapshot.state` is not looked at.
  nlohmann::ordered_json finish(const dynamics::Snapshot& snapshot, RunStatus status);

  LiveFigures live() const;

 private:
  using Clock = std::chrono::steady_clock;

  /// Where the run was last known to be sound.
  struct GoodState {
    model::State state;
    Ledger::Account account;
    History::Gathered gathered;
    ContactLog::Position contacts;
    ImpulseMap::Position frame_impulses;
  };

  void take_note(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report);
  nlohmann::ordered_json units() const;
  void write_row(const dynamics::Snapshot& snapshot);
  void write_frame(const dynamics::Snapshot& snapshot);
  void settle_impulses(const dynamics::Snapshot& snapshot);
  void keep_good_state(const dynamics::Snapshot& snapshot);
  void return_to_good_state();
  void save(const model::State& state);
  void exchange_files(Archive& archive);
  double wall_seconds() const;

  RecordOptions options_;
  Ledger ledger_;
  History history_;
  ContactLog contacts_;
  Audit audit_;
  std::optional<FrameSeries> frames_;
  std::optional<GoodState> good_;
  LiveFigures live_;
  double wall_before_ = 0;  ///< s, of the parts of the run before the last resume
  Clock::time_point started_;
};

}  // namespace ictus::observe
