#include <ictus/study/compare/compare.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <ictus/build/build.hpp>
#include <ictus/exec/jobs.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/run/session.hpp>
#include <ictus/study/compare/compare_files.hpp>
#include <mutex>
#include <set>

namespace ictus::study {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

template <class T = double>
std::optional<T> number(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

std::vector<RunFigures::Error> errors_of(const Json& extra) {
  std::vector<RunFigures::Error> errors;
  if (extra.contains("error")) {
    for (const auto& [probe, quantities] : extra["error"].items()) {
      for (const auto& [quantity, value] : quantities.items())
        errors.push_back({fmt::format("probe.{}.{}", probe, quantity), quantity, number(value)});
    }
  }
  if (extra.contains("contact_force_error")) {
    const Json& forces = extra["contact_force_error"];
    for (std::size_t k = 0; k < forces.size(); ++k)
      errors.push_back({fmt::format("contact.{}.force", k), "contact_force", number(forces[k])});
  }
  return errors;
}

/// A label as the name of a folder that every system takes.
std::string folder_name(std::string label) {
  for (char& c : label) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       std::string_view("+-_=.").find(c) != std::string_view::npos;
    if (!plain) c = '-';
  }
  return label;
}

/// A run that can be begun.
struct Plan {
  std::size_t run;  ///< index into Comparison::runs
  run::LoadedScene scene;
};

/// The scene of one run, as it is named and found.
struct Candidate {
  std::string name;
  SceneSource source;
  const IntegratorChoice* integrator;  ///< null: that of the scene
  std::vector<std::string> values;
};

/// Every value of every key that varies, the last key's soonest: a grid.
std::vector<std::vector<std::string>> grid(const std::vector<KeyVariation>& variations) {
  std::vector<std::vector<std::string>> points{{}};
  for (const KeyVariation& variation : variations) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& point : points) {
      for (const std::string& value : variation.values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

/// The last word of each key, or the whole keys where these are not enough to tell them apart.
std::vector<std::string> short_names(const std::vector<KeyVariation>& variations) {
  std::vector<std::string> names;
  std::set<std::string> different;
  for (const KeyVariation& variation : variations) {
    const std::size_t dot = variation.key.rfind('.');
    names.push_back(variation.key.substr(dot == std::string::npos ? 0 : dot + 1));
    different.insert(names.back());
  }
  if (different.size() == names.size()) return names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = variations[i].key;
  return names;
}

/// Every integrator with every point of the grid.
std::vector<Candidate> candidates(const CompareOptions& options) {
  std::vector<const IntegratorChoice*> choices;
  for (const IntegratorChoice& choice : options.integrators) choices.push_back(&choice);
  if (choices.empty()) choices.push_back(nullptr);
  const std::vector<std::string> names = short_names(options.variations);
  std::vector<Candidate> all;
  for (const IntegratorChoice* choice : choices) {
    const std::string label = choice != nullptr ? choice->label : "";
    for (const std::vector<std::string>& values : grid(options.variations)) {
      SceneSource source = options.scene;
      std::vector<std::string> words;
      if (!label.empty()) words.push_back(label);
      for (std::size_t i = 0; i < values.size(); ++i) {
        source.overrides.push_back({options.variations[i].key, values[i]});
        words.push_back(fmt::format("{}={}", names[i], values[i]));
      }
      const std::string name = words.empty() ? "scene" : fmt::format("{}", fmt::join(words, " "));
      all.push_back({name, std::move(source), choice, values});
    }
  }
  return all;
}

/// What can run, after each refusal is noted.
std::vector<Plan> make_plans(const CompareOptions& options, Comparison& comparison) {
  std::vector<Plan> plans;
  for (const Candidate& candidate : candidates(options)) {
    SceneVariant variant;
    if (candidate.integrator != nullptr) variant = with_integrator(candidate.source, *candidate.integrator);
    run::LoadedScene scene = candidate.source.load(variant.changes);
    ComparedRun& run = comparison.runs.emplace_back();
    run.name = candidate.name;
    run.values = candidate.values;
    run.notes = variant.notes;
    try {
      build::build(scene.document, 1);
      plans.push_back({comparison.runs.size() - 1, std::move(scene)});
      run.folder = folder_name(candidate.name);
    } catch (const base::InputError& error) {
      run.reason = in_a_line(error);
    }
  }
  return plans;
}

void refuse_if_nothing_runs(const Comparison& comparison, const std::vector<Plan>& plans) {
  if (!plans.empty()) return;
  std::vector<base::Mistake> mistakes;
  for (const ComparedRun& run : comparison.runs) mistakes.push_back({"", 0, run.name, run.reason});
  throw base::InputError(std::move(mistakes));
}

void refuse_existing_results(const CompareOptions& options, const Comparison& comparison) {
  std::vector<std::string> existing = files::existing_files(options.folder, comparison_files::all);
  for (const ComparedRun& run : comparison.runs) {
    if (!run.folder.empty() && !files::existing_results(options.folder / run.folder).empty())
      existing.push_back(run.folder);
  }
  if (existing.empty()) return;
  throw base::InputError({options.folder.string(), 0, "",
                          fmt::format("holds results already ({}); choose another folder with --out, or replace them "
                                      "with --force",
                                      fmt::join(existing, ", "))});
}

/// The summary that a failed run left behind; null if it did not get that far.
Json summary_in(const fs::path& folder) {
  const fs::path file = folder / files::result_files::summary;
  std::error_code no_status;
  return fs::exists(file, no_status) ? Json(files::read_summary(file)) : Json();
}

ComparedStatus compared(observe::RunStatus status) {
  return status == observe::RunStatus::completed ? ComparedStatus::completed : ComparedStatus::interrupted;
}

void run_one(const run::LoadedScene& scene, const fs::path& folder, int threads, const std::function<bool()>& stop,
             ComparedRun& run) {
  Json summary;
  try {
    const run::Outcome outcome = run::Session::begin(scene, folder, threads, true).run(stop, {});
    run.status = outcome.out_of_time ? ComparedStatus::failed : compared(outcome.status);
    if (outcome.out_of_time) run.reason = "limits.wall_time passed before the end";
    summary = outcome.summary;
  } catch (const base::NumericalFailure& failure) {
    run.status = ComparedStatus::failed;
    run.reason = failure.what();
    summary = summary_in(folder);
  }
  if (!summary.is_null()) run.figures = figures_of(summary);
}

}  // namespace

std::optional<double> RunFigures::largest_error(std::string_view quantity) const {
  std::optional<double> largest;
  for (const Error& error : errors) {
    if (error.quantity == quantity && error.value) largest = std::max(largest.value_or(0), *error.value);
  }
  return largest;
}

RunFigures figures_of(const Json& summary) {
  const Json &energy = summary["energy"], &contact = summary["contact"], &time = summary["time"];
  RunFigures figures;
  figures.step = time["step"].get<double>();
  figures.steps = time["steps"].get<std::int64_t>();
  figures.wall_seconds = time["wall_seconds"].get<double>();
  figures.errors = errors_of(summary["extra"]);
  figures.energy_initial = number(energy["initial"]);
  figures.energy_error = number(energy["error"]);
  figures.energy_change_max = number(energy["change_max"]);
  figures.energy_residual_max = number(energy["residual_max"]);
  for (const auto& [name, joules] : energy["losses"].items()) figures.losses.emplace_back(name, joules.get<double>());
  figures.linear_drift = number(summary["momentum"]["linear_drift"]);
  figures.angular_drift = number(summary["momentum"]["angular_drift"]);
  if (!contact["first_time"].is_null())
    figures.contact_duration = contact["last_time"].get<double>() - contact["first_time"].get<double>();
  figures.events = number<std::int64_t>(contact["events"]);
  figures.fallbacks = contact["fallbacks"].get<std::int64_t>();
  return figures;
}

std::string_view to_string(ComparedStatus status) {
  switch (status) {
    case ComparedStatus::completed:
      return "completed";
    case ComparedStatus::failed:
      return "failed";
    case ComparedStatus::interrupted:
      return "interrupted";
    case ComparedStatus::refused:
      return "refused";
  }
  throw std::logic_error("unknown status");
}

Comparison compare(const CompareOptions& options, const std::function<bool()>& stop,
                   const std::function<void(const ComparedRun&, const StudyProgress&)>& progress) {
  const run::LoadedScene own = options.scene.load();
  Comparison comparison{
      own.document.scene.title, own.case_name, {}, {}, options.variations.empty() ? "integrator" : "run"};
  for (const KeyVariation& variation : options.variations) comparison.keys.push_back(variation.key);
  const std::vector<Plan> plans = make_plans(options, comparison);
  refuse_if_nothing_runs(comparison, plans);
  if (!options.force) refuse_existing_results(options, comparison);
  files::make_folder(options.folder);
  files::remove_files(options.folder, comparison_files::all);

  const int at_a_time = std::clamp(options.threads, 1, static_cast<int>(plans.size()));
  const int threads_of_each = std::max(options.threads / at_a_time, 1);
  std::vector<std::size_t> order(plans.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mutex telling;
  StudyProgress so_far{0, plans.size(), 0};
  const auto started = std::chrono::steady_clock::now();
  exec::run_jobs(order, at_a_time, [&](std::size_t i) {
    ComparedRun& run = comparison.runs[plans[i].run];
    run_one(plans[i].scene, options.folder / run.folder, threads_of_each, stop, run);
    const std::lock_guard lock(telling);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    ++so_far.ended;
    so_far.seconds_left =
        spent.count() * static_cast<double>(so_far.runs - so_far.ended) / static_cast<double>(so_far.ended);
    progress(run, so_far);
  });
  return comparison;
}

}  // namespace ictus::study
