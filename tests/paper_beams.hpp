#pragma once

#include <cmath>
#include <ictus/mechanics/beam/lie_beam_state.hpp>
#include <vector>

// The beams of demoures-2014 and demoures-2016 as data.

namespace ictus::mechanics::testing {

enum class Stiffness { paper, physical };

/// A beam with its initial configuration and the body velocities of the first interval.
struct PaperBeam {
  LieBeamModel model;
  math::Pose<double> start;
  std::vector<math::Twist<double>> strains;     // nodes − 1
  std::vector<math::Twist<double>> velocities;  // nodes
};

/// The papers twist with G (I₁ + I₂), and put ρI where the bending stiffness has I.
inline LieBeamSection paper_section(double side, const BeamMaterial& material, Stiffness stiffness) {
  const model::Section square = model::rectangle_section(side, side);
  LieBeamSection data = section(square, material);
  data.bend.z = material.shear_modulus() * square.polar();
  if (stiffness == Stiffness::paper) data.bend = material.density * data.bend;
  return data;
}

/// Velocities that take the chain (start0, strain0) to (start1, strain1) in the time `period`.
inline std::vector<math::Twist<double>> velocities_between(std::size_t nodes, double spacing, math::Pose<double> g0,
                                                           const math::Twist<double>& strain0, math::Pose<double> g1,
                                                           const math::Twist<double>& strain1, double period) {
  std::vector<math::Twist<double>> velocities;
  for (std::size_t a = 0; a < nodes; ++a) {
    velocities.push_back(1.0 / period * cayley_inverse(inverse(g0) * g1));
    g0 = g0 * cayley(spacing * strain0);
    g1 = g1 * cayley(spacing * strain1);
  }
  return velocities;
}

/// demoures-2014 §5.3: a free beam of 10 elements; the velocities are those of its step 5e-4 s.
inline PaperBeam free_beam(Stiffness stiffness, LieBeamMesh mesh = LieBeamMesh::triangle, std::size_t elements = 10) {
  PaperBeam beam;
  beam.model.section = paper_section(0.01, {1e3, 5e3, 0.35}, stiffness);
  beam.model.spacing = 1.0 / static_cast<double>(elements);
  beam.model.mesh = mesh;
  beam.model.nodes = lie_beam_nodes(elements, mesh);
  const double period = 5e-4;
  const math::Twist<double> strain0{{1.0, 1.5, 1.0}, {0.0, 0.0, 1.0}}, strain1{{1.004, 1.52, 1.005}, {-0.01, 0.0, 1.0}};
  beam.strains.assign(beam.model.nodes - 1, strain0);
  beam.velocities =
      velocities_between(beam.model.nodes, beam.model.spacing, {}, strain0, {{}, {0.0, 0.0, period}}, strain1, period);
  return beam;
}

/// demoures-2016 §5.3: a beam thrown at the plane z = 0. `period` 4e-5, 8e-5 and 20e-5 s make it fast, medium and slow.
inline PaperBeam thrown_beam(std::size_t elements, double period = 4e-5, Stiffness stiffness = Stiffness::paper) {
  PaperBeam beam;
  beam.model.section = paper_section(0.05, {1e3, 1e3, 0.35}, stiffness);
  beam.model.spacing = 0.5 / static_cast<double>(elements);
  beam.model.mesh = LieBeamMesh::rectangle;
  beam.model.nodes = elements + 1;
  beam.model.gravity = {0.0, 0.0, -10.0};
  beam.start.q = {std::cos(0.25), {std::sin(0.25), 0.0, 0.0}};
  const math::Twist<double> strain0{{1.0, 4.5, 1.0}, {0.0, 0.0, 1.0}},
      strain1{{1.004, 4.522, 0.996}, {-0.004, 0.0, 1.0}};
  math::Pose<double> moved = beam.start;
  moved.r = {0.0, -2e-5 * std::sin(0.5), 2e-5 * std::cos(0.5)};
  beam.strains.assign(elements, strain0);
  beam.velocities =
      velocities_between(beam.model.nodes, beam.model.spacing, beam.start, strain0, moved, strain1, period);
  return beam;
}

}  // namespace ictus::mechanics::testing
