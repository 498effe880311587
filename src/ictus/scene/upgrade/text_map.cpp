#include <ictus/scene/upgrade/text_map.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ictus::scene {

namespace {

constexpr std::size_t widest_nested_line = 110;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed_text(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The end of the line that `at` is on: of its '\n', or of the text.
std::size_t end_of_line(std::string_view text, std::size_t at) { return std::min(text.find('\n', at), text.size()); }

bool starts_comment(std::string_view text, std::size_t at) {
  return text[at] == '#' && (at == 0 || is_blank(text[at - 1]));
}

/// Behind the quoted text that begins at `at`.
std::size_t behind_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (quote != '\'' || at + 1 >= text.size() || text[at + 1] != quote) return at + 1;
      ++at;
    }
  }
  return text.size();
}

/// True where a quote begins a quoted text, not where it stands inside a word.
bool starts_quotes(std::string_view text, std::size_t at) {
  if (text[at] != '"' && text[at] != '\'') return false;
  return at == 0 || is_blank(text[at - 1]) || std::string_view("{[,:").find(text[at - 1]) != std::string_view::npos;
}

/// The first of `stops` outside quotes, comments and brackets opened on the way; the end of the text if there is none.
std::size_t find_outside(std::string_view text, std::size_t at, std::string_view stops) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (starts_quotes(text, at)) {
      at = behind_quotes(text, at);
      continue;
    }
    if (starts_comment(text, at)) {
      at = end_of_line(text, at);
      continue;
    }
    if (depth == 0 && stops.find(c) != std::string_view::npos) return at;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
  return text.size();
}

/// Behind the value in brackets that begins at `at`.
std::size_t behind_brackets(std::string_view text, std::size_t at) {
  return std::min(find_outside(text, at + 1, "]}") + 1, text.size());
}

std::size_t behind_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

/// Behind an anchor and the blank space before and after it.
std::size_t behind_anchor(std::string_view text, std::size_t at) {
  at = behind_blanks(text, at);
  if (at >= text.size() || text[at] != '&') return at;
  while (at < text.size() && !is_blank(text[at])) ++at;
  return behind_blanks(text, at);
}

/// Behind the name that begins at `at`.
std::size_t behind_key(std::string_view text, std::size_t at, const std::string& name) {
  if (text[at] == '"' || text[at] == '\'') return behind_quotes(text, at);
  return std::min(at + name.size(), text.size());
}

/// The end of the value that stands behind a key at `column` of a block: of the last line that belongs to it.
std::size_t end_of_block_value(std::string_view text, std::size_t at, std::size_t column, bool is_list) {
  const std::size_t first = behind_anchor(text, at);
  if (first < text.size()) {
    if (text[first] == '{' || text[first] == '[') return end_of_line(text, behind_brackets(text, first));
    if (starts_quotes(text, first)) return end_of_line(text, behind_quotes(text, first));
  }
  std::size_t end = end_of_line(text, at);
  for (std::size_t line = end + 1; line < text.size();) {
    const std::size_t line_end = end_of_line(text, line);
    const std::size_t start = text.find_first_not_of(" \r", line);
    const std::size_t indent = std::min(start, line_end) - line;
    if (start < line_end) {
      const bool is_item = is_list && indent == column && text[start] == '-' && is_blank(text[start + 1]);
      if (indent > column || is_item)
        end = line_end;
      else if (text[start] != '#')
        break;
    }
    line = line_end + 1;
  }
  return end;
}

std::string spaces(std::size_t count) { return std::string(count, ' '); }

/// Every line but the first moved to the left.
std::string dedented(std::string_view text, std::size_t by) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] != '\n') continue;
    for (std::size_t k = 0; k < by && i + 1 < text.size() && text[i + 1] == ' '; ++k) ++i;
  }
  return result;
}

/// Every line but the first moved to the right.
std::string indented(std::string_view text, std::size_t by) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] != '\n') result += spaces(by);
  }
  return result;
}

}  // namespace

std::string_view value_in(std::string_view text) {
  const std::size_t at = behind_blanks(text, 0);
  if (at == text.size()) return {};
  if (text[at] == '{' || text[at] == '[') return text.substr(at, behind_brackets(text, at) - at);
  if (starts_quotes(text, at)) return text.substr(at, behind_quotes(text, at) - at);
  std::size_t end = at;
  while (end < text.size() && !starts_comment(text, end)) ++end;
  return trimmed_text(text.substr(at, end - at));
}

TextMap::TextMap(std::string_view text, const Node& map) {
  const std::size_t at = behind_anchor(text, static_cast<std::size_t>(map.at));
  flow_ = map.entries.empty() || (at < text.size() && text[at] == '{');
  if (flow_)
    cut_flow(text, map);
  else
    cut_block(text, map);
  original_ = text.substr(begin_, end_ - begin_);
}

