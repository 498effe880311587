#include "structure/keys/variations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/scene/schema/schema.hpp>
#include <ictus/scene/text/number.hpp>
#include <nlohmann/json.hpp>
#include <optional>

namespace ictus::testing {

namespace {

using scene::Kind;
using scene::Node;
using Json = nlohmann::ordered_json;

std::string yaml(const Node& node) {
  std::string text = scene::to_yaml(node);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// A map or list as one line of YAML, which can stand after `path=`.
std::string flow(const Node& node) {
  if (node.is_list()) {
    std::string text;
    for (const Node& item : node.items) text += (text.empty() ? "" : ", ") + flow(item);
    return "[" + text + "]";
  }
  if (node.is_map()) {
    std::string text;
    for (const Node::Entry& entry : node.entries)
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", entry.name, flow(entry.value));
    return "{" + text + "}";
  }
  return yaml(node);
}

Node number_node(double value) { return Node::scalar(scene::format_number(value)); }

/// What a kind of numbers allows, from its JSON Schema.
struct Range {
  std::optional<double> low{}, high{};
  bool low_is_allowed = true;
  std::vector<std::string> words{};

  bool holds(double x) const {
    if (low && (low_is_allowed ? x < *low : x <= *low)) return false;
    return !high || x <= *high;
  }
};

std::optional<Range> quantity_range(const Kind& kind) {
  const Json schema = kind.json_schema();
  if (!schema.contains("anyOf")) return std::nullopt;
  Range range;
  bool numeric = false;
  for (const Json& option : schema["anyOf"]) {
    if (option.value("type", "") == "number") {
      numeric = true;
      if (option.contains("minimum")) range.low = option["minimum"].get<double>();
      if (option.contains("exclusiveMinimum")) range.low = option["exclusiveMinimum"].get<double>();
      range.low_is_allowed = !option.contains("exclusiveMinimum");
      if (option.contains("maximum")) range.high = option["maximum"].get<double>();
    }
    if (option.contains("enum"))
      for (const Json& word : option["enum"]) range.words.push_back(word.get<std::string>());
  }
  return numeric ? std::optional(range) : std::nullopt;
}

std::string type_of(const Kind& kind) {
  const Json schema = kind.json_schema();
  return schema.contains("type") && schema["type"].is_string() ? schema["type"].get<std::string>() : "";
}

/// A value where the scene has none.
Node sample(const Kind& kind);

Node sample_struct(const scene::ObjectKind& object) {
  Node node;
  node.form = Node::Form::map;
  for (const scene::Field& field : object.fields())
    if (field.required) node.add(field.name, sample(*field.kind));
  return node;
}

Node sample_list(const scene::ListKind& list) {
  const Json schema = list.json_schema();
  Node node;
  node.form = Node::Form::list;
  const int count = schema.value("minItems", 1);
  for (int i = 0; i < std::max(count, 1); ++i) {
    Node item = sample(list.item());
    // Components that are all alike might be lost in a symmetry.
    if (const auto range = quantity_range(list.item()); range && range->holds(0.2 + 0.1 * i))
      item = number_node(0.2 + 0.1 * i);
    node.items.push_back(std::move(item));
  }
  return node;
}

Node sample(const Kind& kind) {
  if (const auto* object = dynamic_cast<const scene::ObjectKind*>(&kind)) return sample_struct(*object);
  if (const auto* list = dynamic_cast<const scene::ListKind*>(&kind)) return sample_list(*list);
  if (const auto* words = dynamic_cast<const scene::EnumKind*>(&kind))
    return Node::scalar(words->choices().back().name);
  if (const auto range = quantity_range(kind)) {
    for (const double value : {0.3, 0.05, 1.5, 3.0})
      if (range->holds(value)) return number_node(value);
  }
  const std::string type = type_of(kind);
  if (type == "integer") return Node::scalar(std::to_string(std::max(2, kind.json_schema()["minimum"].get<int>())));
  if (type == "boolean") return Node::scalar("true");
  return Node::quoted_text("nowhere");
}

/// Numbers near a value and far from it, as the range allows.
std::vector<double> others(const Range& range, double value) {
  std::vector<double> found;
  const auto keep = [&](double other) {
    if (other != value && range.holds(other)) found.push_back(other);
  };
  if (value == 0) {
    for (const double other : {0.3, 0.02, 1e-3, 1e-5, -0.02}) keep(other);
  } else {
    for (const double factor : {1.25, 0.8, 0.5, 0.1, 4.0, 1e4}) keep(factor * value);
  }
  return found;
}

/// Values of a key that is there. Of a list or map these are whole ones.
std::vector<Node> other_values(const Kind& kind, const Node& node) {
  std::vector<Node> values;
  if (const auto* words = dynamic_cast<const scene::EnumKind*>(&kind)) {
    for (const scene::EnumKind::Choice& choice : words->choices())
      if (choice.name != node.text) values.push_back(Node::scalar(choice.name));
    return values;
  }
  if (const auto range = quantity_range(kind)) {
    char* end = nullptr;
    const double value = std::strtod(node.text.c_str(), &end);
    if (end == node.text.c_str()) return {sample(kind)};
    for (const double other : others(*range, value)) values.push_back(number_node(other));
    for (const std::string& word : range->words)
      if (word != node.text) values.push_back(Node::scalar(word));
    return values;
  }
  const std::string type = type_of(kind);
  if (type == "integer") {
    const int value = std::stoi(node.text), low = kind.json_schema()["minimum"].get<int>();
    for (const int other : {value + 1, value - 1, 2 * value, low, low + 2})
      if (other >= low && other != value) values.push_back(Node::scalar(std::to_string(other)));
    return values;
  }
  if (type == "boolean") return {Node::scalar(node.text == "true" ? "false" : "true")};
  return {Node::quoted_text("nowhere")};
}

/// Lists of numbers: all components changed, none in proportion to the others, then one at a time.
std::vector<Node> other_vectors(const Kind& item, const Node& node) {
  const auto number = [](const Node& of) { return std::strtod(of.text.c_str(), nullptr); };
  const bool whole = type_of(item) == "integer";
  const Range range = quantity_range(item).value_or(Range{.low = 1});
  double size = 0;
  for (const Node& component : node.items) size = std::max(size, std::abs(number(component)));
  if (size == 0) size = 1;
  std::vector<Node> values;
  const auto add = [&](const auto& change) {
    Node other = node;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const double value = number(node.items[i]) + (whole ? std::ceil(change(i)) : size * change(i));
      if (!range.holds(value)) return;
      other.items[i] = whole ? Node::scalar(std::to_string(static_cast<int>(value))) : number_node(value);
    }
    values.push_back(std::move(other));
  };
  for (const double step : {0.1, -0.1, 1e-3})
    add([&](std::size_t i) { return step * (1 + 0.3 * static_cast<double>(i)); });
  for (std::size_t one = 0; one < std::min<std::size_t>(node.items.size(), 3); ++one) {
    for (const double step : {0.05, -0.05}) add([&](std::size_t i) { return i == one ? step : 0.0; });
  }
  return values;
}

/// The keys of each group of which only one may be given, from the JSON Schema of a struct.
std::vector<std::vector<std::string>> exclusive_groups(const Json& schema) {
  std::vector<std::vector<std::string>> groups;
  if (!schema.contains("allOf")) return groups;
  for (const Json& rule : schema["allOf"]) {
    if (rule.contains("not")) {
      for (const Json& key : rule["not"]["required"]) groups.push_back({key.get<std::string>()});
      continue;
    }
    for (const Json& option : rule["oneOf"]) {
      groups.emplace_back();
      for (const Json& any : option.contains("anyOf") ? option["anyOf"] : Json::array({option}))
        groups.back().push_back(any["required"][0].get<std::string>());
    }
  }
  return groups;
}

class Collector {
 public:
  std::vector<Variation> found;

