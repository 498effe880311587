#pragma once

#include <ictus/scene/text/node.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ictus::scene {

/// A map in the text of a scene file, cut into its entries and what stands between them: what is not changed stays as
/// it was written, comments and line breaks too.
class TextMap {
 public:
  /// `map` was read from the text with its merge keys kept.
  TextMap(std::string_view text, const Node& map);

  /// Which part of the text it is.
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }
  /// The part with all changes.
  std::string text() const;

  std::vector<std::string> names() const;
  bool has(std::string_view name) const { return index_of(name) < entries_.size(); }
  /// The value as it is written, without the comment behind it; empty where there is none.
  std::string value(std::string_view name) const;

  void rename(std::string_view name, std::string now);
  void set_value(std::string_view name, const std::string& value);
  void remove(std::string_view name);
  /// Behind all others.
  void append(std::string name, const std::string& value);
  /// Before all others.
  void prepend(std::string name, const std::string& value);

  using Pairs = std::vector<std::pair<std::string, std::string>>;
  /// Moves entries, each under a new name, into a map `parent` that stands where the first of them stood, behind the
  /// entries `first` of that map.
  void nest(const std::string& parent, const Pairs& first, const Pairs& moved);
  /// The other way round: the entries of the map `inner`, the value of an entry, take the place of that entry, behind
  /// the entry `first`.
  void dissolve(std::string_view name, const TextMap& inner, const std::pair<std::string, std::string>& first);
  /// Moves an entry of `inner`, a map in this one, to the end of this one.
  void promote(std::string_view name, TextMap& inner);
  /// The map as a list of maps of its keys and values: `{a: b}` as `[{key: a, value: b}]`.
  std::string as_list(const std::string& key, const std::string& value) const;
  /// Puts a list, or a text as it is, as the value of an entry, in place of what stands behind its colon.
  void set_raw(std::string_view name, const std::string& value) { entries_[index_of(name)].value = value; }
  /// Adds an item to the list in lines that is the value of an entry.
  void append_item(std::string_view name, const std::string& item);
  /// Puts the map `inner`, which was changed, back as the value of an entry.
  void put_back(std::string_view name, const TextMap& inner);

 private:
  struct Entry {
    std::string lead;   // what stands before the name
    std::string key;    // the name as written
    std::string name;   // without quotes
    std::string value;  // from behind the colon to the lead of the next, or the end
  };

  std::size_t index_of(std::string_view name) const;
  std::string nested_value(const Pairs& first, const std::vector<Entry>& moved) const;
  void cut_flow(std::string_view text, const Node& map);
  void cut_block(std::string_view text, const Node& map);

  bool flow_ = false;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t column_ = 0;  // of a block
  std::vector<Entry> entries_;
  std::string original_;
  std::string tail_;  // behind the last entry of a map in braces
};

/// The value at the start of a text, without the blank space before it and what follows it.
std::string_view value_in(std::string_view text);

}  // namespace ictus::scene
