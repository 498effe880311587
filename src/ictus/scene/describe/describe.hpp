#pragma once

#include <ictus/scene/schema/schema.hpp>

namespace ictus::scene {

/// Three numbers of at least one, along x, y and z.
inline Typed<std::array<int, 3>> three_counts() {
  return {std::make_shared<ListKindOf<std::array<int, 3>>>(integer(1).kind, 3)};
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
Object<SphereSpec> describe_sphere();
Object<BoxSpec> describe_box();
Object<CapsuleSpec> describe_capsule();
Object<ConvexSpec> describe_convex();
Object<CylinderSpec> describe_cylinder();
Object<ConeSpec> describe_cone();
Object<RigidMeshSpec> describe_rigid_mesh();
Object<CompoundSpec> describe_compound();
Object<HeightfieldSpec> describe_heightfield();
Object<ContactSolverSpec> describe_contact_solver();
Object<MoreauVariationalSpec> describe_moreau_variational();
Object<MoreauSpec> describe_moreau();

Typed<Condition> describe_condition();
Object<PublishedSpec> describe_published();

/// Along which axes nodes are held.
inline Typed<Directions> describe_directions() {
  return one_of<Directions>({{Directions::all, "all", "they do not move at all"},
                             {Directions::x, "x", "they do not move along x"},
                             {Directions::y, "y", "they do not move along y"},
                             {Directions::z, "z", "they do not move along z"},
                             {Directions::xy, "xy", "they move along z only"},
                             {Directions::yz, "yz", "they move along x only"},
                             {Directions::xz, "xz", "they move along y only"}});
}

}  // namespace ictus::scene
