#pragma once

#include <ictus/scene/schema/schema.hpp>

namespace ictus::scene {

/// Numbers of at least one, as along x, y and z.
template <std::size_t n>
Typed<std::array<int, n>> counts() {
  return {std::make_shared<ListKindOf<std::array<int, n>>>(integer(1).kind, n)};
}

/// A new body or integrator is a struct in scene.hpp, an Object<...> in the function below, and a place in the variant.
Object<FrameSpec> describe_frame();
Object<RayleighSpec> describe_rayleigh();
/// What bodies say of their key `implicit`.
std::string describe_implicit();
Object<MaterialSpec> describe_material();
Typed<MaterialUse> describe_material_use();
/// Materials that bodies name exist, and each property is given once.
void check_materials(const Scene& scene, Reading& reading);
/// A box in space, by which nodes or elements are chosen.
Object<RegionSpec> describe_region();
/// The ends of a bar or beam that are held; `how` is what that means.
Typed<std::vector<EndSupportSpec>> describe_end_supports(const std::string& how);
Object<CoupledSpec> describe_coupled();
Object<TieSpec> describe_tie();
Typed<Load> describe_loads();
/// Signals whose values are of one dimension.
Typed<Signal> describe_signal(const Dimension& dimension);
Typed<AnyJoint> describe_joints();
Typed<Body> describe_bodies();
Object<LieBeamSpec> describe_lie_beam();
Object<ShellSpec> describe_shell();
Typed<Integrator> describe_integrators();
Object<MultisymplecticBeamSpec> describe_multisymplectic_beam();

Object<NewmarkSpec> describe_newmark();
Object<SolidSpec> describe_solid();

Object<SpringPendulumSpec> describe_spring_pendulum();
Object<PointMassSpec> describe_point_mass();
Object<SliderSpec> describe_slider();
Object<WoodpeckerSpec> describe_woodpecker();
Object<OwnSystemSpec> describe_own_system();
Object<RigidSpec> describe_rigid();
Object<ContactSolverSpec> describe_contact_solver();
Object<MoreauVariationalSpec> describe_moreau_variational();
Object<MoreauSpec> describe_moreau();

Typed<Condition> describe_condition();
Object<PublishedSpec> describe_published();

/// Along which axes nodes are held.
inline Typed<Directions> describe_directions() {
  return one_of<Directions>({{Directions::all, "xyz", "they do not move at all"},
                             {Directions::x, "x", "they do not move along x"},
                             {Directions::y, "y", "they do not move along y"},
                             {Directions::z, "z", "they do not move along z"},
                             {Directions::xy, "xy", "they move along z only"},
                             {Directions::yz, "yz", "they move along x only"},
                             {Directions::xz, "xz", "they move along y only"}});
}

}  // namespace ictus::scene
