#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <ictus/base/version.hpp>

#include "commands.hpp"

namespace {

using ictus::base::ExitCode;

constexpr const char* about =
    R"(Ictus simulates impacts of elastic and rigid bodies with integrators that keep the structure of
mechanics: momentum to round-off, energy accounted for to the last joule.

Start with:  ictus cases                    what comes with the program
             ictus run two-bars/steel       run one of them; its report opens in a browser
             ictus show two-bars/steel > my.yaml && ictus run my.yaml)";

constexpr const char* exit_codes =
    R"(Exit codes: 0 done, 2 a mistake in the input, 3 a numerical failure, 4 an expectation missed (run --expect),
70 a defect of the program, 130 interrupted.)";

void add_commands(CLI::App& app, ExitCode& exit) {
  ictus::program::add_run(app, exit);
  ictus::program::add_cases(app);
  ictus::program::add_show(app);
  ictus::program::add_check(app);
  ictus::program::add_schema(app);
  ictus::program::add_integrators(app);
  ictus::program::add_report(app);
}

/// The code to leave with when the command line itself is wrong; --help and --version end here too.
int leave_with(const CLI::App& app, const CLI::ParseError& error) {
  const int code = app.exit(error);
  return code == 0 ? 0 : static_cast<int>(ExitCode::input_error);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{about, "ictus"};
  app.set_version_flag("--version", fmt::format("ictus {}", ictus::base::version));
  app.footer(exit_codes);
  app.require_subcommand(1);
  ExitCode exit = ExitCode::success;
  try {
    add_commands(app, exit);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return leave_with(app, error);
  } catch (const ictus::base::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(ExitCode::input_error);
  } catch (const ictus::base::NumericalFailure& error) {
    fmt::print(stderr, "The run stopped: {}\n", error.what());
    return static_cast<int>(ExitCode::numerical_failure);
  } catch (const std::exception& error) {
    fmt::print(stderr, "Internal error, a defect of Ictus: {}\n", error.what());
    return static_cast<int>(ExitCode::internal_error);
  }
  return static_cast<int>(exit);
}
