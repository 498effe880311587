#include <ictus/study/validate/validate.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <ictus/base/embedded.hpp>
#include <ictus/base/nearest.hpp>
#include <ictus/build/build.hpp>
#include <ictus/exec/jobs.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/run/session.hpp>
#include <ictus/study/validate/validate_files.hpp>
#include <mutex>
#include <numeric>

namespace ictus::study {

/// cases/validation/not-yet.json, compiled in.
std::span<const base::EmbeddedFile> embedded_not_yet();

namespace fs = std::filesystem;

namespace {

constexpr std::string_view family = "validation/";

/// A run to be made: which it is, and its scene.
struct PlannedRun {
  std::size_t benchmark, run;  ///< indices
  run::LoadedScene scene;
  double work;  ///< steps times unknowns
};

/// The file or case that a person named: within the family its last word is enough.
std::string full_name(const std::string& name) {
  const std::vector<std::string> known = benchmark_names();
  const std::string in_family = std::string(family) + name;
  return std::find(known.begin(), known.end(), in_family) != known.end() ? in_family : name;
}

/// A name as that of a folder.
std::string folder_of(const std::string& name) {
  const fs::path path = name;
  return path.has_extension() ? path.stem().string() : path.filename().string();
}

Benchmark make_benchmark(const std::string& name) {
  const run::LoadedScene loaded = run::load(name, {});
  const scene::Scene& scene = loaded.document.scene;
  if (scene.published.empty())
    throw base::InputError(loaded.document.mistake("published", "is missing: there is no number to compare with"));
  Benchmark benchmark{name, scene.title, scene.source, scene.about, scene.published, {}};
  for (const std::vector<std::string>& changes : scene.refinements) {
    ValidationRun& run = benchmark.runs.emplace_back();
    run.label = fmt::format("{}", fmt::join(changes, ", "));
    run.folder = fmt::format("{}/{}", folder_of(name), benchmark.runs.size());
  }
  benchmark.runs.emplace_back().folder = folder_of(name);
  return benchmark;
}

std::vector<scene::Override> changes_of(const std::string& name, std::size_t run) {
  std::vector<scene::Override> changes;
  const scene::Scene scene = run::load(name, {}).document.scene;
  if (run == scene.refinements.size()) return changes;
  for (const std::string& change : scene.refinements[run]) changes.push_back(scene::parse_override(change));
  return changes;
}

/// Does it, and lets a run that cannot be made or goes wrong say why: the others and the page do not depend on it.
void or_say_why(ValidationRun& run, const std::function<void()>& work) {
  try {
    work();
  } catch (const base::InputError& refusal) {
    run.status = ComparedStatus::refused;
    run.reason = refusal.what();
  } catch (const std::exception& failure) {
    run.status = ComparedStatus::failed;
    run.reason = failure.what();
  }
}

/// Builds each run once, to know what it takes and which cannot be made.
void plan(Benchmark& benchmark, std::size_t index, std::size_t run, std::vector<PlannedRun>& plans) {
  PlannedRun planned{index, run, run::load(benchmark.name, changes_of(benchmark.name, run)), 0};
  ValidationRun& told = benchmark.runs[run];
  or_say_why(told, [&] {
    const build::Simulation simulation = build::build(planned.scene.document, 1);
    told.integrator = simulation.integrator->name();
    told.dofs = simulation.system.dofs();
    told.step = simulation.step;
    planned.work = static_cast<double>(simulation.steps) * static_cast<double>(told.dofs);
    plans.push_back(std::move(planned));
  });
}

void run_one(const PlannedRun& planned, const fs::path& folder, const std::function<bool()>& stop, ValidationRun& run) {
  const auto started = std::chrono::steady_clock::now();
  or_say_why(run, [&] {
    const run::Outcome outcome = run::Session::begin(planned.scene, folder, 1, true).run(stop, {});
    run.status = outcome.status == observe::RunStatus::completed ? ComparedStatus::completed
                 : outcome.out_of_time                           ? ComparedStatus::failed
                                                                 : ComparedStatus::interrupted;
    if (outcome.out_of_time) run.reason = "limits.wall_time passed before the end";
    run.numbers = outcome.published;
  });
  run.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

Validation gather(const ValidateOptions& options, std::vector<PlannedRun>& plans) {
  Validation validation;
  if (options.names.empty()) validation.not_yet = benchmarks_not_yet();
  std::vector<base::Mistake> mistakes;
  for (const std::string& name : options.names.empty() ? benchmark_names() : options.names) {
    try {
      Benchmark benchmark = make_benchmark(full_name(name));
      for (std::size_t run = 0; run < benchmark.runs.size(); ++run)
        plan(benchmark, validation.benchmarks.size(), run, plans);
      validation.benchmarks.push_back(std::move(benchmark));
    } catch (const base::InputError& error) {
      mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
    }
  }
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
  return validation;
}

}  // namespace

std::vector<std::string> benchmark_names() {
  std::vector<std::string> names;
  for (const run::Case& one : run::cases()) {
    if (!run::load(one.name, {}).document.scene.published.empty()) names.push_back(one.name);
  }
  return names;
}

std::vector<NotYet> benchmarks_not_yet() {
  std::vector<NotYet> rows;
  for (const nlohmann::json& row : nlohmann::json::parse(embedded_not_yet().front().content)) {
    NotYet& one = rows.emplace_back(NotYet{row.at("name"), row.at("title"), row.at("source"), row.at("missing"), {}});
    for (const nlohmann::json& number : row.at("published")) {
      scene::PublishedSpec& spec = one.published.emplace_back();
      spec.what = number.at("what");
      spec.value = number.at("value");
      spec.unit = number.at("unit");
      spec.by = number.at("by");
    }
  }
  return rows;
}

Validation validate(const ValidateOptions& options, const std::function<bool()>& stop,
                    const std::function<void(const Benchmark&, const ValidationRun&, const StudyProgress&)>& progress) {
  std::vector<PlannedRun> plans;
  Validation validation = gather(options, plans);
  files::make_folder(options.folder);
  files::remove_files(options.folder, validation_files::all);
  std::vector<std::size_t> order(plans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return plans[a].work > plans[b].work; });
  const double all_work = std::accumulate(plans.begin(), plans.end(), 0.0,
                                          [](double sum, const PlannedRun& one) { return sum + one.work; });
  double done_work = 0;
  std::mutex telling;
  StudyProgress so_far{0, plans.size(), 0};
  const auto started = std::chrono::steady_clock::now();
  exec::run_jobs(order, options.jobs, [&](std::size_t i) {
    Benchmark& benchmark = validation.benchmarks[plans[i].benchmark];
    ValidationRun& run = benchmark.runs[plans[i].run];
    if (stop())
      run.status = ComparedStatus::interrupted;
    else
      run_one(plans[i], options.folder / run.folder, stop, run);
    const std::lock_guard lock(telling);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    ++so_far.ended;
    done_work += plans[i].work;
    so_far.seconds_left = spent.count() * (all_work - done_work) / done_work;
    progress(benchmark, run, so_far);
  });
  return validation;
}

}  // namespace ictus::study
