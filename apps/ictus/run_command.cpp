#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ictus/files/result_files.hpp>
#include <ictus/run/session.hpp>
#include <memory>
#include <optional>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "json_output.hpp"
#include "live_line.hpp"
#include "scene_arguments.hpp"
#include "text.hpp"

namespace ictus::program {

namespace fs = std::filesystem;
using observe::RunStatus;
using run::Outcome;
using run::Session;

namespace {

struct RunArguments {
  explicit RunArguments(CLI::App& command) : scene(command, false) {
    command.add_option("--out", out, "Folder for the results [runs/<name>]")->type_name("DIR");
    command.add_option("--resume", resume, "Go on with the run in this folder (or in --out)")
        ->type_name("DIR")
        ->expected(0, 1);
    add_threads(command, threads, "Threads; results have the same bits on any number of them [1]");
    add_device(command, device);
    CLI::Option* replace = command.add_flag("--force", force, "Replace results that the folder holds already");
    command.add_flag(
        "--expect", expect,
        "Exit with code 4 if an expectation of the scene, or a number that it says was published, is missed");
    add_quiet(command, quiet);
    add_json(command, json);
    resume_option = command.get_option("--resume")->excludes(replace);
  }

  bool resuming() const { return resume_option->count() > 0; }

  fs::path folder() const {
    if (resuming() && !resume.empty()) return resume;
    if (!out.empty()) return out;
    return scene.default_folder();
  }

