#pragma once

#include <ictus/scene/spec/ordered_map.hpp>
#include <ictus/scene/spec/rayleigh_spec.hpp>
#include <ictus/scene/spec/values.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ictus::scene {

// Cross-sections; lengths in m, > 0.

struct BoxSectionSpec {
  double height = 0, width = 0, thickness = 0;
  bool operator==(const BoxSectionSpec&) const = default;
};

struct ISectionSpec {
  double height = 0, width = 0, web = 0, flange = 0;
  bool operator==(const ISectionSpec&) const = default;
};

struct PipeSectionSpec {
  double diameter = 0, thickness = 0;
  bool operator==(const PipeSectionSpec&) const = default;
};

struct RectangleSectionSpec {
  double height = 0, width = 0;
  bool operator==(const RectangleSectionSpec&) const = default;
};

struct GeneralSectionSpec {
  double area = 0;                                   ///< m²
  double inertia_y = 0, inertia_z = 0, torsion = 0;  ///< m⁴
  std::optional<double> shear_area_y, shear_area_z;  ///< m²; absent: the area
  bool operator==(const GeneralSectionSpec&) const = default;
};

using SectionSpec =
    std::variant<BoxSectionSpec, ISectionSpec, PipeSectionSpec, RectangleSectionSpec, GeneralSectionSpec>;

struct FrameMaterialSpec {
  double youngs_modulus = 0;    ///< Pa, > 0
  double poissons_ratio = 0.3;  ///< in [0, 0.5]
  double density = 0;           ///< kg/m³, > 0
  bool operator==(const FrameMaterialSpec&) const = default;
};

struct FrameMemberSpec {
  std::string from, to;  ///< nodes
  std::string section;
  std::string material;
  double element_size = 0;  ///< m, > 0; the largest
  Vec3 up{0, 0, 1};
  std::optional<std::string> set;
  bool operator==(const FrameMemberSpec&) const = default;
};

struct NodeMassSpec {
  double mass = 0;     ///< kg, > 0
  double inertia = 0;  ///< kg m², ≥ 0
  bool operator==(const NodeMassSpec&) const = default;
};

enum class FrameUnknowns { grillage, space };
enum class BeamTheory { euler_bernoulli, timoshenko };
enum class RotaryMass { shape, section, both };
enum class NodeSupport { clamped, pinned };

struct FrameSupportSpec {
  std::string node;
  NodeSupport type = NodeSupport::clamped;
  bool operator==(const FrameSupportSpec&) const = default;
};

struct FrameSpec {
  FrameUnknowns unknowns = FrameUnknowns::space;
  BeamTheory theory = BeamTheory::euler_bernoulli;
  RotaryMass rotary = RotaryMass::shape;
  OrderedMap<Vec3> nodes;
  OrderedMap<SectionSpec> sections;
  OrderedMap<FrameMaterialSpec> materials;
  std::vector<FrameMemberSpec> members;
  std::vector<FrameSupportSpec> supports;
  OrderedMap<NodeMassSpec> point_masses;
  RayleighSpec damping;
  bool implicit = false;
  bool operator==(const FrameSpec&) const = default;
};

}  // namespace ictus::scene
