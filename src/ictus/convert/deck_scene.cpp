// Scenes made of decks.
#include <ictus/convert/deck.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace ictus::convert {

namespace {

struct NamedUnits {
  std::string_view name;
  DeckUnits units;
};
constexpr std::array named_units{
    NamedUnits{"m-kg-s", {1, 1, 1}},           NamedUnits{"mm-t-s", {1e-3, 1e3, 1}},
    NamedUnits{"mm-kg-ms", {1e-3, 1, 1e-3}},   NamedUnits{"mm-g-ms", {1e-3, 1e-3, 1e-3}},
    NamedUnits{"cm-g-us", {1e-2, 1e-3, 1e-6}}, NamedUnits{"in-lbf-s", {0.0254, 175.126835, 1}},
};

std::string place_text(const Vec3& x) { return fmt::format("[{:.12g}, {:.12g}, {:.12g}]", x.x(), x.y(), x.z()); }

/// A word that keys and sets are made of.
std::string key_of(const std::string& given, std::set<std::string>& taken) {
  std::string name = given.empty() ? "body" : given;
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    c = std::isalnum(byte) != 0 || c == '-' || c == '_' ? static_cast<char>(std::tolower(byte)) : '_';
  }
  if (std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = "n" + name;
  std::string result = name;
  for (int k = 2; !taken.insert(result).second; ++k) result = fmt::format("{}_{}", name, k);
  return result;
}

class DeckWriter {
 public:
  DeckWriter(const Deck& deck, const std::string& file, const std::string& stem, std::vector<Note>& notes)
      : deck_(deck), file_(file), stem_(stem), notes_(notes) {}

  DeckScene write() {
    std::string title = deck_.title.empty() ? file_ : deck_.title;
    std::replace_if(
        title.begin(), title.end(), [](unsigned char c) { return c < ' ' || c == '"' || c == '\\'; }, ' ');
    text_ = fmt::format("version: 2\ntitle: \"{}\"\nsource: \"{}\"\n", title, file_);
    text_ += fmt::format("time: {{end: {:.12g}{}}}\n", deck_.end.value_or(1e-3), yields() ? ", follow: 0.5" : "");
    text_ += "integrator: {type: cd-lagrange}\n";
    if (!deck_.end) note(0, "the deck does not say how long it runs: time.end is 1 ms");
    if (!deck_.gravity.isZero()) text_ += fmt::format("gravity: {}\n", place_text(deck_.gravity));
    write_materials();
    text_ += "bodies:\n";
    for (const DeckBody& body : deck_.bodies)
      if (!body.cells.empty()) write_body(body);
    note_shared_nodes();
    std::vector<std::string> planes;
    for (const PlaneObstacle& plane : deck_.planes) {
      planes.push_back(key_of(plane.name, taken_));
      text_ += fmt::format("  {}: {{type: plane, position: {}, normal: {}}}\n", planes.back(), place_text(plane.point),
                           place_text(plane.normal));
    }
    write_contacts(planes);
    return {std::move(text_), std::move(files_)};
  }

 private:
  void note(int line, std::string text) { notes_.push_back({line, std::move(text)}); }

  static bool is_plastic(const DeckMaterial& material) { return !material.curve.empty() || material.johnson_cook; }
  bool yields() const {
    return std::any_of(deck_.bodies.begin(), deck_.bodies.end(), [&](const DeckBody& body) {
      const auto found = deck_.materials.find(body.material);
      return !body.rigid && found != deck_.materials.end() && is_plastic(found->second);
    });
  }

  void write_materials() {
    std::set<std::string> keys;
    std::string lines;
    for (const auto& [name, material] : deck_.materials) {
      const bool is_used =
          std::any_of(deck_.bodies.begin(), deck_.bodies.end(), [&, key = &name](const DeckBody& body) {
            return !body.rigid && body.material == *key && !body.cells.empty();
          });
      if (!is_used) continue;
      material_key_[name] = key_of(name, keys);
      lines += fmt::format("  {}: {{", material_key_[name]);
      std::vector<std::string> parts{is_plastic(material) ? "law: j2" : "law: neo-hookean"};
      const auto add = [&](const char* key, const std::optional<double>& value, const char* unit) {
        if (value)
          parts.push_back(fmt::format("{}: {:.12g}", key, *value));
        else
          note(material.line, fmt::format("the material has no {}", unit));
      };
      add("density", material.density, "density");
      add("youngs_modulus", material.youngs_modulus, "Young's modulus");
      add("poissons_ratio", material.poissons_ratio, "Poisson's ratio");
      add_flow(material, parts);
      lines += fmt::format("{}}}\n", fmt::join(parts, ", "));
    }
    if (!lines.empty()) text_ += "materials:\n" + lines;
  }

