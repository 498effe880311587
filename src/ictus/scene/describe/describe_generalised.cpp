#include <ictus/scene/describe/describe.hpp>

#include <numbers>

namespace ictus::scene {

namespace {

constexpr Dimension spring_stiffness{0, 1, -2, 0};
constexpr Dimension viscosity{0, 1, -1, 0};
constexpr Dimension torsion_stiffness{2, 1, -2, -1};

Quantity length() { return quantity(dimension::length); }
Quantity angle() { return quantity(dimension::angle); }
Quantity rate() { return quantity(dimension::angular_velocity); }
Quantity share() { return number().at_least(0).at_most(1); }

}  // namespace

Object<SpringPendulumSpec> describe_spring_pendulum() {
  using Spec = SpringPendulumSpec;
  Object<Spec> object(
      "spring-pendulum",
      "A mass on a spring that swings in the plane y = 0 and strikes a wall at angle 0 "
      "(capobianco-2018). The wall is its own, and no entry of contacts; others meet its mass by those.");
  object.required("mass", &Spec::mass, quantity(dimension::mass).positive(), "Mass at the end of the spring.")
      .required("stiffness", &Spec::stiffness, quantity(spring_stiffness).positive(), "Stiffness of the spring.")
      .required("rest_length", &Spec::rest_length, length().positive(), "Length of the unloaded spring.")
      .field("length", &Spec::length, length().positive(), "Length at the start. Absent: rest_length.")
      .field("angle", &Spec::angle, angle(), "Angle from straight down (−z) towards +x at the start.")
      .field("length_rate", &Spec::length_rate, quantity(dimension::velocity), "Rate of the length at the start.")
      .field("angular_velocity", &Spec::angular_velocity, rate(), "Rate of the angle at the start.")
      .field("position", &Spec::position, vector(length()), "Where the spring is fixed.")
      .field("drag", &Spec::drag, quantity(viscosity).at_least(0), "Force of the spring per rate of its length.")
      .field("radius", &Spec::radius, length().at_least(0),
             "Radius of the mass where others meet it, as a ball that turns with the spring. 0: a point.")
      .field("wall", &Spec::wall, boolean(), "Whether there is the wall; without it the pendulum swings freely.")
      .field("restitution", &Spec::restitution, share(), "Coefficient of restitution of the wall.")
      .field("friction", &Spec::friction, number().at_least(0), "Coefficient of Coulomb friction along the wall.")
      .field("tangential_restitution", &Spec::tangential_restitution, share(),
             "Coefficient of restitution of the sliding velocity, within the bounds of friction.");
  return object;
}

Object<PointMassSpec> describe_point_mass() {
  using Spec = PointMassSpec;
  Object<Spec> object("point-mass", "A particle that flies and meets planes.");
  object.required("mass", &Spec::mass, quantity(dimension::mass).positive(), "Mass.")
      .field("position", &Spec::position, vector(length()), "Place at the start.")
      .field("velocity", &Spec::velocity, vector(quantity(dimension::velocity)), "Velocity at the start.")
      .field("drag", &Spec::drag, quantity(viscosity).at_least(0), "Force of the air per velocity.");
  return object;
}

Object<SliderSpec> describe_slider() {
  using Spec = SliderSpec;
  Object<Spec> object(
      "slider",
      "A block that does not turn, on or above an incline. Its axes point down the slope, across it and "
      "off it. The incline is its own, and no entry of contacts; others meet the block by those.");
  object.required("mass", &Spec::mass, quantity(dimension::mass).positive(), "Mass.")
      .field("slope", &Spec::slope, angle().above(-std::numbers::pi / 2).at_most(std::numbers::pi / 2),
             "Angle by which the incline falls towards +x.")
      .field("origin", &Spec::origin, vector(length()), "The point of the incline from which position counts.")
      .field("position", &Spec::position, vector(length()), "Distance down, across and off the slope at the start.")
      .field("velocity", &Spec::velocity, vector(quantity(dimension::velocity)),
             "Velocity down, across and off the slope at the start.")
      .field("size", &Spec::size, vector(length().positive()),
             "Size of the block down, across and off the slope where others meet it; its position is the middle of its "
             "foot. Absent: a point.")
      .field("restitution", &Spec::restitution, share(), "Coefficient of restitution of the incline.")
      .field("friction", &Spec::friction, number().at_least(0), "Coefficient of Coulomb friction.")
      .field("friction_across", &Spec::friction_across, number().at_least(0),
             "Coefficient of Coulomb friction across the slope, where it differs: the limits form an ellipse. Absent: "
             "the same as friction.")
      .field("tangential_restitution", &Spec::tangential_restitution, share(),
             "Coefficient of restitution of the sliding velocity, within the bounds of friction.");
  return object;
}

Object<WoodpeckerSpec> describe_woodpecker() {
  using Spec = WoodpeckerSpec;
  Object<Spec> object(
      "woodpecker",
      "The woodpecker toy of Leine, Glocker and van Campen (2001): a sleeve with play slides down a "
      "pole, and a bird on a spring strikes it with its beak. The pole is its own, and no entry of contacts; others "
      "meet the bird by those. Defaults are the dimensions of the toy.");
  object.field("sleeve_mass", &Spec::sleeve_mass, quantity(dimension::mass).positive(), "Mass of the sleeve.")
      .field("sleeve_inertia", &Spec::sleeve_inertia, quantity(dimension::rotary_inertia).positive(),
             "Moment of inertia of the sleeve.")
      .field("bird_mass", &Spec::bird_mass, quantity(dimension::mass).positive(), "Mass of the bird.")
      .field("bird_inertia", &Spec::bird_inertia, quantity(dimension::rotary_inertia).positive(),
             "Moment of inertia of the bird.")
      .field("spring", &Spec::spring, quantity(torsion_stiffness).at_least(0), "Stiffness of the spring.")
      .field("pole_radius", &Spec::pole_radius, length().positive(), "Radius of the pole.")
      .field("sleeve_radius", &Spec::sleeve_radius, length().positive(), "Inner radius of the sleeve.")
      .field("sleeve_height", &Spec::sleeve_height, length().positive(), "Half the height of the sleeve.")
      .field("sleeve_to_spring", &Spec::sleeve_to_spring, length(), "From the sleeve's centre to the spring.")
      .field("spring_to_bird", &Spec::spring_to_bird, length(), "From the spring to the bird's centre of mass.")
      .field("beak_height", &Spec::beak_height, length(), "How far the beak is above the bird's centre of mass.")
      .field("beak_reach", &Spec::beak_reach, length(), "How far the beak reaches towards the pole.")
      .field("height", &Spec::height, length(), "Height of the sleeve at the start.")
      .field("sleeve_angle", &Spec::sleeve_angle, angle(), "Angle of the sleeve at the start.")
      .field("bird_angle", &Spec::bird_angle, angle(), "Angle of the bird at the start.")
      .field("height_rate", &Spec::height_rate, quantity(dimension::velocity), "Rate of the height at the start.")
      .field("sleeve_angular_velocity", &Spec::sleeve_angular_velocity, rate(), "Rate of the sleeve's angle.")
      .field("bird_angular_velocity", &Spec::bird_angular_velocity, rate(), "Rate of the bird's angle.")
      .field("restitution", &Spec::restitution, vector(share()),
             "Coefficients of restitution of the beak and of the lower and upper edge of the sleeve.")
      .field("friction", &Spec::friction, number().at_least(0), "Coefficient of Coulomb friction on the pole.")
      .field("tangential_restitution", &Spec::tangential_restitution, share(),
             "Coefficient of restitution of the sliding velocity, within the bounds of friction.");
  return object;
}

Object<ContactSolverSpec> describe_contact_solver() {
  Object<ContactSolverSpec> object("contact_solver", "How the impulses of many contacts of rigid bodies are found.");
  object
      .field(
          "type", &ContactSolverSpec::type,
          one_of<ContactMethod>(
              {{ContactMethod::automatic, "automatic",
                "exact for up to three contacts, otherwise anderson, conjugate and interior-point in turn"},
               {ContactMethod::sorp, "sorp", "sweeps of one proximal update for each contact"},
               {ContactMethod::anderson, "anderson", "sweeps with Anderson acceleration"},
               {ContactMethod::conjugate, "conjugate", "sweeps along conjugate directions"},
               {ContactMethod::apgd, "apgd", "accelerated projected gradient"},
               {ContactMethod::newton, "newton", "semismooth Newton, for problems of full rank"},
               {ContactMethod::interior_point, "interior-point", "interior point, for up to some hundred contacts"}}),
          "The method.")
      .field("tolerance", &ContactSolverSpec::tolerance, number().positive(),
             "Largest error of the law of contact to accept, as a fraction of the velocities without impulses.")
      .field("max_iterations", &ContactSolverSpec::max_iterations, integer(1),
             "Sweeps after which a step is taken as it is and counted as a fallback, if its error is below 1e-2; "
             "otherwise the run stops. A step whose error has stopped falling below 1e-3 is taken likewise.");
  return object;
}

Object<MoreauVariationalSpec> describe_moreau_variational() {
  Object<MoreauVariationalSpec> object(
      "moreau-variational",
      "Moreau-type variational integrator (capobianco-2018) with restitution and Coulomb friction, for rigid "
      "bodies and bodies with generalised coordinates. Second order and symplectic between impacts, so that the energy "
      "error stays bounded; a "
      "body that sticks does not creep. The default for these bodies. Where bars, frames, shells or solids are in the "
      "scene it steps them and rigid bodies together, with the same laws of impact and friction between them.");
  object.field("impact_law", &MoreauVariationalSpec::impact_law,
               one_of<ImpactLaw>({{ImpactLaw::paper, "paper",
                                   "restitution of the velocities between nodes, as in capobianco-2018; each impact "
                                   "costs energy of the order of the step, booked as quadrature"},
                                  {ImpactLaw::momentum, "momentum",
                                   "restitution of the momenta at the node; an impact loses what its restitution and "
                                   "friction say, to round-off"}}),
               "What the impact law speaks of. Among bodies of several families only momentum.");
  object.field("contact_solver", &MoreauVariationalSpec::contact_solver, describe_contact_solver(),
               "How the impulses of many contacts of rigid bodies are found, where all bodies are rigid.");
  return object;
}

Object<MoreauSpec> describe_moreau() {
  Object<MoreauSpec> object(
      "moreau",
      "Moreau's midpoint time stepping, for rigid bodies and bodies with generalised coordinates: explicit but for the "
      "contacts. Of "
      "first order where the mass matrix changes with the configuration; the energy that its explicit gyroscopic "
      "terms make or take is booked as gyroscopic. For comparison with moreau-variational.");
  object.field("contact_solver", &MoreauSpec::contact_solver, describe_contact_solver(),
               "How the impulses of many contacts of rigid bodies are found.");
  return object;
}

Object<OwnSystemSpec> describe_own_system() {
  using Spec = OwnSystemSpec;
  Object<Spec> object("own-system",
                      "A system with generalised coordinates that a program brings under the name of the body. The "
                      "program `ictus` has none.");
  object.field("restitution", &Spec::restitution, share(), "Coefficient of restitution of its contacts.")
      .field("friction", &Spec::friction, number().at_least(0), "Coefficient of Coulomb friction of its contacts.")
      .field("tangential_restitution", &Spec::tangential_restitution, share(),
             "Coefficient of restitution of the sliding velocity, within the bounds of friction.");
  return object;
}

}  // namespace ictus::scene
