#include "completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace ictus::program {

namespace {

struct Flag {
  std::string name;  // with its dashes
  std::string about;
  bool takes_value;
  bool takes_folder;
};

/// What stands behind a command without a dash.
enum class Operand { none, scene, case_name, folder, shell };

struct Command {
  std::string name;
  std::string about;
  std::vector<Flag> flags;
  Operand operand = Operand::none;
};

Operand operand_of(const std::string& name) {
  if (name == "SCENE") return Operand::scene;
  if (name == "CASE") return Operand::case_name;
  if (name == "DIR") return Operand::folder;
  return name == "SHELL" ? Operand::shell : Operand::none;
}

Command describe(const CLI::App& app) {
  Command command{app.get_name(), app.get_description(), {}, Operand::none};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->nonpositional()) command.operand = operand_of(option->get_name(true));
    for (const std::string& name : option->get_lnames()) {
      const bool value = option->get_items_expected_max() > 0;
      command.flags.push_back({"--" + name, option->get_description(), value, option->get_type_name() == "DIR"});
    }
  }
  return command;
}

std::vector<Command> commands_of(const CLI::App& app) {
  std::vector<Command> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(describe(*command));
  return commands;
}

std::vector<std::string> names_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> names_of(const std::vector<Flag>& flags) {
  std::vector<std::string> names;
  for (const Flag& flag : flags) names.push_back(flag.name);
  return names;
}

/// Text inside single quotes, each of `special` behind a backslash.
std::string in_quotes(std::string_view text, std::string_view special = "") {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else if (special.find(c) != std::string_view::npos) {
      result += fmt::format("\\{}", c);
    } else {
      result += c == '\n' ? ' ' : c;
    }
  }
  return result;
}

// bash ----------------------------------------------------------------------------------------------------------------

std::string bash_operand(Operand operand, const std::vector<std::string>& cases) {
  switch (operand) {
    case Operand::scene:
      return fmt::format("-f -W '{}'", fmt::join(cases, " "));
    case Operand::case_name:
      return fmt::format("-W '{}'", fmt::join(cases, " "));
    case Operand::folder:
      return "-d";
    case Operand::shell:
      return fmt::format("-W '{}'", fmt::join(completion_shells, " "));
    case Operand::none:
      return "-W ''";
  }
  throw std::logic_error("unknown operand");
}

std::string bash(const CLI::App& app, const std::vector<std::string>& cases) {
  const std::vector<Command> commands = commands_of(app);
  std::string text = fmt::format(
      "# Completion of ictus for bash:  source <(ictus completion bash)\n"
      "_ictus() {{\n"
      "  local word command='' current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
      "    case $word in {}) command=$word; break ;; esac\n"
      "  done\n"
      "  local flags='' operands=\"-W ''\"\n"
      "  case $command in\n"
      "    '') flags='{}' operands=\"-W '{}'\" ;;\n",
      fmt::join(names_of(commands), "|"), fmt::join(names_of(describe(app).flags), " "),
      fmt::join(names_of(commands), " "));
  std::vector<std::string> folder_flags, value_flags;
  for (const Command& command : commands) {
    text += fmt::format("    {}) flags='{}' operands=\"{}\" ;;\n", command.name,
                        fmt::join(names_of(command.flags), " "), bash_operand(command.operand, cases));
    for (const Flag& flag : command.flags) {
      if (flag.takes_folder) folder_flags.push_back(flag.name);
      if (flag.takes_value && !flag.takes_folder) value_flags.push_back(flag.name);
    }
  }
  text += fmt::format(
      "  esac\n"
      "  case $before in\n"
      "    {}) operands='-d' flags='' ;;\n"
      "    {}) operands='-f' flags='' ;;\n"
      "  esac\n"
      "  if [[ $current == -* ]]; then operands=\"-W '$flags'\"; fi\n"
      "  mapfile -t COMPREPLY < <(eval \"compgen $operands -- \\\"\\$current\\\"\")\n"
      "}}\n"
      "complete -o filenames -o bashdefault -F _ictus ictus\n",
      fmt::join(folder_flags, "|"), fmt::join(value_flags, "|"));
  return text;
}

