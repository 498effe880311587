#include <ictus/scene/text/node.hpp>

#include <fmt/format.h>

#include <map>

namespace ictus::scene {

Node Node::scalar(std::string text) {
  Node node;
  node.form = Form::scalar;
  node.text = std::move(text);
  return node;
}

Node Node::quoted_text(std::string text) {
  Node node = scalar(std::move(text));
  node.quoted = true;
  return node;
}

const Node* Node::find(std::string_view name) const {
  for (const Entry& entry : entries)
    if (entry.name == name) return &entry.value;
  return nullptr;
}

Node& Node::add(std::string name, Node value) {
  form = Form::map;
  Entry entry{std::move(name), value.line, value.source, std::move(value)};
  return entries.emplace_back(std::move(entry)).value;
}

std::string join(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

std::string shown(const Node& node) {
  constexpr std::size_t longest = 40;
  switch (node.form) {
    case Node::Form::null:
      return "nothing";
    case Node::Form::list:
      return "a list";
    case Node::Form::map:
      return "a map";
    case Node::Form::scalar:
      break;
  }
  std::string text = node.text.substr(0, longest);
  if (text.size() < node.text.size()) {
    // Cut before a UTF-8 character, never inside it.
    while (!text.empty() && (static_cast<unsigned char>(node.text[text.size()]) & 0xC0) == 0x80) text.pop_back();
    text += "...";
  }
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return node.quoted ? fmt::format("\"{}\"", text) : text;
}

namespace {

void find_duplicates(const Node& node, const std::string& path, const Sources& sources,
                     std::vector<base::Mistake>& mistakes) {
  for (std::size_t i = 0; i < node.items.size(); ++i)
    find_duplicates(node.items[i], join(path, std::to_string(i)), sources, mistakes);
  std::map<std::string_view, int> first_line;
  for (const Node::Entry& entry : node.entries) {
    const std::string key = join(path, entry.name);
    const auto [found, is_new] = first_line.emplace(entry.name, entry.line);
    if (!is_new)
      mistakes.push_back(
          {sources[entry.source], entry.line, key,
           entry.line > 0 ? fmt::format("given twice, first on line {}", found->second) : "given twice"});
    find_duplicates(entry.value, key, sources, mistakes);
  }
}

}  // namespace

std::vector<base::Mistake> find_duplicates(const Node& root, const Sources& sources) {
  std::vector<base::Mistake> mistakes;
  find_duplicates(root, "", sources, mistakes);
  return mistakes;
}

}  // namespace ictus::scene
