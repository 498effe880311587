#include <ictus/scene/describe/describe.hpp>

#include <fmt/format.h>

namespace ictus::scene {

namespace {

constexpr Dimension mass_per_length{-1, 1, 0, 0};
constexpr Dimension inertia_per_length{1, 1, 0, 0};
constexpr Dimension bending_stiffness{3, 1, -2, 0};
constexpr Dimension force_per_length{0, 1, -2, 0};

Typed<Section> section() {
  Object<SquareSpec> square("square", "A square.");
  square.required("side", &SquareSpec::side, quantity(dimension::length).positive(), "Side.");
  Object<RectangleSpec> rectangle("rectangle", "A rectangle.");
  rectangle
      .required("width", &RectangleSpec::width, quantity(dimension::length).positive(),
                "Along the first axis of the section.")
      .required("height", &RectangleSpec::height, quantity(dimension::length).positive(), "Along the second axis.");
  Object<CircleSpec> circle("circle", "A full circle.");
  circle.required("radius", &CircleSpec::radius, quantity(dimension::length).positive(), "Radius.");
  Object<PipeSpec> pipe("pipe", "A ring.");
  pipe.required("outer_radius", &PipeSpec::outer_radius, quantity(dimension::length).positive(), "Outer radius.")
      .required("inner_radius", &PipeSpec::inner_radius, quantity(dimension::length).at_least(0), "Inner radius.")
      .check([](const PipeSpec& spec, const std::string& path, Reading& reading) {
        if (spec.inner_radius >= spec.outer_radius)
          reading.mistake(path + ".inner_radius", "must be smaller than outer_radius");
      });
  Object<ExplicitSectionSpec> given(
      "explicit", "Mass, inertia and stiffness per length, given as numbers; planes touch the axis of such a beam.");
  given.required("mass", &ExplicitSectionSpec::mass, quantity(mass_per_length).positive(), "Mass per length.")
      .required("inertia", &ExplicitSectionSpec::inertia, vector(quantity(inertia_per_length).positive()),
                "Rotary inertia per length about the three axes of the section.")
      .required("stretch", &ExplicitSectionSpec::stretch, vector(quantity(dimension::force).positive()),
                "Shear stiffness along the first two axes, axial stiffness along the third.")
      .required("bend", &ExplicitSectionSpec::bend, vector(quantity(bending_stiffness).positive()),
                "Bending stiffness about the first two axes, torsion stiffness about the third.");
  return variant(square, rectangle, circle, pipe, given);
}

Typed<BeamLoadSpec> load(const std::string& name, const Dimension& force_dimension, const Dimension& moment_dimension) {
  Object<BeamLoadSpec> object(name, "A load that does not change, in the directions of space.");
  object.field("force", &BeamLoadSpec::force, vector(quantity(force_dimension)), "Force.")
      .field("moment", &BeamLoadSpec::moment, vector(quantity(moment_dimension)), "Moment.");
  return object;
}

Typed<BeamMoveSpec> moved() {
  Object<BeamMoveSpec> object("moved", "Another configuration of the beam, and when it would be there.");
  object.field("position", &BeamMoveSpec::position, vector(quantity(dimension::length)), "Where the start is then.")
      .field("rotation", &BeamMoveSpec::rotation, vector(quantity(dimension::angle)),
             "How it is turned then: axis times angle.")
      .field("strains", &BeamMoveSpec::strains, list(twist()),
             "The strains then: one for all elements, or one for each.")
      .required("in", &BeamMoveSpec::in, quantity(dimension::time).positive(), "After this time.");
  return object;
}

Typed<BeamBoundarySpec> boundary() {
  Object<BeamBoundarySpec> object("boundary", "How the first section and its neighbour move at all times.");
  object
      .required("first", &BeamBoundarySpec::first, list(twist()),
                "Velocity of the first section: one for the whole time, or one for each time step.")
      .required("second", &BeamBoundarySpec::second, list(twist()), "The same of its neighbour.");
  return object;
}

Typed<BeamCurve> beam_curve() {
  Object<BeamArcSpec> arc("arc",
                          "Part of a circle, which leaves the start along the beam and bends towards the first axis of "
                          "its section.");
  arc.required("radius", &BeamArcSpec::radius, quantity(dimension::length).positive(), "Of the circle.")
      .required("angle", &BeamArcSpec::angle, quantity(dimension::angle).positive(), "Of the part.");
  Object<BeamPointsSpec> points("points",
                                "Straight lines from point to point, cut into elements of equal length; a corner lies "
                                "between two nodes unless the lengths of the lines suit the elements.");
  points
      .required("points", &BeamPointsSpec::points, list(vector(quantity(dimension::length))),
                "From the start to the end, in the axes that position and rotation give.")
      .check([](const BeamPointsSpec& spec, const std::string& path, Reading& reading) {
        if (spec.points.size() < 2) return reading.mistake(path + ".points", "must be two or more");
        for (std::size_t i = 1; i < spec.points.size(); ++i) {
          if (spec.points[i] == spec.points[i - 1])
            reading.mistake(fmt::format("{}.points.{}", path, i), "is where the one before is");
        }
      });
  return variant(arc, points);
}

/// A list has no entry, one for all, or one for each.
void check_count(const std::vector<Twist>& list, int each, const std::string& what, const std::string& path,
                 Reading& reading) {
  const auto count = static_cast<int>(list.size());
  if (count <= 1 || count == each) return;
  reading.mistake(path, fmt::format("has {} entries; give one for all, or {}, one for each {}", count, each, what));
}

constexpr int slender_cells = 6;  // no node is among the three next to both ends

void check_beam(const LieBeamSpec& spec, const std::string& path, Reading& reading) {
  const bool shaped = !std::holds_alternative<ExplicitSectionSpec>(spec.section);
  const auto needs = [&](const std::string& key, bool given) {
    if (shaped && !given) reading.mistake(path, key + " is missing: a section given by its shape needs it");
    if (!shaped && given) reading.mistake(path + "." + key, "has no meaning with an explicit section");
  };
  if (spec.curve && !spec.strains.empty())
    reading.mistake(path + ".strains", "has no meaning beside curve, along which the beam lies at the start");
  needs("density", spec.density.has_value());
  needs("youngs_modulus", spec.youngs_modulus.has_value());
  if (spec.slender && spec.cells < slender_cells)
    reading.mistake(path + ".slender", fmt::format("needs {} cells or more", slender_cells));
  check_count(spec.strains, spec.cells, "element", path + ".strains", reading);
  check_count(spec.velocities, spec.cells + 1, "node", path + ".velocities", reading);
  if (spec.moved) check_count(spec.moved->strains, spec.cells, "element", path + ".moved.strains", reading);
  if (static_cast<int>(spec.velocity.has_value()) + static_cast<int>(!spec.velocities.empty()) +
          static_cast<int>(spec.moved.has_value()) >
      1) {
    reading.mistake(path, "velocity, velocities and moved exclude one another");
  }
  const auto held = [&](End end, const BeamLoadSpec& load, const std::string& key) {
    if (holds(spec.supports, end) && load != BeamLoadSpec{})
      reading.mistake(path + "." + key, "moves nothing: this end is clamped; leave it out, or its support");
  };
  held(End::start, spec.start_load, "start_load");
  held(End::end, spec.end_load, "end_load");
}

}  // namespace

Object<LieBeamSpec> describe_lie_beam() {
  Object<LieBeamSpec> object(
      "beam",
      "A geometrically exact beam: a line of rigid cross-sections that stretches, shears, bends and "
      "twists without limit. Twists are six numbers in the axes of a section, the angular part "
      "first: a strain is curvature (1/m) and stretch, [0, 0, 0, 0, 0, 1] at rest; a velocity is "
      "angular velocity (rad/s) and velocity (m/s). Planes touch the outline of the sections at the nodes.");
  object
      .field("length", &LieBeamSpec::length, quantity(dimension::length).positive(),
             "Length at rest of a straight beam. Absent: only with a curve.")
      .field("curve", &LieBeamSpec::curve, beam_curve(),
             "The line along which it lies without stress. Absent: it is straight.")
      .required("cells", &LieBeamSpec::cells, integer(2), "Number of elements of equal length.")
      .required("section", &LieBeamSpec::section, section(), "The cross-section.")
      .field("density", &LieBeamSpec::density, quantity(dimension::density).positive(),
             "Mass per volume. Absent: only with an explicit section.")
      .field("youngs_modulus", &LieBeamSpec::youngs_modulus, quantity(dimension::stress).positive(),
             "Young's modulus. Absent: only with an explicit section.")
      .field("poissons_ratio", &LieBeamSpec::poissons_ratio, number().above(-1).at_most(0.5), "Poisson's ratio.")
      .field("bend_factor", &LieBeamSpec::bend_factor, number().positive(),
             "Factor on the bending and torsion stiffness.")
      .field(
          "slender", &LieBeamSpec::slender, boolean(),
          "Elements for a beam much thinner than its elements are long: they bend under forces on their nodes as "
          "exactly as curved ones (MacNeal's residual bending flexibility), and the nodes next to the ends share "
          "mass and loads so that bending is of fourth order in the size of the elements. Steps are about half of the "
          "time that sound takes through an element, however thin the beam. Needs six elements or more.")
      .field("position", &LieBeamSpec::position, vector(quantity(dimension::length)), "Where the start of the beam is.")
      .field("rotation", &LieBeamSpec::rotation, vector(quantity(dimension::angle)),
             "How the start is turned: axis times angle. Without, the beam points along z.")
      .field("strains", &LieBeamSpec::strains, list(twist()),
             "Initial strains: one for all elements, or one for each; none: straight and at rest.")
      .field("velocity", &LieBeamSpec::velocity, vector(quantity(dimension::velocity)),
             "Initial velocity of every point, in space. Absent: what velocities or moved say, else at rest.")
      .field("velocities", &LieBeamSpec::velocities, list(twist()),
             "Initial velocities: one for all nodes, or one for each.")
      .field(
          "moved", &LieBeamSpec::moved, moved(),
          "Initial velocities as those that take the beam to another configuration. Absent: they are given otherwise.")
      .field("boundary", &LieBeamSpec::boundary, boundary(),
             "For integration in space: how the first two sections move. Absent: only for integration in time.")
      .field("load", &LieBeamSpec::load, load("load", force_per_length, dimension::force),
             "Load per length along the whole beam.")
      .field("start_load", &LieBeamSpec::start_load, load("start_load", dimension::force, dimension::moment),
             "Load on the start.")
      .field("end_load", &LieBeamSpec::end_load, load("end_load", dimension::force, dimension::moment),
             "Load on the end.")
      .field("supports", &LieBeamSpec::supports, describe_end_supports("clamped"),
             "Ends that keep their place and direction.")
      .field("damping", &LieBeamSpec::damping, Typed<RayleighSpec>(describe_rayleigh()), "Damping of its motion.")
      .exactly_one_of({{"length"}, {"curve"}})
      .check(check_beam);
  return object;
}

Object<MultisymplecticBeamSpec> describe_multisymplectic_beam() {
  Object<MultisymplecticBeamSpec> object(
      "multisymplectic-beam",
      "Lie-group variational integrator for geometrically exact beams (demoures-2014, demoures-2016 section 5). "
      "Explicit "
      "but for three equations per node; momentum maps are kept to round-off, the energy oscillates without drift. "
      "Impacts on planes are found at their exact times; elastic ones keep the energy of an interval to round-off, "
      "inelastic ones and friction book their losses.");
  object
      .field(
          "mesh", &MultisymplecticBeamSpec::mesh,
          one_of<BeamMesh>({{BeamMesh::rectangle, "rectangle", "end nodes carry half an element; second order"},
                            {BeamMesh::triangle, "triangle",
                             "every node carries one element, the last node is a dummy (demoures-2014); first order"}}),
          "How space-time is cut up.")
      .field("initial", &MultisymplecticBeamSpec::initial,
             one_of<BeamInitial>(
                 {{BeamInitial::instant, "instant", "those at t = 0; second order"},
                  {BeamInitial::interval, "interval", "those of the whole first step, as in the papers; first order"}}),
             "What the initial velocities are.")
      .field(
          "direction", &MultisymplecticBeamSpec::direction,
          one_of<BeamDirection>({{BeamDirection::time, "time", "from the initial configuration and velocities"},
                                 {BeamDirection::space, "space",
                                  "from the history of the first two sections along the beam (demoures-2014, section "
                                  "5.4), always on triangles; in all results the arc length stands for the time, E_N "
                                  "for the energy and J_N for the momentum"}}),
          "In which direction the beam is integrated.")
      .field("noether", &MultisymplecticBeamSpec::noether, integer(0),
             "Rectangles of space-time watched for the covariant Noether theorem; the summary tells how many were "
             "completed and the largest residual over the sum of the momenta.");
  return object;
}

}  // namespace ictus::scene
