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

Object<SphereSpec> rigid_sphere() {
  Object<SphereSpec> object("sphere", "A sphere, or of many bodies spheres of different sizes.");
  object.field("radius", &SphereSpec::radius, quantity(dimension::length).positive(), "Radius.")
      .field("radii", &SphereSpec::radii, radii(),
             "Each body has a radius of its own from this distribution, and the mass of the density.")
      .exactly_one_of({{"radius"}, {"radii"}});
  return object;
}

Object<BoxSpec> box_of_edges() {
  Object<BoxSpec> object("box", "A box about its middle.");
  object.required("size", &BoxSpec::size, vector(quantity(dimension::length).positive()), "Lengths of its edges.");
  return object;
}

Object<CapsuleSpec> capsule() {
  Object<CapsuleSpec> object("capsule", "A cylinder along z about its middle with half spheres as ends.");
  object.required("radius", &CapsuleSpec::radius, quantity(dimension::length).positive(), "Radius.")
      .required("length", &CapsuleSpec::length, quantity(dimension::length).positive(),
                "Between the centres of the half spheres.");
  return object;
}

Object<ConvexSpec> convex() {
  Object<ConvexSpec> object("convex", "The hull of points.");
  object
      .field("vertices", &ConvexSpec::vertices, list(vector(quantity(dimension::length))),
             "Points whose hull the body is.")
      .field("file", &ConvexSpec::file, text("a file name"),
             "An OBJ, STL or PLY file whose vertices' hull the body is.")
      .field("scale", &ConvexSpec::scale, number().positive(), "Multiplies the points.")
      .exactly_one_of({{"vertices"}, {"file"}});
  return object;
}

/// Of bodies of revolution about z.
template <class S>
Object<S> revolved(const std::string& name, const std::string& doc, const std::string& where) {
  Object<S> object(name, doc);
  object.required("radius", &S::radius, quantity(dimension::length).positive(), "Radius" + where)
      .required("length", &S::length, quantity(dimension::length).positive(), "Along the axis.")
      .field("cells", &S::cells, integer(3),
             "Sides of the prism or pyramid, inscribed to it, that touches others. Mass and inertia are those of the "
             "round body.");
  return object;
}

Object<CylinderSpec> round_cylinder() {
  return revolved<CylinderSpec>("cylinder", "A cylinder along z about its middle.", ".");
}

Object<ConeSpec> cone() {
  return revolved<ConeSpec>("cone", "A cone with its base about the origin and its tip along z.", " of the base.");
}

Object<CompoundPartSpec> part() {
  Object<BallSpec> ball("sphere", "A sphere.");
  ball.required("radius", &BallSpec::radius, quantity(dimension::length).positive(), "Radius.");
  Object<CompoundPartSpec> object("part", "A shape with its place in the body.");
  object
      .required("shape", &CompoundPartSpec::shape, variant(ball, box_of_edges(), capsule(), round_cylinder(), cone()),
                "Its shape.")
      .field("position", &CompoundPartSpec::position, vector(quantity(dimension::length)),
             "Of its origin, in the axes of the body.")
      .field("rotation", &CompoundPartSpec::rotation, vector(quantity(dimension::angle)),
             "Turns it about its origin: the axis times the angle.")
      .field("density", &CompoundPartSpec::density, quantity(dimension::density).positive(),
             "Absent: that of the body.");
  return object;
}

Object<RigidMeshSpec> closed_mesh() {
  Object<RigidMeshSpec> object("mesh",
                               "What a closed surface of triangles encloses, convex or not. Mass, centre and inertia "
                               "are integrated exactly.");
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
  return object;
}

Object<CompoundSpec> compound() {
  Object<CompoundSpec> object("compound",
                              "Several shapes. Masses and inertias add up; where "
                              "shapes overlap both count. Spheres and capsules of one radius are round, others are "
                              "faceted where they touch.");
  object.required("parts", &CompoundSpec::parts, list(Typed<CompoundPartSpec>(part())), "The shapes.");
  return object;
}

Object<HeightfieldSpec> heightfield() {
  Object<HeightfieldSpec> object("heightfield",
                                 "Ground: heights on a grid about its middle, cut into triangles; of a body that is "
                                 "fixed.");
  const Typed<std::vector<double>> row = list(Typed<double>(quantity(dimension::length)));
  object.field("heights", &HeightfieldSpec::heights, list(row), "Heights: a list along x for each place along y.")
      .field("file", &HeightfieldSpec::file, text("a file name"),
             "A text file with the heights of a row in each line, in m, from the folder of the scene.")
      .required("spacing_x", &HeightfieldSpec::spacing_x, quantity(dimension::length).positive(),
                "Between neighbours along x.")
      .required("spacing_y", &HeightfieldSpec::spacing_y, quantity(dimension::length).positive(),
                "Between neighbours along y.")
      .field("scale", &HeightfieldSpec::scale, number(), "Multiplies the heights.")
      .exactly_one_of({{"heights"}, {"file"}});
  return object;
}

