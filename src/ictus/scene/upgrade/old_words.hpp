#pragma once

#include <ictus/scene/text/node.hpp>
#include <ictus/scene/upgrade/text_map.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::scene {

/// A word of version 1 and what version 2 writes for it. From one table come the answers to old words and
/// `ictus upgrade`.
struct OldWord {
  /// The maps in which it stands, as a path from the top: "bodies.*{bar, lie-beam}". `*` is any name or item, and in
  /// braces stand the types that such a map may have.
  std::string_view where;
  std::string_view old;  ///< a key, "key: value", or "key: {...}" for any map
  /// What is written for it: a key; a key in a map or list of its own, "shape.radius" or "size.0"; or keys with values,
  /// "type: rigid, shape.type: sphere". Nothing: it goes along with another word.
  std::string_view now;
  /// Changes a map in `all` as no words can say; its old word is there. `map` is the same as it was read.
  void (*change)(TextMap& text, const Node& map, std::string_view all) = nullptr;
  std::string_view say = {};  ///< for answers, where that is more than `now`

  std::string_view answer() const { return say.empty() ? now : say; }
};

/// In the order in which they are to be changed: inner maps before the types by which they are found.
std::span<const OldWord> old_words();

/// The value of a key, also one that a merge key brings; nullptr if there is none.
const Node* find_value(const Node& map, std::string_view key);

/// A map in which old words may stand.
struct Place {
  const Node* map;
  std::string path;
};
std::vector<Place> places(const Node& root, std::string_view where);

/// True if the map has the old word.
bool has_word(const Node& map, const OldWord& word);

/// The values that lists have whose items were keys, where these were not given: "8, 8".
std::string_view usual_items(std::string_view where, std::string_view list);

}  // namespace ictus::scene
