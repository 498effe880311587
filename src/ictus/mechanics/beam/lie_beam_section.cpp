#include <ictus/mechanics/beam/lie_beam_section.hpp>

#include <cmath>

namespace ictus::mechanics {

namespace {

/// Edges that lean by less than this against a direction are across it.
constexpr double least_lean = 1e-9;

double sign(double x) {
  if (std::abs(x) <= least_lean) return 0.0;
  return x > 0.0 ? 1.0 : -1.0;
}

}  // namespace

double reach(const SectionOutline& outline, const math::Vector3<double>& direction) {
  return outline.half_width * std::abs(direction.x) + outline.half_height * std::abs(direction.y) +
         outline.radius * std::hypot(direction.x, direction.y);
}

math::Vector3<double> furthest_point(const SectionOutline& outline, const math::Vector3<double>& direction) {
  const double in_plane = std::hypot(direction.x, direction.y);
  const double round = in_plane > least_lean ? outline.radius / in_plane : 0.0;
  return {outline.half_width * sign(direction.x) + round * direction.x,
          outline.half_height * sign(direction.y) + round * direction.y, 0.0};
}

LieBeamSection section(const model::Section& shape, const BeamMaterial& material) {
  const double e = material.youngs_modulus, g = material.shear_modulus();
  const double i1 = shape.inertia_y, i2 = shape.inertia_z;
  return {.mass = material.density * shape.area,
          .inertia = material.density * math::Vector3<double>{i1, i2, shape.polar()},
          .stretch = shape.area * math::Vector3<double>{g, g, e},
          .bend = {e * i1, e * i2, g * shape.torsion}};
}

}  // namespace ictus::mechanics
