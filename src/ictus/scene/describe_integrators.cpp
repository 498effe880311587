#include <ictus/scene/describe.hpp>

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

}  // namespace

Typed<Integrator> describe_integrators() { return variant(central_difference(), cd_lagrange()); }

}  // namespace ictus::scene
