#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ictus::program {

/// ictus(1) in the macros of man(7), made from the same tables as --help.
std::string man_page(const CLI::App& app);

}  // namespace ictus::program
