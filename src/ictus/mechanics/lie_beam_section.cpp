#include <ictus/mechanics/lie_beam_section.hpp>

#include <numbers>

namespace ictus::mechanics {

SectionShape square(double side) { return rectangle(side, side); }

SectionShape rectangle(double width, double height) {
  const double area = width * height;
  return {area, area * height * height / 12.0, area * width * width / 12.0};
}

SectionShape circle(double radius) { return pipe(radius, 0.0); }

SectionShape pipe(double outer_radius, double inner_radius) {
  const double outer_sq = outer_radius * outer_radius;
  const double inner_sq = inner_radius * inner_radius;
  const double area = std::numbers::pi * (outer_sq - inner_sq);
  const double moment = 0.25 * area * (outer_sq + inner_sq);
  return {area, moment, moment};
}

LieBeamSection section(const SectionShape& shape, const BeamMaterial& material) {
  const double e = material.youngs_modulus, g = material.shear_modulus();
  const double i1 = shape.moment_about_1, i2 = shape.moment_about_2;
  return {.mass = material.density * shape.area,
          .inertia = material.density * math::Vector3<double>{i1, i2, i1 + i2},
          .stretch = shape.area * math::Vector3<double>{g, g, e},
          .bend = {e * i1, e * i2, g * (i1 + i2)}};
}

}  // namespace ictus::mechanics
