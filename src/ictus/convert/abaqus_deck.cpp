// Input files of Abaqus as models: materials, sections, boundary and initial conditions, contact, duration.
#include <ictus/convert/readers.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <ictus/convert/deck_text.hpp>
#include <unordered_map>

namespace ictus::convert {

namespace {

using deck_text::number;
using deck_text::split;
using deck_text::trim;
using deck_text::upper;
using deck_text::whole;

struct AbaqusElement {
  std::vector<long> nodes;
  bool is_shell;
};

struct AbaqusSection {
  std::string set, material;
  bool is_shell = false;
  double thickness = 0;
  int line = 0;
};

/// Nodes, elements and sets of a part, by their numbers in the file.
struct DeckPart {
  std::map<long, Vec3> nodes;
  std::map<long, AbaqusElement> elements;
  std::map<std::string, std::vector<long>> node_sets, element_sets;
  std::vector<AbaqusSection> sections;
};

struct DeckInstance {
  std::string name, part;
  int line = 0;
  Eigen::Affine3d place = Eigen::Affine3d::Identity();
  std::unordered_map<long, std::size_t> node{};  ///< in the deck
};

/// A set of the assembly: the numbers of an instance.
struct AssemblySet {
  std::string instance;
  std::vector<long> numbers;
  bool of_elements;
};

struct ElementKind {
  std::string_view name;
  std::size_t nodes;
  bool is_shell;
};
constexpr std::array element_kinds{
    ElementKind{"C3D4", 4, false},  ElementKind{"C3D8", 8, false}, ElementKind{"C3D8R", 8, false},
    ElementKind{"C3D8I", 8, false}, ElementKind{"S3", 3, true},    ElementKind{"S3R", 3, true},
    ElementKind{"S4", 4, true},     ElementKind{"S4R", 4, true},   ElementKind{"R3D3", 3, true},
    ElementKind{"R3D4", 4, true},
};

class AbaqusDeck {
 public:
  AbaqusDeck(const DeckUnits& units, Findings& findings) : units_(units), findings_(findings) {}