Object<RigidFileSpec> places_of_file() {
  Object<RigidFileSpec> object("file", "Bodies at places of a file.");
  object.required("file", &RigidFileSpec::file, text("the name of a file"),
                  "A text file with a line `x y z` for each, in m, added to `position`; from the folder of the scene.");
  return object;
}

/// What a body that is fixed, or whose radii differ, cannot have.
void check_rigid(const RigidSpec& spec, const std::string& path, Reading& reading) {
  if (spec.density && spec.mass)
    reading.mistake(join(path, "density"), "has no meaning beside mass; leave one of them out");
  if (spec.inertia && !spec.mass) reading.mistake(join(path, "inertia"), "is given with mass");
  if (spec.centre_of_mass && !spec.inertia)
    reading.mistake(join(path, "centre_of_mass"), "is given with mass and inertia");
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
  const auto* sphere_shape = std::get_if<SphereSpec>(&spec.shape);
  if (sphere_shape != nullptr && sphere_shape->radii && spec.mass)
    reading.mistake(join(path, "mass"), "is not one where radii differ; give the density");
  if (std::holds_alternative<HeightfieldSpec>(spec.shape) && !spec.fixed)
    reading.mistake(join(path, "fixed"), "must be true: ground of heights does not move");
}

}  // namespace

Object<RigidSpec> describe_rigid() {
  Object<RigidSpec> object("rigid", "A rigid body, or many of one shape.");
  object
      .required("shape", &RigidSpec::shape,
                variant(rigid_sphere(), box_of_edges(), capsule(), convex(), round_cylinder(), cone(), closed_mesh(),
                        compound(), heightfield()),
                "Its shape.")
      .field("density", &RigidSpec::density, quantity(dimension::density).positive(),
             "Mass per volume. Absent: 1000 kg/m³, unless the mass is given.")
      .field("mass", &RigidSpec::mass, quantity(dimension::mass).positive(),
             "Mass of one body, in place of the density. Absent: from the density.")
      .field("inertia", &RigidSpec::inertia,
             Typed<std::array<double, 6>>{std::make_shared<ListKindOf<std::array<double, 6>>>(
                 Typed<double>(quantity(dimension::rotary_inertia)).kind, 6)},
             "Moments and products of inertia xx, yy, zz, xy, xz, yz about the centre of mass along the axes of the "
             "shape, with `mass`; products as entries of the matrix. Absent: those of the shape.")
      .field("centre_of_mass", &RigidSpec::centre_of_mass, vector(quantity(dimension::length)),
             "In the axes of the shape, with `inertia`. Absent: that of the shape.")
      .field("position", &RigidSpec::position, vector(quantity(dimension::length)),
             "Where the origin of the shape is: its centre, or that of its vertices' coordinates. Moves copies as a "
             "whole.")
      .field("rotation", &RigidSpec::rotation, vector(quantity(dimension::angle)),
             "Turns the shape about its origin: the axis times the angle.")
      .field("velocity", &RigidSpec::velocity, vector(quantity(dimension::velocity)),
             "Initial velocity of the centre of mass.")
      .field("angular_velocity", &RigidSpec::angular_velocity, vector(quantity(dimension::angular_velocity)),
             "Initial angular velocity in the axes of the scene.")
      .field("drag", &RigidSpec::drag, quantity(Dimension{0, 0, -1, 0}).at_least(0),
             "What the surroundings take: forces of −drag × mass × velocity and moments of −drag × inertia × angular "
             "velocity, under which free motion dies away as exp(−drag·t). Booked as `damping`.")
      .field("fixed", &RigidSpec::fixed, boolean(),
             "Held where it is, whatever pushes it, or where a support-motion or support-rotation takes it.")
      .field("until", &RigidSpec::until, quantity(dimension::time).positive(),
             "Of a fixed body: when it vanishes; from then on it touches nothing. Absent: it stays.")
      .field("copies", &RigidSpec::copies, variant(grid(), random(), places_of_file()),
             "Many bodies of this shape. Absent: one body.")
      .check(check_rigid);
  return object;
}

}  // namespace ictus::scene