  void vary(const Kind& kind, const Node& node, const std::string& path) {
    if (const auto* object = dynamic_cast<const scene::ObjectKind*>(&kind)) return vary_struct(*object, node, path);
    if (const auto* variant = dynamic_cast<const scene::VariantKind*>(&kind)) return vary_variant(*variant, node, path);
    if (const auto* named = dynamic_cast<const scene::NamedKind*>(&kind)) return vary_named(*named, node, path);
    if (const auto* list = dynamic_cast<const scene::ListKind*>(&kind)) return vary_list(*list, node, path);
    add(path, other_values(kind, node), {});
  }

 private:
  using Overrides = std::vector<scene::Override>;

  void add(const std::string& path, const std::vector<Node>& values, const Overrides& beside) {
    Variation variation{path, {}};
    for (const Node& value : values) {
      variation.settings.push_back(beside);
      variation.settings.back().push_back({path, flow(value)});
    }
    if (!values.empty()) found.push_back(std::move(variation));
  }

  void vary_struct(const scene::ObjectKind& object, const Node& node, const std::string& path) {
    for (const scene::Field& field : object.fields()) {
      const std::string own = scene::join(path, field.name);
      if (const Node* child = node.find(field.name); child && !child->is_null()) {
        vary(*field.kind, *child, own);
      } else if (const auto* inner = dynamic_cast<const scene::ObjectKind*>(field.kind.get())) {
        vary_struct(*inner, own, beside(object, node, path, field.name));
      } else if (dynamic_cast<const scene::VariantKind*>(field.kind.get()) == nullptr &&
                 dynamic_cast<const scene::NamedKind*>(field.kind.get()) == nullptr) {
        std::vector<Node> values{sample(*field.kind)};
        if (quantity_range(*field.kind)) {
          for (Node& other : other_values(*field.kind, values[0])) values.push_back(std::move(other));
        }
        add(own, values, beside(object, node, path, field.name));
      }
    }
  }

