#include <fmt/format.h>

#include <ictus/study/compare/compare_files.hpp>
#include <memory>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "json_output.hpp"
#include "study_arguments.hpp"
#include "text.hpp"

namespace ictus::program {

namespace fs = std::filesystem;
using study::ComparedRun;
using study::ComparedStatus;

namespace {

void print_ended(const ComparedRun& run, const study::StudyProgress& progress) {
  const double seconds = run.figures ? run.figures->wall_seconds : 0;
  fmt::print(stderr, "{:<28} {}, {}", run.name, study::to_string(run.status), duration(seconds));
  fmt::print(stderr, "   {} of {}", progress.ended, progress.runs);
  if (progress.ended < progress.runs) fmt::print(stderr, ", {} left", rough_duration(progress.seconds_left));
  fmt::print(stderr, "\n");
}

void print_comparison(const study::Comparison& comparison, const fs::path& folder) {
  fmt::print("{}\n{}", comparison.title, study::to_text(study::short_table(comparison)));
  for (const ComparedRun& run : comparison.runs) {
    for (const std::string& note : run.notes) fmt::print("{}: {}\n", run.name, note);
    if (!run.reason.empty()) fmt::print("{} {}: {}\n", run.name, study::to_string(run.status), run.reason);
  }
  fmt::print(
      "u, v, F   largest relative error of displacement, velocity and contact force against the exact solution\n");
  fmt::print("results   {}\n", folder.string());
  fmt::print("report    {}\n", fs::absolute(folder / study::comparison_files::page).string());
}

bool any(const study::Comparison& comparison, ComparedStatus status) {
  return std::any_of(comparison.runs.begin(), comparison.runs.end(),
                     [&](const ComparedRun& run) { return run.status == status; });
}

struct CompareArguments {
  explicit CompareArguments(CLI::App& command) : study(command, "-compare") {
    command
        .add_option("--vary", vary,
                    "Values of a key to compare, e.g. --vary contacts.0.friction=0,0.25,0.5; given again, every value "
                    "of one with every value of the other")
        ->type_name("KEY=A,B,...")
        ->allow_extra_args(false);
  }

  StudyArguments study;
  std::vector<std::string> vary;
};

base::ExitCode compare(const CompareArguments& arguments) {
  const StudyArguments& study = arguments.study;
  study::CompareOptions options{study.scene.source(), {}, study.folder(), study.threads, study.force, {}};
  if (!study.integrators.empty()) options.integrators = study::parse_integrators(study.integrators);
  options.variations = study::parse_variations(arguments.vary);
  if (options.integrators.empty() && options.variations.empty()) {
    throw base::InputError({"", 0, "", "say what to compare: --integrators A,B,..., --vary KEY=A,B,..., or both"});
  }
  const Interrupt interrupt;
  const auto stop = [&] { return interrupt.requested().load(std::memory_order_relaxed); };
  const study::Comparison comparison =
      study::compare(options, stop, study.quiet ? [](const ComparedRun&, const study::StudyProgress&) {} : print_ended);
  if (any(comparison, ComparedStatus::interrupted)) {
    fmt::print("The comparison was interrupted; {} holds the runs as far as they got.\n", options.folder.string());
    return interrupted;
  }
  study::write_comparison(comparison, options.folder);
  if (study.json)
    print_json(study::to_json(comparison));
  else if (!study.quiet)
    print_comparison(comparison, options.folder);
  return any(comparison, ComparedStatus::failed) ? base::ExitCode::numerical_failure : base::ExitCode::success;
}

}  // namespace

void add_compare(CLI::App& app, base::ExitCode& exit) {
  CLI::App* command =
      app.add_subcommand("compare", "Run a scene with several integrators, or values of a key, laid over each other");
  const auto arguments = std::make_shared<CompareArguments>(*command);
  command->footer(
      "Examples:  ictus compare two-bars/steel --integrators all\n"
      "           ictus compare two-bars/identical --integrators cd-lagrange,capture-return --set time.step=0.05\n"
      "           ictus compare my.yaml --integrators moreau-jean:theta=0.5,moreau-jean:theta=1 --out theta\n"
      "           ictus compare shells/two-spheres --vary contacts.0.friction=0,0.25,0.5\n"
      "Each run writes its own folder below DIR; compare.html, compare.csv and compare.json tell them together. An\n"
      "integrator that the scene names itself keeps its options, others have their defaults. One that cannot run the\n"
      "scene is listed with the reason. Runs that share the cores take longer: --threads 1 for clean wall times.");
  command->callback([arguments, &exit] { exit = compare(*arguments); });
}

}  // namespace ictus::program
