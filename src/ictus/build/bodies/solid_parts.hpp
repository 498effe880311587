#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/geometry/mesh/volume_mesh.hpp>
#include <ictus/scene/text/document.hpp>
#include <map>
#include <string>
#include <vector>

namespace ictus::build {

/// A part of a solid that was cut between elements.
struct SolidPart {
  std::string whole;        ///< name of the solid
  std::vector<char> takes;  ///< of each element of the whole, tetrahedra before hexahedra
  std::vector<int> nodes;   ///< of the whole, in the order of the part
  std::vector<char> owns;   ///< of each of these: a node that parts share belongs to one of them, if any the explicit
};
/// By the name of the part, which is a body of its own.
using SolidParts = std::map<std::string, SolidPart>;

/// The number of the explicit part among the parts of a body, which else have those of their domains.
inline constexpr std::size_t explicit_part = static_cast<std::size_t>(-1);

/// Cuts a solid, whose mesh is where the body is: an element belongs to the first domain that names the body, with its
/// middle in the domain's box and all its nodes in the domain's set, where these are given. By domain.
std::map<std::size_t, SolidPart> divide_solid(const std::string& name, const geometry::VolumeMesh& mesh,
                                              const scene::CoupledSpec& coupled, Mistakes& mistakes);

/// The elements and nodes of a part; sets follow.
geometry::VolumeMesh part_of(geometry::VolumeMesh mesh, const SolidPart& part);

/// Whether a point of the scene lies in a box.
bool is_inside(const scene::RegionSpec& box, const math::Vec3& x);

}  // namespace ictus::build
