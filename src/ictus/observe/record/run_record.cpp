#include <ictus/observe/record/run_record.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/base/error.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/files/column_units.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/observe/checkpoint/build_identity.hpp>
#include <ictus/observe/record/filtered_history.hpp>
#include <ictus/observe/record/summary.hpp>

namespace ictus::observe {

using dynamics::Snapshot;
using dynamics::StepReport;
using Json = nlohmann::ordered_json;

namespace {

std::string_view name(RunStatus status) {
  switch (status) {
    case RunStatus::completed:
      return "completed";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::failed:
      return "failed";
  }
  throw std::logic_error("unknown status");
}

}  // namespace

RunRecord::RunRecord(RecordOptions options, const dynamics::System& system, const dynamics::Integrator& integrator)
    : options_(std::move(options)),
      ledger_(options_.ledger),
      history_(options_.folder / files::result_files::history, options_.history, system, integrator),
      contacts_(options_.folder / files::result_files::contacts, system, options_.contacts),
      audit_(system, options_.audit),
      started_(Clock::now()) {
  if (options_.frames) frames_.emplace(options_.folder, *options_.frames);
}

void RunRecord::begin(const Snapshot& snapshot, const StepReport& report) {
  ledger_.begin(snapshot, report);
  files::make_folder(options_.folder);
  files::write_file(options_.folder / files::result_files::scene, options_.scene);
  take_note(snapshot, report);
}

void RunRecord::observe(const Snapshot& snapshot, const StepReport& report) {
  ledger_.observe(snapshot, report);
  take_note(snapshot, report);
}

std::int64_t RunRecord::patience(const Snapshot& snapshot) const {
  std::int64_t steps = std::min({ledger_.patience(snapshot), history_.patience(snapshot), audit_.patience(snapshot)});
  if (frames_) steps = std::min(steps, frames_->patience(snapshot));
  return steps;
}

void RunRecord::take_note(const Snapshot& snapshot, const StepReport& report) {
  contacts_.observe(report, snapshot.step / snapshot.integrator.stride());
  history_.observe(report);
  audit_.observe(snapshot);
  if (frames_) frames_->observe(snapshot.system, report);
  if (history_.due(snapshot)) write_row(snapshot);
  if (frames_ && frames_->due(snapshot)) write_frame(snapshot);
  if (frames_ && frames_->is_full()) settle_impulses(snapshot);
  if (ledger_.last().step == snapshot.state.step) keep_good_state(snapshot);
  live_.time = snapshot.state.time;
  live_.step = snapshot.state.step;
  live_.contacts = report.contacts;
}

// The reading comes first: it throws before anything is written of a state that is not sound.
void RunRecord::write_row(const Snapshot& snapshot) {
  const Reading& reading = ledger_.reading(snapshot);
  history_.write_row(snapshot, reading, ledger_);
}

void RunRecord::write_frame(const Snapshot& snapshot) {
  ledger_.reading(snapshot);
  frames_->write_frame(snapshot);
}

// With a reading, so that the good state lies behind: a failed run could not take back what has been handed over.
void RunRecord::settle_impulses(const Snapshot& snapshot) {
  ledger_.reading(snapshot);
  frames_->settle(snapshot);
}

void RunRecord::keep_good_state(const Snapshot& snapshot) {
  if (!good_) good_.emplace();
  good_->state = snapshot.state;
  good_->account = ledger_.account();
  good_->gathered = history_.gathered();
  good_->contacts = contacts_.position();
  if (frames_) frames_->note_impulses(good_->frame_impulses);
}

void RunRecord::return_to_good_state() {
  ledger_.restore(good_->account);
  history_.restore(good_->gathered);
  contacts_.go_back(good_->contacts);
  if (frames_) frames_->go_back(good_->frame_impulses);
}

void RunRecord::resume(const Checkpoint& checkpoint) {
  if (checkpoint.scene != options_.scene)
    throw base::InputError(base::Mistake{checkpoint.path.string(), 0, "",
                                         "belongs to another scene; a run is resumed with the scene it began with"});
  files::remove_leftovers(options_.folder);
  files::remove_leftovers(options_.folder / files::result_files::frame_folder);
  std::error_code ignored;
  std::filesystem::remove(options_.folder / files::result_files::summary,
                          ignored);  // it tells of the run up to its interruption
  Archive archive(checkpoint.record, checkpoint.path.string());
  Ledger::Account account;
  account.exchange(archive);
  for (std::size_t i = 0; i < model::Lost::size; ++i)
    if (account.sums.lost[i].value() != 0 && !history_.has_column(static_cast<model::Loss>(i)))
      archive.refuse("ledger",
                     fmt::format("has energy lost by {}, by which this run loses none", model::loss_names[i]));
  ledger_.restore(account);
  exchange_files(archive);
  started_ = Clock::now();
  good_ = GoodState{checkpoint.state, account, history_.gathered(), contacts_.position(), {}};
  if (frames_) frames_->note_impulses(good_->frame_impulses);
}

void RunRecord::exchange_files(Archive& archive) {
  history_.exchange(archive);
  contacts_.exchange(archive);
  audit_.exchange(archive);
  if (frames_) frames_->exchange(archive);
  archive.number("wall_seconds", wall_before_);
}

void RunRecord::checkpoint(const Snapshot& snapshot) {
  ledger_.peek(snapshot);
  publish();
  save(snapshot.state);
}

void RunRecord::publish() {
  history_.publish();
  contacts_.publish();
  if (frames_) frames_->publish();
}

double RunRecord::wall_seconds() const {
  return wall_before_ + std::chrono::duration<double>(Clock::now() - started_).count();
}

void RunRecord::save(const model::State& state) {
  wall_before_ = wall_seconds();
  started_ = Clock::now();
  Archive archive;
  Ledger::Account account = ledger_.account();
  account.exchange(archive);
  exchange_files(archive);
  write_checkpoint(options_.folder / files::result_files::checkpoint,
                   {{}, std::string(build_identity()), options_.scene, state, archive.saved()});
}

Json RunRecord::finish(const Snapshot& snapshot, RunStatus status) {
  if (status == RunStatus::failed) {
    if (!good_) return nullptr;
    return_to_good_state();
  }
  const model::State& state = status == RunStatus::failed ? good_->state : snapshot.state;
  const Snapshot last{snapshot.system, snapshot.integrator, snapshot.step, state};
  publish();
  save(state);
  if (status == RunStatus::completed) {  // what a run with a later end would not have, the checkpoint does not know
    if (!history_.has_row(last)) write_row(last);
    if (frames_ && !frames_->has_frame(last)) write_frame(last);
    contacts_.finish();
    publish();
    if (options_.filter_class) write_filtered_history(options_.folder, *options_.filter_class);
  }
  const std::vector<double> probe_values = history_.probes().sample(last);
  const Reading reading = ledger_.peek(last);
  const Json summary =
      make_summary({options_.title, options_.case_name, name(status), wall_seconds(), last, ledger_, reading,
                    history_.probes(), probe_values, history_.accelerations().values(), history_.errors(),
                    audit_.figures(), contacts_.figures(), history_.joints().summary(), units()});
  files::write_file(options_.folder / files::result_files::summary,
                    summary.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
  return summary;
}

Json RunRecord::units() const {
  const bool along_beam = options_.ledger.is_flux;
  Json figures = Json::object();
  for (const files::ColumnDescription& figure : files::described_summary())
    figures[std::string(figure.name)] = figure.unit;
  return {{"history", files::units_of_header(files::described_history(), history_.columns(), along_beam)},
          {"contacts", files::units_of_header(files::described_contacts(), contacts_.columns(), along_beam)},
          {"summary", figures}};
}

LiveFigures RunRecord::live() const {
  LiveFigures figures = live_;
  figures.events = ledger_.account().sums.closings;
  if (ledger_.last().step >= 0) {
    figures.energy_error = ledger_.relative_error(ledger_.last());
    figures.momentum_drift = ledger_.linear_drift(ledger_.last());
  }
  return figures;
}

}  // namespace ictus::observe
