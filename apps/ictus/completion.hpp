#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::program {

/// The shells that completion() writes for.
inline const std::vector<std::string> completion_shells{"bash", "zsh", "fish"};

/// A script that teaches one of them the commands and options of `app`, with `cases` where a scene is expected.
std::string completion(std::string_view shell, const CLI::App& app, const std::vector<std::string>& cases);

}  // namespace ictus::program
