#include <ictus/run/session.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <ictus/base/interval_timer.hpp>
#include <ictus/base/text_file.hpp>
#include <ictus/dynamics/system/run_steps.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/report/report_page.hpp>
#include <ictus/run/resumed_state.hpp>

namespace ictus::run {

namespace fs = std::filesystem;
using observe::RunStatus;

namespace {

constexpr std::string_view case_mark = "# case: ";

/// scene.yaml: the resolved scene, under the name of the case it came from.
std::string resolved_text(const scene::Scene& scene, const std::string& case_name) {
  return (case_name.empty() ? "" : fmt::format("{}{}\n", case_mark, case_name)) + scene::write_resolved(scene);
}

LoadedScene load_resolved(std::string_view text, const fs::path& file,
                          const std::vector<scene::Override>& changes = {}) {
  std::string case_name;
  if (text.starts_with(case_mark)) case_name = text.substr(case_mark.size(), text.find('\n') - case_mark.size());
  return {scene::read_text(text, file.string(), changes), case_name};
}

/// Whether two resolved scenes are the same but for their ends: a run that was given a later end may have been stopped
/// before it wrote a checkpoint that knows of it.
bool differs_in_end(std::string_view one, std::string_view other) {
  scene::Scene first = scene::read_text(one, "").scene;
  const scene::Scene second = scene::read_text(other, "").scene;
  first.time.end = second.time.end;
  return first == second;
}

/// Of the scene of a run, only its end may change. That the results fit each other needs all else to stay.
void check_changes(const scene::Scene& before, const scene::Scene& after, double reached) {
  scene::Scene same = after;
  same.time.end = before.time.end;
  if (!(same == before)) {
    throw base::InputError(
        {"", 0, "--set", "a resumed run keeps its scene but for time.end; start a new run to change more"});
  }
  if (after.time.end < reached) {
    throw base::InputError(
        {"", 0, "time.end",
         fmt::format("{:g} s is before {:g} s, which the run has reached", after.time.end, reached)});
  }
}

/// As the scene has it: {"max": 0.002}.
nlohmann::ordered_json condition_json(const scene::Condition& condition) {
  nlohmann::ordered_json keys = nlohmann::ordered_json::object();
  for (const auto& [key, bound] : {std::pair{"min", condition.min}, std::pair{"max", condition.max},
                                   std::pair{"near", condition.near}, std::pair{"within", condition.within}}) {
    if (bound) keys[key] = *bound;
  }
  if (condition.equals) {
    auto& equals = keys["equals"] = nullptr;
    std::visit(
        [&](const auto& value) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) equals = value;
        },
        *condition.equals);
  }
  return keys;
}

/// The value at a dotted path; null where there is none.
nlohmann::ordered_json value_at(const nlohmann::ordered_json& summary, std::string path) {
  std::replace(path.begin(), path.end(), '.', '/');
  const nlohmann::ordered_json::json_pointer where("/" + path);
  return summary.contains(where) ? summary.at(where) : nlohmann::ordered_json(nullptr);
}

observe::ContactRows to_record(scene::ContactRows rows) {
  switch (rows) {
    case scene::ContactRows::impulses:
      return observe::ContactRows::impulses;
    case scene::ContactRows::impacts:
      return observe::ContactRows::impacts;
    case scene::ContactRows::none:
      return observe::ContactRows::none;
    default:
      return observe::ContactRows::merged;
  }
}

observe::RecordOptions record_options(const build::Simulation& simulation, const LoadedScene& scene,
                                      const fs::path& folder) {
  const scene::Scene& resolved = simulation.scene;
  observe::RecordOptions options;
  options.folder = folder;
  options.title = resolved.title;
  options.case_name = scene.case_name;
  options.scene = resolved_text(resolved, scene.case_name);
  options.ledger = {resolved.output.ledger_every, resolved.limits.energy_error, resolved.limits.energy_residual};
  options.ledger.is_flux = simulation.unit() == "m";
  options.history = {*resolved.output.history_every, simulation.probes, simulation.reference,
                     resolved.output.body_energies};
  if (resolved.output.frames_every != 0.0) options.frames = resolved.output.frames_every;
  options.audit = resolved.output.audit_every;
  options.contacts = to_record(resolved.output.contacts);
  options.filter_class = resolved.output.filter;
  return options;
}

