#include <ictus/scene/schema/struct_kinds.hpp>

#include <ictus/scene/schema/scalar_kinds.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ictus::scene {

namespace {

bool has_any(const Node& node, const std::vector<std::string>& keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) { return node.find(key) != nullptr; });
}

bool has_override(const Node& node) {
  return std::any_of(node.entries.begin(), node.entries.end(), [](const Node::Entry& e) { return e.source != 0; });
}

/// "step or courant"; "min/max, near/within or equals".
std::string groups_text(const std::vector<std::vector<std::string>>& groups) {
  std::vector<std::string> texts;
  for (const auto& keys : groups) texts.push_back(fmt::format("{}", fmt::join(keys, "/")));
  return alternatives(texts);
}

/// A value of the schema itself (a default) as JSON.
nlohmann::ordered_json to_json(const Node& node) {
  if (node.is_null()) return nullptr;
  if (node.is_list()) {
    auto list = nlohmann::ordered_json::array();
    for (const Node& item : node.items) list.push_back(to_json(item));
    return list;
  }
  if (!node.quoted) {
    auto value = nlohmann::ordered_json::parse(node.text, nullptr, false);
    if (!value.is_discarded()) return value;
  }
  return node.text;
}

}  // namespace

std::string full_doc(const Field& field) {
  std::string text = field.doc;
  if (const auto* choice = dynamic_cast<const EnumKind*>(field.kind.get()))
    for (const EnumKind::Choice& value : choice->choices()) text += fmt::format(" `{}`: {}.", value.name, value.doc);
  return text;
}

void ObjectKind::add(std::string_view name, std::string_view doc, const std::shared_ptr<const Kind>& kind,
                     const Member& member, bool required, const void* initial) {
  std::optional<Node> fallback;
  if (initial != nullptr) fallback = kind->write(initial);
  fields_.push_back({std::string(name), std::string(doc), kind, required, std::move(fallback), member});
}

const Field* ObjectKind::find(std::string_view name) const {
  for (const Field& field : fields_)
    if (field.name == name) return &field;
  return nullptr;
}

std::vector<std::string> ObjectKind::rules() const {
  std::vector<std::string> result;
  for (const auto& groups : choices_) result.push_back("Exactly one of " + groups_text(groups) + " is given.");
  for (const auto& [first, second] : either_)
    result.push_back(fmt::format("{} and {} exclude each other.", first, second));
  for (const auto& keys : together_) result.push_back(fmt::format("{} are given together.", fmt::join(keys, " and ")));
  return result;
}

void ObjectKind::read(const Node& node, const std::string& path, Reading& reading, void* value) const {
  read_keys(node, path, reading, value, false);
}

void ObjectKind::read_chosen(const Node& node, const std::string& path, Reading& reading, void* value) const {
  read_keys(node, path, reading, value, true);
}

void ObjectKind::read_keys(const Node& node, const std::string& path, Reading& reading, void* value,
                           bool chosen) const {
  if (!node.is_map()) return report_wrong(node, path, reading, allowed());
  std::vector<std::string> known;
  if (chosen) known.push_back("type");
  for (const Field& field : fields_) known.push_back(field.name);
  for (const Node::Entry& entry : node.entries) {
    const std::string key = join(path, entry.name);
    reading.locate(key, entry.source, entry.line);
    if (const Field* field = find(entry.name)) {
      field->kind->read(entry.value, key, reading, field->member.open(value));
    } else if (const auto explained = std::find_if(explained_.begin(), explained_.end(),
                                                   [&](const auto& one) { return one.first == entry.name; });
               explained != explained_.end()) {
      reading.mistake(key, explained->second);
    } else if (!chosen || entry.name != "type") {
      std::string near = suggestion(entry.name, known);
      if (near.empty()) near = fmt::format(", the keys of {} are {}", name_, fmt::join(known, ", "));
      reading.mistake(key, "unknown key" + near);
    }
  }
  for (const Field& field : fields_)
    if (field.required && node.find(field.name) == nullptr)
      reading.mistake(node, join(path, field.name), "is missing, must be " + field.kind->allowed());
  check_rules(node, path, reading);
  for (const Check& check : checks_) check(value, path, reading);
}

