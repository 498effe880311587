#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <ictus/mechanics/beam/lie_beam_layout.hpp>
#include <ictus/mechanics/beam/lie_beam_section.hpp>
#include <ictus/mechanics/body/body.hpp>
#include <vector>

namespace ictus::mechanics {

/// How space–time is cut up. Both give the same update inside; they differ in what the ends carry and in how the first
/// step starts.
enum class LieBeamMesh {
  triangle,   ///< demoures-2014: every node carries Δs, the last element of the length has no stiffness; first order
  rectangle,  ///< demoures-2016: end nodes carry Δs/2; second order
  slender     ///< as rectangle, with Gregory's weights at the ends; six elements or more [eq. lie-beam-41]
};

/// Loads that do not change, in space (Lagrange–d'Alembert).
struct LieBeamLoads {
  math::Wrench<double> per_length{};  ///< moment and force per length (N, N/m)
  math::Wrench<double> start{};       ///< moment and force on the first node (N m, N)
  math::Wrench<double> end{};         ///< the same on the last node
};

/// A beam as its discrete equations see it.
struct LieBeamModel {
  LieBeamSection section;
  SectionOutline outline{};  ///< what planes can touch of a section
  std::size_t nodes = 0;     ///< that carry mass
  double spacing = 0;        ///< Δs (m)
  LieBeamMesh mesh = LieBeamMesh::rectangle;
  math::Vector3<double> gravity{};  ///< m/s²
  LieBeamLoads loads{};
  std::vector<math::Twist<double>> rest = {};  ///< η without stress of each element; empty: straight
  bool clamped_start = false;                  ///< the first node keeps its pose
  bool clamped_end = false;

  std::size_t last() const { return nodes - 1; }
  math::Twist<double> rest_of(std::size_t element) const {
    return rest.empty() ? math::Twist<double>{{}, {0.0, 0.0, 1.0}} : rest[element];
  }
  std::size_t blocks() const { return LieBeamLayout::blocks(nodes); }
  std::size_t size() const { return LieBeamLayout::size(nodes); }
  /// Lengths of the beam that the first nodes from an end carry; the others carry Δs.
  static constexpr std::size_t end_nodes = 3;
  std::array<double, end_nodes> end_weights() const {
    if (mesh == LieBeamMesh::triangle) return {spacing, spacing, spacing};
    if (mesh == LieBeamMesh::rectangle) return {0.5 * spacing, spacing, spacing};
    return {3.0 / 8 * spacing, 7.0 / 6 * spacing, 23.0 / 24 * spacing};
  }
  double weight(std::size_t node) const {
    const std::size_t from_end = std::min(node, last() - node);
    return from_end < end_nodes ? end_weights()[from_end] : spacing;
  }
  /// Length of the beam that all nodes carry.
  double length() const { return spacing * static_cast<double>(mesh == LieBeamMesh::triangle ? nodes : last()); }
  bool clamped(std::size_t node) const { return (clamped_start && node == 0) || (clamped_end && node == last()); }
  /// Time during which the forces at t act, between a step of `before` and one of `after`. [eq. lie-beam-20]
  double kick_time(double before, double after) const {
    return mesh == LieBeamMesh::triangle ? after : 0.5 * (before + after);
  }
};

/// A beam and how it starts.
struct LieBeamProperties {
  LieBeamModel model;
  math::Pose<double> start;                     ///< of the first node
  std::vector<math::Twist<double>> strains;     ///< η of each element: nodes − 1
  std::vector<math::Twist<double>> velocities;  ///< ξ of each node, in its own axes
  Rayleigh damping = {};
};

/// The elements of a beam with A elements on a mesh: A + 1 nodes with mass, or A where the last one is a dummy.
constexpr std::size_t lie_beam_nodes(std::size_t elements, LieBeamMesh mesh) {
  return mesh == LieBeamMesh::triangle ? elements : elements + 1;
}

}  // namespace ictus::mechanics
