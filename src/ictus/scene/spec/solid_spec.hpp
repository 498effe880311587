#pragma once

/// Elastic and plastic solids, as plain data in SI units.

#include <ictus/scene/spec/material_spec.hpp>
#include <ictus/scene/spec/rayleigh_spec.hpp>
#include <ictus/scene/spec/values.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ictus::scene {

enum class SolidElement { tetrahedron, hexahedron };

struct BoxShapeSpec {
  Vec3 size{0, 0, 0};                 ///< m, each > 0
  std::array<int, 3> cells{1, 1, 1};  ///< each ≥ 1
  SolidElement element = SolidElement::tetrahedron;
  bool operator==(const BoxShapeSpec&) const = default;
};
struct BlockShapeSpec {
  std::array<Vec3, 8> corners{};      ///< m; the lower face counter-clockwise from above, then the upper one over it
  std::array<int, 3> cells{1, 1, 1};  ///< each ≥ 1
  SolidElement element = SolidElement::tetrahedron;
  bool operator==(const BlockShapeSpec&) const = default;
};
struct BallShapeSpec {
  double radius = 0;  ///< m, > 0
  int cells = 8;      ///< across the diameter, ≥ 4, a multiple of 4
  double finer = 1;   ///< in [1, 100]
  bool operator==(const BallShapeSpec&) const = default;
};
struct CylinderShapeSpec {
  double radius = 0;               ///< m, > 0
  double length = 0;               ///< m, > 0
  std::array<int, 2> cells{4, 1};  ///< across, even, with rings of the core, and along
  int rings = 0;                   ///< ≥ 0
  bool quarter = false;
  SolidElement element = SolidElement::tetrahedron;
  bool operator==(const CylinderShapeSpec&) const = default;
};
struct TubeShapeSpec {
  double inner_radius = 0, outer_radius = 0;  ///< m, > 0, the second larger
  double length = 0;                          ///< m, > 0
  std::array<int, 3> cells{24, 2, 1};         ///< around, ≥ 3, through and along
  SolidElement element = SolidElement::hexahedron;
  bool operator==(const TubeShapeSpec&) const = default;
};
struct MeshFileSpec {
  std::string file;  ///< a .msh or .inp file, from the folder of the scene
  double scale = 1;  ///< > 0, metres per unit of the file
  bool operator==(const MeshFileSpec&) const = default;
};
using SolidShape =
    std::variant<BoxShapeSpec, BlockShapeSpec, CylinderShapeSpec, BallShapeSpec, TubeShapeSpec, MeshFileSpec>;

/// Nodes of a solid: of a set, within a box, or all on the surface.
struct HoldSpec {
  std::optional<std::string> set;
  std::optional<RegionSpec> box;
  std::optional<Whole> surface;
  Directions directions = Directions::all;
  bool operator==(const HoldSpec&) const = default;
};

/// Faces of a solid whose nodes belong to a set or lie within a box, and the pressure on them.
struct PressureSpec {
  std::optional<std::string> set;
  std::optional<RegionSpec> box;
  std::optional<Whole> surface;
  double pressure = 0;  ///< Pa, pushing inwards
  bool operator==(const PressureSpec&) const = default;
};

struct SolidSpec {
  static constexpr double usual_poissons_ratio = 0.3;

  SolidShape shape;
  std::optional<double> density;         ///< kg/m³, > 0; none: that of the material
  std::optional<double> youngs_modulus;  ///< Pa, > 0; likewise
  std::optional<double> poissons_ratio;  ///< in [0, 0.5); likewise, or usual_poissons_ratio
  MaterialUse material;
  Vec3 position{0, 0, 0};          ///< m, where the shape's own origin is
  Vec3 rotation{0, 0, 0};          ///< rad, axis times angle, about the shape's own origin
  Vec3 velocity{0, 0, 0};          ///< m/s
  Vec3 angular_velocity{0, 0, 0};  ///< rad/s, about the centre of mass
  RayleighSpec damping;
  std::vector<HoldSpec> supports;
  std::vector<PressureSpec> pressures;
  bool implicit = false;
  bool operator==(const SolidSpec&) const = default;
};

}  // namespace ictus::scene
