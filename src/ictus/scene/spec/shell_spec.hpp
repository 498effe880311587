#pragma once

/// Thin shells and their meshes, as plain data in SI units.

#include <ictus/scene/spec/rayleigh_spec.hpp>
#include <ictus/scene/spec/values.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ictus::scene {

enum class SphereBase { octahedron, icosahedron };
enum class SphereFit { vertices, area };

struct ShellSphereSpec {
  double radius = 0;  ///< m, > 0
  int level = 4;      ///< in [0, 9]
  SphereBase base = SphereBase::octahedron;
  SphereFit fit = SphereFit::vertices;
  bool operator==(const ShellSphereSpec&) const = default;
};
struct ShellBoxSpec {
  Vec3 size{1, 1, 1};                     ///< m, each > 0
  std::array<int, 3> divisions{4, 4, 4};  ///< each ≥ 1
  bool operator==(const ShellBoxSpec&) const = default;
};
struct ShellDiscSpec {
  double radius = 0;  ///< m, > 0
  int rings = 8;      ///< ≥ 1
  bool operator==(const ShellDiscSpec&) const = default;
};
struct ShellPlateSpec {
  double length_x = 0;  ///< m, > 0
  double length_y = 0;  ///< m, > 0
  int elements_x = 8;   ///< ≥ 1
  int elements_y = 8;   ///< ≥ 1
  bool operator==(const ShellPlateSpec&) const = default;
};
struct ShellTubeSpec {
  double radius = 0;                       ///< m, > 0
  double length = 0;                       ///< m, > 0
  int around = 24;                         ///< ≥ 3
  int along = 8;                           ///< ≥ 1
  std::optional<std::vector<double>> arc;  ///< rad, two angles from x towards y between which it lies; absent: closed
  bool operator==(const ShellTubeSpec&) const = default;
};
struct ShellGridSpec {
  std::array<int, 3> count{1, 1, 1};  ///< each ≥ 1
  Vec3 spacing{0, 0, 0};              ///< m
  bool operator==(const ShellGridSpec&) const = default;
};

/// Exactly one of the shapes.
struct ShellMeshSpec {
  std::optional<ShellSphereSpec> sphere;
  std::optional<ShellBoxSpec> box;
  std::optional<ShellDiscSpec> disc;
  std::optional<ShellPlateSpec> plate;
  std::optional<ShellTubeSpec> tube;
  std::optional<ShellTubeSpec> cylinder;
  std::optional<std::string> file;  ///< OBJ, STL or PLY, from the folder of the scene
  double scale = 1;                 ///< > 0
  int refine = 0;                   ///< in [0, 6]
  std::optional<ShellGridSpec> copies;
  bool operator==(const ShellMeshSpec&) const = default;
};

enum class ShellBoundary { free, pinned, clamped };
enum class ShellSupport { pinned, clamped, symmetric_x, symmetric_y, symmetric_z };

struct ShellSupportSpec {
  ShellSupport kind = ShellSupport::clamped;
  Vec3 from{0, 0, 0};                       ///< m, a corner of a box
  Vec3 to{0, 0, 0};                         ///< m, the opposite one
  Directions directions = Directions::all;  ///< in which pinned vertices are held
  bool operator==(const ShellSupportSpec&) const = default;
};

struct ShellSpec {
  ShellMeshSpec mesh;
  double thickness = 0;            ///< m, > 0
  double youngs_modulus = 0;       ///< Pa, > 0
  double poissons_ratio = 0.3;     ///< in (−1, 0.5]
  double density = 0;              ///< kg/m³, > 0
  Vec3 position{0, 0, 0};          ///< m, where the mesh's own origin is
  Vec3 rotation{0, 0, 0};          ///< rad, axis times angle, about the mesh's own origin
  Vec3 velocity{0, 0, 0};          ///< m/s
  Vec3 angular_velocity{0, 0, 0};  ///< rad/s, about the centre of mass
  ShellBoundary boundary = ShellBoundary::free;
  std::vector<ShellSupportSpec> supports;
  RayleighSpec damping;
  bool operator==(const ShellSpec&) const = default;
};

}  // namespace ictus::scene