void TextMap::cut_flow(std::string_view text, const Node& map) {
  begin_ = behind_anchor(text, static_cast<std::size_t>(map.at));
  std::size_t at = begin_ + 1;
  for (const Node::Entry& entry : map.entries) {
    const auto key = static_cast<std::size_t>(entry.at);
    const std::size_t key_end = behind_key(text, key, entry.name);
    const std::size_t colon = find_outside(text, key_end, ":,}");
    const bool has_value = colon < text.size() && text[colon] == ':';
    const std::size_t value = has_value ? colon + 1 : key_end;
    const std::size_t value_end = find_outside(text, value, ",}");
    entries_.push_back({std::string(text.substr(at, key - at)), std::string(text.substr(key, key_end - key)),
                        entry.name, std::string(text.substr(value, value_end - value))});
    at = value_end < text.size() && text[value_end] == ',' ? value_end + 1 : value_end;
  }
  const std::size_t brace = find_outside(text, at, "}");
  tail_ = std::string(text.substr(at, brace - at));
  end_ = std::min(brace + 1, text.size());
}

void TextMap::cut_block(std::string_view text, const Node& map) {
  begin_ = static_cast<std::size_t>(map.entries.front().at);
  const std::size_t line = text.rfind('\n', begin_ == 0 ? 0 : begin_ - 1);
  column_ = begin_ - (line == std::string_view::npos || begin_ == 0 ? 0 : line + 1);
  std::size_t at = begin_;
  for (const Node::Entry& entry : map.entries) {
    const auto key = static_cast<std::size_t>(entry.at);
    const std::size_t key_end = behind_key(text, key, entry.name);
    const std::size_t value = std::min(text.find(':', key_end), text.size() - 1) + 1;
    const std::size_t value_end = end_of_block_value(text, value, column_, entry.value.is_list());
    entries_.push_back({std::string(text.substr(at, key - at)), std::string(text.substr(key, key_end - key)),
                        entry.name, std::string(text.substr(value, value_end - value))});
    at = value_end;
  }
  end_ = at;
}

std::string TextMap::text() const {
  std::string result = flow_ ? "{" : "";
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (flow_ && i > 0) result += ",";
    result += entry.lead + entry.key + ":" + entry.value;
  }
  return flow_ ? result + tail_ + "}" : result;
}

std::size_t TextMap::index_of(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
  return static_cast<std::size_t>(found - entries_.begin());
}

std::vector<std::string> TextMap::names() const {
  std::vector<std::string> result;
  for (const Entry& entry : entries_) result.push_back(entry.name);
  return result;
}

std::string TextMap::value(std::string_view name) const {
  return has(name) ? std::string(value_in(entries_[index_of(name)].value)) : std::string();
}

void TextMap::rename(std::string_view name, std::string now) {
  Entry& entry = entries_[index_of(name)];
  entry.name = now;
  entry.key = std::move(now);
}

void TextMap::set_value(std::string_view name, const std::string& value) {
  std::string& old = entries_[index_of(name)].value;
  const std::string_view core = value_in(old);
  const std::size_t behind = core.empty() ? 0 : static_cast<std::size_t>(core.data() - old.data()) + core.size();
  old = " " + value + old.substr(behind);
}

void TextMap::remove(std::string_view name) {
  const std::size_t i = index_of(name);
  if (i == 0 && entries_.size() > 1) {
    std::string& lead = entries_[1].lead;
    lead = flow_ && trimmed_text(lead).empty() ? entries_[0].lead
                                               : std::string(std::string_view(lead).substr(behind_blanks(lead, 0)));
  }
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
}

void TextMap::append(std::string name, const std::string& value) {
  Entry entry{flow_ ? " " : "\n" + spaces(column_), name, name, " " + value};
  if (flow_ && !entries_.empty() && trimmed_text(tail_).empty()) {
    std::string& last = entries_.back().value;
    const std::size_t kept = last.find_last_not_of(" \t\r\n") + 1;
    entry.value += last.substr(kept);
    last.resize(kept);
  }
  if (entries_.empty()) entry.lead.clear();
  entries_.push_back(std::move(entry));
}

void TextMap::prepend(std::string name, const std::string& value) {
  Entry entry{"", name, name, " " + value};
  if (!entries_.empty()) {
    entry.lead = entries_.front().lead;
    entries_.front().lead = flow_ ? " " : "\n" + spaces(column_);
  }
  entries_.insert(entries_.begin(), std::move(entry));
}