/// Writes a checkpoint whenever its interval of wall time has passed since the last one was written; later where
/// writing would take more than a quarter of the time.
class CheckpointWriter final : public dynamics::Observer {
 public:
  CheckpointWriter(observe::RunRecord& record, double seconds) : record_(record), seconds_(seconds), timer_(seconds) {}

  void begin(const dynamics::Snapshot&, const dynamics::StepReport&) override {}
  void observe(const dynamics::Snapshot& snapshot, const dynamics::StepReport&) override {
    if (!timer_.due()) return;
    const auto start = std::chrono::steady_clock::now();
    record_.checkpoint(snapshot);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    timer_.restart(std::max(seconds_, 3 * spent.count()));
  }
  std::int64_t patience(const dynamics::Snapshot&) const override { return std::numeric_limits<std::int64_t>::max(); }

 private:
  observe::RunRecord& record_;
  double seconds_;
  base::IntervalTimer timer_;
};

/// Brings the results up to date every few seconds for those who watch (`ictus view`); later where that would take more
/// than a twentieth of the time.
class Publisher final : public dynamics::Observer {
 public:
  explicit Publisher(observe::RunRecord& record) : record_(record), timer_(seconds) {}

  void begin(const dynamics::Snapshot&, const dynamics::StepReport&) override {}
  void observe(const dynamics::Snapshot&, const dynamics::StepReport&) override {
    if (!timer_.due()) return;
    const auto start = std::chrono::steady_clock::now();
    record_.publish();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    timer_.restart(std::max(seconds, 20 * spent.count()));
  }
  std::int64_t patience(const dynamics::Snapshot&) const override { return std::numeric_limits<std::int64_t>::max(); }

 private:
  static constexpr double seconds = 2;
  observe::RunRecord& record_;
  base::IntervalTimer timer_;
};

/// How many steps a run may have, as far as that is known before.
std::int64_t most_steps(const build::Simulation& simulation) {
  return simulation.integrator->follows() ? std::numeric_limits<std::int64_t>::max() : simulation.steps;
}

void refuse_existing_results(const fs::path& folder) {
  const std::vector<std::string> existing = files::existing_results(folder);
  if (existing.empty()) return;
  throw base::InputError({folder.string(), 0, "",
                          fmt::format("holds results already ({}); choose another folder with --out, replace them with "
                                      "--force, or go on with --resume {}",
                                      fmt::join(existing, ", "), folder.string())});
}

/// The results hold the scene resolved: in place of the file that a person wrote, it would take their text away.
void refuse_to_replace(const LoadedScene& scene, const fs::path& folder, const std::string& resolved) {
  const fs::path target = folder / files::result_files::scene;
  std::error_code no_file;
  if (!scene.case_name.empty() || !fs::equivalent(scene.document.file, target, no_file) || no_file) return;
  if (base::read_whole_file(target) == resolved) return;
  throw base::InputError({target.string(), 0, "",
                          "is the scene to run, which the results would replace; choose another folder with --out"});
}

}  // namespace

Session::Session(const LoadedScene& scene, const fs::path& folder, const exec::Resources& resources,
                 const build::Own& own)
    : folder_(folder),
      simulation_(std::make_unique<build::Simulation>(build::build(scene.document, resources, own))),
      record_(std::make_unique<observe::RunRecord>(record_options(*simulation_, scene, folder), simulation_->system,
                                                   *simulation_->integrator)) {
  simulation_->integrator->prepare(simulation_->system);
}

Session Session::begin(const LoadedScene& scene, const fs::path& folder, const exec::Resources& resources, bool force,
                       const build::Own& own) {
  Session session(scene, folder, resources, own);
  refuse_to_replace(scene, folder, resolved_text(session.simulation_->scene, scene.case_name));
  files::make_folder(folder);
  session.lock_.emplace(folder);
  if (!force) refuse_existing_results(folder);
  session.start();
  return session;
}

void Session::start() {
  files::remove_results(folder_);
  state_ = simulation_->system.initial_state();
  const dynamics::StepReport report = simulation_->integrator->start(simulation_->system, simulation_->step, state_);
  record_->begin(snapshot(), report);
}

model::State Session::first_state() {
  build::Simulation& run = *simulation_;
  model::State state = run.system.initial_state();
  run.integrator->start(run.system, run.step, state);
  run.integrator->prepare(run.system);  // as if it had not begun
  return state;
}