  SceneArguments scene;
  std::string out;
  std::string resume;
  int threads = 1;
  exec::DeviceChoice device = exec::DeviceChoice::host;
  bool force = false;
  bool expect = false;
  bool quiet = false;
  bool json = false;
  CLI::Option* resume_option;
};

Session open_session(const RunArguments& arguments) {
  std::optional<run::LoadedScene> scene;
  if (!arguments.scene.scene().empty()) scene = arguments.scene.load();
  if (arguments.resuming()) {
    if (!arguments.resume.empty() && !arguments.out.empty()) {
      throw base::InputError({"", 0, "--out", "a resumed run goes on in its own folder; leave --out out"});
    }
    const std::vector<scene::Override> changes =
        scene ? std::vector<scene::Override>{} : arguments.scene.source().overrides;
    return Session::resume(arguments.folder(), scene ? &*scene : nullptr, {arguments.threads, arguments.device},
                           changes);
  }
  if (!scene) throw base::InputError({"", 0, "SCENE", "is missing: name a scene file or a case (see `ictus cases`)"});
  return Session::begin(*scene, arguments.folder(), {arguments.threads, arguments.device}, arguments.force);
}

void print_heading(const Session& session) {
  const build::Simulation& simulation = session.simulation();
  fmt::print("{}\n{}, {} unknowns, {} steps of {:g} {} ({}){}\n", simulation.scene.title, simulation.integrator->name(),
             simulation.system.dofs(), simulation.steps, simulation.step, simulation.unit(), describe_limit(simulation),
             session.resumed() ? ", resumed" : "");
  if (simulation.limit.advised > 0 && simulation.step > simulation.limit.advised * (1 + 1e-12)) {
    fmt::print("Note: {} does best with steps of at most {:g} s: {}\n", simulation.integrator->name(),
               simulation.limit.advised, simulation.limit.advice);
  }
  for (const std::string& note : simulation.notes) fmt::print("Note: {}\n", note);
}

std::string figure(const nlohmann::ordered_json& value) {
  return value.is_null() ? "-" : fmt::format("{:.3g}", value.get<double>());
}

/// Of a run in which something was not solved as it should be: that comes first.
void print_fallbacks(const nlohmann::ordered_json& contact) {
  if (contact["fallbacks"] == 0) return;
  fmt::print(
      "NOTE      {} fallbacks: solutions accepted unconverged, with errors up to {}, or replaced by simpler ones\n",
      contact["fallbacks"].dump(), figure(contact["fallback_error"]));
}

void print_outcome(const Outcome& outcome, const fs::path& folder, bool with_expectations) {
  const nlohmann::ordered_json& energy = outcome.summary["energy"];
  const nlohmann::ordered_json& contact = outcome.summary["contact"];
  print_fallbacks(contact);
  fmt::print("energy    error {} of {} J: what the scheme made or lost of itself\n", figure(energy["error"]),
             figure(energy["scale"]));
  for (const auto& [name, joules] : energy["losses"].items())
    fmt::print("  lost by {:<12} {} J\n", name, figure(joules));
  fmt::print("  initial {} J, final {} J, from outside {} J, unexplained {}\n", figure(energy["initial"]),
             figure(energy["final"]), figure(energy["external_work"]), figure(energy["residual_max"]));
  fmt::print("momentum  drift {} linear, {} angular\n", figure(outcome.summary["momentum"]["linear_drift"]),
             figure(outcome.summary["momentum"]["angular_drift"]));
  if (!contact["events"].is_null()) {
    fmt::print("contact   {} events, first {} s, last {} s, impulse {} N s\n", contact["events"].dump(),
               figure(contact["first_time"]), figure(contact["last_time"]), figure(contact["total_impulse"]));
    if (contact["rows_merged_over"].get<double>() > 0)
      fmt::print("  {} impulses in {} rows of contacts.csv, those of one place merged over up to {} s\n",
                 contact["impulses"].dump(), contact["rows"].dump(), figure(contact["rows_merged_over"]));
    if (!contact["audited_states"].is_null())
      fmt::print("  triangles pass through each other in {} of {} audited states\n",
                 contact["intersecting_states"].dump(), contact["audited_states"].dump());
  }
  for (const scene::ExpectationResult& result : outcome.expectations) {
    if (with_expectations) fmt::print("expect    {}\n", result.line);
  }
  for (const run::PublishedResult& result : outcome.published) {
    if (with_expectations) fmt::print("published {}\n", result.line);
  }
  fmt::print("results   {}\n", folder.string());
  const fs::path report = folder / files::result_files::report;
  if (fs::exists(report)) fmt::print("report    {}\n", fs::absolute(report).string());
}

base::ExitCode exit_code(const Outcome& outcome, const RunArguments& arguments) {
  if (outcome.status == RunStatus::interrupted) return outcome.out_of_time ? out_of_time : interrupted;
  const bool any_missed =
      std::ranges::any_of(outcome.expectations, [](const scene::ExpectationResult& result) { return !result.met; }) ||
      std::ranges::any_of(outcome.published,
                          [](const run::PublishedResult& result) { return !result.met && !result.explained; });
  if (arguments.expect && any_missed) return base::ExitCode::expectation_missed;
  return base::ExitCode::success;
}

/// What --json prints: the summary, and where the rest is.
nlohmann::ordered_json result_of(const Outcome& outcome, const build::Simulation& simulation, const fs::path& folder,
                                 base::ExitCode code) {
  nlohmann::ordered_json result = outcome.summary;
  const fs::path report = folder / files::result_files::report;
  result["notes"] = simulation.notes;
  result["results"] = folder.string();
  result["report"] = fs::exists(report) ? nlohmann::ordered_json(report.string()) : nlohmann::ordered_json(nullptr);
  result["exit_code"] = static_cast<int>(code);
  return result;
}

/// Session::run; what ends it early also says what there is of the run.
Outcome run_to_the_end(Session& session, const std::function<bool()>& stop,
                       std::span<dynamics::Observer* const> watchers, const fs::path& folder, bool quiet) {
  try {
    return session.run(stop, watchers);
  } catch (const base::InputError& error) {
    if (!fs::exists(folder / files::result_files::checkpoint)) throw;
    std::vector<base::Mistake> mistakes = error.mistakes();
    mistakes.push_back({folder.string(), 0, "",
                        fmt::format("holds the run up to its last checkpoint; once that is put right, go on with:  "
                                    "ictus run --resume {}",
                                    folder.string())});
    throw base::InputError(std::move(mistakes));
  } catch (const base::NumericalFailure&) {
    if (!quiet) fmt::print("results   {}, up to the last good state\n", folder.string());
    throw;
  }
}

base::ExitCode run(const RunArguments& arguments) {
  Session session = open_session(arguments);
  const fs::path folder = arguments.folder();
  const Interrupt interrupt;
  const auto stop = [&] { return interrupt.requested().load(std::memory_order_relaxed); };
  if (arguments.json) {
    const Outcome outcome = run_to_the_end(session, stop, {}, folder, true);
    const base::ExitCode code = exit_code(outcome, arguments);
    print_json(result_of(outcome, session.simulation(), folder, code));
    return code;
  }
  if (arguments.quiet) return exit_code(run_to_the_end(session, stop, {}, folder, true), arguments);

  print_heading(session);
  LiveLine line(session.simulation().steps, session.simulation().limit, [&] { return session.live(); });
  dynamics::Observer* const watchers[] = {&line};
  const Outcome outcome = run_to_the_end(session, stop, watchers, folder, false);
  line.close();
  // What a case expects of itself says nothing of a scene that was changed.
  print_outcome(outcome, folder, arguments.expect || !arguments.scene.has_overrides());
  if (outcome.status == RunStatus::interrupted) {
    fmt::print("{}. Go on with:  ictus run --resume {}\n",
               outcome.out_of_time ? "The time that limits.wall_time gives has passed" : "The run was interrupted",
               folder.string());
  }
  return exit_code(outcome, arguments);
}

}  // namespace

void add_run(CLI::App& app, base::ExitCode& exit) {
  CLI::App* command = app.add_subcommand("run", "Run a scene or a case and write its results and report");
  const auto arguments = std::make_shared<RunArguments>(*command);
  command->footer(
      "Examples:  ictus run two-bars/steel\n"
      "           ictus run my.yaml --out results/fine --set bodies.left.cells=400 --set time.courant=0.5\n"
      "           ictus run --resume results/fine\n"
      "           ictus run --resume results/fine --set time.end=0.2    goes on to a later end\n"
      "           ictus run - --json < my.yaml > result.json\n"
      "Ctrl-C finishes the step, writes a checkpoint and says how to go on.");
  command->callback([arguments, &exit] { exit = run(*arguments); });
}

}  // namespace ictus::program
