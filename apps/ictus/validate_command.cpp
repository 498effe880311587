#include <fmt/format.h>

#include <algorithm>
#include <ictus/study/validate/validate_files.hpp>
#include <ictus/study/validate/validate_page.hpp>
#include <memory>
#include <thread>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "json_output.hpp"
#include "text.hpp"

namespace ictus::program {

namespace fs = std::filesystem;
using study::Benchmark;
using study::ComparedStatus;
using study::ValidationRun;

namespace {

struct ValidateArguments {
  explicit ValidateArguments(CLI::App& command) {
    command
        .add_option("NAMES", names, "Cases under validation/, or scene files with published numbers [all the cases]")
        ->type_name("");
    command.add_option("--out", out, "Folder for the results [runs/validation]")->type_name("DIR");
    command.add_option("--jobs", jobs, "Runs at a time; they do not change the results [cores of the machine]")
        ->type_name("N")
        ->check(whole_number(1, 1024));
    add_quiet(command, quiet);
    add_json(command, json);
  }

  std::vector<std::string> names;
  std::string out = "runs/validation";
  int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  bool quiet = false;
  bool json = false;
};

void print_benchmark_ended(const Benchmark& benchmark, const ValidationRun& run, const study::StudyProgress& progress) {
  const std::string what = run.label.empty() ? benchmark.name : fmt::format("{} {}", benchmark.name, run.label);
  fmt::print(stderr, "{:<44} {}, {}   {} of {}", what, study::to_string(run.status), duration(run.wall_seconds),
             progress.ended, progress.runs);
  if (progress.ended < progress.runs) fmt::print(stderr, ", {} left", rough_duration(progress.seconds_left));
  fmt::print(stderr, "\n");
}

/// A row for each number, without units: validation.html and validation.md say more.
void print_validation(const study::Validation& validation, const fs::path& folder) {
  study::FigureTable table{{"benchmark", "what", "published", "here", "error", ""}, {}};
  for (const Benchmark& benchmark : validation.benchmarks) {
    for (std::size_t k = 0; k < benchmark.published.size(); ++k) {
      const scene::PublishedSpec& spec = benchmark.published[k];
      table.rows.push_back({benchmark.name, spec.what, study::number_with_unit(spec.value, spec.unit),
                            study::own_in_words(spec, benchmark.own(), k),
                            study::error_in_words(spec, benchmark.own(), k), study::verdict(benchmark.own(), k)});
    }
  }
  fmt::print("{}", study::to_text(table));
  for (const study::NotYet& row : validation.not_yet) fmt::print("not yet   {}: {}\n", row.title, row.missing);
  for (const Benchmark& benchmark : validation.benchmarks) {
    for (const ValidationRun& run : benchmark.runs) {
      if (!run.reason.empty()) fmt::print("{}: {}\n", benchmark.name, study::why_early(run));
    }
  }
  fmt::print("results   {}\n", folder.string());
  fmt::print("report    {}\n", fs::absolute(folder / study::validation_files::page).string());
}

bool any_run(const study::Validation& validation, ComparedStatus status) {
  return std::ranges::any_of(validation.benchmarks, [&](const Benchmark& benchmark) {
    return std::ranges::any_of(benchmark.runs, [&](const ValidationRun& run) { return run.status == status; });
  });
}

/// Without those whose scene says why.
bool any_missed(const study::Validation& validation) {
  return std::ranges::any_of(validation.benchmarks, [](const Benchmark& benchmark) {
    return std::ranges::any_of(benchmark.own().numbers,
                               [](const run::PublishedResult& number) { return !number.met && !number.explained; });
  });
}

base::ExitCode validate(const ValidateArguments& arguments) {
  const Interrupt interrupt;
  const auto stop = [&] { return interrupt.requested().load(std::memory_order_relaxed); };
  const study::Validation validation =
      study::validate({arguments.names, arguments.out, arguments.jobs}, stop,
                      arguments.quiet ? [](const Benchmark&, const ValidationRun&, const study::StudyProgress&) {}
                                      : print_benchmark_ended);
  if (any_run(validation, ComparedStatus::interrupted)) {
    fmt::print(stderr, "The validation was interrupted; {} holds the runs that had ended.\n", arguments.out);
    return interrupted;
  }
  study::write_validation(validation, arguments.out);
  if (arguments.json)
    print_json(study::to_json(validation));
  else if (!arguments.quiet)
    print_validation(validation, arguments.out);
  if (any_run(validation, ComparedStatus::refused)) return base::ExitCode::input_error;
  if (any_run(validation, ComparedStatus::failed)) return base::ExitCode::numerical_failure;
  return any_missed(validation) ? base::ExitCode::expectation_missed : base::ExitCode::success;
}

}  // namespace

void add_validate(CLI::App& app, base::ExitCode& exit) {
  CLI::App* command =
      app.add_subcommand("validate", "Run benchmarks that others published and put their numbers beside our own");
  const auto arguments = std::make_shared<ValidateArguments>(*command);
  command->footer(
      "Examples:  ictus validate\n"
      "           ictus validate vm265 hertz-aluminium --jobs 2\n"
      "           ictus validate my.yaml --out mine        a scene with numbers under published\n"
      "Each benchmark runs on its own mesh and on those of its refinements. validation.html, .md, .csv and .json tell\n"
      "them together. Results that the folder holds of them are replaced. A benchmark that fails has a row that says\n"
      "so, and ends the program with code 3 (2 where it cannot be built); a number that misses its tolerance, and of\n"
      "which the scene does not say why, with code 4.");
  command->callback([arguments, &exit] { exit = validate(*arguments); });
}

}  // namespace ictus::program
