#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ictus/base/error.hpp>
#include <nlohmann/json.hpp>

namespace ictus::program {

/// --json: one JSON value on standard output and nothing else there, mistakes included.
inline void add_json(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print the result, or the mistakes, as JSON and nothing else, for scripts");
}

inline void add_quiet(CLI::App& command, bool& quiet) {
  command.add_flag("--quiet", quiet, "Print nothing but mistakes");
}

/// Numbers that JSON does not have become null.
inline void print_json(const nlohmann::ordered_json& value) {
  fmt::print("{}\n", value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

inline nlohmann::ordered_json to_json(const base::InputError& error) {
  nlohmann::ordered_json mistakes = nlohmann::ordered_json::array();
  for (const base::Mistake& one : error.mistakes()) {
    mistakes.push_back({{"file", one.file}, {"line", one.line}, {"key", one.key}, {"message", one.message}});
  }
  return {{"mistakes", mistakes}};
}

/// Whether the command that was given was asked for JSON.
inline bool wants_json(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    const CLI::Option* option = command->get_option_no_throw("--json");
    if (option != nullptr && option->count() > 0) return true;
  }
  return false;
}

}  // namespace ictus::program
