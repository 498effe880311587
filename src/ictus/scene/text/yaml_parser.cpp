#include <ictus/scene/text/node.hpp>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace ictus::scene {

namespace {

constexpr int max_depth = 64;
constexpr int max_values = 200'000;

/// Builds the tree from the parser's events. Depth and size count what aliases stand for, so that a short text cannot
/// grow without bound.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, const Sources& sources, int source, MergeKeys merge_keys)
      : sources_(sources), source_(source), merge_keys_(merge_keys), line_starts_{0} {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') line_starts_.push_back(static_cast<std::ptrdiff_t>(i) + 1);
  }

  /// The tree, once the parser has no complaint left.
  Node take() {
    if (odd_key_) throw base::InputError(*odd_key_);
    return std::move(root_);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (std::exchange(seen_document_, true))
      refuse(mark, "a second document starts here; a scene is one document ('---' may stand only at the top)");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    close(open(mark, Node::Form::null, "", anchor));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Frame frame = open(mark, Node::Form::scalar, tag, anchor);
    frame.node.text = value;
    frame.node.quoted = tag == "!";
    close(std::move(frame));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) refuse(mark, "an alias stands inside the value that it names");
    if (expects_key()) note_odd_key(mark, "a key must be text, not an alias");
    Frame frame = found->second;
    frame.anchor = 0;
    values_ += frame.values;
    check_size(mark, frame.depth);
    close(std::move(frame));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    stack_.push_back(open(mark, Node::Form::list, tag, anchor));
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    stack_.push_back(open(mark, Node::Form::map, tag, anchor));
  }
  void OnSequenceEnd() override { close_top(); }
  void OnMapEnd() override {
    if (merge_keys_ == MergeKeys::resolve) merge(stack_.back());
    close_top();
  }

 private:
  struct Frame {
    Node node;
    YAML::anchor_t anchor = 0;
    int depth = 1;   // levels of the subtree
    int values = 1;  // nodes of the subtree
    bool has_key = false;
    std::string key;
    int key_line = 0;
    std::ptrdiff_t key_at = -1;
  };

  [[noreturn]] void refuse(int line, std::string message) const {
    throw base::InputError(base::Mistake{sources_[source_], line, "", std::move(message)});
  }
  [[noreturn]] void refuse(const YAML::Mark& mark, std::string message) const {
    refuse(line_of(mark), std::move(message));
  }

  /// An unclosed bracket looks like a key at first: the parser's own complaint, if one follows, is the better one.
  void note_odd_key(const YAML::Mark& mark, std::string message) {
    if (!odd_key_) odd_key_ = base::Mistake{sources_[source_], line_of(mark), "", std::move(message)};
  }

  /// Overrides are one line, which needs no number.
  int line_of(const YAML::Mark& mark) const { return source_ == 0 && mark.line >= 0 ? mark.line + 1 : 0; }

  std::ptrdiff_t offset_of(const YAML::Mark& mark) const {
    const auto line = static_cast<std::size_t>(mark.line);
    return mark.line >= 0 && line < line_starts_.size() ? line_starts_[line] + mark.column : -1;
  }

  bool expects_key() const { return !stack_.empty() && stack_.back().node.is_map() && !stack_.back().has_key; }

  void check_size(const YAML::Mark& mark, int depth) const {
    if (static_cast<int>(stack_.size()) + depth > max_depth)
      refuse(mark, fmt::format("lists and maps are nested more than {} deep", max_depth));
    if (values_ > max_values)
      refuse(mark, fmt::format("there are more than {} values (an alias counts as what it stands for)", max_values));
  }

  Frame open(const YAML::Mark& mark, Node::Form form, const std::string& tag, YAML::anchor_t anchor) {
    if (!tag.empty() && tag != "?" && tag != "!")
      refuse(mark, "tags (words that start with '!') have no meaning in a scene");
    if (expects_key() && form != Node::Form::scalar)
      note_odd_key(
          mark, form == Node::Form::null ? "a key is missing before ':'" : "a key must be text, not a list or a map");
    ++values_;
    check_size(mark, 1);
    Frame frame;
    frame.node.form = form;
    frame.node.line = line_of(mark);
    frame.node.source = source_;
    frame.node.at = offset_of(mark);
    frame.anchor = anchor;
    return frame;
  }

  void close_top() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    close(std::move(frame));
  }

  void close(Frame frame) {
    if (frame.anchor != 0) anchors_.insert_or_assign(frame.anchor, frame);
    if (stack_.empty()) {
      root_ = std::move(frame.node);
      return;
    }
    Frame& parent = stack_.back();
    parent.depth = std::max(parent.depth, frame.depth + 1);
    parent.values += frame.values;
    if (parent.node.is_list()) {
      parent.node.items.push_back(std::move(frame.node));
    } else if (!std::exchange(parent.has_key, true)) {
      parent.key = std::move(frame.node.text);
      parent.key_line = frame.node.line;
      parent.key_at = frame.node.at;
    } else {
      parent.has_key = false;
      // A block starts on the line after its key, and an empty value has no line of its own.
      if (!frame.node.is_scalar()) frame.node.line = parent.key_line;
      parent.node.entries.push_back(
          {std::move(parent.key), parent.key_line, source_, std::move(frame.node), parent.key_at});
    }
  }

  /// Replaces `<<: map` and `<<: [map, ...]` by those of their keys that the map does not have itself.
  void merge(Frame& frame) {
    std::vector<Node::Entry> own;
    std::vector<Node::Entry> merged;
    for (Node::Entry& entry : frame.node.entries) (entry.name == "<<" ? merged : own).push_back(std::move(entry));
    frame.node.entries = std::move(own);
    if (merged.empty()) return;
    std::set<std::string> names;
    for (const Node::Entry& entry : frame.node.entries) names.insert(entry.name);
    for (Node::Entry& entry : merged) {
      std::vector<Node> maps;
      if (entry.value.is_list())
        maps = std::move(entry.value.items);
      else
        maps.push_back(std::move(entry.value));
      for (Node& map : maps) {
        if (!map.is_map()) refuse(entry.line, "'<<' merges a map or a list of maps, such as an alias of a body");
        for (Node::Entry& inherited : map.entries)
          if (names.insert(inherited.name).second) frame.node.entries.push_back(std::move(inherited));
      }
    }
  }

  const Sources& sources_;
  int source_;
  MergeKeys merge_keys_;
  std::vector<std::ptrdiff_t> line_starts_;
  bool seen_document_ = false;
  int values_ = 0;
  Node root_;
  std::optional<base::Mistake> odd_key_;
  std::vector<Frame> stack_;
  std::map<YAML::anchor_t, Frame> anchors_;
};