std::string TextMap::nested_value(const Pairs& first, const std::vector<Entry>& moved) const {
  std::string line;
  for (const auto& [name, value] : first) line += fmt::format("{}{}: {}", line.empty() ? "" : ", ", name, value);
  bool fits = true;
  for (const Entry& entry : moved) {
    const std::string_view core = value_in(entry.value);
    const bool is_plain = trimmed_text(entry.lead).empty() && trimmed_text(entry.value) == core &&
                          (flow_ || core.find('\n') == std::string_view::npos) && !core.starts_with('|') &&
                          !core.starts_with('>');
    fits = fits && is_plain;
    const bool breaks = flow_ && entry.lead.find('\n') != std::string::npos && !line.empty();
    line += fmt::format("{}{}: {}", line.empty() ? "" : breaks ? "," + entry.lead : ", ", entry.key, core);
  }
  if (flow_ && !fits) {
    line.clear();
    for (const auto& [name, value] : first) line += fmt::format("{}{}: {}", line.empty() ? "" : ", ", name, value);
    for (const Entry& entry : moved)
      line += fmt::format("{}{}{}:{}", line.empty() ? "" : ",", entry.lead, entry.key, entry.value);
  }
  if (flow_ || (fits && line.size() + column_ < widest_nested_line)) return fmt::format(" {{{}}}", line);
  const std::string at = "\n" + spaces(column_ + 2);
  std::string block;
  for (const auto& [name, value] : first) block += fmt::format("{}{}: {}", at, name, value);
  for (const Entry& entry : moved) {
    const bool is_first = entry.lead.find('\n') == std::string::npos;
    block += (is_first ? at : indented(entry.lead, 2)) + entry.key + ":" + indented(entry.value, 2);
  }
  return block;
}

void TextMap::nest(const std::string& parent, const Pairs& first, const Pairs& moved) {
  std::vector<Entry> taken;
  std::size_t place = entries_.size();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto found =
        std::find_if(moved.begin(), moved.end(), [&](const auto& m) { return m.first == entries_[i].name; });
    if (found == moved.end()) continue;
    place = std::min(place, i);
    taken.push_back(entries_[i]);
    taken.back().key = found->second;
  }
  if (taken.empty()) return append(parent, nested_value(first, taken).substr(1));
  taken.front().lead.clear();  // what stood before the first of them stands before the map
  Entry& entry = entries_[place];
  entry.value = nested_value(first, taken);
  entry.key = parent;
  entry.name = "\n";  // no name that can be moved
  for (const auto& [name, now] : moved)
    if (has(name)) remove(name);
  entries_[index_of("\n")].name = parent;
}

void TextMap::dissolve(std::string_view name, const TextMap& inner, const std::pair<std::string, std::string>& first) {
  const std::size_t i = index_of(name);
  const std::string line = "\n" + spaces(column_);
  Entry head{entries_[i].lead, first.first, first.first, " " + first.second};
  const std::string& value = entries_[i].value;
  const std::string_view comment = trimmed_text(std::string_view(value).substr(0, value.find(inner.original_)));
  if (comment.starts_with('#')) head.value += fmt::format("  {}", comment);
  std::vector<Entry> all{head};
  for (Entry entry : inner.entries_) {
    if (!flow_ && inner.flow_) {
      entry.lead = line;
      entry.value = " " + std::string(value_in(entry.value));
    } else if (!flow_) {
      entry.lead = entry.lead.find('\n') == std::string::npos ? line : dedented(entry.lead, inner.column_ - column_);
      entry.value = dedented(entry.value, inner.column_ - column_);
    } else if (entry.lead.empty()) {
      entry.lead = " ";
    }
    all.push_back(std::move(entry));
  }
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
  entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(i), all.begin(), all.end());
}

void TextMap::promote(std::string_view name, TextMap& inner) {
  const std::string value = inner.entries_[inner.index_of(name)].value;
  inner.remove(name);
  const bool is_block = !inner.flow_ && value.find('\n') != std::string::npos;
  append(std::string(name), is_block ? "" : std::string(value_in(value)));
  if (is_block) entries_.back().value = dedented(value, inner.column_ - column_);
}

std::string TextMap::as_list(const std::string& key, const std::string& value) const {
  std::string result = flow_ ? " [" : "\n" + spaces(column_);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    const std::string_view core = value_in(entry.value);
    const std::string item = fmt::format("{{{}: {}, {}: {}}}", key, entry.key, value, core);
    const auto behind = static_cast<std::size_t>(core.data() - entry.value.data()) + core.size();
    result += (flow_ && i > 0 ? "," : "") + entry.lead + (flow_ ? "" : "- ") + item + entry.value.substr(behind);
  }
  return result + (flow_ ? tail_ + "]" : "");
}

void TextMap::append_item(std::string_view name, const std::string& item) {
  std::string& value = entries_[index_of(name)].value;
  // The first item tells the column; what stands before it is a comment, if anything.
  std::size_t line = value.find('\n') + 1;
  while (line < value.size() && value[value.find_first_not_of(' ', line)] != '-') line = end_of_line(value, line) + 1;
  const std::size_t indent = value.find('-', line) - line;
  value += "\n" + spaces(indent) + "- " + item;
}

void TextMap::put_back(std::string_view name, const TextMap& inner) {
  std::string& value = entries_[index_of(name)].value;
  const std::size_t at = value.find(inner.original_);
  value.replace(at, inner.original_.size(), inner.text());
}

}  // namespace ictus::scene
