#pragma once

#include <ictus/math/vector3.hpp>

namespace ictus::mechanics {

/// Elastic constants of a homogeneous isotropic material.
struct BeamMaterial {
  double density;         ///< ρ (kg/m³)
  double youngs_modulus;  ///< E (Pa)
  double poisson_ratio;   ///< ν

  double shear_modulus() const { return youngs_modulus / (2.0 * (1.0 + poisson_ratio)); }
};

/// What a beam is per length, in the axes of its sections: d₁, d₂ principal axes of the cross-section, d₃ along the
/// beam. Inertia and stiffness are separate data: one does not follow from the other.
struct LieBeamSection {
  double mass;                    ///< M (kg/m)
  math::Vector3<double> inertia;  ///< J, rotary (kg m)
  math::Vector3<double> stretch;  ///< C₁: shear, shear, axial stiffness (N)
  math::Vector3<double> bend;     ///< C₂: bending, bending, torsion stiffness (N m²)
};

/// Area and second moments I₁ = ∫y², I₂ = ∫x² of a cross-section with x along d₁ and y along d₂.
struct SectionShape {
  double area;            ///< m²
  double moment_about_1;  ///< I₁ (m⁴)
  double moment_about_2;  ///< I₂ (m⁴)
};

SectionShape square(double side);
/// `width` along d₁, `height` along d₂.
SectionShape rectangle(double width, double height);
SectionShape circle(double radius);
SectionShape pipe(double outer_radius, double inner_radius);

/// M = ρA, J = ρ(I₁, I₂, I₁ + I₂), C₁ = A(G, G, E), C₂ = (E I₁, E I₂, G (I₁ + I₂)). [eq. lie-beam-15]
LieBeamSection section(const SectionShape& shape, const BeamMaterial& material);

}  // namespace ictus::mechanics
