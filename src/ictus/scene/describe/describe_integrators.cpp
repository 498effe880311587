#include <ictus/scene/describe/describe.hpp>

namespace ictus::scene {

namespace {

Object<CentralDifferenceSpec> central_difference() {
  return {"central-difference",
          "Central differences (leapfrog) for bodies that do not touch: explicit, second order, symplectic. The energy "
          "error stays bounded for any length of run as long as the step is below the critical one. It knows no "
          "contact, and a scene with contacts is refused."};
}

Object<CdLagrangeSpec> cd_lagrange() {
  return {"cd-lagrange",
          "Central differences with contact impulses as Lagrange multipliers on velocities (fekak-2017). Explicit; the "
          "only system to solve is the small one of the contacts that are closed. A contact that closes stays closed "
          "without chatter and loses exactly the kinetic energy of the approach of the touching nodes, a loss that "
          "vanishes as the mesh is refined; the ledger names it. Contacts are inelastic by construction, so a "
          "restitution is refused."};
}

Object<MultisymplecticSpec> multisymplectic() {
  return {
      "multisymplectic",
      "Collision integrator 1 of demoures-2016: explicit, and the step is cut where a gap closes; the tips rebound "
      "with the impulse that keeps the energy of an interval. Lasting contact is a series of collisions. Momentum "
      "is kept to round-off; the energy error falls with the square of the step, and the ledger explains all of it. "
      "Use a tenth of the critical step or less. Collisions are elastic: a restitution below 1 is refused."};
}

Object<MultisymplecticProlongedSpec> multisymplectic_prolonged() {
  return {
      "multisymplectic-prolonged",
      "Collision integrator 2 of demoures-2016: the tips that may touch have no mass, and while they touch the "
      "outer quarters of the end elements act as a spring between the end masses. Contact lasts without chatter; "
      "the step is cut only where it begins and ends. Use a tenth of the critical step or less. A restitution below "
      "1 is refused."};
}

Object<MoreauJeanSpec> moreau_jean() {
  Object<MoreauJeanSpec> object(
      "moreau-jean",
      "Moreau-Jean time stepping with the theta method (fekak-2017): implicit, stable at any step, factored once. "
      "Impacts are inelastic, and theta above one half damps waves; the ledger tells the two losses apart. For linear "
      "bodies. A restitution is refused.");
  object.field("theta", &MoreauJeanSpec::theta, number().at_least(0.5).at_most(1),
               "0.5 is the midpoint rule, which damps nothing in free motion; 1 is backward Euler.");
  return object;
}

Object<DcrSpec> dcr() {
  Object<DcrSpec> object(
      "dcr",
      "Decomposition contact response (cirak-2005): explicit Newmark; bodies that penetrate are projected apart and "
      "their normal momentum is reflected before the force acts. Momentum is kept to round-off. Projection and "
      "reflection each move much energy in lasting contact and nearly cancel; the ledger shows both.");
  object.field("energy_correction", &DcrSpec::energy_correction, boolean(),
               "Choose the impulse so that it takes out the energy that the projection put in.");
  return object;
}

Object<ReflectionSpec> reflection() {
  return {"reflection",
          "Central differences with Newton's impact law after the force kick. With restitution 1 (the default) energy "
          "and momentum are kept to round-off at any stable step; lasting contact is a chatter of the end masses. The "
          "loss of a lower restitution is known exactly."};
}

Object<DiscreteGradientSpec> discrete_gradient() {
  Object<DiscreteGradientSpec> object(
      "discrete-gradient",
      "Central differences with the contact force of an elastic layer taken as a discrete gradient: energy with the "
      "layer and momentum are kept to round-off, and contact lasts without chatter, however stiff the layer. Between "
      "bars it is the outer quarter of the end elements, whose tips have no mass; between surfaces of bodies of all "
      "families a barrier within the thickness of the contact, on planes a spring. For contacts that give way. A "
      "restitution e returns the share e² of what the layer holds and books the rest.");
  object.field("stiffness", &DiscreteGradientSpec::stiffness, number().above(0),
               "Of the layers of surfaces, over that of their elements: the mass of a vertex over the square of the "
               "critical step, or of 16 steps where no side deforms. Bars that meet have their own.");
  return object;
}

Object<CaptureReturnSpec> capture_return() {
  Object<CaptureReturnSpec> object(
      "capture-return",
      "Central differences with inelastic contact whose exact loss is banked and given back when the bodies part. "
      "Energy with the bank and momentum are kept to round-off at any stable step, without chatter, without added "
      "springs and without projection. The default for bars in contact. A restitution e returns the share e² and "
      "books the rest as lost.");
  object.field("control", &CaptureReturnSpec::control, boolean(),
               "For nonlinear bodies: hand the drift of the leapfrog's shadow energy to the returns, at most half of "
               "each. What it used is in the ledger.");
  return object;
}

}  // namespace

Typed<Integrator> describe_integrators() {
  return variant(central_difference(), cd_lagrange(), multisymplectic(), multisymplectic_prolonged(), moreau_jean(),
                 dcr(), reflection(), discrete_gradient(), capture_return(), describe_multisymplectic_beam(),
                 describe_newmark(), describe_moreau_variational(), describe_moreau(), describe_coupled());
}

}  // namespace ictus::scene
