#include <ictus/scene/describe/describe.hpp>

namespace ictus::scene {

namespace {

/// Fine steps in one implicit step: loads are known ahead for all of them, and a run is interrupted only between.
constexpr int max_ratio = 10000;

Object<ImplicitDomainSpec> domain() {
  Object<ImplicitDomainSpec> object(
      "implicit domain",
      "Bodies, or parts of frames and solids, that move implicitly together. A body that is cut is tied again; its "
      "surface meets others where it is explicit. Probes, loads and supports name the whole.");
  object.required("bodies", &ImplicitDomainSpec::bodies, list(text("the name of a body")), "The bodies.")
      .field(
          "set", &ImplicitDomainSpec::set, text("the name of a set"),
          "Only the members of these frames that belong to this set, and the elements of these solids with all nodes "
          "in it. Absent: all of them.")
      .field("box", &ImplicitDomainSpec::box, Typed<RegionSpec>(describe_region()),
             "Only the elements of these bodies whose middle lies in this box. Absent: all of them.")
      .field("ratio", &ImplicitDomainSpec::ratio, integer(1, max_ratio),
             "Its own steps in fine steps; must divide the largest one. Absent: the integrator's ratio.");
  return object;
}

}  // namespace

Object<RegionSpec> describe_region() {
  Object<RegionSpec> object("box", "A box along the axes.");
  object
      .required("from", &RegionSpec::from, vector(quantity(dimension::length)),
                "The corner with the least coordinates.")
      .required("to", &RegionSpec::to, vector(quantity(dimension::length)), "The opposite corner.")
      .check([](const RegionSpec& b, const std::string& path, Reading& reading) {
        for (std::size_t c = 0; c < 3; ++c) {
          if (b.from[c] > b.to[c]) return reading.mistake(path, "is empty: `from` is above `to`");
        }
      });
  return object;
}

Object<CoupledSpec> describe_coupled() {
  Object<CoupledSpec> object(
      "coupled",
      "Explicit and implicit domains with steps of their own (fekak-2017, its coupling put right): CD-Lagrange with "
      "contact at time.step where nothing is said, implicit Newmark with `ratio` times that step in the domains that "
      "are listed. Velocities are equal on both sides of every tie at every fine step; what the ties cost is in the "
      "ledger as interface. Implicit bodies touch nothing; those that are not linear are found by Newton's method. "
      "A restitution is refused.");
  object.required("ratio", &CoupledSpec::ratio, integer(1, max_ratio), "Implicit step over time.step.")
      .required("implicit", &CoupledSpec::implicit, list(Typed<ImplicitDomainSpec>(domain())),
                "The implicit domains; every body that is in none is explicit.");
  return object;
}

Object<TieSpec> describe_tie() {
  Object<TieSpec> object(
      "tie",
      "Nodes of two bodies (frames, bars, solids, shells) that lie at one place move together. A node of the first "
      "body on an element of the second, between its nodes, moves with their linear interpolation. Faces of solids and "
      "shells that lie on each other may have meshes that do not match: uniform stress passes them exactly, whichever "
      "body comes first.");
  object.required("between", &TieSpec::between, pair(text("the name of a body")), "The two bodies.")
      .field("tolerance", &TieSpec::tolerance, quantity(dimension::length).at_least(0),
             "How far nodes at one place may be apart.");
  return object;
}

}  // namespace ictus::scene
