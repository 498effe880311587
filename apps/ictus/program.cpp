#include "program.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <ictus/base/version.hpp>
#include <new>
#include <string>
#include <system_error>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "json_output.hpp"

namespace ictus::program {

namespace {

using base::ExitCode;

constexpr const char* about =
    R"(Ictus simulates impacts of elastic and rigid bodies with integrators that keep the structure of
mechanics: momentum to round-off, energy accounted for to the last joule.

Start with:  ictus cases                    what comes with the program
             ictus run two-bars/steel       run one of them; its report is one page for a browser
             ictus show two-bars/steel > my.yaml && ictus run my.yaml)";

std::string exit_codes() {
  std::string text = "Exit codes:\n";
  for (const auto& [code, meaning] : exit_meanings)
    text += fmt::format("  {:>3}  {}\n", static_cast<int>(code), meaning);
  return text;
}

void add_commands(CLI::App& app, ExitCode& exit) {
  add_run(app, exit);
  add_compare(app, exit);
  add_converge(app, exit);
  add_validate(app, exit);
  add_modes(app);
  add_rest(app);
  add_cases(app);
  add_show(app);
  add_check(app);
  add_upgrade(app);
  add_schema(app);
  add_import(app);
  add_integrators(app);
  add_materials(app);
  add_report(app);
  add_export(app);
  add_view(app);
  add_render(app);
  add_completion(app);
  add_man(app);
  add_contact_problem(app);
  add_noether(app);
  add_reconstruct(app);
}

/// The code to leave with when the command line itself is wrong; --help and --version end here too.
ExitCode leave_with(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    app.exit(error);
    return ExitCode::success;
  }
  fmt::print(stderr, "{}", explain(app, error));
  return ExitCode::input_error;
}

/// What was printed must have arrived: a full disk behind `ictus show CASE > file` is a failure.
ExitCode flushed(ExitCode exit) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit;
  const std::string reason = errno == 0 ? "" : ": " + std::generic_category().message(errno);
  fmt::print(stderr, "standard output: cannot be written{}\n", reason);
  return ExitCode::input_error;
}

/// The system refused something that no one place answers for: a file, a thread, the terminal.
ExitCode refused(const std::system_error& error) {
  const bool of_output = std::ferror(stdout) != 0;
  fmt::print(stderr, "{}\n",
             of_output ? fmt::format("standard output: cannot be written: {}", error.code().message())
                       : std::string(error.what()));
  return ExitCode::input_error;
}

ExitCode out_of_memory() {
  fmt::print(stderr, "The run stopped: there is not enough memory. Use a coarser mesh, fewer bodies or less output\n");
  return ExitCode::numerical_failure;
}

ExitCode run_command(int argc, char** argv) {
  CLI::App app{about, "ictus"};
  app.set_version_flag("--version", fmt::format("ictus {}", base::version), "Print the version and exit");
  app.footer(exit_codes());
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  ExitCode exit = ExitCode::success;
  try {
    add_commands(app, exit);
    for (CLI::App* command : app.get_subcommands({})) command->group("Commands");
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return leave_with(app, error);
  } catch (const base::InputError& error) {
    if (wants_json(app))
      print_json(to_json(error));
    else
      fmt::print(stderr, "{}\n", error.what());
    return ExitCode::input_error;
  } catch (const base::NumericalFailure& error) {
    if (wants_json(app)) print_json({{"failure", error.what()}});
    fmt::print(stderr, "The run stopped: {}\n", error.what());
    return ExitCode::numerical_failure;
  }
  return exit;
}

}  // namespace

int run_program(int argc, char** argv) {
  try {
    return static_cast<int>(flushed(run_command(argc, argv)));
  } catch (const std::bad_alloc&) {
    return static_cast<int>(out_of_memory());
  } catch (const std::system_error& error) {
    return static_cast<int>(refused(error));
  } catch (const std::exception& error) {
    fmt::print(stderr, "Internal error, a defect of Ictus: {}\n", error.what());
    return static_cast<int>(ExitCode::internal_error);
  }
}

}  // namespace ictus::program