Session Session::resume(const fs::path& folder, const LoadedScene* expected, const exec::Resources& resources,
                        const std::vector<scene::Override>& changes, const build::Own& own) {
  const fs::path scene_file = folder / files::result_files::scene;
  const fs::path checkpoint_file = folder / files::result_files::checkpoint;
  if (!fs::exists(scene_file)) {
    throw base::InputError({folder.string(), 0, "", "holds no run to resume: there is no scene.yaml in it"});
  }
  const std::string text = base::read_whole_file(scene_file);
  const LoadedScene before = load_resolved(text, scene_file), scene = load_resolved(text, scene_file, changes);
  if (expected && resolved_text(build::build(expected->document, resources, own).scene, expected->case_name) != text) {
    throw base::InputError(
        {folder.string(), 0, "", "holds the run of another scene; leave the scene out to resume that one"});
  }
  Session session(scene, folder, resources, own);
  session.lock_.emplace(folder);
  if (!fs::exists(checkpoint_file)) {
    if (!changes.empty()) check_changes(before.document.scene, scene.document.scene, 0);
    session.start();
    return session;
  }
  observe::Checkpoint checkpoint = observe::read_checkpoint(checkpoint_file);
  if (!changes.empty()) check_changes(before.document.scene, scene.document.scene, checkpoint.state.time);
  const std::string resolved = resolved_text(session.simulation_->scene, scene.case_name);
  if (checkpoint.scene != resolved && differs_in_end(checkpoint.scene, resolved)) checkpoint.scene = resolved;
  if (checkpoint.scene == resolved)
    check_resumed_state(session.first_state(), most_steps(*session.simulation_), checkpoint_file.string(),
                        checkpoint.state);
  session.record_->resume(checkpoint);
  if (!changes.empty()) files::write_file(scene_file, resolved);
  session.state_ = std::move(checkpoint.state);
  session.resumed_ = true;
  return session;
}

dynamics::Snapshot Session::snapshot() const {
  return {simulation_->system, *simulation_->integrator, simulation_->step, state_};
}

Outcome Session::run(const std::function<bool()>& stop, std::span<dynamics::Observer* const> watchers) {
  const scene::Scene& scene = simulation_->scene;
  CheckpointWriter checkpoints(*record_, scene.output.checkpoint_every);
  Publisher publisher(*record_);
  std::vector<dynamics::Observer*> observers{record_.get(), &publisher};
  if (scene.output.checkpoint_every > 0) observers.push_back(&checkpoints);
  observers.insert(observers.end(), watchers.begin(), watchers.end());
  base::IntervalTimer wall_time(scene.limits.wall_time.value_or(0));
  bool out_of_time = false;
  const auto stop_now = [&] {
    if (stop()) return true;
    return out_of_time = scene.limits.wall_time && wall_time.due();
  };
  try {
    const dynamics::RunEnd end = dynamics::run_steps(simulation_->system, *simulation_->integrator, simulation_->step,
                                                     simulation_->steps, state_, observers, stop_now);
    Outcome outcome = finish(end == dynamics::RunEnd::completed ? RunStatus::completed : RunStatus::interrupted);
    outcome.out_of_time = out_of_time;
    return outcome;
  } catch (const base::NumericalFailure&) {
    finish(RunStatus::failed);
    throw;
  }
}

Outcome Session::finish(RunStatus status) {
  Outcome outcome{status, false, record_->finish(snapshot(), status), {}, {}};
  if (status == RunStatus::completed) {
    outcome.expectations = scene::check_expectations(simulation_->scene.expect, outcome.summary);
    auto& expect = outcome.summary["expect"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < outcome.expectations.size(); ++i) {
      const scene::ExpectationResult& result = outcome.expectations[i];
      expect.push_back({{"path", result.path},
                        {"condition", condition_json(simulation_->scene.expect[i].condition)},
                        {"value", value_at(outcome.summary, result.path)},
                        {"met", result.met},
                        {"line", result.line}});
    }
    const std::vector<scene::PublishedSpec>& numbers = simulation_->scene.published;
    outcome.published = check_published(numbers, outcome.summary, folder_);
    if (!numbers.empty()) outcome.summary["published"] = to_json(numbers, outcome.published);
    files::write_file(folder_ / files::result_files::summary, outcome.summary.dump(2) + "\n");
  }
  if (simulation_->scene.output.report) write_report(folder_);
  return outcome;
}

void write_report(const fs::path& folder, const std::vector<double>& snapshots) {
  files::write_file(folder / files::result_files::report, report::report_page(folder, snapshots));
}

}  // namespace ictus::run
