// Keyword files of LS-DYNA as models, a subset.
#include <ictus/convert/readers.hpp>

#include <fmt/format.h>

#include <ictus/convert/deck_text.hpp>
#include <unordered_map>

namespace ictus::convert {

namespace {

using deck_text::trim;
using deck_text::upper;

class DynaDeck {
 public:
  DynaDeck(const DeckUnits& units, Findings& findings) : units_(units), findings_(findings) {}

  Deck read(std::string_view text) {
    while (!text.empty() && !ended_) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      read_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    finish();
    return std::move(deck_);
  }

 private:
  using Card = void (DynaDeck::*)();
  struct Keyword {
    std::string_view name;
    Card card;
    bool has_title = false;  ///< a first line with a title
  };

  struct Part {
    long section = 0, material = 0;
    std::string title;
    int line = 0;
  };
  struct Section {
    bool is_shell = false;
    double thickness = 0;
  };
  struct Element {
    long part;
    bool is_shell;
    std::vector<long> nodes;
    int line;
  };
  struct Curve {
    std::vector<std::array<double, 2>> points;
  };
  struct Hold {
    long set, node;  ///< one of them
    std::array<bool, 3> directions;
    bool turns;
    int line;
  };
  struct Moved {
    long set;   ///< of nodes, or 0
    long part;  ///< or 0; both 0: all
    Vec3 velocity;
    int line;
  };

  void mistake(std::string message) { findings_.mistake(line_, "", std::move(message)); }
  void note(std::string text) { findings_.note(line_, std::move(text)); }

  void read_line(std::string_view line) {
    if (line.starts_with("$")) return;
    if (line.starts_with("*")) return read_keyword(upper(trim(line.substr(1))));
    if (!card_) return;
    if (wants_title_) {
      wants_title_ = false;
      title_ = trim(line);
      return;
    }
    text_ = line;
    ++card_number_;
    (this->*card_)();
  }

  void read_keyword(std::string keyword) {
    card_ = nullptr;
    card_number_ = 0;
    wants_title_ = false;
    title_.clear();
    if (keyword == "END") ended_ = true;
    if (keyword == "END" || keyword == "KEYWORD" || keyword.starts_with("DATABASE") ||
        keyword.starts_with("CONTROL_OUTPUT") || keyword.starts_with("CONTROL_ENERGY") ||
        keyword.starts_with("CONTROL_HOURGLASS") || keyword.starts_with("CONTROL_SHELL") ||
        keyword.starts_with("CONTROL_CONTACT"))
      return;
    if (keyword == "TITLE") {
      card_ = &DynaDeck::read_title;
      return;
    }
    const bool is_titled = keyword.ends_with("_TITLE");
    if (is_titled) keyword.erase(keyword.size() - 6);
    static const std::map<std::string_view, Card> known{
        {"NODE", &DynaDeck::read_node},
        {"ELEMENT_SHELL", &DynaDeck::read_shell},
        {"ELEMENT_SOLID", &DynaDeck::read_solid},
        {"PART", &DynaDeck::read_part},
        {"SECTION_SHELL", &DynaDeck::read_section_shell},
        {"SECTION_SOLID", &DynaDeck::read_section_solid},
        {"MAT_ELASTIC", &DynaDeck::read_elastic},
        {"MAT_001", &DynaDeck::read_elastic},
        {"MAT_PLASTIC_KINEMATIC", &DynaDeck::read_kinematic},
        {"MAT_003", &DynaDeck::read_kinematic},
        {"MAT_PIECEWISE_LINEAR_PLASTICITY", &DynaDeck::read_piecewise},
        {"MAT_024", &DynaDeck::read_piecewise},
        {"MAT_RIGID", &DynaDeck::read_rigid},
        {"MAT_020", &DynaDeck::read_rigid},
        {"DEFINE_CURVE", &DynaDeck::read_curve},
        {"SET_NODE_LIST", &DynaDeck::read_set},
        {"SET_NODE", &DynaDeck::read_set},
        {"BOUNDARY_SPC_SET", &DynaDeck::read_hold_set},
        {"BOUNDARY_SPC_NODE", &DynaDeck::read_hold_node},
        {"INITIAL_VELOCITY_GENERATION", &DynaDeck::read_velocity_of_part},
        {"INITIAL_VELOCITY", &DynaDeck::read_velocity},
        {"CONTROL_TERMINATION", &DynaDeck::read_end},
        {"RIGIDWALL_PLANAR", &DynaDeck::read_wall},
        {"LOAD_BODY_X", &DynaDeck::read_body_load<0>},
        {"LOAD_BODY_Y", &DynaDeck::read_body_load<1>},
        {"LOAD_BODY_Z", &DynaDeck::read_body_load<2>},
    };
    const auto found = known.find(keyword);
    if (found != known.end()) {
      card_ = found->second;
      wants_title_ = is_titled || keyword == "PART";
      return;
    }
    if (keyword.starts_with("CONTACT_AUTOMATIC")) {
      deck_.touch = true;
      card_ = &DynaDeck::read_contact;
      return;
    }
    note(fmt::format("*{} is left out", keyword));
  }

