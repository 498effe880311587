#include <ictus/geometry/mesh/volume_mesh.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <ictus/base/error.hpp>
#include <string_view>
#include <unordered_map>

namespace ictus::geometry {

namespace {

/// Reads the numbers of a .msh file, which are words in its text form and bytes in its binary one.
class Reader {
 public:
  Reader(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  bool binary = false;

  [[noreturn]] void fail(const std::string& message) const {
    const int line = binary ? 0
                            : 1 + static_cast<int>(std::count(
                                      text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(start_), '\n'));
    throw base::InputError({file_, line, "", section_.empty() ? message : fmt::format("in {}: {}", section_, message)});
  }

  /// The next word of the text, "" at the end.
  std::string_view word() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    start_ = at_;
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return std::string_view(text_).substr(start_, at_ - start_);
  }
  /// Goes to the next section; its name is "" at the end of the file.
  const std::string& next_section() {
    section_.clear();
    std::string_view name = word();
    while (!name.empty() && (name[0] != '$' || name.starts_with("$End"))) name = word();
    section_ = std::string(name);
    if (!section_.empty() && at_ < text_.size()) ++at_;  // the newline before binary data
    return section_;
  }
  /// Passes over the end of a line of words, behind which bytes begin.
  void end_line() {
    if (at_ < text_.size()) ++at_;
  }
  /// Passes over a section that is of no use.
  void skip_section() {
    const std::string end = "$End" + section_.substr(1);
    const std::size_t found = text_.find(end, at_);
    start_ = at_;
    if (found == std::string::npos) fail(fmt::format("{} is missing", end));
    at_ = found + end.size();
  }
  std::string quoted(const char* what) {
    const std::size_t open = text_.find('"', at_), line_end = text_.find('\n', at_);
    start_ = at_;
    if (open == std::string::npos || open > line_end) fail(fmt::format("expected {} in quotes", what));
    const std::size_t close = text_.find('"', open + 1);
    if (close == std::string::npos || close > line_end) fail(fmt::format("expected {} in quotes", what));
    at_ = close + 1;
    return text_.substr(open + 1, close - open - 1);
  }
  int integer(const char* what) { return number<int>(what); }
  std::size_t count(const char* what) {
    const auto value = number<std::uint64_t>(what);
    if (value > text_.size()) fail(fmt::format("{} {} is more than the file can hold", value, what));
    return static_cast<std::size_t>(value);
  }
  std::uint64_t tag(const char* what) { return number<std::uint64_t>(what); }
  double real(const char* what) { return number<double>(what); }
  /// Numbers that are words in both forms.
  int word_integer(const char* what) { return parsed<int>(what); }

 private:
  template <class T>
  T number(const char* what) {
    if (!binary) return parsed<T>(what);
    T value;
    if (at_ + sizeof value > text_.size()) fail(fmt::format("the file ends where {} was expected", what));
    std::memcpy(&value, text_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <class T>
  T parsed(const char* what) {
    const std::string_view text = word();
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty()) fail(fmt::format("the file ends where {} was expected", what));
    if (error != std::errc{} || end != text.data() + text.size())
      fail(fmt::format("expected {}, found '{}'", what, text));
    return value;
  }

  const std::string& text_;
  const std::string& file_;
  std::string section_;
  std::size_t at_ = 0, start_ = 0;
};

/// Physical groups by dimension and tag.
using Key = std::pair<int, int>;

class GmshFile {
 public:
  GmshFile(const std::string& text, const std::string& file) : in_(text, file) {}

  VolumeMesh read() {
    if (in_.next_section() != "$MeshFormat") in_.fail("expected $MeshFormat at the start: this is no Gmsh .msh file");
    read_format();
    bool has_nodes = false, has_elements = false;
    while (true) {
      const std::string& section = in_.next_section();
      if (section.empty()) break;
      if (section == "$PhysicalNames") {
        read_names();
      } else if (section == "$Entities") {
        read_entities();
      } else if (section == "$Nodes") {
        read_nodes();
        has_nodes = true;
      } else if (section == "$Elements") {
        if (!has_nodes) in_.fail("expected $Nodes before it");
        read_elements();
        has_elements = true;
      } else {
        in_.skip_section();
      }
    }
    if (!has_elements) in_.fail("expected $Nodes and $Elements: the file has no mesh");
    for (auto& [name, nodes] : mesh_.node_sets) {
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }
    mesh_.element_names = std::move(tetrahedron_names_);
    mesh_.element_names.insert(mesh_.element_names.end(), hexahedron_names_.begin(), hexahedron_names_.end());
    return std::move(mesh_);
  }

 private:
  void read_format() {
    const std::string version(in_.word());
    if (version != "4.1")
      in_.fail(fmt::format("expected format 4.1, found '{}'; write it with: gmsh -format msh41", version));
    const int kind = in_.word_integer("the file type 0 (text) or 1 (binary)");
    if (in_.word_integer("the size of a number") != 8) in_.fail("expected numbers of 8 bytes");
    if (kind == 0) return;
    in_.binary = true;
    in_.end_line();
    if (in_.integer("the number 1") != 1) in_.fail("the file was written on a machine with another order of bytes");
  }

