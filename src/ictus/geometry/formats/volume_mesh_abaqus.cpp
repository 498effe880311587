#include <ictus/geometry/formats/abaqus_assembly.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <ictus/base/error.hpp>
#include <ictus/base/text_file.hpp>
#include <string_view>

namespace ictus::geometry {

namespace {

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::toupper(c); });
  return result;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> fields;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    fields.emplace_back(trim(text.substr(0, comma)));
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  if (!fields.empty() && fields.back().empty()) fields.pop_back();
  return fields;
}

using Kind = AbaqusPart::Kind;

struct ElementType {
  std::string_view name;
  Kind kind;
  std::size_t nodes;
};

/// What can be read. Gmsh writes the lines and faces of a solid's boundary as T3D2 and CPS3 or CPS4: these are no part
/// of the solid, and only their sets are of use.
constexpr std::array element_types{
    ElementType{"C3D4", Kind::tetrahedron, 4}, ElementType{"C3D8", Kind::hexahedron, 8},
    ElementType{"S3", Kind::triangle, 3},      ElementType{"S3R", Kind::triangle, 3},
    ElementType{"CPS3", Kind::triangle, 3},    ElementType{"CPS4", Kind::other, 4},
    ElementType{"T3D2", Kind::other, 2},
};

/// Keywords that make or move nodes and elements in ways that are not read here.
constexpr std::array mesh_keywords{"NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM", "INCLUDE"};

class AbaqusFile {
 public:
  AbaqusFile(const std::string& text, const std::string& file) : text_(text) { model_.file = file; }