  /// The fields of a card, by commas or by columns of this width.
  std::vector<std::string> fields(std::initializer_list<std::size_t> widths) const {
    std::vector<std::string> result;
    if (text_.find(',') != std::string_view::npos) return deck_text::split(text_);
    std::string_view rest = text_;
    for (const std::size_t width : widths) {
      result.emplace_back(trim(rest.substr(0, width)));
      rest.remove_prefix(std::min(width, rest.size()));
    }
    return result;
  }
  std::vector<std::string> eight() const { return fields({10, 10, 10, 10, 10, 10, 10, 10}); }

  double value(const std::vector<std::string>& fields, std::size_t i, double usual = 0) {
    if (i >= fields.size() || fields[i].empty()) return usual;
    const std::optional<double> read = deck_text::number(fields[i]);
    if (!read) mistake(fmt::format("'{}' is no number", fields[i]));
    return read.value_or(usual);
  }
  long id(const std::vector<std::string>& fields, std::size_t i) {
    if (i >= fields.size() || fields[i].empty()) return 0;
    const std::optional<long> read = deck_text::whole(fields[i]);
    if (!read) mistake(fmt::format("'{}' is no whole number", fields[i]));
    return read.value_or(0);
  }

  void read_title() {
    if (deck_.title.empty()) deck_.title = trim(text_);
  }
  void read_node() {
    const auto f = fields({8, 16, 16, 16});
    const long number = id(f, 0);
    if (!node_.emplace(number, deck_.nodes.size()).second) mistake(fmt::format("node {} appears twice", number));
    deck_.nodes.push_back(units_.length * Vec3(value(f, 1), value(f, 2), value(f, 3)));
  }
  void read_element(bool is_shell) {
    const auto f = fields({8, 8, 8, 8, 8, 8, 8, 8, 8, 8});
    Element element{id(f, 1), is_shell, {}, line_};
    for (std::size_t i = 2; i < (is_shell ? 6U : 10U); ++i)
      if (const long node = id(f, i); node != 0) element.nodes.push_back(node);
    elements_.push_back(std::move(element));
  }
  void read_shell() { read_element(true); }
  void read_solid() { read_element(false); }
  void read_part() {
    const auto f = eight();
    const long number = id(f, 0);
    if (!parts_.emplace(number, Part{id(f, 1), id(f, 2), title_, line_}).second)
      mistake(fmt::format("part {} appears twice", number));
    part_order_.push_back(number);
    wants_title_ = true;  // of the next part
  }
  void read_section_shell() {
    if (card_number_ % 2 == 1) {
      section_ = id(eight(), 0);
    } else {
      sections_[section_] = {true, value(eight(), 0) * units_.length};
    }
  }
  void read_section_solid() { sections_[id(eight(), 0)] = {false, 0}; }

