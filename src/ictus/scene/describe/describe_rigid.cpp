#include <ictus/scene/describe/describe.hpp>

#include <algorithm>

namespace ictus::scene {

namespace {

Object<RigidGridSpec> grid() {
  Object<RigidGridSpec> object("grid", "Equal bodies on the points of a grid that starts at `position`.");
  object
      .required("count", &RigidGridSpec::count,
                Typed<std::array<int, 3>>{std::make_shared<ListKindOf<std::array<int, 3>>>(integer(1).kind, 3)},
                "How many along x, y and z.")
      .required("spacing", &RigidGridSpec::spacing, vector(quantity(dimension::length)),
                "From one centre to the next along x, y and z.")
      .field("jitter", &RigidGridSpec::jitter, quantity(dimension::length).at_least(0),
             "Each body is moved by up to this much along each axis, at random.")
      .field("turned", &RigidGridSpec::turned, boolean(), "Each body is turned at random.")
      .field("seed", &RigidGridSpec::seed, integer(0), "Of the random numbers: the same seed gives the same bodies.")
      .check([](const RigidGridSpec& spec, const std::string& path, Reading& reading) {
        if (spec.seed != RigidGridSpec{}.seed && spec.jitter == 0 && !spec.turned)
          reading.mistake(join(path, "seed"), "has no meaning where nothing is random; give jitter or turned");
      });
  return object;
}

Object<RigidRandomSpec> random() {
  Object<RigidRandomSpec> object("random", "Equal bodies at random places in a box, none touching another.");
  object.required("count", &RigidRandomSpec::count, integer(1), "How many.")
      .required("from", &RigidRandomSpec::from, vector(quantity(dimension::length)),
                "One corner of the box of centres.")
      .required("to", &RigidRandomSpec::to, vector(quantity(dimension::length)), "The opposite corner.")
      .field("turned", &RigidRandomSpec::turned, boolean(), "Each body is turned at random.")
      .field("seed", &RigidRandomSpec::seed, integer(0), "Of the random numbers: the same seed gives the same bodies.");
  return object;
}

template <class S>
Object<S> with_bounds(Object<S> object) {
  object.required("from", &S::from, quantity(dimension::length).positive(), "The smallest radius.")
      .required("to", &S::to, quantity(dimension::length).positive(), "The largest radius.")
      .field("seed", &S::seed, integer(0), "Of the random numbers: the same seed gives the same bodies.")
      .check([](const S& spec, const std::string& path, Reading& reading) {
        if (!(spec.from < spec.to)) reading.mistake(join(path, "from"), "must be below to");
      });
  return object;
}

Typed<RadiiSpec> radii() {
  Object<UniformRadii> uniform("uniform", "Every radius between two is as likely.");
  Object<NormalRadii> normal("normal", "The normal distribution, cut at two radii.");
  normal.required("mean", &NormalRadii::mean, quantity(dimension::length).positive(), "Its middle.")
      .required("deviation", &NormalRadii::deviation, quantity(dimension::length).positive(), "Its deviation.");
  Object<LognormalRadii> lognormal("lognormal", "The logarithm is normally distributed; cut at two radii.");
  lognormal.required("median", &LognormalRadii::median, quantity(dimension::length).positive(), "Half are smaller.")
      .required("deviation", &LognormalRadii::deviation, number().positive(), "Deviation of the natural logarithm.");
  Object<TableOfRadii> table("table", "Some sizes, as of a sieve.");
  table
      .required("values", &TableOfRadii::values, list(Typed<double>(quantity(dimension::length).positive())),
                "The radii.")
      .required("shares", &TableOfRadii::shares, list(Typed<double>(number().at_least(0))),
                "The share of the number of bodies that each has; their sum does not matter.")
      .field("seed", &TableOfRadii::seed, integer(0), "Of the random numbers: the same seed gives the same bodies.")
      .check([](const TableOfRadii& spec, const std::string& path, Reading& reading) {
        if (spec.values.empty()) reading.mistake(join(path, "values"), "must have one radius or more");
        if (spec.values.size() != spec.shares.size())
          reading.mistake(join(path, "shares"), "must have as many shares as values");
        if (std::all_of(spec.shares.begin(), spec.shares.end(), [](double share) { return share == 0; }))
          reading.mistake(join(path, "shares"), "must have one above 0");
      });
  return variant(with_bounds(uniform), with_bounds(normal), with_bounds(lognormal), table);
}

template <class S, class M>
M S::*of(M RigidSpec::*member) {
  return member;
}

/// The keys that every rigid body has.
template <class S>
void add_common(Object<S>& object) {
  object
      .field("density", of<S>(&RigidSpec::density), quantity(dimension::density).positive(),
             "Mass per volume. Absent: 1000 kg/m³, unless the mass is given.")
      .field("mass", of<S>(&RigidSpec::mass), quantity(dimension::mass).positive(),
             "Mass of one body, in place of the density. Absent: from the density.")
      .check([](const S& spec, const std::string& path, Reading& reading) {
        if (spec.density && spec.mass)
          reading.mistake(join(path, "density"), "has no meaning beside mass; leave one of them out");
        if (spec.fixed && (spec.density || spec.mass))
          reading.mistake(join(path, spec.mass ? "mass" : "density"),
                          "has no meaning for a body that is fixed; leave it out");
        if (!spec.fixed && spec.until)
          reading.mistake(join(path, "until"), "is for bodies that are held; give fixed: true, or leave it out");
        if (spec.fixed && spec.drag > 0)
          reading.mistake(join(path, "drag"), "has no meaning for a body that is fixed; leave it out");
        if (spec.fixed && spec.velocity != Vec3{})
          reading.mistake(join(path, "velocity"), "a body that is fixed does not move; leave it out");
        if (spec.fixed && spec.angular_velocity != Vec3{})
          reading.mistake(join(path, "angular_velocity"), "a body that is fixed does not turn; leave it out");
      })
      .field("position", of<S>(&RigidSpec::position), vector(quantity(dimension::length)),
             "Where the origin of the shape is: its centre, or that of its vertices' coordinates. Moves a grid as a "
             "whole.")
      .field("rotation", of<S>(&RigidSpec::rotation), vector(quantity(dimension::angle)),
             "Turns the shape about its origin: the axis times the angle.")
      .field("velocity", of<S>(&RigidSpec::velocity), vector(quantity(dimension::velocity)),
             "Initial velocity of the centre of mass.")
      .field("angular_velocity", of<S>(&RigidSpec::angular_velocity), vector(quantity(dimension::angular_velocity)),
             "Initial angular velocity in the axes of the scene.")
      .field("drag", of<S>(&RigidSpec::drag), quantity(Dimension{0, 0, -1, 0}).at_least(0),
             "What the surroundings take: forces of −drag × mass × velocity and moments of −drag × inertia × angular "
             "velocity, under which free motion dies away as exp(−drag·t). Booked as `damping`.")
      .field("fixed", of<S>(&RigidSpec::fixed), boolean(),
             "Held where it is, whatever pushes it, or where a support-motion or support-rotation takes it.")
      .field("until", of<S>(&RigidSpec::until), quantity(dimension::time).positive(),
             "Of a fixed body: when it vanishes; from then on it touches nothing. Absent: it stays.")
      .field("grid", of<S>(&RigidSpec::grid), grid(), "Many bodies on a grid. Absent: one body.")
      .field("random", of<S>(&RigidSpec::random), random(), "Many bodies at random places. Absent: one body.")
      .field("places", of<S>(&RigidSpec::places), text("a file name"),
             "Many bodies: a text file with a line `x y z` for each, in m, added to `position`. Its path is from the "
             "scene's folder. Absent: one body.");
}

}  // namespace

Object<SphereSpec> describe_sphere() {
  Object<SphereSpec> object("sphere", "A rigid sphere, or many of one size or of different ones.");
  object.field("radius", &SphereSpec::radius, quantity(dimension::length).positive(), "Radius.")
      .field("radii", &SphereSpec::radii, radii(),
             "Each body has a radius of its own from this distribution, and the mass of the density.")
      .exactly_one_of({{"radius"}, {"radii"}})
      .check([](const SphereSpec& spec, const std::string& path, Reading& reading) {
        if (spec.radii && spec.mass)
          reading.mistake(join(path, "mass"), "is not one where radii differ; give the density");
      });
  add_common(object);
  return object;
}

Object<BoxSpec> describe_box() {
  Object<BoxSpec> object("box", "A rigid box, or many equal ones.");
  object.required("size", &BoxSpec::size, vector(quantity(dimension::length).positive()), "Lengths of its edges.");
  add_common(object);
  return object;
}

Object<CapsuleSpec> describe_capsule() {
  Object<CapsuleSpec> object("capsule", "A rigid cylinder along z with half spheres as ends, or many equal ones.");
  object.required("radius", &CapsuleSpec::radius, quantity(dimension::length).positive(), "Radius.")
      .required("length", &CapsuleSpec::length, quantity(dimension::length).positive(),
                "Between the centres of the half spheres.");
  add_common(object);
  return object;
}

Object<ConvexSpec> describe_convex() {
  Object<ConvexSpec> object("convex", "A rigid convex body, or many equal ones: the hull of points.");
  object
      .field("vertices", &ConvexSpec::vertices, list(vector(quantity(dimension::length))),
             "Points whose hull the body is.")
      .field("mesh", &ConvexSpec::mesh, text("a file name"),
             "An OBJ, STL or PLY file whose vertices' hull the body is.")
      .field("scale", &ConvexSpec::scale, number().positive(), "Multiplies the points.")
      .exactly_one_of({{"vertices"}, {"mesh"}});
  add_common(object);
  return object;
}

namespace {

/// Of bodies of revolution about z.
template <class S>
Object<S> revolved(const std::string& name, const std::string& doc, const std::string& where) {
  Object<S> object(name, doc);
  object.required("radius", &S::radius, quantity(dimension::length).positive(), "Radius" + where)
      .required("length", &S::length, quantity(dimension::length).positive(), "Along the axis.")
      .field("around", &S::around, integer(3),
             "Sides of the prism or pyramid, inscribed to it, that touches others. Mass and inertia are those of the "
             "round body.");
  add_common(object);
  return object;
}

Object<CompoundPartSpec> part() {
  Object<CompoundPartSpec> object("part", "A shape with its place in the body.");
  object
      .required("shape", &CompoundPartSpec::shape,
                one_of<PartShape>({{PartShape::sphere, "sphere", "with a radius"},
                                   {PartShape::box, "box", "with a size"},
                                   {PartShape::capsule, "capsule", "along z, with radius and length between the caps"},
                                   {PartShape::cylinder, "cylinder", "along z, with radius and length"},
                                   {PartShape::cone, "cone", "with its base at its origin and its tip along z"}}),
                "Which.")
      .field("radius", &CompoundPartSpec::radius, quantity(dimension::length).positive(),
             "Of all but boxes. Absent: of a box.")
      .field("length", &CompoundPartSpec::length, quantity(dimension::length).positive(),
             "Of capsules, cylinders and cones. Absent: of the others.")
      .field("size", &CompoundPartSpec::size, vector(quantity(dimension::length).positive()),
             "Edges of a box. Absent: of the others.")
      .field("position", &CompoundPartSpec::position, vector(quantity(dimension::length)),
             "Of its origin, in the axes of the body.")
      .field("rotation", &CompoundPartSpec::rotation, vector(quantity(dimension::angle)),
             "Turns it about its origin: the axis times the angle.")
      .field("density", &CompoundPartSpec::density, quantity(dimension::density).positive(),
             "Absent: that of the body.")
      .check([](const CompoundPartSpec& spec, const std::string& path, Reading& reading) {
        const bool is_box = spec.shape == PartShape::box, is_sphere = spec.shape == PartShape::sphere;
        const auto check = [&](const char* key, bool given, bool wanted) {
          if (given != wanted)
            reading.mistake(join(path, key), wanted ? "is needed for this shape" : "has no meaning for this shape");
        };
        check("size", spec.size.has_value(), is_box);
        check("radius", spec.radius.has_value(), !is_box);
        check("length", spec.length.has_value(), !is_box && !is_sphere);
      });
  return object;
}

}  // namespace

Object<CylinderSpec> describe_cylinder() {
  return revolved<CylinderSpec>("cylinder", "A rigid cylinder along z about its middle, or many equal ones.", ".");
}

Object<ConeSpec> describe_cone() {
  return revolved<ConeSpec>(
      "cone", "A rigid cone with its base about the origin and its tip along z, or many equal ones.", " of the base.");
}

Object<RigidMeshSpec> describe_rigid_mesh() {
  Object<RigidMeshSpec> object("mesh",
                               "A rigid body within a closed surface of triangles, convex or not, or many equal ones. "
                               "Its mass, centre and inertia are integrated exactly.");
  const Typed<std::array<int, 3>> triangle{std::make_shared<ListKindOf<std::array<int, 3>>>(integer(0).kind, 3)};
  object
      .field("file", &RigidMeshSpec::file, text("a file name"),
             "An OBJ, STL or PLY file, or the triangles of a mesh of Gmsh (.msh) or Abaqus (.inp: S3), from the folder "
             "of the scene.")
      .field("vertices", &RigidMeshSpec::vertices, list(vector(quantity(dimension::length))), "Its corners.")
      .field("triangles", &RigidMeshSpec::triangles, list(triangle),
             "Three numbers of corners each, from 0, wound outwards by the right hand.")
      .field("scale", &RigidMeshSpec::scale, number().positive(), "Multiplies the coordinates.")
      .exactly_one_of({{"file"}, {"vertices", "triangles"}})
      .together({"vertices", "triangles"});
  add_common(object);
  return object;
}

Object<CompoundSpec> describe_compound() {
  Object<CompoundSpec> object("compound",
                              "A rigid body of several shapes, or many equal ones. Masses and inertias add up; where "
                              "shapes overlap both count. Spheres and capsules of one radius are round, others are "
                              "faceted where they touch.");
  object.required("parts", &CompoundSpec::parts, list(Typed<CompoundPartSpec>(part())), "The shapes.");
  add_common(object);
  return object;
}

Object<HeightfieldSpec> describe_heightfield() {
  Object<HeightfieldSpec> object("heightfield", "Ground that does not move: heights on a grid, cut into triangles.");
  const Typed<std::vector<double>> row = list(Typed<double>(quantity(dimension::length)));
  object.field("heights", &HeightfieldSpec::heights, list(row), "Heights: a list along x for each place along y.")
      .field("file", &HeightfieldSpec::file, text("a file name"),
             "A text file with the heights of a row in each line, in m, from the folder of the scene.")
      .required("spacing_x", &HeightfieldSpec::spacing_x, quantity(dimension::length).positive(),
                "Between neighbours along x.")
      .required("spacing_y", &HeightfieldSpec::spacing_y, quantity(dimension::length).positive(),
                "Between neighbours along y.")
      .field("scale", &HeightfieldSpec::scale, number(), "Multiplies the heights.")
      .field("position", &HeightfieldSpec::position, vector(quantity(dimension::length)),
             "Where the middle of the grid is, at height 0.")
      .field("until", &HeightfieldSpec::until, quantity(dimension::time).positive(),
             "When it vanishes: from then on it touches nothing. Absent: it stays.")
      .exactly_one_of({{"heights"}, {"file"}});
  return object;
}

}  // namespace ictus::scene
