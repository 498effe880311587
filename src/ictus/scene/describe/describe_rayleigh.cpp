#include <ictus/scene/describe/describe.hpp>

namespace ictus::scene {

Object<RayleighSpec> describe_rayleigh() {
  Object<RayleighSpec> object(
      "damping",
      "Rayleigh's damping, forces of −(mass·M + stiffness·K) v: a mode of angular frequency ω is damped by the ratio "
      "(mass/ω + stiffness·ω)/2. Booked as `damping`. In explicit steps the part of the stiffness makes the largest "
      "stable "
      "step smaller.");
  object.field("mass", &RayleighSpec::mass, quantity(Dimension{0, 0, -1, 0}).at_least(0), "Share of the masses.")
      .field("stiffness", &RayleighSpec::stiffness, quantity(dimension::time).at_least(0), "Share of the stiffness.");
  return object;
}

std::string describe_implicit() {
  return "true: steps of any length are stable for it, as if it were rigid; with linear material alone. The matrix of "
         "its "
         "steps, M + h²K/4, is factored once, and contact feels it. Short waves are slower than in the body.";
}

}  // namespace ictus::scene
