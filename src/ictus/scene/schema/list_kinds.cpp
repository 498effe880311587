#include <ictus/scene/schema/list_kinds.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ictus::scene {

void ListKind::read(const Node& node, const std::string& path, Reading& reading, void* value) const {
  if (!node.is_list() || (size_ != 0 && node.items.size() != size_)) {
    const std::string remark = node.is_list() ? fmt::format(" of {}", node.items.size()) : "";
    return report_wrong(node, path, reading, allowed(), remark);
  }
  resize(value, node.items.size());
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& item = node.items[i];
    const std::string item_path = join(path, std::to_string(i));
    reading.locate(item_path, item.source, item.line);
    item_->read(item, item_path, reading, at(value, i));
  }
}

Node ListKind::write(const void* value) const {
  Node node;
  node.form = Node::Form::list;
  for (std::size_t i = 0; i < count(value); ++i) node.items.push_back(item_->write(at(value, i)));
  return node;
}

std::string ListKind::allowed() const {
  return size_ == 0 ? "a list, each item " + item_->allowed()
                    : fmt::format("a list of {}, each {}", size_, item_->allowed());
}

nlohmann::ordered_json ListKind::json_schema() const {
  nlohmann::ordered_json schema{{"type", "array"}, {"items", item_->json_schema()}};
  if (size_ != 0) schema.update({{"minItems", size_}, {"maxItems", size_}});
  return schema;
}

namespace {

class DirectionKind final : public ListKindOf<Vec3> {
 public:
  DirectionKind() : ListKindOf<Vec3>(Typed<double>(number()).kind, 3) {}

  void read(const Node& node, const std::string& path, Reading& reading, void* value) const override {
    const std::size_t before = reading.mistakes.size();
    ListKind::read(node, path, reading, value);
    const Vec3& v = *static_cast<const Vec3*>(value);
    if (reading.mistakes.size() == before && v == Vec3{0, 0, 0})
      reading.mistake(node, path, fmt::format("must be {}, not [0, 0, 0]", allowed()));
  }
  std::string allowed() const override { return "a list of 3 numbers that are not all zero"; }
  nlohmann::ordered_json json_schema() const override {
    nlohmann::ordered_json schema = ListKind::json_schema();
    schema["not"] = {{"const", {0, 0, 0}}};
    return schema;
  }
};

class ExpectationsKind final : public NamedKind {
 public:
  using NamedKind::NamedKind;
  void* add(void* map, const std::string& name) const override {
    return &static_cast<std::vector<Expectation>*>(map)->emplace_back(Expectation{name, {}}).condition;
  }
  void for_each(const void* map, const std::function<void(const std::string&, const void*)>& visit) const override {
    for (const Expectation& expectation : *static_cast<const std::vector<Expectation>*>(map))
      visit(expectation.path, &expectation.condition);
  }
};

bool is_word(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (name.empty() || !is_letter(name.front())) return false;
  return std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

/// Words joined by dots; a part may start with a digit, as names inside a summary do.
bool is_dotted(std::string_view name) {
  if (name.empty() || name.front() == '.' || name.back() == '.' || name.find("..") != std::string_view::npos)
    return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return c == '.' || is_word(std::string{'_', c}); });
}

}  // namespace

Typed<Vec3> direction() { return {std::make_shared<DirectionKind>()}; }

Typed<std::vector<Expectation>> expectations(const Typed<Condition>& condition) {
  return {std::make_shared<ExpectationsKind>(condition.kind, NamedKind::Names::dotted, 0)};
}

void NamedKind::read(const Node& node, const std::string& path, Reading& reading, void* value) const {
  if (!node.is_map() || node.entries.size() < at_least_) return report_wrong(node, path, reading, allowed());
  for (const Node::Entry& entry : node.entries) {
    const std::string entry_path = join(path, entry.name);
    reading.locate(entry_path, entry.source, entry.line);
    if (names_ == Names::words ? !is_word(entry.name) : !is_dotted(entry.name)) {
      Node name = Node::quoted_text(entry.name);
      name.line = entry.line;
      name.source = entry.source;
      report_wrong(name, path, reading,
                   names_ == Names::words ? "names of letters, digits, '_' and '-' that start with a letter"
                                          : "paths of names joined by '.', such as energy.final");
      continue;
    }
    item_->read(entry.value, entry_path, reading, add(value, entry.name));
  }
}

Node NamedKind::write(const void* value) const {
  Node node;
  node.form = Node::Form::map;
  for_each(value, [&](const std::string& name, const void* item) { node.add(name, item_->write(item)); });
  return node;
}

std::string NamedKind::allowed() const {
  const char* names = names_ == Names::words ? "names" : "paths of the summary";
  const std::string count = at_least_ > 0 ? fmt::format(", at least {}", at_least_) : "";
  return fmt::format("a map from {} to {}{}", names, item_->allowed(), count);
}

nlohmann::ordered_json NamedKind::json_schema() const {
  nlohmann::ordered_json schema{{"type", "object"}};
  schema["propertyNames"] = {
      {"pattern", names_ == Names::words ? "^[A-Za-z_][A-Za-z0-9_-]*$" : "^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$"}};
  schema["additionalProperties"] = item_->json_schema();
  if (at_least_ > 0) schema["minProperties"] = at_least_;
  return schema;
}

}  // namespace ictus::scene
