#include <ictus/scene/upgrade/upgrade.hpp>

#include <ictus/scene/upgrade/old_words.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace ictus::scene {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::vector<std::string> parts_of(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t at = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, at));
    if (at == text.size()) return parts;
    text.remove_prefix(at + separator.size());
  }
}

std::string key_of(std::string_view word) { return std::string(word.substr(0, word.find_first_of(":."))); }

/// A key of a map or an item of a list: where a key of version 1 went.
bool is_item(std::string_view path) { return path.find('.') != std::string_view::npos && path.back() <= '9'; }

/// "type: rigid, shape.type: sphere" as pairs.
TextMap::Pairs assignments(std::string_view now) {
  TextMap::Pairs pairs;
  for (const std::string& one : parts_of(now, ", ")) {
    const std::size_t colon = one.find(": ");
    pairs.emplace_back(one.substr(0, colon), one.substr(colon + 2));
  }
  return pairs;
}

/// All old words of one place: those of one `where`.
using Words = std::vector<const OldWord*>;

/// Keys that became items of lists.
void gather_lists(TextMap& text, const Words& words, std::string_view where) {
  std::map<std::string, std::map<std::size_t, std::string>> lists;
  for (const OldWord* word : words)
    if (!word->change && is_item(word->now))
      lists[key_of(word->now)][std::stoul(std::string(word->now.substr(word->now.find('.') + 1)))] = word->old;
  for (const auto& [list, keys] : lists) {
    std::vector<std::string> items = parts_of(usual_items(where, list), ", ");
    items.resize(std::max(items.size(), keys.rbegin()->first + 1));
    std::string place;
    for (const auto& [index, key] : keys) {
      if (!text.has(key)) continue;
      items[index] = text.value(key);
      if (place.empty()) place = key;
    }
    if (place.empty()) continue;
    for (const auto& [index, key] : keys)
      if (key != place && text.has(key)) text.remove(key);
    text.rename(place, list);
    text.set_value(list, fmt::format("[{}]", fmt::join(items, ", ")));
  }
}

/// Values that became others, and keys that moved into a map of their own.
void nest_and_set(TextMap& text, const Words& words) {
  std::map<std::string, std::pair<TextMap::Pairs, TextMap::Pairs>> maps;  // first, moved
  for (const OldWord* word : words) {
    if (word->change || is_item(word->now)) continue;
    if (word->now.find(':') != std::string_view::npos) {
      for (const auto& [key, value] : assignments(word->now)) {
        const std::size_t dot = key.find('.');
        if (dot != std::string::npos)
          maps[key.substr(0, dot)].first.emplace_back(key.substr(dot + 1), value);
        else if (text.has(key))
          text.set_value(key, value);
        else
          text.append(key, value);
      }
    } else if (const std::size_t dot = word->now.find('.'); dot != std::string_view::npos) {
      maps[std::string(word->now.substr(0, dot))].second.emplace_back(word->old, word->now.substr(dot + 1));
    }
  }
  const bool is_whole = !text.has("<<") || text.has("type");
  for (const auto& [parent, pairs] : maps) {
    if (!is_whole && pairs.first.empty())
      throw base::InputError(base::Mistake{
          "", 0, "", fmt::format("merges a map that is to have '{}': write this map out without '<<' first", parent)});
    text.nest(parent, pairs.first, pairs.second);
  }
}

std::string change(TextMap text, const Node& map, const Words& words, std::string_view where, std::string_view all) {
  Words present;
  for (const OldWord* word : words)
    if (has_word(map, *word)) present.push_back(word);
  for (const OldWord* word : present)
    if (word->change) word->change(text, map, all);
  gather_lists(text, present, where);
  nest_and_set(text, present);
  for (const OldWord* word : present)
    if (!word->change && !word->now.empty() && word->now.find_first_of(":.") == std::string_view::npos &&
        text.has(word->old))
      text.rename(word->old, std::string(word->now));
  return text.text();
}

Node read_map(const std::string& text, const Sources& sources) {
  Node root = parse_yaml(text, sources, 0, MergeKeys::keep);
  if (root.is_map()) return root;
  throw base::InputError(
      base::Mistake{sources[0], 0, "", "must be a map of keys such as time and bodies, the text of a scene"});
}

/// One pass over the text: all words of one place.
void change_words(std::string& text, const Words& words, const Sources& sources) {
  const std::string_view where = words.front()->where;
  const Node root = read_map(text, sources);
  std::map<std::size_t, std::pair<std::size_t, std::string>> edits;  // an anchor's map is met at each alias too
  for (const Place& place : places(root, where)) {
    if (std::none_of(words.begin(), words.end(), [&](const OldWord* word) { return has_word(*place.map, *word); }))
      continue;
    const TextMap before(text, *place.map);
    try {
      edits[before.begin()] = {before.end(), change(before, *place.map, words, where, text)};
    } catch (const base::InputError& error) {
      throw base::InputError(base::Mistake{sources[0], place.map->line, place.path, error.mistakes().front().message});
    }
  }
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    text.replace(edit->first, edit->second.first - edit->first, edit->second.second);
}