  void read_names() {
    const int count = in_.word_integer("the number of names");
    for (int i = 0; i < count; ++i) {
      const int dimension = in_.word_integer("the dimension of a physical group");
      const int tag = in_.word_integer("the tag of a physical group");
      names_[{dimension, tag}] = in_.quoted("the name of a physical group");
    }
  }

  void read_entities() {
    std::size_t counts[4];
    for (std::size_t& count : counts) count = in_.count("the number of entities");
    for (int dimension = 0; dimension < 4; ++dimension) {
      for (std::size_t i = 0; i < counts[dimension]; ++i) {
        const int tag = in_.integer("the tag of an entity");
        for (int c = 0; c < (dimension == 0 ? 3 : 6); ++c) in_.real("a bound of an entity");
        const std::size_t groups = in_.count("the number of physical groups");
        for (std::size_t g = 0; g < groups; ++g)
          groups_[{dimension, tag}].push_back(in_.integer("the tag of a physical group"));
        if (dimension == 0) continue;
        const std::size_t bounding = in_.count("the number of bounding entities");
        for (std::size_t b = 0; b < bounding; ++b) in_.integer("the tag of a bounding entity");
      }
    }
  }

  void read_nodes() {
    const std::size_t blocks = in_.count("the number of blocks"), total = in_.count("the number of nodes");
    in_.tag("the smallest node tag");
    in_.tag("the largest node tag");
    mesh_.nodes.reserve(total);
    for (std::size_t b = 0; b < blocks; ++b) {
      const int dimension = in_.integer("the dimension of an entity");
      in_.integer("the tag of an entity");
      const int parametric = in_.integer("0 or 1 for parametric nodes");
      const std::size_t count = in_.count("the number of nodes in the block"), first = mesh_.nodes.size();
      for (std::size_t i = 0; i < count; ++i) {
        const auto tag = in_.tag("the tag of a node");
        if (!node_of_.emplace(tag, static_cast<int>(first + i)).second)
          in_.fail(fmt::format("node {} appears twice", tag));
      }
      for (std::size_t i = 0; i < count; ++i) {
        math::Vec3 x;
        for (int c = 0; c < 3; ++c) x[c] = in_.real("a coordinate");
        for (int c = 0; parametric == 1 && c < dimension; ++c) in_.real("a parametric coordinate");
        mesh_.nodes.push_back(x);
      }
    }
  }

  void read_elements() {
    const std::size_t blocks = in_.count("the number of blocks");
    in_.count("the number of elements");
    in_.tag("the smallest element tag");
    in_.tag("the largest element tag");
    for (std::size_t b = 0; b < blocks; ++b) {
      const int dimension = in_.integer("the dimension of an entity"), entity = in_.integer("the tag of an entity");
      const int type = in_.integer("the type of the elements");
      const std::size_t count = in_.count("the number of elements in the block");
      for (std::size_t i = 0; i < count; ++i) read_element(dimension, entity, type);
    }
  }

  void read_element(int dimension, int entity, int type) {
    const auto tag = in_.tag("the tag of an element");
    std::array<int, 8> nodes{};
    const int size = nodes_of(type);
    for (int i = 0; i < size; ++i) {
      const auto node = in_.tag("the tag of a node");
      const auto found = node_of_.find(node);
      if (found == node_of_.end()) in_.fail(fmt::format("element {} has node {}, which is not in $Nodes", tag, node));
      nodes[static_cast<std::size_t>(i)] = found->second;
    }
    if (type == 2) mesh_.triangles.push_back({nodes[0], nodes[1], nodes[2]});
    if (type == 4) mesh_.tetrahedra.push_back({nodes[0], nodes[1], nodes[2], nodes[3]});
    if (type == 4) tetrahedron_names_.push_back(std::to_string(tag));
    if (type == 5) mesh_.hexahedra.push_back(nodes);
    if (type == 5) hexahedron_names_.push_back(std::to_string(tag));
    const auto groups = groups_.find({dimension, entity});
    if (groups == groups_.end()) return;
    for (const int group : groups->second) {
      const auto name = names_.find({dimension, group});
      auto& set = mesh_.node_sets[name == names_.end() ? std::to_string(group) : name->second];
      set.insert(set.end(), nodes.begin(), nodes.begin() + size);
    }
  }

  int nodes_of(int type) const {
    switch (type) {
      case 15:
        return 1;
      case 1:
        return 2;
      case 2:
        return 3;
      case 3:
      case 4:
        return 4;
      case 5:
        return 8;
      default:
        break;
    }
    in_.fail(
        fmt::format("elements of Gmsh type {} are not supported; allowed are points (15), lines (1), triangles (2), "
                    "quadrilaterals (3), linear tetrahedra (4) and hexahedra (5)",
                    type));
  }

  Reader in_;
  VolumeMesh mesh_;
  std::map<Key, std::string> names_;
  std::map<Key, std::vector<int>> groups_;
  std::unordered_map<std::uint64_t, int> node_of_;
  std::vector<std::string> tetrahedron_names_, hexahedron_names_;
};

}  // namespace

VolumeMesh read_gmsh(const std::string& text, const std::string& file) { return GmshFile(text, file).read(); }

}  // namespace ictus::geometry
