#include <ictus/scene/describe/describe.hpp>

namespace ictus::scene {

namespace {

Typed<SolidElement> element() {
  return one_of<SolidElement>(
      {{SolidElement::tetrahedron, "tetrahedron",
        "four nodes, one point; each cell of a grid is six of them; volumes are kept around nodes where a tetrahedron "
        "by "
        "itself would lock: laws hencky and j2, and Poisson's ratios above 0.45"},
       {SolidElement::hexahedron, "hexahedron", "eight nodes, eight points, mean dilatation against locking"}});
}

Object<BoxShapeSpec> box_of_cells() {
  Object<BoxShapeSpec> object(
      "box", "A box from the origin to `size`. Sets: left, right (x), front, back (y), bottom, top (z).");
  object.required("size", &BoxShapeSpec::size, vector(quantity(dimension::length).positive()), "Lengths of its sides.")
      .required("cells", &BoxShapeSpec::cells, counts<3>(), "Cells along x, y and z.")
      .field("element", &BoxShapeSpec::element, element(), "What the cells are made of.");
  return object;
}

Object<BlockShapeSpec> block() {
  Object<BlockShapeSpec> object(
      "block",
      "A block between eight corners, its edges straight. Sets as those of a box: left, right "
      "across the first direction of the cells, front, back, bottom, top.");
  const Typed<Vec3> corner = vector(quantity(dimension::length));
  object
      .required("corners", &BlockShapeSpec::corners,
                Typed<std::array<Vec3, 8>>{std::make_shared<ListKindOf<std::array<Vec3, 8>>>(corner.kind, 8)},
                "The four corners of the bottom, counter-clockwise seen from the top, then those of the top over them.")
      .required("cells", &BlockShapeSpec::cells, counts<3>(),
                "Cells from the first corner to the second, to the fourth and to the fifth.")
      .field("element", &BlockShapeSpec::element, element(), "What the cells are made of.");
  return object;
}

Object<BallShapeSpec> ball() {
  Object<BallShapeSpec> object("sphere",
                               "A ball of hexahedra around the origin. Sets: surface, and pole, its lowest node.");
  object
      .required("radius", &BallShapeSpec::radius, quantity(dimension::length).positive(),
                "Radius; the volume of the mesh is that of the ball.")
      .field("cells", &BallShapeSpec::cells, integer(4), "Cells across the diameter, a multiple of 4.")
      .field("finer", &BallShapeSpec::finer, number().at_least(1).at_most(100),
             "How many times smaller the cells at the lowest point are than those of the even mesh, and those at the "
             "highest point larger; shapes of cells are kept.")
      .check([](const BallShapeSpec& spec, const std::string& path, Reading& reading) {
        if (spec.cells % 4 != 0) reading.mistake(path + ".cells", "must be a multiple of 4");
      });
  return object;
}

Object<CylinderShapeSpec> cylinder() {
  Object<CylinderShapeSpec> object("cylinder",
                                   "A cylinder along z from the origin. Sets: bottom, top, side; of a quarter left "
                                   "(x = 0) and front (y = 0) too.");
  object.required("radius", &CylinderShapeSpec::radius, quantity(dimension::length).positive(), "Radius.")
      .required("length", &CylinderShapeSpec::length, quantity(dimension::length).positive(), "Along the axis.")
      .required("cells", &CylinderShapeSpec::cells, counts<2>(),
                "Cells across the diameter, an even number (with rings, across the square core), and along the axis.")
      .field("rings", &CylinderShapeSpec::rings, integer(0),
             "Layers of cells between a square core, half as wide as the cylinder, and the rim: a mesh that is as "
             "good in all directions. 0: a square grid bent to a disc, four corners of which are flat on the rim.")
      .field("quarter", &CylinderShapeSpec::quarter, boolean(),
             "true: only where x and y are not negative; hold left in x and front in y, its planes of symmetry.")
      .field("element", &CylinderShapeSpec::element, element(), "What the cells are made of.")
      .check([](const CylinderShapeSpec& spec, const std::string& path, Reading& reading) {
        if (spec.cells[0] % 2 != 0) reading.mistake(path + ".cells.0", "must be an even number");
      });
  return object;
}

Object<TubeShapeSpec> tube_of_cells() {
  Object<TubeShapeSpec> object("tube", "A tube along z from the origin. Sets: bottom, top, inside, outside.");
  object
      .required("inner_radius", &TubeShapeSpec::inner_radius, quantity(dimension::length).positive(),
                "Radius of the hole.")
      .required("outer_radius", &TubeShapeSpec::outer_radius, quantity(dimension::length).positive(), "Radius outside.")
      .required("length", &TubeShapeSpec::length, quantity(dimension::length).positive(), "Along the axis.")
      .required("cells", &TubeShapeSpec::cells, counts<3>(),
                "Cells over the circumference, at least 3, through the wall and along the axis.")
      .field("element", &TubeShapeSpec::element, element(), "What the cells are made of.")
      .check([](const TubeShapeSpec& spec, const std::string& path, Reading& reading) {
        if (spec.cells[0] < 3) reading.mistake(path + ".cells.0", "must be at least 3");
        if (spec.outer_radius <= spec.inner_radius)
          reading.mistake(path + ".outer_radius", "must be larger than inner_radius");
      });
  return object;
}

Object<MeshFileSpec> file() {
  Object<MeshFileSpec> object("mesh", "A mesh from a file, with the sets that it names.");
  object
      .required(
          "file", &MeshFileSpec::file, text("the name of a file"),
          "A mesh of Gmsh (.msh, format 4.1, text or binary) or Abaqus (.inp: C3D4, C3D8; all instances, each in its "
          "place), from the folder of the scene.")
      .field("scale", &MeshFileSpec::scale, number().positive(), "Metres per unit of the file.");
  return object;
}

template <class Spec>
Object<Spec> selection(std::string name, std::string doc) {
  Object<Spec> object(std::move(name), std::move(doc));
  object.field("set", &Spec::set, text("the name of a set of the mesh"), "The nodes of a set.")
      .field("box", &Spec::box, Typed<RegionSpec>(describe_region()), "The nodes within a box in space.")
      .field("surface", &Spec::surface, one_of<Whole>({{Whole::all, "all", "all nodes on the surface"}}),
             "The nodes on the surface.")
      .exactly_one_of({{"set"}, {"box"}, {"surface"}});
  return object;
}

Object<HoldSpec> hold() {
  Object<HoldSpec> object = selection<HoldSpec>("support", "Nodes that are held where they start.");
  object.field("directions", &HoldSpec::directions, describe_directions(), "In which directions.");
  return object;
}

Object<PressureSpec> pressure() {
  Object<PressureSpec> object = selection<PressureSpec>(
      "pressures",
      "A pressure on the outer faces whose nodes are all selected; a dead load, which keeps its direction.");
  object.required("pressure", &PressureSpec::pressure, quantity(dimension::stress), "Pushes inwards where positive.");
  return object;
}

}  // namespace

Object<SolidSpec> describe_solid() {
  Object<SolidSpec> object("solid", "An elastic or plastic solid of linear tetrahedra and 8-node hexahedra.");
  object
      .required("shape", &SolidSpec::shape,
                variant(box_of_cells(), block(), cylinder(), ball(), tube_of_cells(), file()), "Its shape and mesh.")
      .field("density", &SolidSpec::density, quantity(dimension::density).positive(),
             "Mass per volume. Absent: that of the material.")
      .field("youngs_modulus", &SolidSpec::youngs_modulus, quantity(dimension::stress).positive(),
             "Young's modulus. Absent: that of the material.")
      .field("poissons_ratio", &SolidSpec::poissons_ratio, number().at_least(0).at_most(0.4999),
             "Poisson's ratio. Absent: that of the material, or 0.3.")
      .field("material", &SolidSpec::material, describe_material_use(),
             "The law between deformation and stress, all of which agree for small strains; or the name of a material "
             "of the "
             "scene or of `ictus materials`, or a material of its own in braces, with the keys of materials.")
      .field("position", &SolidSpec::position, vector(quantity(dimension::length)), "Where the shape's own origin is.")
      .field("rotation", &SolidSpec::rotation, vector(quantity(dimension::angle)),
             "Turns the shape about its own origin: axis times angle.")
      .field("velocity", &SolidSpec::velocity, vector(quantity(dimension::velocity)),
             "Initial velocity of every point.")
      .field("angular_velocity", &SolidSpec::angular_velocity, vector(quantity(dimension::angular_velocity)),
             "Initial angular velocity about the centre of mass.")
      .field("damping", &SolidSpec::damping, Typed<RayleighSpec>(describe_rayleigh()), "Damping of its motion.")
      .field("supports", &SolidSpec::supports, list(Typed<HoldSpec>(hold())), "Nodes that are held.")
      .field("pressures", &SolidSpec::pressures, list(Typed<PressureSpec>(pressure())), "Pressures on the surface.")
      .field("implicit", &SolidSpec::implicit, boolean(), describe_implicit());
  return object;
}

}  // namespace ictus::scene
