#include <ictus/scene/schema/schema_export.hpp>

#include <ictus/scene/schema/schema.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace ictus::scene {

nlohmann::ordered_json json_schema() {
  nlohmann::ordered_json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Ictus scene"}};
  schema.update(scene_schema().json_schema());
  schema["title"] = "Ictus scene";
  return schema;
}

namespace {

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

bool has_own_section(const Kind& kind) {
  if (const auto* named = dynamic_cast<const NamedKind*>(&kind)) return has_own_section(named->item());
  if (const auto* list = dynamic_cast<const ListKind*>(&kind)) return has_own_section(list->item());
  return dynamic_cast<const ObjectKind*>(&kind) != nullptr || dynamic_cast<const VariantKind*>(&kind) != nullptr;
}

/// The headings of GitHub and others lose their dots in links.
std::string link_to(std::string path) {
  std::erase(path, '.');
  return path;
}

/// The column "value"; of a key with its own section below, only the form.
std::string value_text(const Field& field, const std::string& path) {
  if (!has_own_section(*field.kind)) return field.kind->allowed();
  const bool named = dynamic_cast<const NamedKind*>(field.kind.get()) != nullptr;
  const bool list = dynamic_cast<const ListKind*>(field.kind.get()) != nullptr;
  return fmt::format("{}[below](#{})",
                     named  ? "names with maps, "
                     : list ? "list of maps, "
                            : "map, ",
                     link_to(join(path, field.name)));
}

std::string default_text(const Field& field) {
  if (field.required) return "required";
  if (!field.fallback || has_own_section(*field.kind)) return "–";
  std::string text = to_yaml(*field.fallback);
  text.pop_back();
  return "`" + text + "`";
}

/// Markdown has six levels.
std::string heading(int level, const std::string& text) {
  return fmt::format("\n{:#<{}} {}\n", "", std::min(level, 6), text);
}

std::string section(const Field& field, const std::string& path, int level);

/// The keys of a struct, then a section for each that is a struct itself.
std::string keys(const ObjectKind& object, const std::string& path, int level) {
  std::string text;
  if (!object.fields().empty()) text += "\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const Field& field : object.fields())
    text += fmt::format("| `{}` | {} | {} | {} |\n", field.name, cell(value_text(field, path)), default_text(field),
                        cell(full_doc(field)));
  for (const std::string& rule : object.rules()) text += fmt::format("\n{}\n", rule);
  for (const Field& field : object.fields())
    if (has_own_section(*field.kind)) text += section(field, path, level);
  return text;
}

std::string section(const Field& field, const std::string& path, int level) {
  const std::string own_path = join(path, field.name);
  std::string text = heading(level, own_path) + fmt::format("\n{}\n", field.doc);
  const Kind* kind = field.kind.get();
  if (const auto* named = dynamic_cast<const NamedKind*>(kind)) kind = &named->item();
  if (const auto* list = dynamic_cast<const ListKind*>(kind)) kind = &list->item();
  if (const auto* object = dynamic_cast<const ObjectKind*>(kind)) return text + keys(*object, own_path, level + 1);
  for (const auto& alternative : dynamic_cast<const VariantKind&>(*kind).alternatives())
    text += heading(level + 1, fmt::format("type: {}", alternative->name())) +
            fmt::format("\n{}\n{}", alternative->doc(), keys(*alternative, own_path, level + 2));
  return text;
}

std::string units_section() {
  std::string text = fmt::format(R"(
## Numbers and units

A number without a unit is in SI units. Where a value has a dimension, a unit may follow: `12 mm`, `210 GPa`,
`7847 kg/m^3`, `0.645e-3 m^2`, `5 m/s`, `20 %`. Units are joined by `*`, a space or `/`; powers are `^2`, `^-1`, `2` or `²`.
One `/` stands before each divisor. `12 mm` is the same number as `0.012`, to the last bit. A wrong dimension is refused.

Prefixes: `{}` (`u` is micro, also `µ`).

| unit | meaning | takes prefixes |
| --- | --- | --- |
)",
                                 unit_prefixes());
  for (const UnitSymbol& symbol : unit_symbols())
    text += fmt::format("| `{}` | {} | {} |\n", symbol.symbol, symbol.meaning, symbol.takes_prefix ? "yes" : "no");
  return text;
}

}  // namespace

std::string reference_markdown() {
  const std::string text = fmt::format(R"(# Scene reference

A scene is a YAML file of at most {} bytes. `ictus schema` prints its JSON Schema, with which editors complete and check
it; `ictus check SCENE` reports every mistake in it. Unknown keys are mistakes. Anchors, aliases and merge keys (`<<`)
work; tags, and several documents in one file, do not.

This page is about scenes of `version: {}`, which a scene without that key is taken to be. A word of an earlier version is
answered with the new one, and `ictus upgrade FILE` rewrites a file, its comments and layout kept.

`--set path=value` changes any key from the command line: `--set time.end=2.5`, `--set bodies.left.cells=400`,
`--set contacts.0.friction=0.3`, `--set 'integrator={{type: cd-lagrange}}'`,
`--set expect.energy.error.max=1e-3`. The value is YAML. `null` takes a key away
(`--set time.step=null --set time.courant=0.8`). Names and items on the way must exist; a whole new one can be given as a
map.

## Keys
)",
                                       max_scene_bytes, scene_version);
  return text + keys(scene_schema(), "", 2) + units_section();
}

}  // namespace ictus::scene
