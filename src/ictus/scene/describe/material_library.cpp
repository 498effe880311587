#include <ictus/scene/spec/material_spec.hpp>

namespace ictus::scene {

namespace {

constexpr double MPa = 1e6, GPa = 1e9;

MaterialSpec elastic(SolidLaw law, double density, double youngs_modulus, double poissons_ratio) {
  return {law, density, youngs_modulus, poissons_ratio, {}, {}, {}};
}

MaterialSpec metal(double density, double youngs_modulus, double poissons_ratio, double yield_stress,
                   double hardening_modulus) {
  return {SolidLaw::j2, density, youngs_modulus, poissons_ratio, yield_stress, LinearHardeningSpec{hardening_modulus},
          0.9};
}

}  // namespace

/// Hardening between the least yield and the least tensile strength of a standard is a straight line to the least
/// strain at rupture, in true stress and strain: a first estimate for a metal of which no curve is known.
const std::vector<LibraryMaterial>& material_library() {
  static const std::vector<LibraryMaterial> library{
      {"steel", "structural steel S355", "EN 1993-1-1 (E, ν, ρ); EN 10025-2 (yield 355 MPa, strength 470 MPa at 20 %)",
       metal(7850, 210 * GPa, 0.3, 355 * MPa, 1150 * MPa)},
      {"steel-304", "stainless steel 1.4301",
       "EN 1993-1-4 (E, ν); EN 10088-2 (ρ 7900, proof 210 MPa, strength 520 MPa at 45 %)",
       metal(7900, 200 * GPa, 0.3, 210 * MPa, 1470 * MPa)},
      {"aluminium-6061", "aluminium 6061-T6", "EN 1999-1-1 (E, ν, ρ; plate: proof 240 MPa, strength 290 MPa at 6 %)",
       metal(2700, 70 * GPa, 0.3, 240 * MPa, 1180 * MPa)},
      {"copper", "copper of Taylor's bar",
       "J. C. Simo, Comput. Methods Appl. Mech. Eng. 99 (1992) 61; Zhu and Cescotto (1995)",
       metal(8930, 117 * GPa, 0.35, 400 * MPa, 100 * MPa)},
      {"rubber", "natural rubber, 50 IRHD",
       "P. B. Lindley, Engineering Design with Natural Rubber (E 2.2 MPa); ν short of incompressible",
       elastic(SolidLaw::neo_hookean, 1100, 2.2 * MPa, 0.49)},
      {"concrete", "concrete C30/37 in compression", "EN 1992-1-1 (mean E 33 GPa, ν 0.2); elastic alone",
       elastic(SolidLaw::neo_hookean, 2400, 33 * GPa, 0.2)},
      {"wood", "softwood C24 along the grain", "EN 338 (mean E 11 GPa, mean ρ 420); taken as isotropic",
       elastic(SolidLaw::neo_hookean, 420, 11 * GPa, 0.3)},
      {"glass", "soda-lime glass", "EN 572-1 (E 70 GPa, ν 0.2, ρ 2500)",
       elastic(SolidLaw::neo_hookean, 2500, 70 * GPa, 0.2)},
  };
  return library;
}

}  // namespace ictus::scene