  void add_flow(const DeckMaterial& material, std::vector<std::string>& parts) {
    if (material.johnson_cook) {
      const DeckMaterial::JohnsonCook& law = *material.johnson_cook;
      std::string hardening = fmt::format(
          "hardening: {{type: johnson-cook, modulus: {:.12g}, exponent: {:.12g}, rate_factor: {:.12g}, "
          "reference_rate: {:.12g}",
          law.modulus, law.exponent, law.rate_factor, law.reference_rate);
      if (law.softening > 0 && law.melting > law.start && law.heat_capacity > 0)
        hardening +=
            fmt::format(", softening: {{exponent: {:.12g}, melting: {:.12g}, start: {:.12g}, heat_capacity: {:.12g}}}",
                        law.softening, law.melting, law.start, law.heat_capacity);
      else if (law.softening > 0)
        note(material.line, "softening by heat is left out: it needs a specific heat and a temperature of melting");
      parts.push_back(fmt::format("yield_stress: {:.12g}", law.yield));
      parts.push_back(hardening + "}");
    } else if (material.curve.size() == 1) {
      parts.push_back(fmt::format("yield_stress: {:.12g}", material.curve[0][1]));
      if (material.slope > 0)
        parts.push_back(fmt::format("hardening: {{type: linear, modulus: {:.12g}}}", material.slope));
    } else if (!material.curve.empty()) {
      std::vector<std::string> points;
      double highest = 0;
      constexpr std::size_t most = 32;
      for (const auto& [strain, stress] : material.curve) {
        if (points.size() == most) {
          note(material.line, "a curve of more than 32 points is cut behind them");
          break;
        }
        if (stress < highest) {
          note(material.line, "a flow stress that falls is held level");
        }
        highest = std::max(highest, stress);
        points.push_back(fmt::format("[{:.12g}, {:.12g}]", points.empty() ? 0.0 : strain, highest));
      }
      if (material.curve[0][0] != 0) note(material.line, "the curve is taken to begin at plastic strain 0");
      parts.push_back(fmt::format("yield_stress: {:.12g}", material.curve[0][1]));
      parts.push_back(fmt::format("hardening: {{type: table, points: [{}]}}", fmt::join(points, ", ")));
    }
  }

  /// Numbers of a body's nodes in its own mesh; −1 where it has not got one.
  std::vector<int> numbering(const DeckBody& body, std::vector<std::size_t>& nodes) const {
    std::vector<int> number(deck_.nodes.size(), -1);
    for (const auto& cell : body.cells) {
      for (const std::size_t node : cell) {
        if (number[node] >= 0) continue;
        number[node] = static_cast<int>(nodes.size());
        nodes.push_back(node);
      }
    }
    return number;
  }

  void write_body(const DeckBody& body) {
    const std::string name = key_of(body.name, taken_);
    const std::string mesh_file = fmt::format("{}-{}.inp", stem_, name);
    std::vector<std::size_t> nodes;
    const std::vector<int> number = numbering(body, nodes);
    std::vector<std::string> supports;
    std::string sets;
    const auto material = deck_.materials.find(body.material);
    std::vector<std::string> parts;
    if (body.rigid) {
      parts = {"type: rigid", fmt::format("shape: {{type: mesh, file: \"{}\"}}", mesh_file)};
      if (body.fixed)
        parts.emplace_back("fixed: true");
      else if (body.mass)
        parts.push_back(fmt::format("mass: {:.12g}", *body.mass));
      else if (material != deck_.materials.end() && material->second.density)
        parts.push_back(fmt::format("density: {:.12g}", *material->second.density));
      if (body.kind == DeckKind::solid) note(body.line, "a rigid body of solid elements shows its faces");
    } else {
      const bool is_shell = body.kind == DeckKind::shell;
      parts = {is_shell ? "type: shell" : "type: solid"};
      parts.push_back(fmt::format("shape: {{type: mesh, file: \"{}\"}}", mesh_file));
      if (is_shell) parts.push_back(fmt::format("thickness: {:.12g}", body.thickness));
      if (material_key_.contains(body.material))
        parts.push_back(fmt::format("material: {}", material_key_[body.material]));
      else
        note(body.line, fmt::format("the material '{}' is not there", body.material));
      for (const DeckSupport& support : deck_.supports)
        is_shell ? hold_shell(support, number, nodes, supports) : hold_solid(support, number, sets, supports);
    }
    if (const Vec3 velocity = velocity_of(number, nodes); !velocity.isZero())
      parts.push_back(fmt::format("velocity: {}", place_text(velocity)));
    text_ += fmt::format("  {}:\n", name);
    for (const std::string& part : parts) text_ += fmt::format("    {}\n", part);
    if (!supports.empty()) text_ += "    supports:\n";
    for (const std::string& support : supports) text_ += fmt::format("      - {}\n", support);
    files_.emplace_back(mesh_file, mesh_text(body, number, nodes, sets));
  }

