#include <ictus/geometry/formats/abaqus_assembly.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <ictus/base/error.hpp>
#include <numbers>

namespace ictus::geometry {

namespace {

using Kind = AbaqusPart::Kind;

class AbaqusAssembler {
 public:
  explicit AbaqusAssembler(const AbaqusModel& model) : model_(model) {}

  VolumeMesh mesh() {
    std::vector<AbaqusInstance> placed = model_.instances;
    if (placed.empty()) {
      for (const auto& [name, part] : model_.parts) placed.push_back({.name = name, .part = name});
    } else if (const auto loose = model_.parts.find(""); loose != model_.parts.end() && !loose->second.nodes.empty()) {
      placed.push_back({});
    }
    several_ = placed.size() > 1;
    for (const AbaqusInstance& instance : placed) add(instance);
    for (const AbaqusSet& set : model_.sets) add_assembly_set(set);
    mesh_.element_names = std::move(tetrahedron_names_);
    mesh_.element_names.insert(mesh_.element_names.end(), hexahedron_names_.begin(), hexahedron_names_.end());
    for (auto& [name, nodes] : mesh_.node_sets) {
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(int line, const std::string& message) const {
    throw base::InputError({model_.file, line, "", message});
  }

  void add(const AbaqusInstance& instance) {
    const auto found = model_.parts.find(instance.part);
    if (found == model_.parts.end()) {
      fail(instance.line,
           fmt::format("instance {} is of part {}, which the file does not define", instance.name, instance.part));
    }
    const AbaqusPart& part = found->second;
    const int first = static_cast<int>(mesh_.nodes.size());
    first_of_[instance.name] = {&part, first};
    const math::Vec3 axis = instance.b - instance.a;
    if (instance.angle != 0.0 && !(axis.norm() > 0.0)) {
      fail(instance.line, fmt::format("instance {} turns about an axis of no length", instance.name));
    }
    const Eigen::AngleAxisd turn(instance.angle * std::numbers::pi / 180.0,
                                 instance.angle != 0.0 ? math::Vec3(axis.normalized()) : math::Vec3::UnitZ());
    for (const math::Vec3& x : part.nodes) {
      const math::Vec3 moved = x + instance.shift;
      mesh_.nodes.push_back(instance.angle != 0.0 ? math::Vec3(instance.a + turn * (moved - instance.a)) : moved);
    }
    for (const AbaqusPart::Element& element : part.elements) add_element(element, instance.name, first);
    for (const AbaqusSet& set : part.sets) {
      add_set(set.name, set, part, first);
      if (several_ && !instance.name.empty()) add_set(instance.name + "." + set.name, set, part, first);
    }
  }

  void add_element(const AbaqusPart::Element& element, const std::string& instance, int first) {
    const auto node = [&](std::size_t i) { return first + element.nodes[i]; };
    const std::string name =
        several_ && !instance.empty() ? fmt::format("{}.{}", instance, element.number) : std::to_string(element.number);
    if (element.kind == Kind::triangle) mesh_.triangles.push_back({node(0), node(1), node(2)});
    if (element.kind == Kind::tetrahedron) {
      mesh_.tetrahedra.push_back({node(0), node(1), node(2), node(3)});
      tetrahedron_names_.push_back(name);
    }
    if (element.kind == Kind::hexahedron) {
      std::array<int, 8> nodes{};
      for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = node(i);
      mesh_.hexahedra.push_back(nodes);
      hexahedron_names_.push_back(name);
    }
  }

  void add_set(const std::string& name, const AbaqusSet& set, const AbaqusPart& part, int first) {
    std::vector<int>& nodes = mesh_.node_sets[name];
    for (const int number : set.numbers) {
      if (set.of_elements) {
        const auto found = part.element_of.find(number);
        if (found == part.element_of.end())
          fail(set.line, fmt::format("set {} has element {}, which is not in the file", set.name, number));
        for (const int node : part.elements[found->second].nodes) nodes.push_back(first + node);
      } else {
        const auto found = part.node_of.find(number);
        if (found == part.node_of.end())
          fail(set.line, fmt::format("set {} has node {}, which is not in the file", set.name, number));
        nodes.push_back(first + found->second);
      }
    }
  }

  void add_assembly_set(const AbaqusSet& set) {
    const auto found = first_of_.find(set.instance);
    if (found == first_of_.end()) {
      fail(set.line,
           set.instance.empty()
               ? fmt::format("set {} of the assembly needs instance=name: numbers belong to instances", set.name)
               : fmt::format("set {} is of instance {}, which the file does not have", set.name, set.instance));
    }
    add_set(set.name, set, *found->second.first, found->second.second);
  }

  const AbaqusModel& model_;
  VolumeMesh mesh_;
  bool several_ = false;
  std::map<std::string, std::pair<const AbaqusPart*, int>> first_of_;  // part and first node of an instance
  std::vector<std::string> tetrahedron_names_, hexahedron_names_;
};

}  // namespace

VolumeMesh assemble(const AbaqusModel& model) { return AbaqusAssembler(model).mesh(); }

}  // namespace ictus::geometry