  /// What must be set beside a key that the scene does not have: what goes together with it, and what it excludes.
  static Overrides beside(const scene::ObjectKind& object, const Node& node, const std::string& path,
                          const std::string& key) {
    Overrides overrides;
    const Json schema = object.json_schema();
    const auto groups = exclusive_groups(schema);
    const auto has = [&](const std::vector<std::string>& group) {
      return std::find(group.begin(), group.end(), key) != group.end();
    };
    if (std::any_of(groups.begin(), groups.end(), has)) {
      for (const auto& group : groups) {
        for (const std::string& other : group)
          if (!has(group) && node.find(other)) overrides.push_back({scene::join(path, other), "null"});
      }
    }
    if (schema.contains("dependencies") && schema["dependencies"].contains(key)) {
      for (const Json& other : schema["dependencies"][key]) {
        const std::string name = other.get<std::string>();
        if (name != key && !node.find(name))
          overrides.push_back({scene::join(path, name), flow(sample(*object.find(name)->kind))});
      }
    }
    return overrides;
  }

  /// A struct that the scene does not have: its required keys, then each of the others beside these.
  void vary_struct(const scene::ObjectKind& object, const std::string& path, const Overrides& beside) {
    const Node least = sample_struct(object);
    if (!least.entries.empty()) add(path, {least}, beside);
    for (const scene::Field& field : object.fields()) {
      if (field.required || dynamic_cast<const scene::VariantKind*>(field.kind.get()) ||
          dynamic_cast<const scene::NamedKind*>(field.kind.get()))
        continue;
      Node more = least;
      more.form = Node::Form::map;
      more.add(field.name, sample(*field.kind));
      add(path, {more}, beside);
    }
  }

  void vary_variant(const scene::VariantKind& variant, const Node& node, const std::string& path) {
    const Node* type = node.find("type");
    for (const auto& alternative : variant.alternatives())
      if (type && alternative->name() == type->text) vary_struct(*alternative, node, path);
  }

  void vary_named(const scene::NamedKind& named, const Node& node, const std::string& path) {
    for (const Node::Entry& entry : node.entries) vary(named.item(), entry.value, scene::join(path, entry.name));
  }

  void vary_list(const scene::ListKind& list, const Node& node, const std::string& path) {
    const Kind& item = list.item();
    if (node.items.empty()) {
      if (dynamic_cast<const scene::VariantKind*>(&item) == nullptr) add(path, {sample_list(list)}, {});
      return;
    }
    if (quantity_range(item) || type_of(item) == "integer") return add(path, other_vectors(item, node), {});
    for (std::size_t i = 0; i < std::min<std::size_t>(node.items.size(), 3); ++i)
      vary(item, node.items[i], fmt::format("{}.{}", path, i));
  }
};

}  // namespace

std::vector<Variation> variations(const scene::Scene& scene) {
  Collector collector;
  collector.vary(scene::scene_schema(), scene::scene_schema().write(&scene), "");
  return std::move(collector.found);
}

}  // namespace ictus::testing
