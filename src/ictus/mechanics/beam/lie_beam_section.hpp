#pragma once

#include <ictus/math/vector3.hpp>
#include <ictus/model/section.hpp>

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

/// What of a section can touch, around its position: the sum of a rectangle with sides along d₁ and d₂ and a disc. All
/// zero: the position itself.
struct SectionOutline {
  double half_width = 0;   ///< along d₁ (m)
  double half_height = 0;  ///< along d₂ (m)
  double radius = 0;       ///< m
};

/// How far the outline reaches in a direction of length one, given in the axes of the section (m).
double reach(const SectionOutline& outline, const math::Vector3<double>& direction);

/// The point of the outline that lies furthest in a direction of length one, both in the axes of the section; the
/// middle of an edge that lies across it.
math::Vector3<double> furthest_point(const SectionOutline& outline, const math::Vector3<double>& direction);

/// M = ρA, J = ρ(I₁, I₂, I₁ + I₂), C₁ = A(G, G, E), C₂ = (E I₁, E I₂, G J_t) with Saint-Venant's J_t, of a shape whose
/// width lies along d₁ and whose height along d₂. [eq. lie-beam-15]
LieBeamSection section(const model::Section& shape, const BeamMaterial& material);

/// Its shear stiffness in series with 12 C₂/Δs², as elements of that length need it to bend like Timoshenko's beam
/// under forces on their nodes. [eq. lie-beam-40]
LieBeamSection with_residual_bending(LieBeamSection section, double spacing);

}  // namespace ictus::mechanics