  Deck read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      read_line(trim(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    end_element();
    finish();
    return std::move(deck_);
  }

 private:
  enum class Block {
    none,
    heading,
    node,
    element,
    node_set,
    element_set,
    instance,
    elastic,
    density,
    plastic,
    rate,
    specific_heat,
    solid_section,
    shell_section,
    boundary,
    initial_velocity,
    dynamic,
    dload,
    friction,
    mass,
    skipped
  };

  void mistake(std::string message) { findings_.mistake(line_, "", std::move(message)); }
  void note(std::string text) { findings_.note(line_, std::move(text)); }

  void read_line(std::string_view line) {
    if (line.empty() || line.starts_with("**")) return;
    if (line[0] == '*') {
      end_element();
      return read_keyword(line.substr(1));
    }
    if (block_ == Block::heading) {
      if (deck_.title.empty()) deck_.title = line;
      return;
    }
    if (block_ == Block::none || block_ == Block::skipped) return;
    fields_ = split(line);
    if (block_ == Block::element) {
      pending_.insert(pending_.end(), fields_.begin(), fields_.end());
      if (line.back() != ',') end_element();
      return;
    }
    read_data();
  }

  std::string option(std::string_view key) const {
    for (std::size_t i = 1; i < options_.size(); ++i) {
      const std::size_t equals = options_[i].find('=');
      if (upper(trim(std::string_view(options_[i]).substr(0, equals))) != key) continue;
      if (equals == std::string::npos) return "YES";
      std::string value(trim(std::string_view(options_[i]).substr(equals + 1)));
      value.erase(std::remove(value.begin(), value.end(), '"'), value.end());
      return upper(value);
    }
    return "";
  }

  DeckPart& part() { return parts_[part_]; }

  void read_keyword(std::string_view line) {
    options_ = split(line);
    const std::string keyword = upper(options_.empty() ? "" : options_[0]);
    block_ = Block::none;
    data_lines_ = 0;
    using Begin = void (AbaqusDeck::*)();
    static const std::map<std::string_view, Begin> known{
        {"HEADING", &AbaqusDeck::begin_heading},
        {"NODE", &AbaqusDeck::begin_node},
        {"ELEMENT", &AbaqusDeck::begin_element},
        {"NSET", &AbaqusDeck::begin_node_set},
        {"ELSET", &AbaqusDeck::begin_element_set},
        {"PART", &AbaqusDeck::begin_part},
        {"END PART", &AbaqusDeck::end_part},
        {"ASSEMBLY", &AbaqusDeck::begin_assembly},
        {"END ASSEMBLY", &AbaqusDeck::end_assembly},
        {"INSTANCE", &AbaqusDeck::begin_instance},
        {"END INSTANCE", &AbaqusDeck::end_part},
        {"MATERIAL", &AbaqusDeck::begin_material},
        {"ELASTIC", &AbaqusDeck::begin_elastic},
        {"DENSITY", &AbaqusDeck::begin_density},
        {"PLASTIC", &AbaqusDeck::begin_plastic},
        {"RATE DEPENDENT", &AbaqusDeck::begin_rate},
        {"SPECIFIC HEAT", &AbaqusDeck::begin_specific_heat},
        {"SOLID SECTION", &AbaqusDeck::begin_solid_section},
        {"SHELL SECTION", &AbaqusDeck::begin_shell_section},
        {"BOUNDARY", &AbaqusDeck::begin_boundary},
        {"INITIAL CONDITIONS", &AbaqusDeck::begin_initial},
        {"DYNAMIC", &AbaqusDeck::begin_dynamic},
        {"DLOAD", &AbaqusDeck::begin_dload},
        {"FRICTION", &AbaqusDeck::begin_friction},
        {"RIGID BODY", &AbaqusDeck::begin_rigid},
        {"MASS", &AbaqusDeck::begin_mass},
        {"CONTACT PAIR", &AbaqusDeck::begin_contact},
        {"CONTACT", &AbaqusDeck::begin_contact},
        {"CONTACT INCLUSIONS", &AbaqusDeck::begin_nothing},
        {"SURFACE INTERACTION", &AbaqusDeck::begin_nothing},
        {"CONTACT PROPERTY ASSIGNMENT", &AbaqusDeck::begin_nothing},
        {"SURFACE", &AbaqusDeck::begin_nothing},
        {"SURFACE BEHAVIOR", &AbaqusDeck::begin_nothing},
        {"STEP", &AbaqusDeck::begin_nothing},
        {"END STEP", &AbaqusDeck::begin_nothing},
        {"PREPRINT", &AbaqusDeck::begin_nothing},
        {"OUTPUT", &AbaqusDeck::begin_nothing},
        {"NODE OUTPUT", &AbaqusDeck::begin_nothing},
        {"ELEMENT OUTPUT", &AbaqusDeck::begin_nothing},
        {"ENERGY OUTPUT", &AbaqusDeck::begin_nothing},
        {"CONTACT OUTPUT", &AbaqusDeck::begin_nothing},
        {"RESTART", &AbaqusDeck::begin_nothing},
        {"BULK VISCOSITY", &AbaqusDeck::begin_nothing},
        {"FILE OUTPUT", &AbaqusDeck::begin_nothing},
    };
    const auto found = known.find(keyword);
    if (found != known.end()) return (this->*found->second)();
    block_ = Block::skipped;
    note(fmt::format("*{} is left out", keyword));
  }

  void begin_nothing() { block_ = Block::skipped; }
  void begin_heading() { block_ = Block::heading; }
  void begin_node() {
    if (!option("INPUT").empty()) return mistake("INPUT= is not read: write all nodes out");
    block_ = Block::node;
    set_ = option("NSET");
  }
  void begin_element() {
    const std::string type = option("TYPE");
    const auto found = std::find_if(element_kinds.begin(), element_kinds.end(),
                                    [&](const ElementKind& kind) { return kind.name == type; });
    block_ = Block::skipped;
    if (type == "MASS") {
      block_ = Block::element;
      kind_ = {"MASS", 1, false};
    } else if (found == element_kinds.end()) {
      note(fmt::format("elements of type {} are left out", type.empty() ? "without a name" : type));
    } else {
      block_ = Block::element;
      kind_ = *found;
      if (type == "C3D8R" || type == "C3D8I")
        note(fmt::format("elements of type {} become hexahedra with eight points and the mean dilatation", type));
      if (type.starts_with("S4") || type == "R3D4")
        note(fmt::format("elements of type {} become two triangles each", type));
    }
    set_ = option("ELSET");
  }
  void begin_node_set() { begin_set(Block::node_set, option("NSET")); }
  void begin_element_set() { begin_set(Block::element_set, option("ELSET")); }
  void begin_set(Block block, const std::string& name) {
    if (name.empty()) return mistake("a set needs a name");
    block_ = block;
    set_ = name;
    generates_ = !option("GENERATE").empty();
    set_instance_ = option("INSTANCE");
  }
  void begin_part() { part_ = option("NAME"); }
  void end_part() { part_.clear(); }
  void begin_assembly() { in_assembly_ = true; }
  void end_assembly() { in_assembly_ = false; }
  void begin_instance() {
    instances_.push_back({option("NAME"), option("PART"), line_});
    block_ = Block::instance;
    part_ = instances_.back().part;
  }
  void begin_material() {
    material_ = option("NAME");
    if (material_.empty()) mistake("a material needs a name");
    deck_.materials[material_].line = line_;
  }
  void begin_elastic() {
    if (const std::string type = option("TYPE"); !type.empty() && type != "ISOTROPIC")
      note(fmt::format("elasticity of type {} is taken as isotropic by its first two numbers", type));
    block_ = Block::elastic;
  }
  void begin_density() { block_ = Block::density; }
  void begin_specific_heat() { block_ = Block::specific_heat; }
  void begin_plastic() {
    block_ = Block::plastic;
    hardening_ = option("HARDENING");
    if (!hardening_.empty() && hardening_ != "ISOTROPIC" && hardening_ != "JOHNSON COOK") {
      note(fmt::format("hardening {} is taken as isotropic", hardening_));
      hardening_.clear();
    }
  }
  void begin_rate() {
    block_ = option("TYPE") == "JOHNSON COOK" ? Block::rate : Block::skipped;
    if (block_ == Block::skipped) note("*RATE DEPENDENT of a type other than JOHNSON COOK is left out");
  }
  void begin_section(Block block, bool is_shell) {
    block_ = block;
    part().sections.push_back({option("ELSET"), option("MATERIAL"), is_shell, 0, line_});
    if (option("MATERIAL").empty()) mistake("the section names no material");
  }
  void begin_solid_section() { begin_section(Block::solid_section, false); }
  void begin_shell_section() { begin_section(Block::shell_section, true); }
  void begin_boundary() {
    const std::string type = option("TYPE");
    block_ = type == "VELOCITY" || type == "DISPLACEMENT" || type.empty() ? Block::boundary : Block::skipped;
    if (block_ == Block::skipped) note(fmt::format("*BOUNDARY of type {} is left out", type));
    if (!option("AMPLITUDE").empty()) note("the amplitude of *BOUNDARY is left out: what is moved is held");
  }
  void begin_initial() {
    block_ = option("TYPE") == "VELOCITY" ? Block::initial_velocity : Block::skipped;
    if (block_ == Block::skipped) note(fmt::format("*INITIAL CONDITIONS of type {} are left out", option("TYPE")));
  }
  void begin_dynamic() {
    block_ = Block::dynamic;
    if (option("EXPLICIT").empty()) note("*DYNAMIC becomes an explicit run");
  }
  void begin_dload() {
    block_ = Block::dload;
    if (!option("AMPLITUDE").empty()) note("the amplitude of *DLOAD is left out: gravity acts from the start");
  }
  void begin_friction() { block_ = Block::friction; }
  void begin_contact() {
    block_ = Block::skipped;
    deck_.touch = true;
  }
  void begin_rigid() {
    rigid_.push_back({option("ELSET"), option("REF NODE"), line_});
    if (option("ELSET").empty()) note("*RIGID BODY without ELSET is left out");
  }
  void begin_mass() {
    block_ = Block::mass;
    set_ = option("ELSET");
  }

  /// Field i as a number; a mistake where it is none, zero where it is empty.
  double value(std::size_t i, double usual = 0) {
    if (i >= fields_.size() || fields_[i].empty()) return usual;
    const std::optional<double> read = number(fields_[i]);
    if (!read) mistake(fmt::format("'{}' is no number", fields_[i]));
    return read.value_or(usual);
  }

  void read_data() {
    ++data_lines_;
    DeckMaterial& material = deck_.materials[material_];
    const double stress = units_.stress();
    switch (block_) {
      case Block::node:
        return read_node();
      case Block::node_set:
      case Block::element_set:
        return read_set();
      case Block::instance:
        return read_place();
      case Block::elastic:
        if (data_lines_ > 1) return note("elasticity of another temperature is left out");
        material.youngs_modulus = value(0) * stress;
        material.poissons_ratio = value(1);
        return;
      case Block::density:
        if (data_lines_ == 1) material.density = value(0) * units_.density();
        return;
      case Block::specific_heat:
        if (data_lines_ == 1) heat_capacity_[material_] = value(0) * units_.speed() * units_.speed();
        return;
      case Block::plastic:
        return read_plastic(material);
      case Block::rate:
        if (!material.johnson_cook) return note("*RATE DEPENDENT comes before *PLASTIC and is left out");
        material.johnson_cook->rate_factor = value(0);
        material.johnson_cook->reference_rate = value(1, 1) / units_.time;
        return;
      case Block::shell_section:
        if (data_lines_ == 1) part().sections.back().thickness = value(0) * units_.length;
        return;
      case Block::boundary:
        return read_boundary();
      case Block::initial_velocity:
        return read_velocity();
      case Block::dynamic:
        if (data_lines_ == 1) deck_.end = value(1) * units_.time;
        return;
      case Block::dload:
        return read_dload();
      case Block::friction:
        if (data_lines_ == 1) deck_.friction = value(0);
        return;
      case Block::mass:
        if (data_lines_ == 1) masses_[set_] = value(0) * units_.mass;
        return;
      default:
        return;
    }
  }

  void read_plastic(DeckMaterial& material) {
    if (hardening_ == "JOHNSON COOK") {
      if (data_lines_ > 1) return;
      DeckMaterial::JohnsonCook& law = material.johnson_cook.emplace();
      law.yield = value(0) * units_.stress();
      law.modulus = value(1) * units_.stress();
      law.exponent = value(2, 1);
      law.softening = value(3);
      law.melting = value(4);
      law.start = value(5);
      return;
    }
    if (fields_.size() > 2 && !fields_[2].empty() && data_lines_ > 1 && value(1) == 0)
      return note("the flow stress at another temperature or rate is left out");
    if (!material.curve.empty() && value(1) <= material.curve.back()[0])
      return note("a point of *PLASTIC whose plastic strain does not rise is left out");
    material.curve.push_back({value(1), value(0) * units_.stress()});
  }

  void read_node() {
    const std::optional<long> id = fields_.empty() ? std::nullopt : whole(fields_[0]);
    if (!id || fields_.size() < 2) return mistake("expected the number of a node and its place");
    if (!part().nodes.emplace(*id, units_.length * Vec3(value(1), value(2), value(3))).second)
      mistake(fmt::format("node {} appears twice", *id));
    if (!set_.empty()) part().node_sets[set_].push_back(*id);
  }

  void end_element() {
    if (pending_.empty()) return;
    std::vector<long> numbers;
    for (const std::string& field : pending_) numbers.push_back(whole(field).value_or(-1));
    pending_.clear();
    if (numbers.size() != kind_.nodes + 1 || std::find(numbers.begin(), numbers.end(), -1) != numbers.end())
      return mistake(fmt::format("expected the number of an element and {} nodes", kind_.nodes));
    if (!set_.empty()) part().element_sets[set_].push_back(numbers[0]);
    if (kind_.nodes == 1) return;
    const bool fresh =
        part().elements.emplace(numbers[0], AbaqusElement{{numbers.begin() + 1, numbers.end()}, kind_.is_shell}).second;
    if (!fresh) mistake(fmt::format("element {} appears twice", numbers[0]));
  }

  void read_set() {
    const bool of_elements = block_ == Block::element_set;
    std::vector<long> numbers;
    auto& named = of_elements ? part().element_sets : part().node_sets;
    if (generates_) {
      constexpr long most = 1'000'000'000;
      const auto bound = [&](std::size_t i) { return i < fields_.size() ? whole(fields_[i]) : std::nullopt; };
      const std::optional<long> first = bound(0), last = bound(1);
      const long by = std::max(1L, bound(2).value_or(1));
      if (!first || !last || *first < 0 || *last > most) return mistake("expected the first and the last number");
      const std::size_t known = of_elements ? part().elements.size() : part().nodes.size();
      const bool is_of_assembly = in_assembly_ && part_.empty();
      if (!is_of_assembly && (*last - *first) / by > static_cast<long>(known))
        note("a set that generates more numbers than there are is cut to those there are");
      for (long id = *first; id <= *last && numbers.size() <= std::max<std::size_t>(known, 1'000'000); id += by)
        numbers.push_back(id);
    } else {
      for (const std::string& field : fields_) {
        if (const std::optional<long> id = whole(field)) {
          numbers.push_back(*id);
        } else if (const auto other = named.find(upper(field)); other != named.end()) {
          numbers.insert(numbers.end(), other->second.begin(), other->second.end());
        } else {
          note(fmt::format("the set '{}' is not known here and is left out", field));
        }
      }
    }
    if (in_assembly_ && part_.empty()) {
      auto& parts = assembly_sets_[set_];
      if (parts.empty() || parts.back().instance != set_instance_ || parts.back().of_elements != of_elements)
        parts.push_back({set_instance_, {}, of_elements});
      parts.back().numbers.insert(parts.back().numbers.end(), numbers.begin(), numbers.end());
      return;
    }
    auto& set = named[set_];
    set.insert(set.end(), numbers.begin(), numbers.end());
  }

  void read_place() {
    const Vec3 a = units_.length * Vec3(value(0), value(1), value(2));
    if (data_lines_ == 1) {
      instances_.back().place = Eigen::Translation3d(a);
    } else if (data_lines_ == 2) {
      const Vec3 b = units_.length * Vec3(value(3), value(4), value(5));
      if (!(a - b).isZero()) {
        const Eigen::AngleAxisd turn(value(6) * M_PI / 180, (b - a).normalized());
        instances_.back().place = Eigen::Translation3d(a) * turn * Eigen::Translation3d(-a) * instances_.back().place;
      }
    }
  }

  struct Condition {
    std::string target;
    std::array<bool, 3> directions{};
    std::optional<int> mirror{};
    bool clamped = false;
    Vec3 velocity = Vec3::Zero();
    int line = 0;
    std::string part{};
  };

  void read_boundary() {
    if (fields_.size() < 2) return mistake("expected a set or node and what of it is held");
    Condition held{upper(fields_[0]), {}, {}, false, Vec3::Zero(), line_, part_};
    const std::string word = upper(fields_[1]);
    if (word == "ENCASTRE") {
      held.directions = {true, true, true};
      held.clamped = true;
    } else if (word == "PINNED") {
      held.directions = {true, true, true};
    } else if (word == "XSYMM" || word == "YSYMM" || word == "ZSYMM") {
      const int axis = word[0] - 'X';
      held.directions[static_cast<std::size_t>(axis)] = true;
      held.mirror = axis;
    } else {
      const std::optional<long> first = whole(fields_[1]);
      const std::optional<long> last = fields_.size() > 2 && !fields_[2].empty() ? whole(fields_[2]) : first;
      if (!first || !last) return note(fmt::format("the boundary '{}' is left out", fields_[1]));
      for (long dof = std::max(1L, *first); dof <= std::min(6L, *last); ++dof) {
        if (dof <= 3) held.directions[static_cast<std::size_t>(dof - 1)] = true;
        if (dof > 3) held.clamped = true;
      }
      if (value(3) != 0) return note("a boundary that moves is left out");
    }
    supports_.push_back(held);
  }

  void read_velocity() {
    if (fields_.size() < 3) return mistake("expected a set or node, a direction and a velocity");
    const std::optional<long> dof = whole(fields_[1]);
    if (!dof || *dof < 1 || *dof > 3) return note("an initial velocity that turns is left out");
    Condition moved{upper(fields_[0]), {}, {}, false, Vec3::Zero(), line_, part_};
    moved.velocity[static_cast<int>(*dof - 1)] = value(2) * units_.speed();
    velocities_.push_back(moved);
  }

  void read_dload() {
    if (fields_.size() < 2 || upper(fields_[1]) != "GRAV") return note("a load other than GRAV is left out");
    const double size = value(2) * units_.length / (units_.time * units_.time);
    deck_.gravity += size * Vec3(value(3), value(4), value(5));
  }

  // What the file means, once all of it is known.

  void finish() {
    if (instances_.empty()) {
      for (auto& [name, one] : parts_) instances_.push_back({"", name, 0});
    }
    for (DeckInstance& instance : instances_) {
      const auto found = parts_.find(instance.part);
      if (found == parts_.end()) {
        findings_.mistake(instance.line, "", fmt::format("the part '{}' is not there", instance.part));
        continue;
      }
      for (const auto& [id, x] : found->second.nodes) {
        instance.node.emplace(id, deck_.nodes.size());
        deck_.nodes.push_back(instance.place * x);
      }
      for (const AbaqusSection& section : found->second.sections) add_body(instance, found->second, section);
    }
    for (auto& [name, law] : deck_.materials) {
      const auto heat = heat_capacity_.find(name);
      if (law.johnson_cook && heat != heat_capacity_.end()) law.johnson_cook->heat_capacity = heat->second;
    }
    for (const auto& rigid : rigid_) make_rigid(rigid);
    for (const Condition& held : supports_) {
      if (hold_rigid(held)) continue;
      DeckSupport support{nodes_of(held), held.directions, held.mirror, held.clamped, held.line};
      if (!support.nodes.empty()) deck_.supports.push_back(std::move(support));
    }
    for (const Condition& moved : velocities_) {
      DeckVelocity velocity{nodes_of(moved), moved.velocity, moved.line};
      if (!velocity.nodes.empty()) deck_.velocities.push_back(std::move(velocity));
    }
  }

  void add_body(const DeckInstance& instance, const DeckPart& part, const AbaqusSection& section) {
    const auto set = part.element_sets.find(section.set);
    if (set == part.element_sets.end())
      return findings_.mistake(section.line, "", fmt::format("the set of elements '{}' is not there", section.set));
    DeckBody body{instance.name.empty()       ? section.set
                  : part.sections.size() == 1 ? instance.name
                                              : instance.name + "-" + section.set,
                  section.material,
                  section.line,
                  section.is_shell ? DeckKind::shell : DeckKind::solid,
                  section.thickness,
                  false,
                  false,
                  std::nullopt,
                  {}};
    for (const long id : set->second) {
      const auto element = part.elements.find(id);
      if (element == part.elements.end() || element->second.is_shell != section.is_shell) continue;
      std::vector<std::size_t> cell;
      for (const long node : element->second.nodes) {
        const auto known = instance.node.find(node);
        if (known == instance.node.end())
          return findings_.mistake(section.line, "", fmt::format("element {} has no node {}", id, node));
        cell.push_back(known->second);
      }
      body.cells.push_back(std::move(cell));
    }
    body_set_.push_back(section.set);
    body_instance_.push_back(instance.name);
    if (body.cells.empty()) findings_.note(section.line, "the section has no elements that are known");
    deck_.bodies.push_back(std::move(body));
  }

  struct RigidSet {
    std::string set, reference;
    int line;
  };

  void make_rigid(const RigidSet& rigid) {
    bool any = false;
    for (std::size_t b = 0; b < deck_.bodies.size(); ++b) {
      const auto assembly = assembly_sets_.find(rigid.set);
      const bool whole_instance =
          assembly != assembly_sets_.end() &&
          std::any_of(assembly->second.begin(), assembly->second.end(),
                      [&](const AssemblySet& s) { return s.of_elements && s.instance == upper(body_instance_[b]); });
      if (body_set_[b] != rigid.set && !whole_instance) continue;
      any = true;
      deck_.bodies[b].rigid = true;
      references_[rigid.reference] = b;
      if (!masses_.empty()) deck_.bodies[b].mass = masses_.begin()->second;
    }
    // Rigid elements need no section.
    if (!any)
      findings_.note(rigid.line, fmt::format("the rigid body of '{}' has no section and is left out", rigid.set));
  }

  /// Whether what is held is the reference node of a rigid body, which is fixed if it may move nowhere.
  bool hold_rigid(const Condition& held) {
    const auto found = references_.find(held.target);
    if (found == references_.end()) return false;
    const bool all = held.directions[0] && held.directions[1] && held.directions[2];
    if (all)
      deck_.bodies[found->second].fixed = true;
    else
      findings_.note(held.line, "a rigid body that is held in some directions moves freely");
    return true;
  }

  /// Of a set, INSTANCE.set, INSTANCE.node or node.
  std::vector<std::size_t> nodes_of(const Condition& condition) {
    std::vector<std::size_t> nodes;
    const auto take = [&](const DeckInstance& instance, const std::vector<long>& numbers) {
      for (const long id : numbers) {
        const auto known = instance.node.find(id);
        if (known != instance.node.end()) nodes.push_back(known->second);
      }
    };
    std::string name = condition.target, of;
    if (const auto sets = assembly_sets_.find(name); sets != assembly_sets_.end()) {
      for (const AssemblySet& set : sets->second) {
        for (const DeckInstance& instance : instances_)
          if (!set.of_elements && (set.instance.empty() || set.instance == upper(instance.name)))
            take(instance, set.numbers);
      }
    } else {
      if (const std::size_t dot = name.find('.'); dot != std::string::npos)
        of = name.substr(0, dot), name.erase(0, dot + 1);
      for (const DeckInstance& instance : instances_) {
        if (!of.empty() && of != upper(instance.name)) continue;
        const DeckPart& part = parts_[instance.part];
        if (const auto set = part.node_sets.find(name); set != part.node_sets.end())
          take(instance, set->second);
        else if (const std::optional<long> id = whole(name))
          take(instance, {*id});
      }
    }
    if (nodes.empty())
      findings_.note(condition.line, fmt::format("'{}' has no nodes that are known", condition.target));
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

  DeckUnits units_;
  Findings& findings_;
  Deck deck_;
  int line_ = 0, data_lines_ = 0;
  Block block_ = Block::none;
  std::vector<std::string> options_, fields_, pending_;
  std::string part_, set_, set_instance_, material_, hardening_;
  ElementKind kind_{};
  bool generates_ = false, in_assembly_ = false;
  std::map<std::string, DeckPart> parts_;
  std::vector<DeckInstance> instances_;
  std::map<std::string, std::vector<AssemblySet>> assembly_sets_;
  std::map<std::string, double> heat_capacity_, masses_;
  std::vector<RigidSet> rigid_;
  std::map<std::string, std::size_t> references_;
  std::vector<std::string> body_set_, body_instance_;
  std::vector<Condition> supports_, velocities_;
};

}  // namespace

Deck read_abaqus(std::string_view text, const DeckUnits& units, Findings& findings) {
  return AbaqusDeck(units, findings).read(text);
}

}  // namespace ictus::convert