  VolumeMesh read() {
    std::string_view rest = text_;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      ++line_;
      read_line(trim(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!pending_.empty()) fail("the last element lacks nodes");
    VolumeMesh mesh = assemble(model_);
    if (mesh.tetrahedra.empty() && mesh.hexahedra.empty() && mesh.triangles.empty())
      fail("expected *NODE and *ELEMENT: the file has no mesh");
    return mesh;
  }

 private:
  enum class Block { none, node, element, set, instance };

  [[noreturn]] void fail(const std::string& message) const {
    throw base::InputError({model_.file, line_, "", message});
  }

  AbaqusPart& part() { return model_.parts[part_]; }

  void read_line(std::string_view line) {
    if (line.empty() || line.starts_with("**")) return;
    if (line[0] == '*') return read_keyword(line.substr(1));
    const std::vector<std::string> fields = split(line);
    switch (block_) {
      case Block::none:
        return;
      case Block::node:
        return read_node(fields);
      case Block::element:
        // A long element goes on in the next line after a comma.
        pending_.insert(pending_.end(), fields.begin(), fields.end());
        if (line.back() != ',') read_element();
        return;
      case Block::set:
        return read_set(fields);
      case Block::instance:
        return read_position(fields);
    }
  }

  void read_keyword(std::string_view line) {
    if (!pending_.empty()) fail("the element before this line lacks nodes");
    fields_ = split(line);
    const std::string keyword = upper(fields_.empty() ? "" : fields_[0]);
    block_ = Block::none;
    if (std::find(mesh_keywords.begin(), mesh_keywords.end(), keyword) != mesh_keywords.end())
      fail(fmt::format("*{} is not supported: write all nodes and elements out", keyword));
    if (keyword == "NODE") begin_nodes();
    if (keyword == "ELEMENT") begin_elements();
    if (keyword == "NSET" || keyword == "ELSET") begin_set(keyword);
    if (keyword == "PART") part_ = upper(name_of("PART"));
    if (keyword == "END INSTANCE") end_instance();
    if (keyword == "END PART" || keyword == "END INSTANCE") part_.clear();
    if (keyword == "ASSEMBLY") in_assembly_ = true;
    if (keyword == "END ASSEMBLY") in_assembly_ = false;
    if (keyword == "INSTANCE") begin_instance();
  }

  /// The value of a parameter of the keyword line; YES of one without a value.
  std::string option(std::string_view key) const {
    for (std::size_t i = 1; i < fields_.size(); ++i) {
      const std::size_t equals = fields_[i].find('=');
      if (upper(trim(std::string_view(fields_[i]).substr(0, equals))) != key) continue;
      return equals == std::string::npos ? "YES" : std::string(trim(std::string_view(fields_[i]).substr(equals + 1)));
    }
    return "";
  }
  std::string name_of(std::string_view keyword) const {
    const std::string name = option("NAME");
    if (name.empty()) fail(fmt::format("*{0} needs a name: *{0}, name=...", keyword));
    return name;
  }
  void refuse_option(std::string_view keyword, std::string_view key, std::string_view advice) const {
    if (!option(key).empty()) fail(fmt::format("{}= of *{} is not supported: {}", key, keyword, advice));
  }

  void begin_nodes() {
    refuse_option("NODE", "INPUT", "write all nodes out");
    if (const std::string system = upper(option("SYSTEM")); !system.empty() && system != "R")
      fail(fmt::format("SYSTEM={} of *NODE is not supported: write x, y and z", system));
    block_ = Block::node;
    open_set(option("NSET"), false);
  }

  void begin_elements() {
    refuse_option("ELEMENT", "INPUT", "write all elements out");
    const std::string type = upper(option("TYPE"));
    const auto known = std::find_if(element_types.begin(), element_types.end(),
                                    [&](const ElementType& candidate) { return candidate.name == type; });
    if (type == "C3D8R")
      fail(
          "elements of TYPE=C3D8R (one point of integration) are not offered; as C3D8, with eight points, they would "
          "be stiffer in bending: change the type if that is meant");
    if (known == element_types.end())
      fail(
          fmt::format("elements of TYPE={} are not supported; allowed are C3D4, C3D8 and S3, and T3D2, CPS3 and CPS4 "
                      "on the boundary of a solid",
                      type));
    type_ = *known;
    block_ = Block::element;
    open_set(option("ELSET"), true);
  }

  void begin_set(const std::string& keyword) {
    const std::string name = option(keyword);
    if (name.empty()) fail(fmt::format("*{0} needs a name: *{0}, {0}=name", keyword));
    generate_ = !option("GENERATE").empty();
    block_ = Block::set;
    open_set(name, keyword == "ELSET");
  }

  void begin_instance() {
    refuse_option("INSTANCE", "LIBRARY", "write the part out");
    refuse_option("INSTANCE", "INSTANCE", "write the part out");
    const std::string name = upper(name_of("INSTANCE"));
    for (const AbaqusInstance& other : model_.instances) {
      if (other.name == name) fail(fmt::format("instance {} appears twice", name));
    }
    const std::string of = upper(option("PART"));
    if (of.empty()) fail("*INSTANCE needs its part: *INSTANCE, name=..., part=...");
    model_.instances.push_back({.name = name, .part = of, .line = line_});
    block_ = Block::instance;
    position_lines_ = 0;
    part_ = fmt::format("{} OF {}", of, name);  // for a mesh that the instance has of its own
  }

  void end_instance() {
    const auto own = model_.parts.find(part_);
    if (own == model_.parts.end() || model_.instances.empty()) return;
    AbaqusInstance& instance = model_.instances.back();
    const auto shared = model_.parts.find(instance.part);
    if (own->second.nodes.empty()) {  // sets of the part's numbers
      for (AbaqusSet& set : own->second.sets) {
        set.instance = instance.name;
        model_.sets.push_back(std::move(set));
      }
      model_.parts.erase(own);
    } else if (shared != model_.parts.end() && !shared->second.nodes.empty()) {
      fail(fmt::format("instance {} has a mesh of its own beside that of part {}", instance.name, instance.part));
    } else {
      instance.part = part_;
    }
  }

  /// Numbers that follow go into a set; into none without a name.
  void open_set(const std::string& name, bool of_elements) {
    set_ = nullptr;
    if (name.empty()) return;
    const bool assembled = in_assembly_ && part_.empty() && block_ == Block::set;
    std::vector<AbaqusSet>& sets = assembled ? model_.sets : part().sets;
    sets.push_back({name, assembled ? upper(option("INSTANCE")) : "", of_elements, {}, line_});
    set_ = &sets.back();
  }

  template <class T>
  T number(const std::string& field, const char* what) const {
    T value{};
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || end != field.data() + field.size())
      fail(fmt::format("expected {}, found '{}'", what, field));
    return value;
  }

  math::Vec3 point(const std::vector<std::string>& fields, std::size_t first) const {
    math::Vec3 x;
    for (int c = 0; c < 3; ++c) x[c] = number<double>(fields[first + static_cast<std::size_t>(c)], "a coordinate");
    return x;
  }

