#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/geometry/volume_mesh.hpp>
#include <sstream>
#include <string_view>
#include <unordered_map>

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

class AbaqusFile {
 public:
  AbaqusFile(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  VolumeMesh read() {
    std::string_view rest = text_;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      ++line_;
      read_line(trim(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!pending_.empty()) fail("the last element lacks nodes");
    if (mesh_.nodes.empty() || element_nodes_.empty()) fail("expected *NODE and *ELEMENT: the file has no mesh");
    make_sets();
    mesh_.element_names = std::move(tetrahedron_names_);
    mesh_.element_names.insert(mesh_.element_names.end(), hexahedron_names_.begin(), hexahedron_names_.end());
    return std::move(mesh_);
  }

 private:
  enum class Block { none, node, element, node_set, element_set };

  [[noreturn]] void fail(const std::string& message) const { throw base::InputError({file_, line_, "", message}); }

  void read_line(std::string_view line) {
    if (line.empty() || line.starts_with("**")) return;
    if (line[0] == '*') return read_keyword(line.substr(1));
    std::vector<std::string> fields = split(line);
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
      case Block::node_set:
        return read_set(fields, node_sets_[set_]);
      case Block::element_set:
        return read_set(fields, element_sets_[set_]);
    }
  }

  void read_keyword(std::string_view line) {
    if (!pending_.empty()) fail("the element before this line lacks nodes");
    const std::vector<std::string> fields = split(line);
    const std::string keyword = upper(fields.empty() ? "" : fields[0]);
    const auto option = [&](std::string_view key) -> std::string {
      for (std::size_t i = 1; i < fields.size(); ++i) {
        const std::size_t equals = fields[i].find('=');
        if (upper(trim(fields[i].substr(0, equals))) != key) continue;
        return equals == std::string::npos ? "YES" : std::string(trim(std::string_view(fields[i]).substr(equals + 1)));
      }
      return "";
    };
    block_ = Block::none;
    generate_ = !option("GENERATE").empty();
    if (keyword == "NODE") {
      block_ = Block::node;
      set_ = option("NSET");
    } else if (keyword == "ELEMENT") {
      block_ = Block::element;
      set_ = option("ELSET");
      type_ = upper(option("TYPE"));
      if (type_ != "C3D4" && type_ != "C3D8" && type_ != "C3D8R" && type_ != "S3" && type_ != "S3R")
        fail(fmt::format("elements of TYPE={} are not supported; allowed are C3D4, C3D8 and S3", type_));
    } else if (keyword == "NSET" || keyword == "ELSET") {
      block_ = keyword == "NSET" ? Block::node_set : Block::element_set;
      set_ = option(keyword);
      if (set_.empty()) fail(fmt::format("*{0} needs a name: *{0}, {0}=name", keyword));
      set_line_.emplace(set_, line_);
    }
  }

  template <class T>
  T number(const std::string& field, const char* what) const {
    T value{};
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || end != field.data() + field.size())
      fail(fmt::format("expected {}, found '{}'", what, field));
    return value;
  }

  void read_node(const std::vector<std::string>& fields) {
    if (fields.size() < 4) fail(fmt::format("expected a node: number, x, y, z; found {} fields", fields.size()));
    const int tag = number<int>(fields[0], "the number of a node");
    math::Vec3 x;
    for (int c = 0; c < 3; ++c) x[c] = number<double>(fields[static_cast<std::size_t>(c) + 1], "a coordinate");
    if (!node_of_.emplace(tag, static_cast<int>(mesh_.nodes.size())).second)
      fail(fmt::format("node {} appears twice", tag));
    mesh_.nodes.push_back(x);
    if (!set_.empty()) node_sets_[set_].push_back(tag);
  }

