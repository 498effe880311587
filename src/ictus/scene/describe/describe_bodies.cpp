#include <ictus/scene/describe/describe.hpp>

#include <fmt/format.h>

namespace ictus::scene {

namespace {

Object<BarSpec> bar() {
  Object<BarSpec> object("bar", "A straight elastic bar that stretches and compresses along its axis.");
  object.required("length", &BarSpec::length, quantity(dimension::length).positive(), "Length at rest.")
      .required("cells", &BarSpec::cells, integer(1), "Number of elements of equal length.")
      .required("density", &BarSpec::density, quantity(dimension::density).positive(), "Mass per volume.")
      .required("youngs_modulus", &BarSpec::youngs_modulus, quantity(dimension::stress).positive(), "Young's modulus.")
      .field("area", &BarSpec::area, quantity(dimension::area).positive(), "Area of the cross-section.")
      .field("position", &BarSpec::position, vector(quantity(dimension::length)), "Where the start of the bar is.")
      .field("direction", &BarSpec::direction, direction(), "From the start to the end; its length does not matter.")
      .field("velocity", &BarSpec::velocity, vector(quantity(dimension::velocity)), "Initial velocity of every point.")
      .field("supports", &BarSpec::supports, describe_end_supports("held where it starts"), "Ends that are held.")
      .field(
          "material", &BarSpec::material,
          one_of<BarMaterial>({{BarMaterial::linear, "linear", "stress = E · (stretch − 1)"},
                               {BarMaterial::st_venant_kirchhoff, "st-venant-kirchhoff",
                                "second Piola-Kirchhoff stress = E · (stretch² − 1)/2, which softens in compression"}}),
          "Law between stretch and stress.")
      .field("damping", &BarSpec::damping, Typed<RayleighSpec>(describe_rayleigh()), "Damping of its motion.")
      .field("implicit", &BarSpec::implicit, boolean(), describe_implicit());
  return object;
}

Object<PlaneSpec> plane() {
  Object<PlaneSpec> object("plane",
                           "A rigid plane: bodies are on the side that the normal points to. It stays where it is, "
                           "or follows a support-motion or support-rotation.");
  object.required("position", &PlaneSpec::position, vector(quantity(dimension::length)), "Any point of the plane.")
      .required("normal", &PlaneSpec::normal, direction(), "Towards the free side; its length does not matter.")
      .field("until", &PlaneSpec::until, quantity(dimension::time).positive(),
             "When it vanishes: from then on it touches nothing. Absent: it stays.");
  return object;
}

Object<OwnBodySpec> own_body() {
  return {"own-body",
          "A body of nodes that a program brings under the name of the body. The program `ictus` has none."};
}

}  // namespace

Typed<std::vector<EndSupportSpec>> describe_end_supports(const std::string& how) {
  Object<EndSupportSpec> object("end support", fmt::format("An end that is {}.", how));
  object.required("at", &EndSupportSpec::at,
                  one_of<End>({{End::start, "start", "the start"}, {End::end, "end", "the end"}}), "Which end.");
  return list(Typed<EndSupportSpec>(object));
}

Typed<Body> describe_bodies() {
  return variant(bar(), plane(), describe_lie_beam(), describe_spring_pendulum(), describe_point_mass(),
                 describe_slider(), describe_woodpecker(), describe_rigid(), describe_solid(), describe_shell(),
                 describe_frame(), describe_own_system(), own_body());
}

}  // namespace ictus::scene