/// The path of a key in the words of version 2, for a scene in those of version 1.
std::string upgraded_path(const Node& root, const std::string& path) {
  const std::vector<std::string> keys = parts_of(path, ".");
  std::vector<std::string> now = keys;
  std::string at;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (const OldWord& word : old_words()) {
      if (word.now.empty() || word.old != keys[i] || word.now.find(':') != std::string_view::npos) continue;
      const std::vector<Place> found = places(root, word.where);
      if (std::any_of(found.begin(), found.end(), [&](const Place& place) { return place.path == at; }))
        now[i] = word.now;
    }
    at = join(at, keys[i]);
  }
  // The shape of a shell was a key of its mesh, beside what is no part of a shape.
  for (std::size_t i = 1; i + 1 < keys.size(); ++i) {
    if (keys[i - 1] != "mesh" || now[i - 1] != "shape" || keys[i] == "scale") continue;
    now.erase(now.begin() + static_cast<std::ptrdiff_t>(keys[i] == "copies" ? i - 1 : i));
    break;
  }
  return fmt::format("{}", fmt::join(now, "."));
}

/// Changes "key=value" of refinements.
void change_refinements(std::string& text, const Sources& sources) {
  const Node root = read_map(text, sources);
  const Node* refinements = find_value(root, "refinements");
  if (refinements == nullptr) return;
  std::map<std::size_t, std::pair<std::size_t, std::string>> edits;
  for (const Node& refinement : refinements->items) {
    for (const Node& one : refinement.items) {
      const std::string key = one.text.substr(0, one.text.find('='));
      const std::string now = upgraded_path(root, key);
      const std::size_t at = text.find(key, static_cast<std::size_t>(std::max<std::ptrdiff_t>(one.at, 0)));
      if (now != key && at != std::string::npos) edits[at] = {key.size(), now};
    }
  }
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    text.replace(edit->first, edit->second.first, edit->second.second);
}

/// A layout that word by word cannot be rewritten is refused: no file is left that cannot be read.
void check_result(const std::string& text, const Sources& sources) {
  try {
    const Node now = read_map(text, sources);
    for (const OldWord& word : old_words())
      for (const Place& place : places(now, word.where))
        if (!word.now.empty() && has_word(*place.map, word))
          throw base::InputError(base::Mistake{sources[0], place.map->line, join(place.path, key_of(word.old)),
                                               fmt::format("cannot be rewritten: write '{}' by hand", word.answer())});
  } catch (const base::InputError& error) {
    const base::Mistake& first = error.mistakes().front();
    throw base::InputError(
        base::Mistake{sources[0], 0, first.key,
                      fmt::format("has a layout that cannot be rewritten word by word, about line {}: {}", first.line,
                                  first.message)});
  }
}

}  // namespace

void answer_old_words(const Node& root, Reading& reading) {
  for (const OldWord& word : old_words()) {
    for (const Place& place : places(root, word.where)) {
      if (word.now.empty() || !has_word(*place.map, word)) continue;
      const std::string key = key_of(word.old);
      const auto entry = std::find_if(place.map->entries.begin(), place.map->entries.end(),
                                      [&](const Node::Entry& e) { return e.name == key; });
      Node at = Node::scalar(key);
      at.line = entry->line;
      at.source = entry->source;
      reading.mistake(
          at, join(place.path, key),
          fmt::format("version 1 word '{}': write '{}'; `ictus upgrade` rewrites the file", word.old, word.answer()));
      const bool is_type = key == "type" || word.change != nullptr;
      reading.silence(place.path, is_type);
      reading.silence(join(place.path, key), true);
      reading.silence(join(place.path, key_of(word.now)), true);
    }
  }
}

Upgraded upgrade(std::string_view text, const std::string& file_name) {
  const Sources sources{file_name};
  const bool has_mark = text.starts_with(byte_order_mark);
  Upgraded result{std::string(has_mark ? text.substr(byte_order_mark.size()) : text)};
  const Node root = read_map(result.text, sources);
  if (const auto twice = find_duplicates(root, sources); !twice.empty()) throw base::InputError(twice);
  for (const OldWord& word : old_words())
    for (const Place& place : places(root, word.where))
      result.words += !word.now.empty() && has_word(*place.map, word) ? 1 : 0;
  if (result.words > 0) change_refinements(result.text, sources);
  const auto all = old_words();
  for (std::size_t i = 0; i < all.size() && result.words > 0;) {
    Words words;
    for (const std::size_t first = i; i < all.size() && all[i].where == all[first].where; ++i) words.push_back(&all[i]);
    change_words(result.text, words, sources);
  }
  if (const Node now = read_map(result.text, sources); now.find("version") == nullptr) {
    TextMap top(result.text, now);
    const std::size_t begin = top.begin(), end = top.end();
    top.prepend("version", "2");
    result.text.replace(begin, end - begin, top.text());
  }
  check_result(result.text, sources);
  if (has_mark) result.text.insert(0, byte_order_mark);
  return result;
}

}  // namespace ictus::scene
