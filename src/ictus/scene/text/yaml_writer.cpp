#include <ictus/scene/text/node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ictus::scene {

namespace {

constexpr std::size_t widest_line = 110;

bool is_reserved(std::string_view text) {
  constexpr std::array<std::string_view, 12> words{"true", "false", "null", "yes", "no",  "on",
                                                   "off",  "y",     "n",    "nan", "inf", "infinity"};
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return std::find(words.begin(), words.end(), lower) != words.end();
}

/// True if the text without quotes is the same text for every YAML reader: a conservative rule.
bool is_plain(std::string_view text, bool in_flow) {
  if (text.empty() || text.back() == ' ' || is_reserved(text)) return false;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (!is_letter(text.front())) return false;
  const std::string_view others = in_flow ? " .-+/()=<>" : " .-+/()=<>,;'";
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || others.find(c) != std::string_view::npos;
  });
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string scalar(const Node& node, bool in_flow) {
  if (node.is_null()) return "null";
  if (!node.quoted || is_plain(node.text, in_flow)) return node.text;
  return in_quotes(node.text);
}

std::string key(std::string_view name, bool in_flow) {
  return is_plain(name, in_flow) ? std::string(name) : in_quotes(name);
}

std::string flow(const Node& node) {
  std::string text;
  const auto add = [&](const std::string& part) { text += fmt::format("{}{}", text.empty() ? "" : ", ", part); };
  if (node.is_list()) {
    for (const Node& item : node.items) add(flow(item));
    return fmt::format("[{}]", text);
  }
  if (node.is_map()) {
    for (const Node::Entry& entry : node.entries) add(fmt::format("{}: {}", key(entry.name, true), flow(entry.value)));
    return fmt::format("{{{}}}", text);
  }
  return scalar(node, true);
}

bool is_flat_list(const Node& node) {
  return node.is_list() && std::all_of(node.items.begin(), node.items.end(),
                                       [](const Node& item) { return item.is_scalar() || item.is_null(); });
}

/// True for what goes on one line: scalars, lists of scalars, and maps of these if they fit.
bool fits_one_line(const Node& node, int indent) {
  if (node.is_scalar() || node.is_null() || is_flat_list(node)) return true;
  if (node.is_list()) return node.items.empty();
  const bool simple = std::all_of(node.entries.begin(), node.entries.end(), [](const Node::Entry& entry) {
    return entry.value.is_scalar() || entry.value.is_null() || is_flat_list(entry.value);
  });
  return simple && flow(node).size() + indent <= widest_line;
}

/// Text of several lines that a literal block keeps exactly.
bool fits_literal_block(const Node& node) {
  const std::string& text = node.text;
  if (!node.quoted || text.find('\n') == std::string::npos) return false;
  if (text.front() == ' ' || text.front() == '\n' || text.ends_with("\n\n")) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F); });
}

std::string literal_block(const std::string& text, int indent) {
  std::string result = text.back() == '\n' ? "|\n" : "|-\n";
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = std::string_view(text).substr(start, end - start);
    if (!line.empty()) result += std::string(indent, ' ');
    result += line;
    result += '\n';
    start = end + 1;
  }
  return result;
}

void write_map(const Node& node, int indent, std::string& out);

void write_list(const Node& node, int indent, std::string& out) {
  for (const Node& item : node.items) {
    out += fmt::format("{:{}}-", "", indent);
    if (fits_one_line(item, indent + 2)) {
      out += fmt::format(" {}\n", flow(item));
    } else if (item.is_map()) {
      out += "\n";
      write_map(item, indent + 2, out);
    } else {
      out += "\n";
      write_list(item, indent + 2, out);
    }
  }
}

void write_map(const Node& node, int indent, std::string& out) {
  for (const Node::Entry& entry : node.entries) {
    const std::string name = key(entry.name, false);
    out += fmt::format("{:{}}{}:", "", indent, name);
    const Node& value = entry.value;
    if (fits_literal_block(value)) {
      out += fmt::format(" {}", literal_block(value.text, indent + 2));
    } else if (value.is_scalar()) {
      out += fmt::format(" {}\n", scalar(value, false));
    } else if (fits_one_line(value, indent + static_cast<int>(name.size()) + 2)) {
      out += fmt::format(" {}\n", flow(value));
    } else {
      out += "\n";
      if (value.is_map())
        write_map(value, indent + 2, out);
      else
        write_list(value, indent + 2, out);
    }
  }
}

}  // namespace

std::string to_yaml(const Node& root) {
  std::string text;
  if (root.is_map() && !root.entries.empty())
    write_map(root, 0, text);
  else
    text = flow(root) + "\n";
  return text;
}

}  // namespace ictus::scene