// zsh -----------------------------------------------------------------------------------------------------------------

std::string zsh_operand(Operand operand, const std::vector<std::string>& cases) {
  switch (operand) {
    case Operand::scene:
      // The blank before _alternative keeps _arguments from adding options of its own, which it would not understand.
      return fmt::format(" '1:scene: _alternative \"cases:case:({})\" \"files:scene file:_files -g \\\"*.yaml\\\"\"'",
                         fmt::join(cases, " "));
    case Operand::case_name:
      return fmt::format(" '1:case:({})'", fmt::join(cases, " "));
    case Operand::folder:
      return " '1:folder:_files -/'";
    case Operand::shell:
      return fmt::format(" '1:shell:({})'", fmt::join(completion_shells, " "));
    case Operand::none:
      return "";
  }
  throw std::logic_error("unknown operand");
}

std::string zsh(const CLI::App& app, const std::vector<std::string>& cases) {
  const std::vector<Command> commands = commands_of(app);
  std::string text =
      "#compdef ictus\n"
      "# Completion of ictus for zsh:  ictus completion zsh > \"${fpath[1]}/_ictus\"\n"
      "_ictus() {\n"
      "  local -a commands=(\n";
  for (const Command& command : commands) {
    text += fmt::format("    '{}:{}'\n", command.name, in_quotes(command.about, ":"));
  }
  text +=
      "  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  local command=$words[2]\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const Command& command : commands) {
    text += fmt::format("    {})\n      _arguments", command.name);
    for (const Flag& flag : command.flags) {
      const std::string_view value = flag.takes_folder ? ":folder:_files -/" : flag.takes_value ? ":value:_files" : "";
      text += fmt::format(" \\\n        '*{}[{}]{}'", flag.name, in_quotes(flag.about, "[]:"), value);
    }
    text += fmt::format("{}\n      ;;\n", zsh_operand(command.operand, cases));
  }
  return text + "  esac\n}\nif [[ $funcstack[1] == _ictus ]]; then _ictus \"$@\"; else compdef _ictus ictus; fi\n";
}

// fish ----------------------------------------------------------------------------------------------------------------

std::string fish_operand(const Command& command, const std::vector<std::string>& cases) {
  const std::string seen = fmt::format("complete -c ictus -n '__fish_seen_subcommand_from {}'", command.name);
  switch (command.operand) {
    case Operand::scene:
      return fmt::format("{} -F -a '{}'\n", seen, fmt::join(cases, " "));
    case Operand::case_name:
      return fmt::format("{} -f -a '{}'\n", seen, fmt::join(cases, " "));
    case Operand::folder:
      return fmt::format("{} -f -a '(__fish_complete_directories)'\n", seen);
    case Operand::shell:
      return fmt::format("{} -f -a '{}'\n", seen, fmt::join(completion_shells, " "));
    case Operand::none:
      return fmt::format("{} -f\n", seen);
  }
  throw std::logic_error("unknown operand");
}

std::string fish(const CLI::App& app, const std::vector<std::string>& cases) {
  std::string text =
      "# Completion of ictus for fish:  ictus completion fish > ~/.config/fish/completions/ictus.fish\n"
      "complete -c ictus -n __fish_use_subcommand -f\n";
  for (const Flag& flag : describe(app).flags) {
    text += fmt::format("complete -c ictus -n __fish_use_subcommand -l {} -d '{}'\n", flag.name.substr(2),
                        in_quotes(flag.about));
  }
  for (const Command& command : commands_of(app)) {
    text += fmt::format("complete -c ictus -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                        in_quotes(command.about));
    for (const Flag& flag : command.flags) {
      text += fmt::format("complete -c ictus -n '__fish_seen_subcommand_from {}' -l {}{} -d '{}'\n", command.name,
                          flag.name.substr(2), flag.takes_value ? " -r" : "", in_quotes(flag.about));
    }
    text += fish_operand(command, cases);
  }
  return text;
}

}  // namespace

std::string completion(std::string_view shell, const CLI::App& app, const std::vector<std::string>& cases) {
  if (shell == "bash") return bash(app, cases);
  return shell == "zsh" ? zsh(app, cases) : fish(app, cases);
}

}  // namespace ictus::program