void ObjectKind::check_rules(const Node& node, const std::string& path, Reading& reading) const {
  const auto only_one = [&](const std::string& keys) {
    reading.mistake(node, path,
                    fmt::format("must have only one of {}{}", keys,
                                has_override(node) ? " (--set key=null takes a key away)" : ""));
  };
  for (const auto& groups : choices_) {
    const auto given =
        std::count_if(groups.begin(), groups.end(), [&](const auto& keys) { return has_any(node, keys); });
    if (given == 0) reading.mistake(node, path, fmt::format("must have {}", groups_text(groups)));
    if (given > 1) only_one(groups_text(groups));
  }
  for (const auto& [first, second] : either_)
    if (node.find(first) != nullptr && node.find(second) != nullptr) only_one(fmt::format("{} or {}", first, second));
  for (const auto& keys : together_) {
    if (!has_any(node, keys)) continue;
    for (const std::string& key : keys)
      if (node.find(key) == nullptr)
        reading.mistake(node, join(path, key), fmt::format("is missing, {} go together", fmt::join(keys, " and ")));
  }
}

Node ObjectKind::write(const void* value) const {
  Node node;
  node.form = Node::Form::map;
  for (const Field& field : fields_)
    if (const void* member = field.member.look(value)) node.add(field.name, field.kind->write(member));
  return node;
}

std::string ObjectKind::allowed() const {
  std::vector<std::string> names;
  for (const Field& field : fields_) names.push_back(field.name);
  return names.empty() ? "an empty map" : fmt::format("a map with {}", fmt::join(names, ", "));
}

nlohmann::ordered_json ObjectKind::json_schema() const { return describe(false); }
nlohmann::ordered_json ObjectKind::json_schema_chosen() const { return describe(true); }

nlohmann::ordered_json ObjectKind::describe(bool chosen) const {
  using Json = nlohmann::ordered_json;
  Json schema{{"type", "object"},
              {"title", name_},
              {"description", doc_},
              {"additionalProperties", false},
              {"properties", Json::object()}};
  Json required = Json::array();
  if (chosen) {
    schema["properties"]["type"] = {{"const", name_}, {"description", doc_}};
    required.push_back("type");
  }
  for (const Field& field : fields_) {
    Json property{{"description", fmt::format("{} Allowed: {}.", full_doc(field), field.kind->allowed())}};
    const Json value = field.kind->json_schema();
    for (const auto& [key, content] : value.items())
      if (key != "description") property[key] = content;
    if (field.fallback && !field.fallback->is_map()) property["default"] = to_json(*field.fallback);
    schema["properties"][field.name] = std::move(property);
    if (field.required) required.push_back(field.name);
  }
  if (!required.empty()) schema["required"] = std::move(required);
  for (const auto& groups : choices_) {
    Json options = Json::array();
    for (const auto& keys : groups) {
      Json any = Json::array();
      for (const std::string& key : keys) any.push_back({{"required", {key}}});
      options.push_back(any.size() == 1 ? any[0] : Json{{"anyOf", any}});
    }
    schema["allOf"].push_back({{"oneOf", options}});
  }
  for (const auto& [first, second] : either_) schema["allOf"].push_back({{"not", {{"required", {first, second}}}}});
  for (const auto& keys : together_)
    for (const std::string& key : keys) schema["dependencies"][key] = keys;
  return schema;
}

std::vector<std::string> VariantKind::type_names() const {
  std::vector<std::string> names;
  for (const auto& alternative : alternatives_) names.push_back(alternative->name());
  return names;
}

void VariantKind::read(const Node& node, const std::string& path, Reading& reading, void* value) const {
  if (!node.is_map()) return report_wrong(node, path, reading, allowed());
  const std::vector<std::string> names = type_names();
  const Node* type = node.find("type");
  if (type == nullptr)
    return reading.mistake(node, join(path, "type"), "is missing, must be " + scene::alternatives(names));
  const auto found = type->is_scalar() ? std::find(names.begin(), names.end(), type->text) : names.end();
  if (found == names.end())
    return report_wrong(*type, join(path, "type"), reading, scene::alternatives(names),
                        type->is_scalar() ? suggestion(type->text, names) : "");
  const std::size_t index = found - names.begin();
  alternatives_[index]->read_chosen(node, path, reading, emplace(value, index));
}

Node VariantKind::write(const void* value) const {
  const ObjectKind& chosen = *alternatives_[index(value)];
  Node node;
  node.add("type", Node::scalar(chosen.name()));
  Node keys = chosen.write(look(value));
  for (Node::Entry& entry : keys.entries) node.entries.push_back(std::move(entry));
  return node;
}

std::string VariantKind::allowed() const { return "a map with type: " + scene::alternatives(type_names()); }

nlohmann::ordered_json VariantKind::json_schema() const {
  auto options = nlohmann::ordered_json::array();
  for (const auto& alternative : alternatives_) options.push_back(alternative->json_schema_chosen());
  return {{"oneOf", options}};
}

}  // namespace ictus::scene