  void read_node(const std::vector<std::string>& fields) {
    if (fields.size() < 4) fail(fmt::format("expected a node: number, x, y, z; found {} fields", fields.size()));
    const int tag = number<int>(fields[0], "the number of a node");
    const math::Vec3 x = point(fields, 1);
    if (!part().node_of.emplace(tag, static_cast<int>(part().nodes.size())).second)
      fail(fmt::format("node {} appears twice", tag));
    part().nodes.push_back(x);
    if (set_) set_->numbers.push_back(tag);
  }

  void read_element() {
    if (pending_.size() != type_.nodes + 1)
      fail(fmt::format("expected an element of type {}: number and {} nodes; found {} fields", type_.name, type_.nodes,
                       pending_.size()));
    AbaqusPart::Element element{number<int>(pending_[0], "the number of an element"), type_.kind, {}};
    if (!part().element_of.emplace(element.number, part().elements.size()).second)
      fail(fmt::format("element {} appears twice", element.number));
    for (std::size_t i = 0; i < type_.nodes; ++i) {
      const int node = number<int>(pending_[i + 1], "the number of a node");
      const auto found = part().node_of.find(node);
      if (found == part().node_of.end())
        fail(fmt::format("element {} has node {}, which no *NODE defines before it", element.number, node));
      element.nodes.push_back(found->second);
    }
    pending_.clear();
    if (set_) set_->numbers.push_back(element.number);
    part().elements.push_back(std::move(element));
  }

  void read_set(const std::vector<std::string>& fields) {
    if (!generate_) {
      for (const std::string& field : fields) set_->numbers.push_back(number<int>(field, "a number of the set"));
      return;
    }
    if (fields.size() < 2) fail("expected first, last[, step] of a generated set");
    const int first = number<int>(fields[0], "the first number"), last = number<int>(fields[1], "the last number");
    const int step = fields.size() > 2 ? number<int>(fields[2], "the step") : 1;
    if (step < 1 || last < first) fail("expected first ≤ last and a step of at least 1");
    // The numbers must be those of nodes or elements, and many sets may have all of them.
    const std::int64_t count = (std::int64_t{last} - first) / step + 1;
    generated_ += count;
    if (count > std::ssize(text_))
      fail(fmt::format("the set has {} numbers, more than this file can have nodes or elements", count));
    if (generated_ > 100 * std::ssize(text_))
      fail(fmt::format("the generated sets up to here have {} numbers in all, too many for this file", generated_));
    for (std::int64_t i = 0; i < count; ++i) set_->numbers.push_back(static_cast<int>(first + i * step));
  }

  /// The first line of an instance moves it, the second turns it.
  void read_position(const std::vector<std::string>& fields) {
    AbaqusInstance& instance = model_.instances.back();
    ++position_lines_;
    if (position_lines_ == 1 && fields.size() == 3) {
      instance.shift = point(fields, 0);
    } else if (position_lines_ == 2 && fields.size() == 7) {
      instance.a = point(fields, 0);
      instance.b = point(fields, 3);
      instance.angle = number<double>(fields[6], "an angle in degrees");
    } else {
      fail(
          "expected the place of an instance: a line x, y, z and, if it is turned, one of two points of the axis and "
          "the angle in degrees");
    }
  }

  const std::string& text_;
  int line_ = 0;
  Block block_ = Block::none;
  std::vector<std::string> fields_;  // of the keyword line
  ElementType type_{};
  AbaqusSet* set_ = nullptr;  // that numbers go into
  bool generate_ = false, in_assembly_ = false;
  int position_lines_ = 0;
  std::int64_t generated_ = 0;  // numbers of generated sets
  std::string part_;            // that the lines belong to
  std::vector<std::string> pending_;
  AbaqusModel model_;
};

}  // namespace

VolumeMesh read_abaqus(const std::string& text, const std::string& file) { return AbaqusFile(text, file).read(); }

VolumeMesh read_volume_mesh(const std::filesystem::path& file) {
  const std::string extension = upper(file.extension().string());
  if (extension != ".MSH" && extension != ".INP")
    throw base::InputError({file.string(), 0, "", "expected a mesh of Gmsh (.msh) or Abaqus (.inp) by its name"});
  const std::string text = base::read_whole_file(file);
  return extension == ".MSH" ? read_gmsh(text, file.string()) : read_abaqus(text, file.string());
}

}  // namespace ictus::geometry