/// The parser's message in words that say what to do; its own where there are none better.
std::string explain(const std::string& message) {
  static const std::map<std::string, std::string, std::less<>> better{
      {YAML::ErrorMsg::END_OF_MAP, "this line does not continue the map above it: check its indentation and its ':'"},
      {YAML::ErrorMsg::END_OF_SEQ, "this line does not continue the list above it: check its indentation and its '-'"},
      {YAML::ErrorMsg::END_OF_MAP_FLOW, "a '{' is not closed by '}', or a ',' is missing"},
      {YAML::ErrorMsg::END_OF_SEQ_FLOW, "a '[' is not closed by ']', or a ',' is missing"},
      {YAML::ErrorMsg::FLOW_END, "a ']' or '}' has no partner"},
      {YAML::ErrorMsg::MAP_VALUE, "a ':' does not belong here: check the indentation, or put the text in quotes"},
      {YAML::ErrorMsg::MAP_KEY, "a key does not belong here: check the indentation"},
      {YAML::ErrorMsg::BLOCK_ENTRY, "a '-' does not belong here: check the indentation"},
      {YAML::ErrorMsg::EOF_IN_SCALAR, "a quoted text is not closed"},
      {YAML::ErrorMsg::UNKNOWN_ANCHOR, "an alias ('*name') needs an anchor ('&name') above it"},
      {YAML::ErrorMsg::UNKNOWN_TOKEN, "a character does not belong here: put the text in quotes"},
  };
  const auto found = better.find(message);
  return found == better.end() ? message : found->second;
}

/// Length of the UTF-8 character at the start of the text; 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80           ? 1
                             : (first >> 5) == 0x6  ? 2
                             : (first >> 4) == 0xE  ? 3
                             : (first >> 3) == 0x1E ? 4
                                                    : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong =
      (length == 2 && first < 0xC2) || (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool no_character = (first == 0xED && byte(1) > 0x9F) || first > 0xF4 || (first == 0xF4 && byte(1) > 0x8F);
  return overlong || no_character ? 0 : length;
}

/// Refuses what is no text, and tabs where YAML counts spaces.
void check_text(std::string_view text, const Sources& sources, int source) {
  const auto refuse = [&](int line, std::string message) {
    throw base::InputError(base::Mistake{sources[source], source == 0 ? line : 0, "", std::move(message)});
  };
  int line = 1;
  bool indenting = true;
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    const std::size_t length = utf8_length(text);
    if (length == 0 || c == 0x7F || (c < 0x20 && c != '\n' && c != '\r' && c != '\t'))
      refuse(line, fmt::format("is not a text file in UTF-8 (byte 0x{:02X})", c));
    if (c == '\n') {
      ++line;
      indenting = true;
    } else if (c == '\t' && indenting) {
      refuse(line, "is indented with a tab; YAML indents with spaces only");
    } else if (c != ' ') {
      indenting = false;
    }
    text.remove_prefix(length);
  }
}

/// The parser does not notice that a quoted text is not closed if only blank lines follow; a comment makes it look.
std::string with_visible_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r");
  if (last == std::string_view::npos || text[last] != '\n') return std::string(text);
  return std::string(text.substr(0, last + 1)) + "#";
}

}  // namespace

Node parse_yaml(std::string_view text, const Sources& sources, int source, MergeKeys merge_keys) {
  check_text(text, sources, source);
  std::istringstream stream{with_visible_end(text)};
  TreeBuilder builder(text, sources, source, merge_keys);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    const bool has_mark = source == 0 && error.mark.line >= 0;
    const std::string column = error.mark.column >= 0 ? fmt::format(", column {}", error.mark.column + 1) : "";
    throw base::InputError(base::Mistake{sources[source], has_mark ? error.mark.line + 1 : 0, "",
                                         fmt::format("not valid YAML{}: {}", column, explain(error.msg))});
  }
  return builder.take();
}

}  // namespace ictus::scene
