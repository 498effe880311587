#include <unit/scene/scene_texts.hpp>

#include <ictus/scene/schema/schema.hpp>
#include <ictus/scene/schema/schema_export.hpp>
#include <ictus/scene/text/node.hpp>
#include <ictus/scene/text/number.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ictus::scene {
namespace {

using nlohmann::json;

const std::filesystem::path source_folder = ICTUS_SOURCE_DIR;

std::string read_all(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// What a YAML 1.2 editor hands to a JSON Schema validator.
json to_json(const Node& node) {
  if (node.is_null()) return nullptr;
  if (node.is_list()) {
    json list = json::array();
    for (const Node& item : node.items) list.push_back(to_json(item));
    return list;
  }
  if (node.is_map()) {
    json map = json::object();
    for (const Node::Entry& entry : node.entries) map[entry.name] = to_json(entry.value);
    return map;
  }
  if (!node.quoted) {
    if (node.text == "true" || node.text == "false") return node.text == "true";
    const auto split = split_number(node.text);
    if (split && split->rest.empty()) return to_double(split->number).value();
  }
  return node.text;
}

json instance(const std::string& name, std::string_view text, bool valid) {
  return {{"name", name}, {"scene", to_json(parse_yaml(text, {"scene.yaml"}, 0))}, {"valid", valid}};
}

/// Scenes on which the reader and the JSON Schema agree: what a validator can know without units and names.
json instances() {
  json list = json::array();
  const auto accept = [&](const std::string& name, std::string_view text) {
    EXPECT_TRUE(test::mistakes_of(text).empty()) << name;
    list.push_back(instance(name, text, true));
  };
  const auto refuse = [&](std::string_view from, std::string_view to) {
    const std::string text = test::replaced(test::small_scene, from, to);
    EXPECT_FALSE(test::mistakes_of(text).empty()) << to;
    list.push_back(instance(std::string(to), text, false));
  };
  accept("small", test::small_scene);
  accept("without a step", test::replaced(test::small_scene, ", step: 0.1", ""));
  accept("full", test::full_scene);
  accept("resolved", write_resolved(test::scene_of(test::full_scene)));
  refuse("length: 2", "lenght: 2");
  refuse("length: 2", "length: -2");
  refuse("length: 2", "length: -2 mm");
  refuse("length: 2", "length: 0");
  refuse("length: 2", "length: long");
  refuse("length: 2", "length: [2]");
  refuse("length: 2", "length: '2,5'");
  refuse("length: 2", "length: ");
  refuse("length: 2, ", "");
  refuse("cells: 4", "cells: 3.7");
  refuse("cells: 4", "cells: 0");
  refuse("cells: 4", "cells: \"4\"");
  refuse("type: plane", "type: plain");
  refuse("type: plane, ", "");
  refuse("[3, 0, 0]", "[3, 0]");
  refuse("[-1, 0, 0]", "[0, 0, 0]");
  refuse("step: 0.1", "step: 0.1, courant: 1");
  refuse("step: 0.1", "courant: 11");
  refuse("[bar, wall]", "[bar, wall, bar]");
  refuse("[bar, wall]", "[bar, wall], restitution: 1.5");
  refuse("contacts:", "title: 3\ncontacts:");
  refuse("contacts:", "output: {report: yes}\ncontacts:");
  refuse("contacts:", "reference: exactly\ncontacts:");
  refuse("contacts:", "probes: {tip: {body: bar, at: 1.5}}\ncontacts:");
  refuse("contacts:", "probes: {9: {body: bar, at: end}}\ncontacts:");
  refuse("contacts:", "expect: {status: {}}\ncontacts:");
  refuse("contacts:", "expect: {status: {near: 1}}\ncontacts:");
  refuse("contacts:", "expect: {status: {min: 1, equals: 1}}\ncontacts:");
  refuse("contacts:", "expect: {time..end: {min: 1}}\ncontacts:");
  return list;
}

TEST(JsonSchema, AValidatorAgreesWithTheReader) {
  std::string python;
  for (const std::string candidate : {"python3", "/usr/bin/python3"})
    if (python.empty() && std::system((candidate + " -c 'import jsonschema' 2>/dev/null").c_str()) == 0)
      python = candidate;
  if (python.empty()) GTEST_SKIP() << "needs the Python package jsonschema (Debian: python3-jsonschema)";
  const std::filesystem::path folder = test::own_folder();
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "schema.json") << json_schema().dump(1);
  std::ofstream(folder / "instances.json") << instances().dump(1);
  const std::string script = (source_folder / "tests/unit/scene/validate.py").string();
  const std::string command = python + " '" + script + "' '" + (folder / "schema.json").string() + "' '" +
                              (folder / "instances.json").string() + "' > '" + (folder / "log").string() + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_all(folder / "log");
  std::filesystem::remove_all(folder);
}

TEST(JsonSchema, HasDefaultsAndDescriptionsForEditors) {
  const auto schema = json_schema();
  const auto& bar = schema["properties"]["bodies"]["additionalProperties"]["oneOf"][0];
  EXPECT_EQ(bar["properties"]["type"]["const"], "bar");
  EXPECT_EQ(bar["properties"]["area"]["default"], 1);
  EXPECT_EQ(bar["properties"]["area"]["description"], "Area of the cross-section. Allowed: an area > 0 (in m^2).");
  EXPECT_EQ(bar["properties"]["supports"]["default"], json::array());
  EXPECT_EQ(bar["required"], json({"type", "length", "cells", "density", "youngs_modulus"}));
}

TEST(Reference, IsCurrent) {
  const std::string wanted = reference_markdown();
  if (read_all(source_folder / "docs/scene-reference.md") == wanted) return;
  const std::filesystem::path fresh = std::filesystem::path(::testing::TempDir()) / "scene-reference.md";
  std::ofstream(fresh) << wanted;
  FAIL() << "docs/scene-reference.md is not what the schema says; copy " << fresh << " over it";
}

/// Every description that a person sees.
void expect_documented(const Kind& kind, const std::string& path) {
  if (const auto* named = dynamic_cast<const NamedKind*>(&kind)) return expect_documented(named->item(), path);
  if (const auto* list = dynamic_cast<const ListKind*>(&kind)) return expect_documented(list->item(), path);
  std::vector<std::shared_ptr<const ObjectKind>> objects;
  if (const auto* variant = dynamic_cast<const VariantKind*>(&kind)) objects = variant->alternatives();
  const auto check = [&](const ObjectKind& object) {
    EXPECT_TRUE(object.doc().ends_with('.')) << path << " " << object.name() << ": " << object.doc();
    for (const Field& field : object.fields()) {
      EXPECT_TRUE(field.doc.ends_with('.')) << path << "." << field.name << ": " << field.doc;

      const bool explained = field.required || field.fallback || !object.rules().empty();
      EXPECT_TRUE(explained || field.doc.find("Absent: ") != std::string::npos)
          << path << "." << field.name << " does not say what holds if it is absent";
      expect_documented(*field.kind, join(path, field.name));
    }
  };
  for (const auto& object : objects) check(*object);
  if (const auto* object = dynamic_cast<const ObjectKind*>(&kind)) check(*object);
}

TEST(Schema, EveryKeyIsDocumented) { expect_documented(scene_schema(), ""); }

TEST(Schema, TypesAreListedForThePrograms) {
  const auto integrators = integrator_types();
  ASSERT_EQ(integrators.size(), std::variant_size_v<Integrator>);
  EXPECT_EQ(integrators[1].name, "cd-lagrange");
  EXPECT_EQ(body_types().size(), std::variant_size_v<Body>);
}

}  // namespace
}  // namespace ictus::scene