  DeckMaterial& material(const std::vector<std::string>& f) {
    material_ = id(f, 0);
    DeckMaterial& one = deck_.materials[fmt::format("m{}", material_)];
    one.line = line_;
    one.density = value(f, 1) * units_.density();
    one.youngs_modulus = value(f, 2) * units_.stress();
    one.poissons_ratio = value(f, 3);
    return one;
  }
  void read_elastic() {
    if (card_number_ == 1) material(eight());
  }
  void read_kinematic() {
    const auto f = eight();
    if (card_number_ != 1) {
      if (value(f, 0) != 0 && value(f, 1) != 0) note("the effect of the rate (Cowper and Symonds) is left out");
      return;
    }
    DeckMaterial& one = material(f);
    const double tangent = value(f, 5) * units_.stress(), young = *one.youngs_modulus;
    one.curve = {{0, value(f, 4) * units_.stress()}};
    one.slope = tangent > 0 && tangent < young ? young * tangent / (young - tangent) : 0;
    if (value(f, 6, 0) != 1 && tangent > 0) note("kinematic hardening is taken as isotropic");
  }
  void read_piecewise() {
    const auto f = eight();
    if (card_number_ == 1) {
      DeckMaterial& one = material(f);
      const double tangent = value(f, 5) * units_.stress(), young = *one.youngs_modulus;
      one.curve = {{0, value(f, 4) * units_.stress()}};
      one.slope = tangent > 0 && tangent < young ? young * tangent / (young - tangent) : 0;
      if (value(f, 6) > 0 && value(f, 6) < 1e10) note("failure at a plastic strain is left out");
      strains_.clear();
    } else if (card_number_ == 2) {
      if (value(f, 0) != 0) note("the effect of the rate (Cowper and Symonds) is left out");
      if (const long curve = id(f, 2); curve != 0) curve_of_[material_] = {curve, line_};
    } else if (card_number_ == 3) {
      for (std::size_t i = 0; i < f.size(); ++i) strains_.push_back(value(f, i));
    } else if (card_number_ == 4) {
      std::vector<std::array<double, 2>> points;
      for (std::size_t i = 0; i < f.size() && i < strains_.size(); ++i) {
        const double stress = value(f, i) * units_.stress();
        if (stress > 0 && (points.empty() || strains_[i] > points.back()[0])) points.push_back({strains_[i], stress});
      }
      if (!points.empty()) deck_.materials[fmt::format("m{}", material_)].curve = points;
    }
  }
  void read_rigid() {
    const auto f = eight();
    if (card_number_ == 1) {
      material(f);
      rigid_[material_] = false;
    } else if (card_number_ == 2) {
      const double cmo = value(f, 0);
      const long con1 = id(f, 1);
      if (cmo == 1 && con1 == 7)
        rigid_[material_] = true;
      else if (cmo != 0 && con1 != 0)
        note("a rigid body that is held in some directions moves freely");
    }
  }
  void read_curve() {
    if (card_number_ == 1) {
      const auto f = eight();
      curve_ = id(f, 0);
      scale_ = {value(f, 2, 1), value(f, 3, 1)};
      for (double& s : scale_)
        if (s == 0) s = 1;
      return;
    }
    const auto f = fields({20, 20});
    curves_[curve_].points.push_back({scale_[0] * value(f, 0), scale_[1] * value(f, 1)});
  }
  void read_set() {
    if (card_number_ == 1) {
      set_ = id(eight(), 0);
      return;
    }
    const auto f = eight();
    for (std::size_t i = 0; i < f.size(); ++i)
      if (const long node = id(f, i); node != 0) sets_[set_].push_back(node);
  }
  void read_hold(bool is_set) {
    const auto f = eight();
    Hold hold{is_set ? id(f, 0) : 0, is_set ? 0 : id(f, 0), {}, false, line_};
    for (std::size_t c = 0; c < 3; ++c) hold.directions[c] = id(f, 2 + c) != 0;
    hold.turns = id(f, 5) != 0 || id(f, 6) != 0 || id(f, 7) != 0;
    if (id(f, 1) != 0) note("the axes of a boundary of its own are left out: it holds along x, y and z");
    holds_.push_back(hold);
  }
  void read_hold_set() { read_hold(true); }
  void read_hold_node() { read_hold(false); }
  void read_velocity_of_part() {
    if (card_number_ != 1) return;
    const auto f = eight();  // id, styp, omega, vx, vy, vz
    if (id(f, 1) != 2 || value(f, 2) != 0) return note("an initial velocity other than that of a part is left out");
    moved_.push_back({0, id(f, 0), units_.speed() * Vec3(value(f, 3), value(f, 4), value(f, 5)), line_});
  }
  void read_velocity() {
    const auto f = eight();
    if (card_number_ == 1) set_ = id(f, 0);
    if (card_number_ == 2)
      moved_.push_back({set_, 0, units_.speed() * Vec3(value(f, 0), value(f, 1), value(f, 2)), line_});
  }
  void read_end() {
    if (card_number_ == 1) deck_.end = value(eight(), 0) * units_.time;
  }
  void read_wall() {
    const auto f = eight();
    if (card_number_ != 2) return;
    const Vec3 tail = units_.length * Vec3(value(f, 0), value(f, 1), value(f, 2));
    const Vec3 head = units_.length * Vec3(value(f, 3), value(f, 4), value(f, 5));
    if ((head - tail).isZero(0)) return mistake("the wall has no normal");
    deck_.planes.push_back({"wall", tail, (head - tail).normalized(), value(f, 6) < 1 ? value(f, 6) : 0.0});
  }
  template <int axis>
  void read_body_load() {
    if (card_number_ != 1) return;
    const auto f = eight();
    loads_.push_back({axis, id(f, 0), value(f, 1, 1), line_});
  }
  void read_contact() {
    if (card_number_ == 2) deck_.friction = std::max(deck_.friction, value(eight(), 0));
  }

