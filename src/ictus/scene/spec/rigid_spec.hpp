#pragma once

/// Rigid bodies of one shape, one or many.

#include <ictus/scene/spec/values.hpp>

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ictus::scene {

struct RigidGridSpec {
  std::array<int, 3> count{1, 1, 1};  ///< ≥ 1 each
  Vec3 spacing{0, 0, 0};              ///< m, between neighbours along each axis
  double jitter = 0;                  ///< m, ≥ 0
  bool turned = false;
  int seed = 1;
  bool operator==(const RigidGridSpec&) const = default;
};

struct RigidRandomSpec {
  int count = 0;      ///< ≥ 1
  Vec3 from{}, to{};  ///< m, opposite corners of the box in which centres lie
  bool turned = true;
  int seed = 1;
  bool operator==(const RigidRandomSpec&) const = default;
};

/// Bodies at the places of a file with a line x y z for each.
struct RigidFileSpec {
  std::string file;
  bool operator==(const RigidFileSpec&) const = default;
};

using RigidCopies = std::variant<RigidGridSpec, RigidRandomSpec, RigidFileSpec>;

// Shapes --------------------------------------------------------------------------------------------------------

struct UniformRadii {
  double from = 0, to = 0;  ///< m, > 0
  int seed = 1;
  bool operator==(const UniformRadii&) const = default;
};

struct NormalRadii {
  double mean = 0, deviation = 0;  ///< m, > 0
  double from = 0, to = 0;         ///< m, > 0: radii beyond are drawn again
  int seed = 1;
  bool operator==(const NormalRadii&) const = default;
};

struct LognormalRadii {
  double median = 0;        ///< m, > 0
  double deviation = 0;     ///< of the logarithm, > 0
  double from = 0, to = 0;  ///< m, > 0: radii beyond are drawn again
  int seed = 1;
  bool operator==(const LognormalRadii&) const = default;
};

struct TableOfRadii {
  std::vector<double> values;  ///< m, > 0
  std::vector<double> shares;  ///< of the number of bodies, ≥ 0; their sum does not matter
  int seed = 1;
  bool operator==(const TableOfRadii&) const = default;
};

using RadiiSpec = std::variant<UniformRadii, NormalRadii, LognormalRadii, TableOfRadii>;

struct SphereSpec {
  std::optional<double> radius;    ///< m, > 0; either this or radii
  std::optional<RadiiSpec> radii;  ///< of each body its own
  bool operator==(const SphereSpec&) const = default;
};

struct BoxSpec {
  Vec3 size{};  ///< m, > 0 each
  bool operator==(const BoxSpec&) const = default;
};

struct CapsuleSpec {
  double radius = 0;  ///< m, > 0
  double length = 0;  ///< m, > 0, between the centres of the caps
  bool operator==(const CapsuleSpec&) const = default;
};

struct ConvexSpec {
  std::optional<std::vector<Vec3>> vertices;  ///< m; either these or a file
  std::optional<std::string> file;            ///< OBJ, STL or PLY
  double scale = 1;                           ///< of vertices and file, > 0
  bool operator==(const ConvexSpec&) const = default;
};

struct CylinderSpec {
  double radius = 0;  ///< m, > 0
  double length = 0;  ///< m, > 0
  int cells = 48;     ///< ≥ 3, sides
  bool operator==(const CylinderSpec&) const = default;
};

struct ConeSpec {
  double radius = 0;  ///< m, > 0, of the base
  double length = 0;  ///< m, > 0
  int cells = 48;     ///< ≥ 3, sides
  bool operator==(const ConeSpec&) const = default;
};

/// A closed surface of triangles, which need not be convex.
struct RigidMeshSpec {
  std::optional<std::string> file;                           ///< OBJ, STL, PLY, Gmsh or Abaqus; or
  std::optional<std::vector<Vec3>> vertices;                 ///< m, with
  std::optional<std::vector<std::array<int, 3>>> triangles;  ///< vertex numbers, outwards by the right hand
  double scale = 1;                                          ///< > 0
  bool operator==(const RigidMeshSpec&) const = default;
};

struct BallSpec {
  double radius = 0;  ///< m, > 0
  bool operator==(const BallSpec&) const = default;
};

using PartShape = std::variant<BallSpec, BoxSpec, CapsuleSpec, CylinderSpec, ConeSpec>;

struct CompoundPartSpec {
  PartShape shape;
  Vec3 position{0, 0, 0};         ///< m, of its origin in the axes of the body
  Vec3 rotation{0, 0, 0};         ///< rad, axis times angle
  std::optional<double> density;  ///< kg/m³, > 0; absent: that of the body
  bool operator==(const CompoundPartSpec&) const = default;
};

struct CompoundSpec {
  std::vector<CompoundPartSpec> parts;
  bool operator==(const CompoundSpec&) const = default;
};

/// Ground about its middle at height 0, which does not move.
struct HeightfieldSpec {
  std::vector<std::vector<double>> heights;  ///< m; rows along x, one after the other along y
  std::optional<std::string> file;           ///< numbers, a row in a line
  double spacing_x = 0, spacing_y = 0;       ///< m, > 0
  double scale = 1;                          ///< of heights
  bool operator==(const HeightfieldSpec&) const = default;
};

using RigidShape = std::variant<SphereSpec, BoxSpec, CapsuleSpec, ConvexSpec, CylinderSpec, ConeSpec, RigidMeshSpec,
                                CompoundSpec, HeightfieldSpec>;

/// One rigid body, or many of one shape.
struct RigidSpec {
  static constexpr double usual_density = 1000;  ///< kg/m³, where neither density nor mass is given
  RigidShape shape;
  std::optional<double> density{};       ///< kg/m³, > 0
  std::optional<double> mass{};          ///< kg, > 0; instead of the density
  std::optional<Vec3> centre_of_mass{};  ///< m, in the axes of the shape; with mass and inertia
  /// kg m², about the centre of mass along the axes of the shape: xx, yy, zz, xy, xz, yz; with mass.
  std::optional<std::array<double, 6>> inertia{};
  Vec3 position{0, 0, 0};          ///< m
  Vec3 rotation{0, 0, 0};          ///< rad, axis times angle
  Vec3 velocity{0, 0, 0};          ///< m/s
  Vec3 angular_velocity{0, 0, 0};  ///< rad/s, in world axes
  double drag = 0;                 ///< 1/s, ≥ 0
  bool fixed = false;
  std::optional<double> until{};  ///< s, > 0: when a fixed body vanishes
  std::optional<RigidCopies> copies{};
  bool operator==(const RigidSpec&) const = default;
};

}  // namespace ictus::scene
