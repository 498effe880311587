#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ictus/files/result_files.hpp>
#include <ictus/scene/schema/scalar_kinds.hpp>
#include <ictus/study/converge/converge_files.hpp>
#include <memory>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "json_output.hpp"
#include "study_arguments.hpp"
#include "text.hpp"

namespace ictus::program {

namespace fs = std::filesystem;
using study::ConvergeRun;
using study::ConvergeStatus;

namespace {

struct ConvergeArguments {
  explicit ConvergeArguments(CLI::App& command) : study(command, "-converge") {
    study.integrator_option->required();
    command.add_option("--steps", steps, "Steps separated by commas, with or without units: \"2 us, 1 us, 0.5 us\"")
        ->type_name("H1,H2,...")
        ->required();
    command.add_flag("--mesh-follows", mesh_follows,
                     "Refine the bars with the step: each keeps the Courant number that it has in the scene. A step at "
                     "which elements would not be whole gives way to the nearest one");
    CLI::Option* window = command.add_option("--from", from, "Measure errors from this time on [0]")->type_name("TIME");
    command
        .add_flag("--after-release", after_release,
                  "Measure errors from the end of the last contact of the exact solution on")
        ->excludes(window);
  }

  StudyArguments study;
  std::string steps;
  bool mesh_follows = false;
  std::string from = "0";
  bool after_release = false;
};

void print_ended_run(const ConvergeRun& run) {
  fmt::print(stderr, "{:<28} step {:<12.6g} {}, {}\n", run.integrator, run.step, study::to_string(run.status),
             duration(run.wall_seconds));
}

void print_study(const study::Convergence& study, const fs::path& folder) {
  fmt::print("{}\n{}", study.title, study::to_text(study::short_table(study)));
  for (const std::string& note : study.notes) fmt::print("{}\n", note);
  for (const ConvergeRun& run : study.runs) {
    if (!run.reason.empty())
      fmt::print("{} at {:g} s {}: {}\n", run.integrator, run.step, study::to_string(run.status), run.reason);
  }
  if (study.from > 0) fmt::print("errors    from {:g} s on\n", study.from);
  fmt::print("results   {}\n", folder.string());
  fmt::print("report    {}\n", fs::absolute(folder / study::convergence_files::page).string());
}

void refuse_existing_results(const fs::path& folder) {
  const std::vector<std::string> existing = files::existing_files(folder, study::convergence_files::all);
  if (existing.empty()) return;
  throw base::InputError({folder.string(), 0, "",
                          fmt::format("holds results already ({}); choose another folder with --out, or replace them "
                                      "with --force",
                                      fmt::join(existing, ", "))});
}

bool any(const study::Convergence& study, ConvergeStatus status) {
  return std::any_of(study.runs.begin(), study.runs.end(),
                     [&](const ConvergeRun& run) { return run.status == status; });
}

base::ExitCode converge(const ConvergeArguments& arguments) {
  const StudyArguments& common = arguments.study;
  study::ConvergeOptions options;
  options.scene = common.scene.source();
  options.integrators = study::parse_integrators(common.integrators);
  options.steps = study::parse_steps(arguments.steps);
  options.mesh_follows = arguments.mesh_follows;
  options.from = scene::parse_quantity(arguments.from, scene::quantity(scene::dimension::time).at_least(0), "--from");
  options.after_release = arguments.after_release;
  options.threads = common.threads;
  if (!common.force) refuse_existing_results(common.folder());

  const Interrupt interrupt;
  const auto stop = [&] { return interrupt.requested().load(std::memory_order_relaxed); };
  const study::Convergence study =
      study::converge(options, stop, common.quiet ? [](const ConvergeRun&) {} : print_ended_run);
  if (any(study, ConvergeStatus::interrupted)) {
    fmt::print("The study was interrupted; nothing was written.\n");
    return interrupted;
  }
  study::write_convergence(study, common.folder());
  if (common.json)
    print_json(study::to_json(study));
  else if (!common.quiet)
    print_study(study, common.folder());
  return any(study, ConvergeStatus::failed) ? base::ExitCode::numerical_failure : base::ExitCode::success;
}

}  // namespace

void add_converge(CLI::App& app, base::ExitCode& exit) {
  CLI::App* command =
      app.add_subcommand("converge", "Run a scene at several steps and fit the order at which errors fall");
  const auto arguments = std::make_shared<ConvergeArguments>(*command);
  command->footer(
      "Examples:  ictus converge two-bars/steel --integrators cd-lagrange --steps \"1 us, 0.5 us, 0.25 us\"\n"
      "           ictus converge two-bars/steel --integrators cd-lagrange,moreau-jean:theta=1 --set time.courant=1\n"
      "             --steps \"1 us, 0.5 us, 0.25 us\" --mesh-follows --after-release\n"
      "Errors are relative, in the l1 norm over every step, against the exact solution of the scene; they and the\n"
      "fitted orders are in converge.html, converge.csv and converge.json. Without --mesh-follows the mesh stays as "
      "it\n"
      "is in the scene, and so does its share of the error.");
  command->callback([arguments, &exit] { exit = converge(*arguments); });
}

}  // namespace ictus::program
