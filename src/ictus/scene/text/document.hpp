#pragma once

#include <ictus/base/error.hpp>
#include <ictus/scene/spec/scene.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::scene {

struct Node;

/// Where a key was written: a file and line, or "--set path=value" and 0.
struct Location {
  std::string file;
  int line = 0;
};

/// The location of every key that was written, by dotted path ("bodies.left.density", "contacts.0.friction").
class Locations {
 public:
  void add(std::string path, Location location) { locations_.insert_or_assign(std::move(path), std::move(location)); }

  /// Location of the key, or of its closest ancestor that was written; an empty location if there is none.
  Location find(std::string_view path) const;

  /// True if the key itself was written by the person (not filled by a default).
  bool contains(std::string_view path) const { return locations_.find(path) != locations_.end(); }

 private:
  std::map<std::string, Location, std::less<>> locations_;
};

/// A scene with what later stages need to report mistakes in it.
struct Document {
  Scene scene;
  Locations where;
  std::string file;  ///< as the person gave it

  /// A mistake at a key: the location of the key, or of what it would have been written in.
  base::Mistake mistake(std::string_view key, std::string message) const;
};

/// A value given on the command line: `--set path=value`. The value is YAML; null takes the key away.
struct Override {
  std::string path;
  std::string value;
};

/// Splits "path=value" at the first '='. Throws base::InputError where there is none.
Override parse_override(std::string_view text);

/// Largest scene file that is read, in bytes.
inline constexpr std::size_t max_scene_bytes = 1u << 20;

/// Reads a scene, overrides applied in order before anything is checked. Throws base::InputError with every mistake.
Document read_file(const std::string& path, const std::vector<Override>& overrides = {});
Document read_text(std::string_view text, const std::string& file_name, const std::vector<Override>& overrides = {});

/// The same for a scene that a program made, by the same rules and with the same messages: `name` stands where a file's
/// would, and paths in the scene are meant from its folder.
Document check(const Scene& scene, const std::string& name = {});
Document read_tree(Node root, const std::string& name = {}, const std::vector<Override>& overrides = {});

/// The scene as YAML with every default filled in, SI units, numbers in shortest round-trip form: reading it gives an
/// equal scene.
std::string write_resolved(const Scene& scene);

}  // namespace ictus::scene
