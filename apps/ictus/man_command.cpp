#include <fmt/format.h>

#include "commands.hpp"
#include "man_page.hpp"

namespace ictus::program {

void add_man(CLI::App& app) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page of all commands");
  command->footer("Example:  ictus man | man -l -");
  command->callback([&app] { fmt::print("{}", man_page(app)); });
}

}  // namespace ictus::program
