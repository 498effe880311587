#include <fmt/format.h>

#include <ictus/run/cases.hpp>
#include <memory>

#include "commands.hpp"
#include "completion.hpp"

namespace ictus::program {

void add_completion(CLI::App& app) {
  CLI::App* command = app.add_subcommand("completion", "Print a script that teaches a shell the commands and options");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->type_name("")
      ->required()
      ->check(CLI::IsMember(completion_shells).description(""));
  command->footer(
      "Examples:  ictus completion zsh > \"${fpath[1]}/_ictus\"\n"
      "           source <(ictus completion bash)\n"
      "           ictus completion fish > ~/.config/fish/completions/ictus.fish");
  command->callback([shell, &app] {
    std::vector<std::string> names;
    for (const run::Case& known : run::cases()) names.push_back(known.name);
    fmt::print("{}", completion(*shell, app, names));
  });
}

}  // namespace ictus::program
