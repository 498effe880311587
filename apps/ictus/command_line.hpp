#pragma once

#include <CLI/CLI.hpp>
#include <ictus/exec/resources.hpp>
#include <string>

namespace ictus::program {

/// What to tell a person whose command line could not be read: which argument is wrong, the nearest that is known, and
/// where to read on. The whole help where no command was given at all.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

/// An integer from `least` to `most`, for Option::check.
CLI::Validator whole_number(int min, int max);

/// Adds --threads: a number, or auto for all cores that the system gives to the program.
void add_threads(CLI::App& command, int& threads, const std::string& text);
void add_device(CLI::App& command, exec::DeviceChoice& device);

}  // namespace ictus::program
