#pragma once

namespace ictus::model {

/// Constants of a beam's cross-section. Local axes: x along the beam, z the direction of the height, y across.
struct Section {
  double area = 0;          ///< A (m²)
  double inertia_y = 0;     ///< ∫ z² dA, for bending that moves the axis along z (m⁴)
  double inertia_z = 0;     ///< ∫ y² dA, for bending that moves the axis along y (m⁴)
  double torsion = 0;       ///< J of St Venant (m⁴)
  double shear_area_y = 0;  ///< area that carries the shear force along y (m²)
  double shear_area_z = 0;  ///< the same along z (m²)
  double width = 0;         ///< outer size along y (m)
  double height = 0;        ///< outer size along z (m)
  bool round = false;       ///< a circle of that size, not a rectangle

  /// I_p = ∫ (y² + z²) dA (m⁴), the inertia against twist per density and length.
  double polar() const { return inertia_y + inertia_z; }
};

/// Closed box with walls of equal thickness; J by Bredt from the mid-lines of the walls [eq. frames-8].
Section box_section(double height, double width, double thickness);
/// I with equal flanges; J = ⅓ Σ b t³ of its three plates.
Section i_section(double height, double width, double web_thickness, double flange_thickness);
/// Circular tube.
Section pipe_section(double diameter, double thickness);
/// Solid rectangle; J from Saint-Venant's series, to 0.3 % [eq. frames-9].
Section rectangle_section(double height, double width);

}  // namespace ictus::model
