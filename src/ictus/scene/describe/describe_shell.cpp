#include <ictus/scene/describe/describe.hpp>

#include <algorithm>
#include <bit>

namespace ictus::scene {

namespace {

Quantity extent() { return quantity(dimension::length).positive(); }

Object<ShellSphereSpec> sphere() {
  Object<ShellSphereSpec> object("sphere", "A sphere about the origin.");
  object.required("radius", &ShellSphereSpec::radius, extent(), "Radius.")
      .field("cells", &ShellSphereSpec::cells, integer(1, 512),
             "Triangles along each edge of the base, a power of 2; 16 on the octahedron are 2048 triangles.")
      .field("base", &ShellSphereSpec::base,
             one_of<SphereBase>({{SphereBase::octahedron, "octahedron", "8 triangles"},
                                 {SphereBase::icosahedron, "icosahedron", "20 triangles, more even"}}),
             "The solid that is refined.")
      .field("fit", &ShellSphereSpec::fit,
             one_of<SphereFit>({{SphereFit::vertices, "vertices", "the vertices of the control mesh lie at the radius"},
                                {SphereFit::area, "area", "the limit surface has the area of the sphere"}}),
             "What has the radius.")
      .check([](const ShellSphereSpec& spec, const std::string& path, Reading& reading) {
        if (!std::has_single_bit(static_cast<unsigned>(std::max(spec.cells, 1))))
          reading.mistake(path + ".cells", "must be a power of 2: 1, 2, 4, 8, 16, 32, 64, 128, 256 or 512");
      });
  return object;
}

Object<ShellBoxSpec> box_surface() {
  Object<ShellBoxSpec> object("box", "The surface of a box about the origin; the limit surface rounds its edges.");
  object.required("size", &ShellBoxSpec::size, vector(extent()), "Lengths of its edges.")
      .field("cells", &ShellBoxSpec::cells, counts<3>(), "Squares along x, y and z, each of two triangles.");
  return object;
}

Object<ShellDiscSpec> disc() {
  Object<ShellDiscSpec> object("disc", "A flat disc about the origin, normal to z.");
  object.required("radius", &ShellDiscSpec::radius, extent(), "Radius of the outermost vertices.")
      .field("cells", &ShellDiscSpec::cells, integer(1), "Rings of triangles; n of them have 6n² triangles.");
  return object;
}

Object<ShellPlateSpec> plate() {
  Object<ShellPlateSpec> object("plate", "A flat rectangle about the origin, normal to z.");
  object
      .required("size", &ShellPlateSpec::size,
                Typed<std::array<double, 2>>{
                    std::make_shared<ListKindOf<std::array<double, 2>>>(Typed<double>(extent()).kind, 2)},
                "Lengths along x and y.")
      .field("cells", &ShellPlateSpec::cells, counts<2>(), "Rectangles along x and y, each of two triangles.");
  return object;
}

template <class S>
void add_cells(Object<S>& object, const std::string& doc, int multiple, const char* must) {
  object.required("radius", &S::radius, extent(), "Radius of the vertices.")
      .required("length", &S::length, extent(), "Length along z.")
      .field("cells", &S::cells, counts<2>(), doc)
      .check([multiple, must](const S& spec, const std::string& path, Reading& reading) {
        if (spec.cells[0] < 3 || spec.cells[0] % multiple != 0) reading.mistake(path + ".cells.0", must);
      });
}

Object<ShellCylinderSpec> capped_tube() {
  Object<ShellCylinderSpec> object("cylinder", "A cylinder about z, centred on the origin, with discs at its ends.");
  add_cells(object, "Vertices around the axis, a multiple of 6, and rows of triangles along it.", 6,
            "must be a multiple of 6, for the discs at the ends");
  return object;
}

Object<ShellTubeSpec> tube() {
  Object<ShellTubeSpec> object("tube", "The mantle of a cylinder about z, centred on the origin, ends open.");
  add_cells(object, "Vertices around the axis and rows of triangles along it.", 1, "must be at least 3");
  object
      .field("arc", &ShellTubeSpec::arc, list(Typed<double>(quantity(dimension::angle))),
             "Two angles from x towards y, at most a full turn apart: the panel of the tube between them, with its "
             "cells. Absent: all of it.")
      .check([](const ShellTubeSpec& spec, const std::string& path, Reading& reading) {
        if (!spec.arc) return;
        const std::vector<double>& arc = *spec.arc;
        if (arc.size() != 2 || !(arc[1] > arc[0]) || arc[1] - arc[0] > 6.2831854)
          reading.mistake(path + ".arc", "must be two angles, the second larger by at most a full turn");
      });
  return object;
}

Object<ShellGridSpec> shell_grid() {
  Object<ShellGridSpec> object("grid", "Copies on a grid about the origin.");
  object.required("count", &ShellGridSpec::count, counts<3>(), "Copies along x, y and z.")
      .required("spacing", &ShellGridSpec::spacing, vector(quantity(dimension::length)), "Distance of neighbours.");
  return object;
}

Object<ShellMeshSpec> mesh_of_file() {
  Object<ShellMeshSpec> object("mesh", "The triangles of a file.");
  object
      .required("file", &ShellMeshSpec::file, text("the name of a file"),
                "An OBJ, STL or PLY file, read in single precision, or the triangles of a mesh of Gmsh (.msh) or "
                "Abaqus (.inp: S3), from the folder of the scene.")
      .field("scale", &ShellMeshSpec::scale, number().positive(), "Metres per unit of the file.");
  return object;
}

Object<ShellLayersSpec> layers() {
  Object<ShellLayersSpec> object("layers", "Points through the thickness.");
  object
      .field(
          "points", &ShellLayersSpec::points, integer(4, 6),
          "4 or 6: two or three in each half of the thickness, by which elastic bending and the fully plastic moment "
          "are exact; between them the moment is off by at most 5 or 3.5 % of the latter.")
      .field(
          "strain", &ShellLayersSpec::strain,
          one_of<LayerStrain>({{LayerStrain::logarithmic, "logarithmic", "of any size"},
                               {LayerStrain::green_lagrange, "green-lagrange", "cheaper, for strains of up to 5 %"}}),
          "How strains are measured.")
      .check([](const ShellLayersSpec& spec, const std::string& path, Reading& reading) {
        if (spec.points != 4 && spec.points != 6) reading.mistake(path + ".points", "must be 4 or 6");
      });
  return object;
}

Object<ShellSupportSpec> support() {
  Object<ShellSupportSpec> object("support", "Holds vertices of the control mesh.");
  object.field("box", &ShellSupportSpec::box, Typed<RegionSpec>(describe_region()), "The vertices in a box in space.")
      .field("edge", &ShellSupportSpec::edge, one_of<Whole>({{Whole::all, "all", "the whole boundary"}}),
             "The boundary of an open mesh.")
      .exactly_one_of({{"box"}, {"edge"}})
      .required("type", &ShellSupportSpec::type,
                one_of<ShellSupport>({{ShellSupport::pinned, "pinned", "the vertices stay where they are"},
                                      {ShellSupport::clamped, "clamped", "so does the tangent plane there"},
                                      {ShellSupport::symmetric_x, "symmetric-x",
                                       "a mirror normal to x through the boundary edges among them"},
                                      {ShellSupport::symmetric_y, "symmetric-y", "the same normal to y"},
                                      {ShellSupport::symmetric_z, "symmetric-z", "the same normal to z"}}),
                "How they are held.")
      .field("directions", &ShellSupportSpec::directions, describe_directions(),
             "In which directions pinned vertices are held: `xy` for a diaphragm normal to z.")
      .check([](const ShellSupportSpec& spec, const std::string& path, Reading& reading) {
        if (spec.directions != Directions::all && spec.type != ShellSupport::pinned)
          reading.mistake(path + ".directions", "goes with type: pinned; clamps and mirrors hold what they must");
      });
  return object;
}

}  // namespace

Object<ShellSpec> describe_shell() {
  Object<ShellSpec> object(
      "shell",
      "A thin shell (cirak-2005) on the smooth limit surface of Loop's subdivision of a triangle mesh: elastic with "
      "Koiter's energy, or with layers that yield. Its unknowns are the positions of the mesh's vertices, which also "
      "are what contact sees.");
  object
      .required("shape", &ShellSpec::shape,
                variant(sphere(), box_surface(), disc(), plate(), tube(), capped_tube(), mesh_of_file()),
                "Its shape and control mesh.")
      .field("refine", &ShellSpec::refine, integer(0, 6), "Steps of Loop's refinement of the mesh, 6 at most.")
      .field("copies", &ShellSpec::copies, variant(shell_grid()), "The mesh several times, as one body. Absent: once.")
      .required("thickness", &ShellSpec::thickness, extent(), "Thickness of the wall.")
      .field("youngs_modulus", &ShellSpec::youngs_modulus, quantity(dimension::stress).positive(),
             "Young's modulus. Absent: that of the material.")
      .field("poissons_ratio", &ShellSpec::poissons_ratio, number().above(-1).at_most(0.5),
             "Poisson's ratio. Absent: that of the material, or 0.3.")
      .field("density", &ShellSpec::density, quantity(dimension::density).positive(),
             "Mass per volume. Absent: that of the material.")
      .field(
          "material", &ShellSpec::material, describe_material_use(),
          "st-venant-kirchhoff: an elastic wall, of moderate strain. hencky: layers by the logarithmic strain. Or the "
          "name of a material of the scene or of `ictus materials`, or one of its own in braces: of law j2 its "
          "layers yield; of an elastic law the wall is elastic, all laws agreeing for small strains.")
      .field("layers", &ShellSpec::layers, Typed<ShellLayersSpec>(layers()),
             "Points through the thickness of walls of law hencky and j2. Absent: four, by the logarithmic strain.")
      .field("position", &ShellSpec::position, vector(quantity(dimension::length)), "Where the mesh's own origin is.")
      .field("rotation", &ShellSpec::rotation, vector(quantity(dimension::angle)),
             "Turn about the mesh's own origin: axis times angle.")
      .field("velocity", &ShellSpec::velocity, vector(quantity(dimension::velocity)),
             "Initial velocity of the centre of mass.")
      .field("angular_velocity", &ShellSpec::angular_velocity, vector(quantity(dimension::angular_velocity)),
             "Initial angular velocity about the centre of mass.")
      .field("supports", &ShellSpec::supports, list(Typed<ShellSupportSpec>(support())), "What is held.")
      .field("damping", &ShellSpec::damping, Typed<RayleighSpec>(describe_rayleigh()), "Damping of its motion.");
  return object;
}

}  // namespace ictus::scene
