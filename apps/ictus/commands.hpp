#pragma once

#include <CLI/CLI.hpp>
#include <ictus/base/error.hpp>

namespace ictus::program {

/// Adds one command to the program. A command sets `exit` where it ends with another code than success; mistakes and
/// failures are thrown and end in run_program.
void add_run(CLI::App& app, base::ExitCode& exit);
void add_compare(CLI::App& app, base::ExitCode& exit);
void add_converge(CLI::App& app, base::ExitCode& exit);
void add_validate(CLI::App& app, base::ExitCode& exit);
void add_modes(CLI::App& app);
void add_rest(CLI::App& app);
void add_cases(CLI::App& app);
void add_show(CLI::App& app);
void add_check(CLI::App& app);
void add_upgrade(CLI::App& app);
void add_schema(CLI::App& app);
void add_import(CLI::App& app);
void add_integrators(CLI::App& app);
void add_materials(CLI::App& app);
void add_report(CLI::App& app);
void add_export(CLI::App& app);
void add_view(CLI::App& app);
void add_render(CLI::App& app);
void add_completion(CLI::App& app);
void add_man(CLI::App& app);
void add_contact_problem(CLI::App& app);
void add_noether(CLI::App& app);
void add_reconstruct(CLI::App& app);

}  // namespace ictus::program
