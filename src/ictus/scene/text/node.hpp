#pragma once

#include <ictus/base/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::scene {

/// A YAML value with the location where it was written: what the reader reads and the writer writes.
struct Node {
  enum class Form { null, scalar, list, map };
  struct Entry;

  Form form = Form::null;
  std::string text;            ///< of a scalar
  bool quoted = false;         ///< a scalar that can only be text: in quotes or a block
  std::vector<Node> items;     ///< of a list
  std::vector<Entry> entries;  ///< of a map, in order; names may repeat until find_duplicates() has refused them
  int line = 0;
  int source = 0;          ///< index into Sources
  std::ptrdiff_t at = -1;  ///< where it begins in its text, its anchor included; -1: in none

  static Node scalar(std::string text);
  static Node quoted_text(std::string text);

  bool is_null() const { return form == Form::null; }
  bool is_scalar() const { return form == Form::scalar; }
  bool is_list() const { return form == Form::list; }
  bool is_map() const { return form == Form::map; }

  /// The first entry of a map with the name, or nullptr.
  const Node* find(std::string_view name) const;
  Node& add(std::string name, Node value);
};

struct Node::Entry {
  std::string name;
  int line = 0;
  int source = 0;
  Node value;
  std::ptrdiff_t at = -1;  ///< where the name begins in its text
};

/// What nodes were read from: the file (0) and the overrides (1, 2, ...), each "--set path=value".
using Sources = std::vector<std::string>;

/// "bodies" + "left" → "bodies.left".
std::string join(std::string_view path, std::string_view key);

/// The value for a message: 3.7, "text", a list, a map, nothing; long text is cut.
std::string shown(const Node& node);

enum class MergeKeys { resolve, keep };

/// Parses one YAML document. Anchors, aliases and (unless they are kept) merge keys are resolved; what is not UTF-8,
/// tabs that indent, tags, several documents, keys that are not text, and nesting or sizes that no scene has are
/// refused. Throws base::InputError.
Node parse_yaml(std::string_view text, const Sources& sources, int source, MergeKeys merge_keys = MergeKeys::resolve);

/// The keys that are given more than once, as mistakes that name both lines.
std::vector<base::Mistake> find_duplicates(const Node& root, const Sources& sources);

/// The node as YAML text: lists of scalars and small maps on one line, the rest in blocks.
std::string to_yaml(const Node& root);

}  // namespace ictus::scene
