#pragma once

#include <ictus/scene/text/document.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::run {

/// A scene that comes with the program: `cases/<family>/<case>.yaml` under the name "family/case".
struct Case {
  std::string name;
  std::string_view text;
};

/// All of them, by name.
std::vector<Case> cases();

/// A scene with the name of its case, empty for a file.
struct LoadedScene {
  scene::Document document;
  std::string case_name;
};

/// Instead of a file: the scene comes from standard input.
inline constexpr std::string_view from_standard_input = "-";

/// Reads the scene file, or else the case, that a person named. Throws base::InputError naming the nearest case where
/// there is neither.
LoadedScene load(const std::string& file_or_case, const std::vector<scene::Override>& overrides);

/// The text of a case; throws like load.
Case find_case(const std::string& name);

}  // namespace ictus::run
