#include <ictus/scene/text/document.hpp>

#include <ictus/scene/schema/schema.hpp>
#include <ictus/scene/text/overrides.hpp>
#include <ictus/scene/upgrade/upgrade.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

namespace ictus::scene {

namespace {

constexpr std::size_t max_mistakes = 100;

[[noreturn]] void refuse(const std::string& file, int line, std::string message) {
  throw base::InputError(base::Mistake{file, line, "", std::move(message)});
}

std::string size_limit() { return fmt::format("a scene may have at most {} bytes", max_scene_bytes); }

void check_root(const Node& root, const std::string& file) {
  std::vector<std::string> required;
  for (const Field& field : scene_schema().fields())
    if (field.required) required.push_back(field.name);
  if (root.is_null()) refuse(file, 0, fmt::format("is empty; a scene needs at least {}", fmt::join(required, " and ")));
  if (root.is_map()) return;
  const bool colon = root.is_scalar() && root.text.find(':') != std::string::npos;
  refuse(file, root.line,
         fmt::format("must be a map of keys such as {}, not {}{}", fmt::join(required, " and "), shown(root),
                     colon ? " (a space must follow each ':')" : ""));
}

/// The mistakes of the file by line, then those of the overrides.
void throw_if_any(std::vector<base::Mistake> mistakes, const std::string& file) {
  if (mistakes.empty()) return;
  std::stable_sort(mistakes.begin(), mistakes.end(), [&](const base::Mistake& a, const base::Mistake& b) {
    return std::pair(a.file != file, a.line) < std::pair(b.file != file, b.line);
  });
  const std::size_t count = mistakes.size();
  if (count > max_mistakes) {
    mistakes.resize(max_mistakes);
    mistakes.push_back({file, 0, "", fmt::format("and {} more mistakes", count - max_mistakes)});
  }
  throw base::InputError(std::move(mistakes));
}

}  // namespace

Location Locations::find(std::string_view path) const {
  while (true) {
    const auto found = locations_.find(path);
    if (found != locations_.end()) return found->second;
    if (path.empty()) return {};
    const std::size_t dot = path.rfind('.');
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
  }
}

base::Mistake Document::mistake(std::string_view key, std::string message) const {
  Location location = where.find(key);
  return {std::move(location.file), location.line, std::string(key), std::move(message)};
}

Override parse_override(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    refuse(fmt::format("--set {}", text), 0, "must be path=value, such as time.end=2.5");
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

namespace {

Document read_root(Node root, Sources sources, const std::vector<Override>& overrides) {
  const std::string file_name = sources.front();
  for (const Override& o : overrides) sources.push_back(fmt::format("--set {}={}", o.path, o.value));
  check_root(root, file_name);
  root.line = 0;

  Reading reading(sources);
  reading.mistakes = find_duplicates(root, sources);
  reading.locate("", 0, 0);
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    try {
      apply_override(overrides[i], root, sources, static_cast<int>(i) + 1);
    } catch (const base::InputError& error) {
      reading.mistakes.insert(reading.mistakes.end(), error.mistakes().begin(), error.mistakes().end());
    }
  }
  answer_old_words(root, reading);
  Document document;
  scene_schema().read(root, "", reading, &document.scene);
  throw_if_any(std::move(reading.mistakes), file_name);
  document.where = std::move(reading.where);
  document.file = file_name;
  return document;
}

}  // namespace

Document read_text(std::string_view text, const std::string& file_name, const std::vector<Override>& overrides) {
  if (text.size() > max_scene_bytes) refuse(file_name, 0, fmt::format("has {} bytes; {}", text.size(), size_limit()));
  const Sources sources{file_name};
  return read_root(parse_yaml(text, sources, 0), sources, overrides);
}

Document read_tree(Node root, const std::string& name, const std::vector<Override>& overrides) {
  return read_root(std::move(root), {name}, overrides);
}

Document check(const Scene& scene, const std::string& name) { return read_tree(scene_schema().write(&scene), name); }

Document read_file(const std::string& path, const std::vector<Override>& overrides) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) refuse(path, 0, "is a directory, not a scene file");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    refuse(path, 0, "is a pipe or a device, not a plain file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) refuse(path, 0, fmt::format("cannot be opened: {}", std::strerror(errno)));
  // One byte more than allowed tells a large file without reading all of it, whatever kind of file it is.
  std::string text(max_scene_bytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) refuse(path, 0, fmt::format("cannot be read: {}", std::strerror(errno)));
  if (text.size() > max_scene_bytes) refuse(path, 0, "is too large; " + size_limit());
  return read_text(text, path, overrides);
}

std::string write_resolved(const Scene& scene) { return to_yaml(scene_schema().write(&scene)); }

}  // namespace ictus::scene
