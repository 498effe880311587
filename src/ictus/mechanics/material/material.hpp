#pragma once

#include <cstddef>
#include <ictus/math/vector3.hpp>
#include <ictus/mechanics/material/solid_law.hpp>
#include <span>

namespace ictus::mechanics {

/// A point of a solid as a material of one's own sees it.
struct DeformedPoint {
  math::Matrix3<double> f;       ///< deformation gradient, by columns
  double* memory = nullptr;      ///< what the point remembers
  double energy = 0;             ///< to be written: w (J/m³ of the unloaded body)
  math::Matrix3<double> stress;  ///< to be written: ∂w/∂F (Pa)
};

/// The energy of a change of volume alone, and its derivative, over J = v/V.
struct VolumeEnergy {
  double energy = 0;  ///< J/m³
  double slope = 0;   ///< Pa
};

/// What flow has taken of a point since the start (J/m³).
struct Taken {
  double heat = 0;
  double hardening = 0;  ///< kept by the material, not to be recovered
};

/// A material of one's own. Its energy per volume of the unloaded body is
///   w(F, z) at each point + U(J), J the mean of det F over the element,
/// so that hexahedra do not lock where U is stiff; a law that is not split so leaves U zero. z is what a point
/// remembers: how it has flowed, say. Its own rule takes z to F; the stress is ∂w/∂F with z as it then is. Asked for
/// all points of an element at once, hence virtual. FormulaMaterial makes one of formulas.
class Material {
 public:
  static constexpr std::size_t max_memory = 32;

  virtual ~Material() = default;

  /// Takes the memory of each point to its F, then writes energy and stress.
  virtual void respond(std::span<DeformedPoint> points) const = 0;
  virtual VolumeEnergy volume(double /*J*/) const { return {}; }
  /// How many numbers a point remembers, at most max_memory; zero: it is elastic.
  virtual std::size_t memory() const { return 0; }
  /// Writes what a point that has never flowed remembers; it is given zeros.
  virtual void begin(std::span<double> /*memory*/) const {}
  /// Of a point that remembers this. What w loses as z changes has to be in it: a gap shows as an error of energy.
  virtual Taken taken(std::span<const double> /*memory*/) const { return {}; }
};

/// A material near F = I.
struct MaterialAtRest {
  double stress = 0;      ///< the largest component (Pa)
  double smallest = 0;    ///< the least of its six stiffnesses to strains (Pa); it must be positive
  Lame lame;              ///< of the isotropic law nearest to it
  double stiffening = 1;  ///< by how much it is stiffer than that at most, 1 where it is isotropic
};
MaterialAtRest at_rest(const Material& material);

}  // namespace ictus::mechanics
