#pragma once

#include <array>
#include <ictus/geometry/mesh/volume_mesh.hpp>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace ictus::geometry {

/// Numbers of nodes or elements that a file gives a name.
struct AbaqusSet {
  std::string name;
  std::string instance;  ///< whose numbers these are; empty: those of the part that the set stands in
  bool of_elements = false;
  std::vector<int> numbers{};
  int line = 0;
};

/// Nodes and elements by their numbers in the file. What stands outside of all parts is a part without a name.
struct AbaqusPart {
  enum class Kind { tetrahedron, hexahedron, triangle, other };
  struct Element {
    int number;
    Kind kind;
    std::vector<int> nodes;  ///< indices into `nodes` of the part
  };

  std::vector<math::Vec3> nodes{};
  std::unordered_map<int, int> node_of{};  ///< index of a node by its number
  std::vector<Element> elements{};
  std::unordered_map<int, std::size_t> element_of{};
  std::vector<AbaqusSet> sets{};
};

/// A part in its position: moved by `shift`, then turned by `angle` (degrees) about the axis from a to b.
struct AbaqusInstance {
  std::string name;
  std::string part;
  int line = 0;
  math::Vec3 shift = math::Vec3::Zero();
  math::Vec3 a = math::Vec3::Zero();
  math::Vec3 b = math::Vec3::Zero();
  double angle = 0.0;
};

/// A file that was read, names of parts and instances in capitals.
struct AbaqusModel {
  std::string file;
  std::map<std::string, AbaqusPart> parts{};
  std::vector<AbaqusInstance> instances{};
  std::vector<AbaqusSet> sets{};  ///< of the assembly
};

/// The mesh of all instances or, where a file has none, of all parts. The set of a part holds the nodes of all its
/// instances; where there are several, INSTANCE.set holds those of one. Sets of elements become sets of their nodes.
VolumeMesh assemble(const AbaqusModel& model);

}  // namespace ictus::geometry
