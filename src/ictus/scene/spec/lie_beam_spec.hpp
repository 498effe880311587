#pragma once

/// The Lie-group beam and its integrator, as plain data in SI units.

#include <ictus/scene/spec/rayleigh_spec.hpp>
#include <ictus/scene/spec/values.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ictus::scene {

struct SquareSpec {
  double side = 0;  ///< m, > 0
  bool operator==(const SquareSpec&) const = default;
};
struct RectangleSpec {
  double width = 0;   ///< m, > 0, along the first axis of the section
  double height = 0;  ///< m, > 0, along the second
  bool operator==(const RectangleSpec&) const = default;
};
struct CircleSpec {
  double radius = 0;  ///< m, > 0
  bool operator==(const CircleSpec&) const = default;
};
struct PipeSpec {
  double outer_radius = 0;  ///< m, > 0
  double inner_radius = 0;  ///< m, ≥ 0, below the outer one
  bool operator==(const PipeSpec&) const = default;
};
/// What a section is per length, where no shape is given.
struct ExplicitSectionSpec {
  double mass = 0;        ///< kg/m, > 0
  Vec3 inertia{0, 0, 0};  ///< kg m, each > 0
  Vec3 stretch{0, 0, 0};  ///< N, each > 0: shear, shear, axial
  Vec3 bend{0, 0, 0};     ///< N m², each > 0: bending, bending, torsion
  bool operator==(const ExplicitSectionSpec&) const = default;
};
using Section = std::variant<SquareSpec, RectangleSpec, CircleSpec, PipeSpec, ExplicitSectionSpec>;

/// A force and a moment in space; per length where it acts along a beam.
struct BeamLoadSpec {
  Vec3 force{0, 0, 0};
  Vec3 moment{0, 0, 0};
  bool operator==(const BeamLoadSpec&) const = default;
};

/// Where a beam is after a time; its velocities take it there.
struct BeamMoveSpec {
  Vec3 position{0, 0, 0};      ///< m, of the start
  Vec3 rotation{0, 0, 0};      ///< rad, axis times angle, of the start
  std::vector<Twist> strains;  ///< one for all elements or one for each; empty: straight
  double in = 0;               ///< s, > 0
  bool operator==(const BeamMoveSpec&) const = default;
};

/// How the first two sections of a beam move, for integration along it: velocities in their own axes, one for the whole
/// time or one for each time step.
struct BeamBoundarySpec {
  std::vector<Twist> first;
  std::vector<Twist> second;
  bool operator==(const BeamBoundarySpec&) const = default;
};

/// Part of a circle in the plane of the beam and the first axis of its first section, towards that.
struct BeamArcSpec {
  double radius = 0;  ///< m, > 0
  double angle = 0;   ///< rad, > 0
  bool operator==(const BeamArcSpec&) const = default;
};
/// Straight lines from point to point.
struct BeamPointsSpec {
  std::vector<Vec3> points;  ///< m, two or more, none twice in a row
  bool operator==(const BeamPointsSpec&) const = default;
};
using BeamCurve = std::variant<BeamArcSpec, BeamPointsSpec>;

struct LieBeamSpec {
  std::optional<double> length;    ///< m, > 0; either this or a curve
  std::optional<BeamCurve> curve;  ///< without stress
  int cells = 0;                   ///< elements, ≥ 2
  Section section;
  std::optional<double> density;         ///< kg/m³, > 0; given with a shape
  std::optional<double> youngs_modulus;  ///< Pa, > 0; given with a shape
  double poissons_ratio = 0.3;           ///< in (−1, 0.5]
  double bend_factor = 1;                ///< > 0, on the bending and torsion stiffness
  bool slender = false;                  ///< elements for sections much thinner than an element is long
  Vec3 position{0, 0, 0};                ///< m, of the start
  Vec3 rotation{0, 0, 0};                ///< rad, axis times angle, of the start
  std::vector<Twist> strains;            ///< one for all elements or one for each; empty: straight
  std::optional<Vec3> velocity;          ///< m/s in space, the same for every point
  std::vector<Twist> velocities;         ///< in the axes of the sections: one for all nodes or one for each
  std::optional<BeamMoveSpec> moved;
  std::optional<BeamBoundarySpec> boundary;
  BeamLoadSpec load;  ///< per length
  BeamLoadSpec start_load;
  BeamLoadSpec end_load;
  std::vector<EndSupportSpec> supports;
  RayleighSpec damping;
  bool operator==(const LieBeamSpec&) const = default;
};

enum class BeamMesh { rectangle, triangle };
enum class BeamInitial { instant, interval };
enum class BeamDirection { time, space };

struct MultisymplecticBeamSpec {
  BeamMesh mesh = BeamMesh::rectangle;
  BeamInitial initial = BeamInitial::instant;
  BeamDirection direction = BeamDirection::time;
  int noether = 0;  ///< rectangles of space–time watched, ≥ 0
  bool operator==(const MultisymplecticBeamSpec&) const = default;
};

}  // namespace ictus::scene