  static std::string directions_text(const std::array<bool, 3>& directions) {
    std::string text;
    for (std::size_t c = 0; c < 3; ++c)
      if (directions[c]) text += "xyz"[c];
    return text;
  }

  void hold_solid(const DeckSupport& support, const std::vector<int>& number, std::string& sets,
                  std::vector<std::string>& supports) {
    std::string lines;
    for (const std::size_t node : support.nodes)
      if (number[node] >= 0) lines += fmt::format("{}\n", number[node] + 1);
    const std::string directions = directions_text(support.directions);
    if (lines.empty() || directions.empty()) return;
    const std::string set = fmt::format("held{}", supports.size() + 1);
    sets += fmt::format("*NSET, NSET={}\n{}", set, lines);
    supports.push_back(fmt::format("{{set: {}, directions: {}}}", set, directions));
  }

  /// The vertices of shells are held in boxes: one around all of them where it has no other vertex, else one each.
  void hold_shell(const DeckSupport& support, const std::vector<int>& number, const std::vector<std::size_t>& nodes,
                  std::vector<std::string>& supports) {
    Eigen::AlignedBox3d box;
    std::set<std::size_t> held;
    for (const std::size_t node : support.nodes)
      if (number[node] >= 0) box.extend(deck_.nodes[node]), held.insert(node);
    if (held.empty()) return;
    Eigen::AlignedBox3d all;
    for (const std::size_t node : nodes) all.extend(deck_.nodes[node]);
    const Vec3 room = Vec3::Constant(1e-6 * all.diagonal().norm());
    const bool is_alone = std::all_of(nodes.begin(), nodes.end(), [&](std::size_t node) {
      return held.contains(node) ||
             !Eigen::AlignedBox3d(box.min() - room, box.max() + room).contains(deck_.nodes[node]);
    });
    std::string type;
    if (support.mirror && is_alone && box.sizes()[*support.mirror] <= room.x())
      type = fmt::format("type: symmetric-{}", "xyz"[*support.mirror]);
    else if (support.clamped && directions_text(support.directions) == "xyz")
      type = "type: clamped";
    else if (const std::string directions = directions_text(support.directions); !directions.empty())
      type = fmt::format("type: pinned, directions: {}", directions);
    else
      return note(support.line, "a support of rotations alone is left out: shells have none");
    if (support.clamped && type.starts_with("type: pinned"))
      note(support.line, "held rotations are left out: shells have positions alone");
    const auto add = [&](const Vec3& from, const Vec3& to) {
      supports.push_back(
          fmt::format("{{box: {{from: {}, to: {}}}, {}}}", place_text(from - room), place_text(to + room), type));
    };
    if (is_alone) return add(box.min(), box.max());
    for (const std::size_t node : held) add(deck_.nodes[node], deck_.nodes[node]);
  }

  /// Of the body as a whole.
  Vec3 velocity_of(const std::vector<int>& number, const std::vector<std::size_t>& nodes) {
    Vec3 sum = Vec3::Zero();
    for (const DeckVelocity& one : deck_.velocities) {
      const auto inside = static_cast<std::size_t>(
          std::count_if(one.nodes.begin(), one.nodes.end(), [&](std::size_t node) { return number[node] >= 0; }));
      // Held nodes are often left out.
      if (2 * inside > nodes.size())
        sum += one.velocity;
      else if (inside > 0)
        note(one.line, "a velocity of a small part of a body is left out: bodies move as a whole at the start");
    }
    return sum;
  }