  // What the file means, once all of it is known.

  void finish() {
    for (const auto& [number, where] : curve_of_) {
      const auto curve = curves_.find(where.first);
      if (curve == curves_.end()) {
        findings_.note(where.second,
                       fmt::format("the curve {} is not there (tables of rates are not read)", where.first));
        continue;
      }
      auto& points = deck_.materials[fmt::format("m{}", number)].curve;
      points = curve->second.points;
      for (auto& point : points) point[1] *= units_.stress();
    }
    std::map<long, std::size_t> body_of;
    for (const long number : part_order_) {
      const Part& part = parts_[number];
      const auto section = sections_.find(part.section);
      if (section == sections_.end()) {
        findings_.note(part.line, fmt::format("the part {} has no section that is known and is left out", number));
        continue;
      }
      body_of[number] = deck_.bodies.size();
      deck_.bodies.push_back({part.title.empty() ? fmt::format("part{}", number) : part.title,
                              fmt::format("m{}", part.material),
                              part.line,
                              section->second.is_shell ? DeckKind::shell : DeckKind::solid,
                              section->second.thickness,
                              rigid_.contains(part.material),
                              rigid_.contains(part.material) && rigid_[part.material],
                              std::nullopt,
                              {}});
    }
    for (const Element& element : elements_) add(element, body_of);
    for (const Hold& hold : holds_) {
      DeckSupport support{
          hold.set != 0 ? nodes_of(hold.set) : nodes_by({hold.node}), hold.directions, {}, hold.turns, hold.line};
      if (!support.nodes.empty()) deck_.supports.push_back(std::move(support));
    }
    for (const Moved& moved : moved_) {
      DeckVelocity velocity{{}, moved.velocity, moved.line};
      if (moved.part != 0) {
        if (const auto body = body_of.find(moved.part); body != body_of.end())
          for (const auto& cell : deck_.bodies[body->second].cells)
            velocity.nodes.insert(velocity.nodes.end(), cell.begin(), cell.end());
      } else if (moved.set != 0) {
        velocity.nodes = nodes_of(moved.set);
      } else {
        for (std::size_t i = 0; i < deck_.nodes.size(); ++i) velocity.nodes.push_back(i);
      }
      std::sort(velocity.nodes.begin(), velocity.nodes.end());
      velocity.nodes.erase(std::unique(velocity.nodes.begin(), velocity.nodes.end()), velocity.nodes.end());
      deck_.velocities.push_back(std::move(velocity));
    }
    for (const BodyLoad& load : loads_) {
      const auto curve = curves_.find(load.curve);
      if (curve == curves_.end() || curve->second.points.empty()) {
        findings_.note(load.line, "the curve of the load on bodies is not there; the load is left out");
        continue;
      }
      const auto& points = curve->second.points;
      const bool is_level = std::all_of(points.begin(), points.end(),
                                        [&](const std::array<double, 2>& point) { return point[1] == points[0][1]; });
      if (!is_level) findings_.note(load.line, "a load on bodies that changes acts with its last value from the start");
      // A positive value accelerates the frame, and the bodies the other way.
      deck_.gravity[load.axis] -= load.factor * points.back()[1] * units_.length / (units_.time * units_.time);
    }
  }

