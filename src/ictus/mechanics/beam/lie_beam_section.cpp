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
  const double corner = outline.half_width * std::abs(direction.x) + outline.half_height * std::abs(direction.y);
  return outline.radius == 0 ? corner : corner + outline.radius * std::hypot(direction.x, direction.y);
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

LieBeamSection with_residual_bending(LieBeamSection section, double spacing) {
  const auto softened = [&](double shear, double bend) { return 1 / (1 / shear + spacing * spacing / (12 * bend)); };
  // Bending about d₁ shears along d₂, and the other way round.
  section.stretch.x = softened(section.stretch.x, section.bend.y);
  section.stretch.y = softened(section.stretch.y, section.bend.x);
  return section;
}

}  // namespace ictus::mechanics