  std::string mesh_text(const DeckBody& body, const std::vector<int>& number, const std::vector<std::size_t>& nodes,
                        const std::string& sets) const {
    std::string text = "*NODE\n";
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Vec3& x = deck_.nodes[nodes[i]];
      text += fmt::format("{}, {:.15g}, {:.15g}, {:.15g}\n", i + 1, x.x(), x.y(), x.z());
    }
    std::size_t element = 0;
    const auto add = [&](std::initializer_list<std::size_t> cell) {
      text += std::to_string(++element);
      for (const std::size_t node : cell) text += fmt::format(", {}", number[node] + 1);
      text += '\n';
    };
    const bool show_faces = body.kind == DeckKind::shell || body.rigid;
    std::size_t last = 0;
    std::map<std::vector<std::size_t>, std::vector<std::size_t>> faces;
    for (const auto& c : body.cells) {
      if (body.kind == DeckKind::shell) {
        if (last != 3) text += "*ELEMENT, TYPE=S3\n";
        last = 3;
        add({c[0], c[1], c[2]});
        if (c.size() == 4 && c[3] != c[2]) add({c[0], c[2], c[3]});
      } else if (show_faces) {
        for (const auto& face : faces_of(c)) {
          std::vector<std::size_t> key = face;
          std::sort(key.begin(), key.end());
          if (!faces.emplace(key, face).second) faces.erase(key);
        }
      } else {
        if (last != c.size()) text += fmt::format("*ELEMENT, TYPE=C3D{}\n", c.size());
        last = c.size();
        text += std::to_string(++element);
        for (const std::size_t node : c) text += fmt::format(", {}", number[node] + 1);
        text += '\n';
      }
    }
    if (!faces.empty()) text += "*ELEMENT, TYPE=S3\n";
    for (const auto& [key, face] : faces) {
      add({face[0], face[1], face[2]});
      if (face.size() == 4) add({face[0], face[2], face[3]});
    }
    return text + sets;
  }
  /// Outwards by the right hand.
  static std::vector<std::vector<std::size_t>> faces_of(const std::vector<std::size_t>& c) {
    if (c.size() == 4) return {{c[0], c[2], c[1]}, {c[0], c[1], c[3]}, {c[1], c[2], c[3]}, {c[2], c[0], c[3]}};
    return {{c[0], c[3], c[2], c[1]}, {c[4], c[5], c[6], c[7]}, {c[0], c[1], c[5], c[4]},
            {c[1], c[2], c[6], c[5]}, {c[2], c[3], c[7], c[6]}, {c[3], c[0], c[4], c[7]}};
  }

  /// Elements of two materials or sections that share nodes are two bodies that are not joined.
  void note_shared_nodes() {
    std::vector<int> owner(deck_.nodes.size(), -1);
    for (std::size_t b = 0; b < deck_.bodies.size(); ++b) {
      bool is_told = false;
      for (const auto& cell : deck_.bodies[b].cells) {
        for (const std::size_t node : cell) {
          if (owner[node] >= 0 && owner[node] != static_cast<int>(b) && !is_told) {
            is_told = true;
            note(deck_.bodies[b].line,
                 fmt::format("shares nodes with '{}': the two become bodies that nothing joins; name them under ties",
                             deck_.bodies[static_cast<std::size_t>(owner[node])].name));
          }
          owner[node] = static_cast<int>(b);
        }
      }
    }
  }

  void write_contacts(const std::vector<std::string>& planes) {
    const auto bodies = static_cast<std::size_t>(std::count_if(
        deck_.bodies.begin(), deck_.bodies.end(), [](const DeckBody& body) { return !body.cells.empty(); }));
    const bool all = deck_.touch && (bodies + planes.size() > 1 || has_shell());
    if (!all && planes.empty()) return;
    const std::string friction = deck_.friction > 0 ? fmt::format(", friction: {:.12g}", deck_.friction) : "";
    text_ += "contacts:\n";
    if (all && bodies + planes.size() > 1) {
      text_ += fmt::format("  - {{between: [all, all]{}}}\n", friction);
    } else {
      for (std::size_t k = 0; k < planes.size(); ++k)
        text_ += fmt::format("  - {{between: [all, {}], friction: {:.12g}}}\n", planes[k], deck_.planes[k].friction);
    }
    if (!deck_.touch) return;
    for (const auto& [name, text] : files_) {
      const std::string body = name.substr(stem_.size() + 1, name.size() - stem_.size() - 5);
      const auto is_soft = text_.find(fmt::format("  {}:\n    type: shell", body)) != std::string::npos;
      if (is_soft) text_ += fmt::format("  - {{between: [{0}, {0}], self_contact: true{1}}}\n", body, friction);
    }
  }
  bool has_shell() const {
    return std::any_of(deck_.bodies.begin(), deck_.bodies.end(), [](const DeckBody& body) {
      return body.kind == DeckKind::shell && !body.rigid && !body.cells.empty();
    });
  }

  const Deck& deck_;
  const std::string &file_, &stem_;
  std::vector<Note>& notes_;
  std::string text_;
  std::vector<std::pair<std::string, std::string>> files_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> material_key_;
};

}  // namespace

std::optional<DeckUnits> deck_units(const std::string& name) {
  for (const NamedUnits& one : named_units)
    if (one.name == name) return one.units;
  return std::nullopt;
}

std::string deck_unit_names() {
  std::vector<std::string_view> names;
  for (const NamedUnits& one : named_units) names.push_back(one.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

DeckScene deck_scene(const Deck& deck, const std::string& file, const std::string& stem, std::vector<Note>& notes) {
  return DeckWriter(deck, file, stem, notes).write();
}

}  // namespace ictus::convert
