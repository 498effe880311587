#include <ictus/scene/upgrade/old_words.hpp>

#include <algorithm>
#include <cstdlib>

namespace ictus::scene {

namespace {

/// A number of refinements as cells along an edge.
void level_to_cells(TextMap& text, const Node& map, std::string_view) {
  const int level = std::clamp(std::atoi(find_value(map, "level")->text.c_str()), 0, 30);
  text.set_value("level", std::to_string(1 << level));
  text.rename("level", "cells");
}

void add_grid(TextMap& text, const Node&, std::string_view) { text.prepend("type", "grid"); }
void add_random(TextMap& text, const Node&, std::string_view) { text.prepend("type", "random"); }

void places_to_copies(TextMap& text, const Node&, std::string_view) {
  text.set_value("places", "{type: file, file: " + text.value("places") + "}");
  text.rename("places", "copies");
}

/// `fixed: both` as `supports: [{at: start}, {at: end}]`.
void fixed_to_ends(TextMap& text, const Node&, std::string_view) {
  const std::string ends = text.value("fixed");
  if (ends == "none") return text.remove("fixed");
  text.set_value("fixed", ends == "both" ? "[{at: start}, {at: end}]" : "[{at: " + ends + "}]");
  text.rename("fixed", "supports");
}

void boundary_to_surface(TextMap& text, const Node&, std::string_view) {
  text.set_value("boundary", "all");
  text.rename("boundary", "surface");
}

/// The boundary of a shell as the last of its supports.
void boundary_to_supports(TextMap& text, const Node& map, std::string_view) {
  const std::string type = text.value("boundary");
  if (type == "free") return text.remove("boundary");
  const std::string item = "{edge: all, type: " + type + "}";
  const Node* others = map.find("supports");
  if (others == nullptr) {
    text.set_value("boundary", "[" + item + "]");
    return text.rename("boundary", "supports");
  }
  text.remove("boundary");
  const std::string list = text.value("supports");
  if (list.starts_with('[')) return text.set_value("supports", list.substr(0, list.size() - 1) + ", " + item + "]");
  text.append_item("supports", item);
}

/// `supports: {foot: clamped}` as `supports: [{node: foot, type: clamped}]`.
void names_to_supports(TextMap& text, const Node& map, std::string_view all) {
  const Node& supports = *map.find("supports");
  if (supports.is_map()) text.set_raw("supports", TextMap(all, supports).as_list("node", "type"));
}

void part_to_shape(TextMap& text, const Node&, std::string_view) {
  const std::string type = text.value("shape");
  text.remove("shape");
  text.nest("shape", {{"type", type}}, {{"radius", "radius"}, {"length", "length"}, {"size", "size"}});
}

/// `mesh: {sphere: {radius: 1}, refine: 1}` as `shape: {type: sphere, radius: 1}, refine: 1`.
void mesh_to_shape(TextMap& text, const Node& map, std::string_view all) {
  const Node& mesh = *map.find("mesh");
  if (!mesh.is_map()) return;
  TextMap shape(all, mesh);
  if (mesh.find("file") != nullptr) {
    shape.prepend("type", "mesh");
  } else {
    for (const Node::Entry& entry : mesh.entries)
      if (entry.value.is_map() && entry.name != "copies")
        shape.dissolve(entry.name, TextMap(all, entry.value), {"type", entry.name});
  }
  for (const char* key : {"refine", "copies"})
    if (shape.has(key)) text.promote(key, shape);
  text.put_back("mesh", shape);
  text.rename("mesh", "shape");
}

constexpr std::string_view rigid_types = "bodies.*{sphere, box, capsule, convex, cylinder, cone, mesh, compound}";
constexpr std::string_view rigid_grids = "bodies.*{sphere, box, capsule, convex, cylinder, cone, mesh, compound}.grid";
constexpr std::string_view rigid_randoms =
    "bodies.*{sphere, box, capsule, convex, cylinder, cone, mesh, compound}.random";

constexpr OldWord table[] = {
    {"", "version: 1", "version: 2"},
    {"", "start", "initial"},
    {"output", "every", "history_every"},
    {"output", "frames", "frames_every"},
    {"output", "checkpoint", "checkpoint_every"},
    {"output", "audit", "audit_every"},
    {"integrator.contact_solver", "method", "type"},
    {"integrator{multisymplectic-beam}", "start", "initial"},
    {"contacts.*", "thickness", "gap"},
    {"probes.*", "of", "body"},
    {"loads.*{base-acceleration, body-force}", "on", "bodies"},
    {"loads.*{force, moment, traction, pressure, support-motion, own-force}", "on", "body"},
    {"loads.*.signal{half-sine, ramp}", "start", "begin"},
    {"loads.*.signal{file}", "path", "file"},
    {"joints.*.motor.signal{half-sine, ramp}", "start", "begin"},
    {"joints.*.motor.signal{file}", "path", "file"},
    {"joints.*", "damping", "drag"},
    {"bodies.*{bar, lie-beam, beam}", "elements", "cells"},
    {"bodies.*{lie-beam, beam}", "poisson_ratio", "poissons_ratio"},
    {"bodies.*{lie-beam}", "type: lie-beam", "type: beam"},
    {"bodies.*{plane}", "point", "position"},
    {"bodies.*{point-mass, spring-pendulum}", "damping", "drag"},
    {"bodies.*{spring-pendulum}", "pivot", "position"},
    {"bodies.*{frame}.members.*", "element_length", "element_size"},
    {"bodies.*{solid}", "spin", "angular_velocity"},
    {"bodies.*{solid}.shape{cylinder, tube}", "height", "length"},
    {"bodies.*{solid}.shape{cylinder}", "across", "cells.0"},
    {"bodies.*{solid}.shape{cylinder}", "along", "cells.1"},
    {"bodies.*{solid}.shape{tube}", "around", "cells.0"},
    {"bodies.*{solid}.shape{tube}", "through", "cells.1"},
    {"bodies.*{solid}.shape{tube}", "along", "cells.2"},
    {"bodies.*{solid}.shape{sphere}", "across", "cells"},
    {"bodies.*{solid}.shape{file}", "path", "file"},
    {"bodies.*{solid}.shape{file}", "type: file", "type: mesh"},
    {"bodies.*{bar, lie-beam, beam}", "fixed", "supports", fixed_to_ends, "supports: [{at: start}]"},
    {"bodies.*{solid}.fixed.*", "from", "box.from"},
    {"bodies.*{solid}.fixed.*", "to", "box.to"},
    {"bodies.*{solid}.fixed.*", "boundary", "surface", boundary_to_surface, "surface: all"},
    {"bodies.*{solid}.fixed.*", "directions: all", "directions: xyz"},
    {"bodies.*{solid}.pressures.*", "from", "box.from"},
    {"bodies.*{solid}.pressures.*", "to", "box.to"},
    {"bodies.*{solid}.pressures.*", "boundary", "surface", boundary_to_surface, "surface: all"},
    {"bodies.*{solid}", "fixed", "supports"},
    {"bodies.*{shell}.supports.*", "kind", "type"},
    {"bodies.*{shell}.supports.*", "from", "box.from"},
    {"bodies.*{shell}.supports.*", "to", "box.to"},
    {"bodies.*{shell}.supports.*", "directions: all", "directions: xyz"},
    {"bodies.*{frame}", "supports: {...}", "supports", names_to_supports, "supports: [{node: ..., type: clamped}]"},
    {"bodies.*{shell}", "boundary", "supports", boundary_to_supports, "supports: [{edge: all, type: ...}]"},
    {"bodies.*{shell}.mesh.sphere", "level", "cells", level_to_cells, "cells: 2^level"},
    {"bodies.*{shell}.mesh.box", "divisions", "cells"},
    {"bodies.*{shell}.mesh.disc", "rings", "cells"},
    {"bodies.*{shell}.mesh.plate", "length_x", "size.0"},
    {"bodies.*{shell}.mesh.plate", "length_y", "size.1"},
    {"bodies.*{shell}.mesh.plate", "elements_x", "cells.0"},
    {"bodies.*{shell}.mesh.plate", "elements_y", "cells.1"},
    {"bodies.*{shell}.mesh.tube", "around", "cells.0"},
    {"bodies.*{shell}.mesh.tube", "along", "cells.1"},
    {"bodies.*{shell}.mesh.cylinder", "around", "cells.0"},
    {"bodies.*{shell}.mesh.cylinder", "along", "cells.1"},
    {"bodies.*{shell}.mesh.copies", "count", "", add_grid},
    {"bodies.*{shell}", "mesh", "shape", mesh_to_shape, "shape: {type: sphere, ...}"},
    {rigid_grids, "count", "", add_grid},
    {rigid_randoms, "count", "", add_random},
    {rigid_types, "grid", "copies", nullptr, "copies: {type: grid, ...}"},
    {rigid_types, "random", "copies", nullptr, "copies: {type: random, ...}"},
    {rigid_types, "places", "copies", places_to_copies, "copies: {type: file, file: ...}"},
    {"bodies.*{sphere}", "radius", "shape.radius"},
    {"bodies.*{sphere}", "radii", "shape.radii"},
    {"bodies.*{sphere}", "type: sphere", "type: rigid, shape.type: sphere"},
    {"bodies.*{box}", "size", "shape.size"},
    {"bodies.*{box}", "type: box", "type: rigid, shape.type: box"},
    {"bodies.*{capsule}", "radius", "shape.radius"},
    {"bodies.*{capsule}", "length", "shape.length"},
    {"bodies.*{capsule}", "type: capsule", "type: rigid, shape.type: capsule"},
    {"bodies.*{convex}", "vertices", "shape.vertices"},
    {"bodies.*{convex}", "mesh", "shape.file"},
    {"bodies.*{convex}", "scale", "shape.scale"},
    {"bodies.*{convex}", "type: convex", "type: rigid, shape.type: convex"},
    {"bodies.*{cylinder}", "radius", "shape.radius"},
    {"bodies.*{cylinder}", "length", "shape.length"},
    {"bodies.*{cylinder}", "around", "shape.cells"},
    {"bodies.*{cylinder}", "type: cylinder", "type: rigid, shape.type: cylinder"},
    {"bodies.*{cone}", "radius", "shape.radius"},
    {"bodies.*{cone}", "length", "shape.length"},
    {"bodies.*{cone}", "around", "shape.cells"},
    {"bodies.*{cone}", "type: cone", "type: rigid, shape.type: cone"},
    {"bodies.*{mesh}", "file", "shape.file"},
    {"bodies.*{mesh}", "vertices", "shape.vertices"},
    {"bodies.*{mesh}", "triangles", "shape.triangles"},
    {"bodies.*{mesh}", "scale", "shape.scale"},
    {"bodies.*{mesh}", "type: mesh", "type: rigid, shape.type: mesh"},
    {"bodies.*{compound}.parts.*", "shape", "shape", part_to_shape, "shape: {type: ..., ...} with its sizes"},
    {"bodies.*{compound}", "parts", "shape.parts"},
    {"bodies.*{compound}", "type: compound", "type: rigid, shape.type: compound"},
    {"bodies.*{heightfield}", "heights", "shape.heights"},
    {"bodies.*{heightfield}", "file", "shape.file"},
    {"bodies.*{heightfield}", "spacing_x", "shape.spacing_x"},
    {"bodies.*{heightfield}", "spacing_y", "shape.spacing_y"},
    {"bodies.*{heightfield}", "scale", "shape.scale"},
    {"bodies.*{heightfield}", "type: heightfield", "type: rigid, shape.type: heightfield, fixed: true"},
};

/// Defaults of what were keys of their own.
constexpr struct {
  std::string_view where, list, values;
} usual[] = {
    {"bodies.*{solid}.shape{cylinder}", "cells", "4"},   {"bodies.*{solid}.shape{tube}", "cells", "24, 2"},
    {"bodies.*{shell}.mesh.plate", "cells", "8, 8"},     {"bodies.*{shell}.mesh.tube", "cells", "24, 8"},
    {"bodies.*{shell}.mesh.cylinder", "cells", "24, 8"},
};

std::string_view trimmed_word(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// One segment of a path and the rest: "*{bar, beam}" and "members.*" of "*{bar, beam}.members.*".
std::pair<std::string_view, std::string_view> first_segment(std::string_view where) {
  const std::size_t brace = std::min(where.find('{'), where.size());
  std::size_t dot = where.find('.');
  if (brace < dot) dot = where.find('.', where.find('}', brace));
  if (dot == std::string_view::npos) return {where, {}};
  return {where.substr(0, dot), where.substr(dot + 1)};
}

bool has_type(const Node& map, std::string_view types) {
  if (types.empty()) return true;
  const Node* type = find_value(map, "type");
  if (type == nullptr || !type->is_scalar()) return false;
  while (!types.empty()) {
    const std::size_t comma = std::min(types.find(','), types.size());
    if (trimmed_word(types.substr(0, comma)) == type->text) return true;
    types.remove_prefix(std::min(comma + 1, types.size()));
  }
  return false;
}

void collect(const Node& node, const std::string& path, std::string_view where, std::vector<Place>& found) {
  if (where.empty()) {
    if (node.is_map()) found.push_back({&node, path});
    return;
  }
  const auto [segment, rest] = first_segment(where);
  const std::size_t brace = std::min(segment.find('{'), segment.size());
  const std::string_view name = segment.substr(0, brace);
  const std::string_view types = brace < segment.size() ? segment.substr(brace + 1, segment.size() - brace - 2) : "";
  const auto visit = [&, rest = rest](const Node& child, std::string_view key) {
    if (has_type(child, types)) collect(child, join(path, key), rest, found);
  };
  if (name == "*") {
    for (std::size_t i = 0; i < node.items.size(); ++i) visit(node.items[i], std::to_string(i));
    for (const Node::Entry& entry : node.entries) visit(entry.value, entry.name);
  } else if (const Node* child = find_value(node, name)) {
    visit(*child, name);
  }
}

}  // namespace

std::span<const OldWord> old_words() { return table; }

std::string_view usual_items(std::string_view where, std::string_view list) {
  for (const auto& one : usual)
    if (one.where == where && one.list == list) return one.values;
  return {};
}

const Node* find_value(const Node& map, std::string_view key) {
  if (const Node* own = map.find(key)) return own;
  const Node* merged = map.find("<<");
  if (merged == nullptr) return nullptr;
  if (merged->is_map()) return find_value(*merged, key);
  for (const Node& one : merged->items)
    if (const Node* value = find_value(one, key)) return value;
  return nullptr;
}

std::vector<Place> places(const Node& root, std::string_view where) {
  std::vector<Place> found;
  collect(root, "", where, found);
  return found;
}

bool has_word(const Node& map, const OldWord& word) {
  const std::size_t colon = word.old.find(':');
  const Node* value = map.find(word.old.substr(0, colon));
  if (value == nullptr || colon == std::string_view::npos) return value != nullptr;
  if (word.old.ends_with("{...}")) return value->is_map();
  return value->is_scalar() && value->text == trimmed_word(word.old.substr(colon + 1));
}

}  // namespace ictus::scene
