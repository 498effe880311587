#pragma once

/// Thin shells and their meshes, as plain data in SI units.

#include <ictus/scene/spec/material_spec.hpp>
#include <ictus/scene/spec/rayleigh_spec.hpp>
#include <ictus/scene/spec/values.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ictus::scene {

enum class SphereBase { octahedron, icosahedron };
enum class SphereFit { vertices, area };

struct ShellSphereSpec {
  double radius = 0;  ///< m, > 0
  int cells = 16;     ///< along an edge of the base, a power of 2 of at most 512
  SphereBase base = SphereBase::octahedron;
  SphereFit fit = SphereFit::vertices;
  bool operator==(const ShellSphereSpec&) const = default;
};
struct ShellBoxSpec {
  Vec3 size{1, 1, 1};                 ///< m, each > 0
  std::array<int, 3> cells{4, 4, 4};  ///< each ≥ 1
  bool operator==(const ShellBoxSpec&) const = default;
};
struct ShellDiscSpec {
  double radius = 0;  ///< m, > 0
  int cells = 8;      ///< rings, ≥ 1
  bool operator==(const ShellDiscSpec&) const = default;
};
struct ShellPlateSpec {
  std::array<double, 2> size{0, 0};  ///< m, each > 0
  std::array<int, 2> cells{8, 8};    ///< each ≥ 1
  bool operator==(const ShellPlateSpec&) const = default;
};
struct ShellTubeSpec {
  double radius = 0;                       ///< m, > 0
  double length = 0;                       ///< m, > 0
  std::array<int, 2> cells{24, 8};         ///< around, ≥ 3, and along
  std::optional<std::vector<double>> arc;  ///< rad, two angles from x towards y between which it lies; absent: closed
  bool operator==(const ShellTubeSpec&) const = default;
};
/// A tube with discs at its ends.
struct ShellCylinderSpec {
  double radius = 0;                ///< m, > 0
  double length = 0;                ///< m, > 0
  std::array<int, 2> cells{24, 8};  ///< around, a multiple of 6, and along
  bool operator==(const ShellCylinderSpec&) const = default;
};
struct ShellMeshSpec {
  std::string file;  ///< OBJ, STL, PLY, Gmsh or Abaqus, from the folder of the scene
  double scale = 1;  ///< > 0, metres per unit of the file
  bool operator==(const ShellMeshSpec&) const = default;
};
using ShellShape = std::variant<ShellSphereSpec, ShellBoxSpec, ShellDiscSpec, ShellPlateSpec, ShellTubeSpec,
                                ShellCylinderSpec, ShellMeshSpec>;

struct ShellGridSpec {
  std::array<int, 3> count{1, 1, 1};  ///< each ≥ 1
  Vec3 spacing{0, 0, 0};              ///< m
  bool operator==(const ShellGridSpec&) const = default;
};
using ShellCopies = std::variant<ShellGridSpec>;

enum class ShellSupport { pinned, clamped, symmetric_x, symmetric_y, symmetric_z };

struct ShellSupportSpec {
  std::optional<RegionSpec> box;  ///< either this or the edge
  std::optional<Whole> edge;
  ShellSupport type = ShellSupport::clamped;
  Directions directions = Directions::all;  ///< in which pinned vertices are held
  bool operator==(const ShellSupportSpec&) const = default;
};

enum class LayerStrain { logarithmic, green_lagrange };

/// Points through the thickness of a wall, and how strains are measured there.
struct ShellLayersSpec {
  int points = 4;  ///< 4 or 6
  LayerStrain strain = LayerStrain::logarithmic;
  bool operator==(const ShellLayersSpec&) const = default;
};

struct ShellSpec {
  static constexpr double usual_poissons_ratio = 0.3;

  ShellShape shape;
  int refine = 0;  ///< in [0, 6]
  std::optional<ShellCopies> copies;
  double thickness = 0;                  ///< m, > 0
  std::optional<double> youngs_modulus;  ///< Pa, > 0; none: that of the material
  std::optional<double> poissons_ratio;  ///< in (−1, 0.5]; likewise, or usual_poissons_ratio
  std::optional<double> density;         ///< kg/m³, > 0; likewise
  MaterialUse material{SolidLaw::st_venant_kirchhoff, {}, {}};
  std::optional<ShellLayersSpec> layers;  ///< of hencky and j2
  Vec3 position{0, 0, 0};                 ///< m, where the mesh's own origin is
  Vec3 rotation{0, 0, 0};                 ///< rad, axis times angle, about the mesh's own origin
  Vec3 velocity{0, 0, 0};                 ///< m/s
  Vec3 angular_velocity{0, 0, 0};         ///< rad/s, about the centre of mass
  std::vector<ShellSupportSpec> supports;
  RayleighSpec damping;
  bool operator==(const ShellSpec&) const = default;
};

}  // namespace ictus::scene