  void read_element() {
    const std::size_t size = type_ == "C3D4" ? 4 : type_.starts_with("C3D8") ? 8 : 3;
    if (pending_.size() != size + 1)
      fail(fmt::format("expected an element of type {}: number and {} nodes; found {} fields", type_, size,
                       pending_.size()));
    const int tag = number<int>(pending_[0], "the number of an element");
    std::array<int, 8> nodes{};
    std::vector<int>& own = element_nodes_[tag];
    if (!own.empty()) fail(fmt::format("element {} appears twice", tag));
    for (std::size_t i = 0; i < size; ++i) {
      const int node = number<int>(pending_[i + 1], "the number of a node");
      const auto found = node_of_.find(node);
      if (found == node_of_.end())
        fail(fmt::format("element {} has node {}, which no *NODE defines before it", tag, node));
      nodes[i] = found->second;
      own.push_back(node);
    }
    pending_.clear();
    if (size == 3) mesh_.triangles.push_back({nodes[0], nodes[1], nodes[2]});
    if (size == 4) mesh_.tetrahedra.push_back({nodes[0], nodes[1], nodes[2], nodes[3]});
    if (size == 4) tetrahedron_names_.push_back(std::to_string(tag));
    if (size == 8) mesh_.hexahedra.push_back(nodes);
    if (size == 8) hexahedron_names_.push_back(std::to_string(tag));
    if (!set_.empty()) element_sets_[set_].push_back(tag);
  }

  void read_set(const std::vector<std::string>& fields, std::vector<int>& set) const {
    if (!generate_) {
      for (const std::string& field : fields) set.push_back(number<int>(field, "a number of the set"));
      return;
    }
    if (fields.size() < 2) fail("expected first, last[, step] of a generated set");
    const int first = number<int>(fields[0], "the first number"), last = number<int>(fields[1], "the last number");
    const int step = fields.size() > 2 ? number<int>(fields[2], "the step") : 1;
    if (step < 1 || last < first) fail("expected first ≤ last and a step of at least 1");
    for (int i = first; i <= last; i += step) set.push_back(i);
  }

  /// Sets of elements become sets of their nodes.
  void make_sets() {
    for (const auto& [name, tags] : node_sets_) {
      line_ = line_of_set(name);
      add_set(name, tags);
    }
    for (const auto& [name, elements] : element_sets_) {
      line_ = line_of_set(name);
      for (const int element : elements) {
        const auto found = element_nodes_.find(element);
        if (found == element_nodes_.end())
          fail(fmt::format("set {} has element {}, which is not in the file", name, element));
        add_set(name, found->second);
      }
    }
    for (auto& [name, nodes] : mesh_.node_sets) {
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }
  }
  int line_of_set(const std::string& name) const {
    const auto found = set_line_.find(name);
    return found == set_line_.end() ? 0 : found->second;
  }
  void add_set(const std::string& name, const std::vector<int>& tags) {
    std::vector<int>& set = mesh_.node_sets[name];
    for (const int tag : tags) {
      const auto found = node_of_.find(tag);
      if (found == node_of_.end()) fail(fmt::format("set {} has node {}, which is not in the file", name, tag));
      set.push_back(found->second);
    }
  }

  const std::string& text_;
  const std::string& file_;
  int line_ = 0;
  Block block_ = Block::none;
  std::string set_, type_;
  bool generate_ = false;
  std::vector<std::string> pending_;
  VolumeMesh mesh_;
  std::unordered_map<int, int> node_of_;
  std::unordered_map<int, std::vector<int>> element_nodes_;
  std::map<std::string, std::vector<int>> node_sets_, element_sets_;
  std::map<std::string, int> set_line_;  // of the keyword that first named it
  std::vector<std::string> tetrahedron_names_, hexahedron_names_;
};

}  // namespace

VolumeMesh read_abaqus(const std::string& text, const std::string& file) { return AbaqusFile(text, file).read(); }

VolumeMesh read_volume_mesh(const std::filesystem::path& file) {
  const std::string extension = upper(file.extension().string());
  if (extension != ".MSH" && extension != ".INP")
    throw base::InputError({file.string(), 0, "", "expected a mesh of Gmsh (.msh) or Abaqus (.inp) by its name"});
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw base::InputError({file.string(), 0, "", "cannot be read"});
  std::ostringstream text;
  text << stream.rdbuf();
  return extension == ".MSH" ? read_gmsh(text.str(), file.string()) : read_abaqus(text.str(), file.string());
}

}  // namespace ictus::geometry