  void add(const Element& element, const std::map<long, std::size_t>& body_of) {
    const auto body = body_of.find(element.part);
    if (body == body_of.end()) return;
    std::vector<std::size_t> cell;
    for (const long node : element.nodes) {
      const auto known = node_.find(node);
      if (known == node_.end()) return findings_.mistake(element.line, "", fmt::format("there is no node {}", node));
      if (cell.empty() || cell.back() != known->second || element.nodes.size() != 8) cell.push_back(known->second);
    }
    // A tetrahedron repeats its last node, a triangle too.
    if (!element.is_shell && cell.size() > 4 && std::set<std::size_t>(cell.begin(), cell.end()).size() == 4) {
      std::vector<std::size_t> corners;
      for (const std::size_t node : cell)
        if (std::find(corners.begin(), corners.end(), node) == corners.end()) corners.push_back(node);
      cell = corners;
    }
    const std::size_t distinct = std::set<std::size_t>(cell.begin(), cell.end()).size();
    const bool is_known = element.is_shell ? (cell.size() == 3 || cell.size() == 4) && distinct >= 3
                                           : (cell.size() == 4 || cell.size() == 8) && distinct == cell.size();
    if (!is_known) return findings_.note(element.line, "an element of this shape is left out");
    if (element.is_shell && cell.size() == 4 && distinct == 3) cell.pop_back();
    deck_.bodies[body->second].cells.push_back(std::move(cell));
  }

  std::vector<std::size_t> nodes_by(const std::vector<long>& numbers) const {
    std::vector<std::size_t> nodes;
    for (const long number : numbers)
      if (const auto known = node_.find(number); known != node_.end()) nodes.push_back(known->second);
    return nodes;
  }
  std::vector<std::size_t> nodes_of(long set) const {
    const auto found = sets_.find(set);
    return found == sets_.end() ? std::vector<std::size_t>{} : nodes_by(found->second);
  }

  struct BodyLoad {
    int axis;
    long curve;
    double factor;
    int line;
  };

  DeckUnits units_;
  Findings& findings_;
  Deck deck_;
  int line_ = 0, card_number_ = 0;
  Card card_ = nullptr;
  bool wants_title_ = false, ended_ = false;
  std::string_view text_;
  std::string title_;
  long section_ = 0, material_ = 0, curve_ = 0, set_ = 0;
  std::array<double, 2> scale_{1, 1};
  std::vector<double> strains_;
  std::unordered_map<long, std::size_t> node_;
  std::vector<Element> elements_;
  std::map<long, Part> parts_;
  std::vector<long> part_order_;
  std::map<long, Section> sections_;
  std::map<long, bool> rigid_;
  std::map<long, Curve> curves_;
  std::map<long, std::pair<long, int>> curve_of_;
  std::map<long, std::vector<long>> sets_;
  std::vector<Hold> holds_;
  std::vector<Moved> moved_;
  std::vector<BodyLoad> loads_;
};

}  // namespace

Deck read_dyna(std::string_view text, const DeckUnits& units, Findings& findings) {
  return DynaDeck(units, findings).read(text);
}

}  // namespace ictus::convert
