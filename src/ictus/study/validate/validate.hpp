#pragma once

#include <filesystem>
#include <functional>
#include <ictus/run/published.hpp>
#include <ictus/study/compare/compare.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ictus::study {

/// One run of a benchmark: on its own mesh or one of its refinements.
struct ValidationRun {
  std::string label;   ///< the changes, "bodies.rod.cells=25"; empty: the scene as it is
  std::string folder;  ///< of its results, below that of the study
  ComparedStatus status = ComparedStatus::refused;
  std::string reason;      ///< why it was refused, or where it failed
  std::string integrator;  ///< this and the next two: nothing where the scene cannot be built
  std::size_t dofs = 0;
  double step = 0;  ///< s
  double wall_seconds = 0;
  std::vector<run::PublishedResult> numbers;  ///< as the scene lists them; empty unless completed
};

/// A scene with numbers that others published, and what came of it.
struct Benchmark {
  std::string name;  ///< of the case, or the file
  std::string title, source, about;
  std::vector<scene::PublishedSpec> published;
  std::vector<ValidationRun> runs;  ///< the refinements in their order, then the scene as it is

  const ValidationRun& own() const { return runs.back(); }
};

/// A published benchmark that the program cannot run yet.
struct NotYet {
  std::string name, title, source, missing;
  std::vector<scene::PublishedSpec> published;  ///< with what, value, unit and by
};

struct Validation {
  std::vector<Benchmark> benchmarks;
  std::vector<NotYet> not_yet;
};

struct ValidateOptions {
  std::vector<std::string> names;  ///< scene files and cases, with or without "validation/"; none: all that there are
  std::filesystem::path folder;
  int jobs = 1;  ///< runs at a time
};

/// Names of the cases that compare themselves with published numbers; those of the family "validation" do.
std::vector<std::string> benchmark_names();
/// The rows of cases/validation/not-yet.json.
std::vector<NotYet> benchmarks_not_yet();

/// Runs every benchmark with its refinements, those that take longest first as far as that can be told, and replaces
/// what the folder holds of them. `progress` hears of each run that has ended, one at a time. Throws base::InputError
/// for a file that is no scene or has no published numbers, with all mistakes of all scenes; a run that is refused or
/// fails says so itself, and the others go on.
Validation validate(const ValidateOptions& options, const std::function<bool()>& stop,
                    const std::function<void(const Benchmark&, const ValidationRun&, const StudyProgress&)>& progress);

}  // namespace ictus::study
