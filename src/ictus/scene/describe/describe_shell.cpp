#include <ictus/scene/describe/describe.hpp>

namespace ictus::scene {

namespace {

Quantity extent() { return quantity(dimension::length).positive(); }

Object<ShellSphereSpec> sphere() {
  Object<ShellSphereSpec> object("sphere", "A sphere about the origin.");
  object.required("radius", &ShellSphereSpec::radius, extent(), "Radius.")
      .field(
          "level", &ShellSphereSpec::level, integer(0, 9),
          "How often the triangles of the base are cut into four; level 4 of the octahedron has 2048, 9 is the most.")
      .field("base", &ShellSphereSpec::base,
             one_of<SphereBase>({{SphereBase::octahedron, "octahedron", "8 triangles"},
                                 {SphereBase::icosahedron, "icosahedron", "20 triangles, more even"}}),
             "The solid that is refined.")
      .field("fit", &ShellSphereSpec::fit,
             one_of<SphereFit>({{SphereFit::vertices, "vertices", "the vertices of the control mesh lie at the radius"},
                                {SphereFit::area, "area", "the limit surface has the area of the sphere"}}),
             "What has the radius.");
  return object;
}

Object<ShellBoxSpec> box_surface() {
  Object<ShellBoxSpec> object("box", "The surface of a box about the origin; the limit surface rounds its edges.");
  object.required("size", &ShellBoxSpec::size, vector(extent()), "Lengths of its edges.")
      .field("divisions", &ShellBoxSpec::divisions, three_counts(), "Squares along x, y and z, each of two triangles.");
  return object;
}

Object<ShellDiscSpec> disc() {
  Object<ShellDiscSpec> object("disc", "A flat disc about the origin, normal to z.");
  object.required("radius", &ShellDiscSpec::radius, extent(), "Radius of the outermost vertices.")
      .field("rings", &ShellDiscSpec::rings, integer(1), "Rings of triangles; n of them have 6n² triangles.");
  return object;
}

Object<ShellPlateSpec> plate() {
  Object<ShellPlateSpec> object("plate", "A flat rectangle about the origin, normal to z.");
  object.required("length_x", &ShellPlateSpec::length_x, extent(), "Length along x.")
      .required("length_y", &ShellPlateSpec::length_y, extent(), "Length along y.")
      .field("elements_x", &ShellPlateSpec::elements_x, integer(1), "Rectangles along x, each of two triangles.")
      .field("elements_y", &ShellPlateSpec::elements_y, integer(1), "Rectangles along y.");
  return object;
}

Object<ShellTubeSpec> tube(const std::string& name, const std::string& doc, bool capped) {
  Object<ShellTubeSpec> object(name, doc);
  object.required("radius", &ShellTubeSpec::radius, extent(), "Radius of the vertices.")
      .required("length", &ShellTubeSpec::length, extent(), "Length along z.")
      .field("around", &ShellTubeSpec::around, integer(3),
             capped ? "Vertices around the axis, a multiple of 6." : "Vertices around the axis.")
      .field("along", &ShellTubeSpec::along, integer(1), "Rows of triangles along the axis.");
  if (capped) {
    object.check([](const ShellTubeSpec& spec, const std::string& path, Reading& reading) {
      if (spec.around % 6 != 0) reading.mistake(path + ".around", "must be a multiple of 6, for the discs at the ends");
    });
    return object;
  }
  object
      .field(
          "arc", &ShellTubeSpec::arc, list(Typed<double>(quantity(dimension::angle))),
          "Two angles from x towards y, at most a full turn apart: the panel of the tube between them, `around` cells "
          "wide. Absent: all of it.")
      .check([](const ShellTubeSpec& spec, const std::string& path, Reading& reading) {
        if (!spec.arc) return;
        const std::vector<double>& arc = *spec.arc;
        if (arc.size() != 2 || !(arc[1] > arc[0]) || arc[1] - arc[0] > 6.2831854)
          reading.mistake(path + ".arc", "must be two angles, the second larger by at most a full turn");
      });
  return object;
}

Object<ShellGridSpec> copies() {
  Object<ShellGridSpec> object("copies", "Copies of the mesh on a grid about the origin; together they are one body.");
  object.required("count", &ShellGridSpec::count, three_counts(), "Copies along x, y and z.")
      .required("spacing", &ShellGridSpec::spacing, vector(quantity(dimension::length)), "Distance of neighbours.");
  return object;
}

Object<ShellMeshSpec> mesh() {
  Object<ShellMeshSpec> object("mesh", "The control mesh: one of the shapes, or a file.");
  object.field("sphere", &ShellMeshSpec::sphere, sphere(), "A sphere.")
      .field("box", &ShellMeshSpec::box, box_surface(), "A box.")
      .field("disc", &ShellMeshSpec::disc, disc(), "A disc.")
      .field("plate", &ShellMeshSpec::plate, plate(), "A rectangle.")
      .field("tube", &ShellMeshSpec::tube,
             tube("tube", "The mantle of a cylinder about z, centred on the origin, ends open.", false), "A tube.")
      .field("cylinder", &ShellMeshSpec::cylinder,
             tube("cylinder", "A cylinder about z, centred on the origin, with discs at its ends.", true),
             "A closed cylinder.")
      .field("file", &ShellMeshSpec::file, text("the name of a file"),
             "An OBJ, STL or PLY file, read in single precision, or the triangles of a mesh of Gmsh (.msh) or Abaqus "
             "(.inp: S3), "
             "from the folder of the scene.")
      .field("scale", &ShellMeshSpec::scale, number().positive(), "Factor of all coordinates.")
      .field("refine", &ShellMeshSpec::refine, integer(0, 6), "Steps of Loop's refinement of the mesh, 6 at most.")
      .field("copies", &ShellMeshSpec::copies, copies(), "The mesh several times. Absent: once.")
      .exactly_one_of({{"sphere"}, {"box"}, {"disc"}, {"plate"}, {"tube"}, {"cylinder"}, {"file"}});
  return object;
}

Object<ShellSupportSpec> support() {
  Object<ShellSupportSpec> object("support", "Holds the vertices of the control mesh that lie in a box in space.");
  object
      .required("kind", &ShellSupportSpec::kind,
                one_of<ShellSupport>({{ShellSupport::pinned, "pinned", "the vertices stay where they are"},
                                      {ShellSupport::clamped, "clamped", "so does the tangent plane there"},
                                      {ShellSupport::symmetric_x, "symmetric-x",
                                       "a mirror normal to x through boundary edges in the box"},
                                      {ShellSupport::symmetric_y, "symmetric-y", "the same normal to y"},
                                      {ShellSupport::symmetric_z, "symmetric-z", "the same normal to z"}}),
                "How they are held.")
      .required("from", &ShellSupportSpec::from, vector(quantity(dimension::length)),
                "The corner of the box with the smallest coordinates.")
      .required("to", &ShellSupportSpec::to, vector(quantity(dimension::length)), "The one with the largest.")
      .field("directions", &ShellSupportSpec::directions, describe_directions(),
             "In which directions pinned vertices are held: `xy` for a diaphragm normal to z.")
      .check([](const ShellSupportSpec& spec, const std::string& path, Reading& reading) {
        if (spec.directions != Directions::all && spec.kind != ShellSupport::pinned)
          reading.mistake(path + ".directions", "goes with kind: pinned; clamps and mirrors hold what they must");
      });
  return object;
}

}  // namespace

Object<ShellSpec> describe_shell() {
  Object<ShellSpec> object(
      "shell",
      "A thin elastic shell (cirak-2005): Koiter's energy on the smooth limit surface of Loop's subdivision of a "
      "triangle mesh. Its unknowns are the positions of the mesh's vertices, which also are what contact sees.");
  object.required("mesh", &ShellSpec::mesh, mesh(), "The control mesh.")
      .required("thickness", &ShellSpec::thickness, extent(), "Thickness of the wall.")
      .required("youngs_modulus", &ShellSpec::youngs_modulus, quantity(dimension::stress).positive(),
                "Young's modulus.")
      .field("poissons_ratio", &ShellSpec::poissons_ratio, number().above(-1).at_most(0.5), "Poisson's ratio.")
      .required("density", &ShellSpec::density, quantity(dimension::density).positive(), "Mass per volume.")
      .field("position", &ShellSpec::position, vector(quantity(dimension::length)), "Where the mesh's own origin is.")
      .field("rotation", &ShellSpec::rotation, vector(quantity(dimension::angle)),
             "Turn about the mesh's own origin: axis times angle.")
      .field("velocity", &ShellSpec::velocity, vector(quantity(dimension::velocity)),
             "Initial velocity of the centre of mass.")
      .field("angular_velocity", &ShellSpec::angular_velocity, vector(number()),
             "Initial angular velocity about the centre of mass, in rad/s.")
      .field("boundary", &ShellSpec::boundary,
             one_of<ShellBoundary>({{ShellBoundary::free, "free", "nothing holds it"},
                                    {ShellBoundary::pinned, "pinned", "its vertices stay where they are"},
                                    {ShellBoundary::clamped, "clamped", "so does the tangent plane along it"}}),
             "The whole boundary of an open mesh.")
      .field("supports", &ShellSpec::supports, list(Typed<ShellSupportSpec>(support())),
             "What is held besides, by boxes in space.")
      .field("damping", &ShellSpec::damping, Typed<RayleighSpec>(describe_rayleigh()), "Damping of its motion.");
  return object;
}

}  // namespace ictus::scene
