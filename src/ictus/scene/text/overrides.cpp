#include <ictus/scene/text/overrides.hpp>

#include <ictus/scene/schema/schema.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ictus::scene {

namespace {

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// The kind of what a key or an index leads to; nullptr if the schema does not know it.
const Kind* child_of(const Kind* kind, std::string_view key) {
  if (const auto* object = dynamic_cast<const ObjectKind*>(kind)) {
    const Field* field = object->find(key);
    return field ? field->kind.get() : nullptr;
  }
  if (const auto* variant = dynamic_cast<const VariantKind*>(kind)) {
    for (const auto& alternative : variant->alternatives())
      if (const Field* field = alternative->find(key)) return field->kind.get();
    return nullptr;
  }
  if (const auto* named = dynamic_cast<const NamedKind*>(kind)) return &named->item();
  if (const auto* list = dynamic_cast<const ListKind*>(kind)) return &list->item();
  return nullptr;
}

/// One walk from the root to the location that a path names.
class Walk {
 public:
  Walk(const Override& override_, Node value, const Sources& sources, int source)
      : value_(std::move(value)), parts_(split(override_.path)), sources_(sources), source_(source) {}

  void run(Node& root) {
    if (std::any_of(parts_.begin(), parts_.end(), [](const std::string& part) { return part.empty(); }))
      refuse("", "the path before '=' must be keys joined by '.', such as time.end");
    const Kind* kind = &scene_schema();
    Node* node = &root;
    while (at_ < parts_.size()) {
      const auto* named = dynamic_cast<const NamedKind*>(kind);
      const std::string key = take_key(named);
      kind = child_of(kind, key);
      node = enter(*node, key, named != nullptr && named->names() == NamedKind::Names::words, kind);
      if (node == nullptr) return;
      path_ = join(path_, key);
    }
    *node = std::move(value_);
  }

 private:
  bool is_last() const { return at_ == parts_.size(); }

  [[noreturn]] void refuse(std::string key, std::string message) const {
    throw base::InputError(base::Mistake{sources_[source_], 0, std::move(key), std::move(message)});
  }

  /// The next key. A path of the summary has dots itself: it is all that is left, but for a last key of its condition.
  std::string take_key(const NamedKind* named) {
    if (named == nullptr || named->names() == NamedKind::Names::words) return parts_[at_++];
    std::size_t end = parts_.size();
    if (end - at_ >= 2 && !value_.is_map() && child_of(&named->item(), parts_.back()) != nullptr) --end;
    std::string key;
    while (at_ < end) key = join(key, parts_[at_++]);
    return key;
  }

  /// The node under a key, made if need be; nullptr if the key was taken away. `kind` is the kind of that node. A body
  /// or probe (a single word) is not made from one of its keys: that would be a misspelt name.
  Node* enter(Node& node, const std::string& key, bool is_single_word, const Kind* kind) {
    if (node.is_null()) node.form = is_index(key) ? Node::Form::list : Node::Form::map;
    if (node.is_list()) return enter_list(node, key);
    const std::string path = join(path_, key);
    if (!node.is_map()) refuse(path, fmt::format("{} is {}, which has no keys", path_, shown(node)));
    const auto found = std::find_if(node.entries.begin(), node.entries.end(), [&](auto& e) { return e.name == key; });
    const bool takes_away = is_last() && value_.is_null() && dynamic_cast<const AnyScalarKind*>(kind) == nullptr;
    if (takes_away && kind != nullptr) {
      if (found != node.entries.end()) node.entries.erase(found);
      return nullptr;
    }
    if (found == node.entries.end()) {
      if (is_single_word && !is_last()) refuse(path, no_such_name(node, key));
      Node fresh;
      fresh.source = source_;
      return &node.add(key, std::move(fresh));
    }
    if (is_last()) {
      found->line = 0;
      found->source = source_;
    }
    return &found->value;
  }

  Node* enter_list(Node& node, const std::string& key) {
    const std::string path = join(path_, key);
    if (!is_index(key)) refuse(path, fmt::format("{} is a list, its items are numbered from 0", path_));
    const std::size_t count = node.items.size();
    std::size_t index = count + 1;
    std::from_chars(key.data(), key.data() + key.size(), index);
    if (index > count || (index == count && !is_last()))
      refuse(path, fmt::format("{} has {} item{}, numbered from 0", path_, count, count == 1 ? "" : "s"));
    if (index < count && is_last() && value_.is_null()) {
      node.items.erase(node.items.begin() + static_cast<std::ptrdiff_t>(index));
      return nullptr;
    }
    return index == count ? &node.items.emplace_back() : &node.items[index];
  }

  static bool is_index(std::string_view key) {
    return std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
  }

  std::string no_such_name(const Node& node, const std::string& key) const {
    std::vector<std::string> names;
    for (const Node::Entry& entry : node.entries) names.push_back(entry.name);
    std::string near = suggestion(key, names);
    if (near.empty()) near = names.empty() ? ", it is empty" : fmt::format(", it has {}", fmt::join(names, ", "));
    return fmt::format("{} has no '{}'{}", path_, key, near);
  }

  Node value_;
  std::vector<std::string> parts_;
  const Sources& sources_;
  int source_;
  std::size_t at_ = 0;
  std::string path_;
};

}  // namespace

void apply_override(const Override& override_, Node& root, const Sources& sources, int source) {
  if (override_.value.find_first_not_of(' ') == std::string::npos)
    throw base::InputError(base::Mistake{sources[source], 0, "", "has no value after '='; null takes a key away"});
  Walk(override_, parse_yaml(override_.value, sources, source), sources, source).run(root);
}

}  // namespace ictus::scene
