#include "command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <ictus/base/nearest.hpp>
#include <ictus/exec/executor.hpp>
#include <string>
#include <vector>

namespace ictus::program {

namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known, std::string_view what) {
  const std::optional<std::string> nearest = base::nearest(word, known);
  return nearest ? fmt::format("did you mean '{}'?", *nearest)
                 : fmt::format("the {} are {}", what, fmt::join(known, ", "));
}

/// The command of `app` that has the option; nullptr where there is none.
const CLI::App* command_with(const CLI::App& app, const std::string& option) {
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::vector<std::string> names = option_names(*command);
    if (std::find(names.begin(), names.end(), option) != names.end()) return command;
  }
  return nullptr;
}

std::string explain_unknown(const CLI::App& app, const CLI::App& command, const std::string& argument) {
  const bool is_program = &app == &command;
  if (argument.starts_with('-')) {
    const std::string option = argument.substr(0, argument.find('='));
    const CLI::App* owner = is_program ? command_with(app, option) : nullptr;
    if (owner) return fmt::format("option '{0}' belongs after the command: ictus {1} {0}", option, owner->get_name());
    return fmt::format("unknown option '{}', {}", option, suggestion(option, option_names(command), "options"));
  }
  if (is_program) {
    return fmt::format("unknown command '{}', {}", argument, suggestion(argument, command_names(app), "commands"));
  }
  return fmt::format("one argument too many: '{}'", argument);
}

/// What could not be placed. What follows an unknown command is meant for it, and what follows an unknown option is
/// likely its value: neither is worth a word of its own.
std::vector<std::string> unexpected(const CLI::App& command) {
  std::vector<std::string> arguments = command.remaining(), options;
  const bool is_program = command.get_parent() == nullptr;
  if (is_program && !arguments.empty()) return {arguments.front()};
  std::copy_if(arguments.begin(), arguments.end(), std::back_inserter(options),
               [](const std::string& argument) { return argument.starts_with('-'); });
  return options.empty() ? arguments : options;
}

bool is_whole_number(const std::string& text, int min, int max) {
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc{} && end == text.data() + text.size() && value >= min && value <= max;
}

}  // namespace

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  const CLI::App& command = !app.remaining().empty() || given.empty() ? app : *given.front();
  const std::string name = &command == &app ? "ictus" : "ictus " + command.get_name();
  std::string text;
  for (const std::string& argument : unexpected(command)) {
    text += fmt::format("{}: {}\n", name, explain_unknown(app, command, argument));
  }
  if (text.empty() && given.empty()) return app.help();
  if (text.empty()) text = fmt::format("{}: {}\n", name, error.what());
  return text + fmt::format("`{} --help` says more.\n", name);
}

CLI::Validator whole_number(int min, int max) {
  const auto check = [min, max](const std::string& text) {
    return is_whole_number(text, min, max)
               ? std::string()
               : fmt::format("must be a whole number from {} to {}, not {}", min, max, text);
  };
  return {check, "", "whole_number"};
}

void add_threads(CLI::App& command, int& threads, const std::string& text) {
  static constexpr int most = 1024;
  const auto read = [](std::string& value) {
    if (value == "auto") value = std::to_string(exec::available_cores());
    return is_whole_number(value, 1, most)
               ? std::string()
               : fmt::format("must be auto or a whole number from 1 to {}, not {}", most, value);
  };
  command.add_option("--threads", threads, text)
      ->type_name("N|auto")
      ->transform(CLI::Validator(read, "", "number_of_threads"));
}

void add_device(CLI::App& command, exec::DeviceChoice& device) {
  using exec::DeviceChoice;
  const auto choose = [&device](const std::string& name) {
    if (name == "host")
      device = DeviceChoice::host;
    else if (name == "cuda")
      device = DeviceChoice::cuda;
    else if (name == "auto")
      device = DeviceChoice::automatic;
    else
      throw CLI::ValidationError("--device", fmt::format("must be host, cuda or auto, not {}", name));
  };
  command
      .add_option_function<std::string>("--device", choose,
                                        "Where steps run: on the host, on a GPU, or where it is faster [host]")
      ->type_name("host|cuda|auto");
}

}  // namespace ictus::program
