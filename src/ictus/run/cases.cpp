#include <ictus/run/cases.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ictus/base/embedded.hpp>
#include <ictus/base/nearest.hpp>
#include <iostream>
#include <span>

namespace ictus::run {

/// The files of cases/, compiled in.
std::span<const base::EmbeddedFile> embedded_cases();

namespace {

constexpr std::string_view extension = ".yaml";

/// True for what is meant as a path to a file rather than the name of a case.
bool looks_like_a_file(const std::string& name) { return name.ends_with(".yaml") || name.ends_with(".yml"); }

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const Case& one : cases()) names.push_back(one.name);
  return names;
}

}  // namespace

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const base::EmbeddedFile& file : embedded_cases()) {
    result.push_back({std::string(file.path.substr(0, file.path.size() - extension.size())), file.content});
  }
  std::sort(result.begin(), result.end(), [](const Case& a, const Case& b) { return a.name < b.name; });
  return result;
}

Case find_case(const std::string& name) {
  for (const Case& one : cases()) {
    if (one.name == name) return one;
  }
  const std::optional<std::string> nearest = base::nearest(name, case_names());
  const std::string advice = nearest ? fmt::format("did you mean {}?", *nearest) : "`ictus cases` lists the cases";
  throw base::InputError({name, 0, "", "is neither a file nor a case; " + advice});
}

namespace {

/// What stands in standard input; it can be read only once, and a study reads its scene many times.
const std::string& standard_input() {
  static const std::string text = [] {
    std::string all(scene::max_scene_bytes + 1, '\0');
    std::cin.read(all.data(), static_cast<std::streamsize>(all.size()));
    all.resize(static_cast<std::size_t>(std::cin.gcount()));
    return all;
  }();
  return text;
}

}  // namespace

LoadedScene load(const std::string& file_or_case, const std::vector<scene::Override>& overrides) {
  if (file_or_case == from_standard_input) return {scene::read_text(standard_input(), "standard input", overrides), ""};
  std::error_code ignored;
  if (looks_like_a_file(file_or_case) || std::filesystem::exists(file_or_case, ignored)) {
    return {scene::read_file(file_or_case, overrides), ""};
  }
  const Case found = find_case(file_or_case);
  return {scene::read_text(found.text, found.name, overrides), found.name};
}

}  // namespace ictus::run
