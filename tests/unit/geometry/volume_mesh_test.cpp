#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/geometry/formats/mesh_file.hpp>
#include <ictus/geometry/mesh/volume_mesh.hpp>
#include <numbers>

namespace ictus::geometry {
namespace {

using math::Vec3;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

double volume_inside(const VolumeMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : boundary(mesh)) {
    const auto at = [&](int i) -> const Vec3& { return mesh.nodes[static_cast<std::size_t>(i)]; };
    sum += at(a).cross(at(b)).dot(at(c)) / 6;
  }
  return sum;
}

/// The outer faces look outwards and close: by Gauss' theorem they tell the volume.
TEST(VolumeMesh, ShapesAreClosedAndOfTheRightSize) {
  for (const VolumeElement element : {VolumeElement::tetrahedron, VolumeElement::hexahedron}) {
    const VolumeMesh box = box_mesh({1, 2, 3}, {3, 2, 4}, element);
    EXPECT_NEAR(volume_inside(box), 6, 1e-13);
    EXPECT_TRUE(defects(box).empty());
    EXPECT_EQ(box.node_sets.at("top").size(), 12u);
    double error[2];
    for (const int fine : {0, 1}) {
      const VolumeMesh cylinder = cylinder_mesh(0.5, 2, {.across = fine == 0 ? 6 : 12, .along = 3}, element);
      EXPECT_TRUE(defects(cylinder).empty());
      error[fine] = std::abs(volume_inside(cylinder) / (0.25 * 3.141592653589793 * 2) - 1);
    }
    EXPECT_LT(error[1], 0.3 * error[0]);  // a polygon of twice the sides: a quarter of the error
  }
}

/// Rings make the rim a regular polygon, whose volume is known, and no cell is bad there.
TEST(VolumeMesh, RingsAroundACoreAndQuarters) {
  constexpr double radius = 0.5, height = 2;
  const auto rod = [&](bool quarter) {
    return cylinder_mesh(radius, height, {.across = 4, .rings = 2, .along = 3, .quarter = quarter},
                         VolumeElement::hexahedron);
  };
  const VolumeMesh whole = rod(false), quarter = rod(true);
  EXPECT_EQ(whole.hexahedra.size(), 3u * (16 + 2 * 16));
  EXPECT_EQ(4 * quarter.hexahedra.size(), whole.hexahedra.size());
  EXPECT_TRUE(defects(whole).empty());
  EXPECT_TRUE(defects(quarter).empty());
  const double polygon = 8 * std::sin(std::numbers::pi / 8) * radius * radius * height;
  EXPECT_NEAR(volume_inside(whole), polygon, 1e-12);
  EXPECT_NEAR(volume_inside(quarter), polygon / 4, 1e-12);
  for (const int node : whole.node_sets.at("side"))
    EXPECT_NEAR(whole.nodes[std::size_t(node)].head<2>().norm(), radius, 1e-12);
  EXPECT_EQ(whole.node_sets.at("side").size(), 4u * 16);
  EXPECT_EQ(quarter.node_sets.at("left").size(), 4u * 5);
  for (const int node : quarter.node_sets.at("left")) EXPECT_EQ(quarter.nodes[std::size_t(node)].x(), 0);
  for (const int node : quarter.node_sets.at("front")) EXPECT_EQ(quarter.nodes[std::size_t(node)].y(), 0);
  EXPECT_FALSE(whole.node_sets.contains("left"));
  const VolumeMesh bent =
      cylinder_mesh(radius, height, {.across = 6, .along = 3, .quarter = true}, VolumeElement::tetrahedron);
  EXPECT_TRUE(defects(bent).empty());
  EXPECT_NEAR(4 * volume_inside(bent),
              volume_inside(cylinder_mesh(radius, height, {.across = 6, .along = 3}, VolumeElement::tetrahedron)),
              1e-12);
}

TEST(VolumeMesh, ABlockIsTheImageOfABox) {
  const std::array<Vec3, 8> corners{Vec3(0, 0, 0), Vec3(48, 44, 0), Vec3(48, 60, 0), Vec3(0, 44, 0),
                                    Vec3(0, 0, 1), Vec3(48, 44, 1), Vec3(48, 60, 1), Vec3(0, 44, 1)};
  for (const VolumeElement element : {VolumeElement::tetrahedron, VolumeElement::hexahedron}) {
    const VolumeMesh panel = block_mesh(corners, {4, 3, 2}, element);
    EXPECT_TRUE(defects(panel).empty());
    EXPECT_NEAR(volume_inside(panel), 48 * (44 + 16) / 2, 1e-10);
    for (const int node : panel.node_sets.at("right")) EXPECT_NEAR(panel.nodes[std::size_t(node)].x(), 48, 1e-12);
  }
}

TEST(VolumeMesh, ABallHasItsVolumeAndSmallCellsAtItsPole) {
  for (const double finer : {1.0, 6.0}) {
    const VolumeMesh ball = ball_mesh(2, 16, finer);
    EXPECT_TRUE(defects(ball).empty());
    EXPECT_EQ(ball.hexahedra.size(), 4u * 8 * 8 * 8);
    EXPECT_NEAR(volume_inside(ball), 4.0 / 3 * 3.141592653589793 * 8, 0.01 * 33)
        << "triangles cut the bent quadrilaterals";
    const auto pole = static_cast<std::size_t>(ball.node_sets.at("pole").at(0));
    EXPECT_NEAR((ball.nodes[pole] - Vec3(0, 0, -2)).norm(), 0, 1e-12);
    double nearest = 2;
    for (std::size_t i = 0; i < ball.nodes.size(); ++i)
      if (i != pole) nearest = std::min(nearest, (ball.nodes[i] - ball.nodes[pole]).norm());
    EXPECT_NEAR(nearest * finer, 0.3, 0.1) << finer;
  }
}

TEST(VolumeMesh, NamesInvertedAndDegenerateElements) {
  VolumeMesh mesh = box_mesh({1, 1, 1}, {1, 1, 1}, VolumeElement::tetrahedron);
  std::swap(mesh.tetrahedra[2][0], mesh.tetrahedra[2][1]);
  mesh.tetrahedra[4][3] = mesh.tetrahedra[4][0];
  const auto found = defects(mesh);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0].what, HasSubstr("element 2 is inverted"));
  EXPECT_THAT(found[1].what, HasSubstr("element 4 is degenerate"));
}

constexpr const char* gmsh_text = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
2 7 "foot"
3 8 "body"
$EndPhysicalNames
$Entities
0 0 1 1
5 0 0 0 1 1 0 1 7 0
6 0 0 0 1 1 1 1 8 0
$EndEntities
$Nodes
2 5 1 9
2 5 0 3
1
2
4
0 0 0
1 0 0
0 1 0
3 6 0 2
8
9
0 0 1
5 5 5
$EndNodes
$Elements
2 2 1 2
2 5 2 1
1 1 2 4
3 6 4 1
2 1 2 4 8
$EndElements
)";

TEST(VolumeMesh, ReadsGmsh) {
  VolumeMesh mesh = read_gmsh(gmsh_text, "a.msh");
  EXPECT_EQ(mesh.tetrahedra.size(), 1u);
  EXPECT_EQ(mesh.element_name(0), "element 2");
  EXPECT_THAT(mesh.node_sets.at("foot"), ElementsAre(0, 1, 2));
  EXPECT_THAT(mesh.node_sets.at("body"), ElementsAre(0, 1, 2, 3));
  mesh.triangles.clear();
  remove_unused_nodes(mesh);
  EXPECT_EQ(mesh.nodes.size(), 4u);
  EXPECT_NEAR(volume_inside(mesh), 1.0 / 6, 1e-15);
}

template <class T>
void put(std::string& text, T value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

TEST(VolumeMesh, ReadsBinaryGmsh) {
  std::string text = "$MeshFormat\n4.1 1 8\n";
  put(text, 1);
  text += "\n$EndMeshFormat\n$Nodes\n";
  for (const std::size_t n : {1, 4, 1, 4}) put(text, n);
  for (const int n : {3, 1, 0}) put(text, n);
  put(text, std::size_t{4});
  for (const std::size_t n : {1, 2, 3, 4}) put(text, n);
  for (const double x : {0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.}) put(text, x);
  text += "\n$EndNodes\n$Elements\n";
  for (const std::size_t n : {1, 1, 1, 1}) put(text, n);
  for (const int n : {3, 1, 4}) put(text, n);
  for (const std::size_t n : {1, 1, 1, 2, 3, 4}) put(text, n);
  text += "\n$EndElements\n";
  const VolumeMesh mesh = read_gmsh(text, "a.msh");
  ASSERT_EQ(mesh.tetrahedra.size(), 1u);
  EXPECT_NEAR(volume_inside(mesh), 1.0 / 6, 1e-15);
}

std::string mistake_of(VolumeMesh (*read)(const std::string&, const std::string&), const std::string& text) {
  try {
    read(text, "mesh");
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no mistake";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

TEST(VolumeMesh, TellsWhatIsWrongWithAGmshFile) {
  EXPECT_THAT(mistake_of(read_gmsh, "hello"), HasSubstr("expected $MeshFormat"));
  EXPECT_THAT(mistake_of(read_gmsh, replaced(gmsh_text, "4.1", "2.2")),
              HasSubstr("mesh:2: in $MeshFormat: expected format 4.1, found '2.2'"));
  EXPECT_THAT(mistake_of(read_gmsh, replaced(gmsh_text, "0 0 1\n", "0 zero 1\n")),
              HasSubstr("expected a coordinate, found 'zero'"));
  EXPECT_THAT(mistake_of(read_gmsh, replaced(gmsh_text, "1 1 2 4\n", "1 1 2 44\n")),
              HasSubstr("mesh:32: in $Elements: element 1 has node 44"));
  EXPECT_THAT(mistake_of(read_gmsh, replaced(gmsh_text, "3 6 4 1", "3 6 11 1")),
              HasSubstr("type 11 are not supported"));
}

constexpr const char* abaqus_text = R"(** a comment
*Heading
*Node, nset=all
1, 0, 0, 0
2, 1., 0, 0
3, 0, 1, 0
4, 0, 0, 1.0e0
*Element, type=C3D4, elset=body
10, 1, 2, 3, 4
*Nset, nset=foot, generate
1, 3, 1
)";

TEST(VolumeMesh, ReadsAbaqus) {
  const VolumeMesh mesh = read_abaqus(abaqus_text, "a.inp");
  ASSERT_EQ(mesh.tetrahedra.size(), 1u);
  EXPECT_EQ(mesh.element_name(0), "element 10");
  EXPECT_THAT(mesh.node_sets.at("foot"), ElementsAre(0, 1, 2));
  EXPECT_EQ(mesh.node_sets.at("all").size(), 4u);
  EXPECT_EQ(mesh.node_sets.at("body").size(), 4u);
}

TEST(VolumeMesh, TellsWhatIsWrongWithAnAbaqusFile) {
  EXPECT_THAT(mistake_of(read_abaqus, "*Heading\n"), HasSubstr("expected *NODE and *ELEMENT"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(abaqus_text, "C3D4", "C3D10")),
              HasSubstr("mesh:8: elements of TYPE=C3D10 are not supported"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(abaqus_text, "10, 1, 2, 3, 4", "10, 1, 2, 3")),
              HasSubstr("mesh:9: expected an element of type C3D4"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(abaqus_text, "10, 1, 2, 3, 4", "10, 1, 2, 3, 5")),
              HasSubstr("has node 5"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(abaqus_text, "2, 1., 0, 0", "2, one, 0, 0")),
              HasSubstr("mesh:5: expected a coordinate, found 'one'"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(abaqus_text, "1, 3, 1", "3, 7, 1")),
              HasSubstr("mesh:10: set foot has node 5, which is not in the file"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(abaqus_text, "10, 1, 2, 3, 4\n*Nset, nset=foot, generate\n1, 3, 1\n",
                                               "10, 1, 2, 3,\n")),
              HasSubstr("the last element lacks nodes"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(abaqus_text, "nset=foot, generate", "generate")),
              HasSubstr("mesh:10: *NSET needs a name"));
}

constexpr const char* assembly_text = R"(*Part, name=Wedge
*Node
1, 0, 0, 0
2, 1., 0, 0
3, 0, 1, 0
4, 0, 0, 1.0e0
*Element, type=C3D4, elset=body
10, 1, 2, 3, 4
*End Part
*Assembly, name=Assembly
*Instance, name=Wedge-1, part=Wedge
*End Instance
*Instance, name=Wedge-2, part=Wedge
2., 0., 0.
2., 0., 0., 2., 0., 1., 90.
*End Instance
*Nset, nset=tips, instance=Wedge-1
2
*Nset, nset=tips, instance=Wedge-2
2
*End Assembly
)";

/// An instance is moved, then turned; each has its own nodes.
TEST(VolumeMesh, DoesNotGenerateMoreThanTheFileCanHave) {
  const auto generating = [](const std::string& lines) { return replaced(abaqus_text, "1, 3, 1\n", lines); };
  EXPECT_THAT(mistake_of(read_abaqus, generating("1, 2147483647\n")),
              HasSubstr("the set has 2147483647 numbers, more than this file can have nodes or elements"));
  EXPECT_THAT(mistake_of(read_abaqus, generating("-2147483648, 2147483647, 2147483647\n")),
              HasSubstr("set foot has node -2147483648, which is not in the file"));
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "1, 2000\n";
  EXPECT_THAT(mistake_of(read_abaqus, generating(many)), HasSubstr("numbers in all, too many for this file"));
}

TEST(VolumeMesh, ReadsTheInstancesOfAbaqus) {
  const VolumeMesh mesh = read_abaqus(assembly_text, "a.inp");
  ASSERT_EQ(mesh.tetrahedra.size(), 2u);
  ASSERT_EQ(mesh.nodes.size(), 8u);
  EXPECT_EQ(mesh.nodes[1], Vec3(1, 0, 0));
  EXPECT_LT((mesh.nodes[4] - Vec3(2, 0, 0)).norm(), 1e-15);
  EXPECT_LT((mesh.nodes[5] - Vec3(2, 1, 0)).norm(), 1e-15);
  EXPECT_LT((mesh.nodes[6] - Vec3(1, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(mesh.element_name(1), "element WEDGE-2.10");
  EXPECT_THAT(mesh.node_sets.at("tips"), ElementsAre(1, 5));
  EXPECT_EQ(mesh.node_sets.at("body").size(), 8u);
  EXPECT_THAT(mesh.node_sets.at("WEDGE-2.body"), ElementsAre(4, 5, 6, 7));
}

TEST(VolumeMesh, ReadsAMeshThatAnInstanceHasOfItsOwn) {
  std::string text = assembly_text;
  const std::size_t mesh = text.find("*Node"), end = text.find("*End Part");
  const std::string nodes = text.substr(mesh, end - mesh);
  text.erase(mesh, end - mesh);
  const std::string own =
      replaced(replaced(text, "part=Wedge\n", "part=Wedge\n0, 0, 5\n" + nodes), ", 90.\n", ", 90.\n" + nodes);
  const VolumeMesh read = read_abaqus(own, "a.inp");
  ASSERT_EQ(read.tetrahedra.size(), 2u);
  EXPECT_EQ(read.nodes[1], Vec3(1, 0, 5));
  EXPECT_LT((read.nodes[5] - Vec3(2, 1, 0)).norm(), 1e-15);
}

TEST(VolumeMesh, TellsWhatIsWrongWithAnAbaqusAssembly) {
  EXPECT_THAT(mistake_of(read_abaqus, replaced(assembly_text, "part=Wedge\n", "part=Wadge\n")),
              HasSubstr("mesh:11: instance WEDGE-1 is of part WADGE, which the file does not define"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(assembly_text, "2., 0., 1., 90.", "2., 0., 0., 90.")),
              HasSubstr("mesh:13: instance WEDGE-2 turns about an axis of no length"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(assembly_text, "2., 0., 0.\n", "2., 0.\n")),
              HasSubstr("mesh:14: expected the place of an instance"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(assembly_text, "tips, instance=Wedge-1", "tips")),
              HasSubstr("mesh:17: set tips of the assembly needs instance=name"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(assembly_text, "name=Wedge-2", "name=Wedge-1")),
              HasSubstr("mesh:13: instance WEDGE-1 appears twice"));
}

/// What would change the mesh, and is not read, is refused.
TEST(VolumeMesh, RefusesWhatItWouldReadAsSomethingElse) {
  EXPECT_THAT(mistake_of(read_abaqus, replaced(abaqus_text, "C3D4", "C3D8R")), HasSubstr("C3D8R (one point of"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(abaqus_text, "*Heading", "*System\n1, 2, 3\n*Heading")),
              HasSubstr("mesh:2: *SYSTEM is not supported"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(abaqus_text, "nset=all", "system=C")),
              HasSubstr("mesh:3: SYSTEM=C of *NODE is not supported"));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(abaqus_text, "nset=all", "input=nodes.txt")),
              HasSubstr("INPUT= of *NODE is not supported"));
}

/// Gmsh writes the lines and faces of the boundary beside the solid; their sets are what supports and loads need.
TEST(VolumeMesh, SkipsTheBoundaryElementsOfGmsh) {
  const VolumeMesh mesh =
      read_abaqus(replaced(abaqus_text, "*Element",
                           "*ELEMENT, type=T3D2, ELSET=Line1\n1, 1, 2\n*ELEMENT, type=CPS3, ELSET=Surface1\n"
                           "2, 1, 2, 3\n*Element"),
                  "a.inp");
  EXPECT_EQ(mesh.tetrahedra.size(), 1u);
  EXPECT_EQ(mesh.element_name(0), "element 10");
  EXPECT_THAT(mesh.node_sets.at("Line1"), ElementsAre(0, 1));
  EXPECT_THAT(mesh.node_sets.at("Surface1"), ElementsAre(0, 1, 2));
  EXPECT_THAT(mistake_of(read_abaqus, replaced(abaqus_text, "*Element", "*ELEMENT, type=B31\n1, 1, 2\n*Element")),
              HasSubstr("elements of TYPE=B31 are not supported"));
}

/// Triangles of either format are shells, whatever solid elements the file holds besides.
TEST(VolumeMesh, TrianglesOfAFileAreASurface) {
  const auto folder = std::filesystem::temp_directory_path() / "ictus_volume_mesh_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.msh") << gmsh_text;
  std::ofstream(folder / "a.inp") << replaced(abaqus_text, "*Nset",
                                              "*Element, type=S3\n11, 1, 2, 3\n12, 1, 3, 4\n*Nset");
  EXPECT_EQ(read_mesh(folder / "a.msh").triangles.size(), 1u);
  const TriangleMesh shell = read_mesh(folder / "a.inp");
  EXPECT_EQ(shell.triangles.size(), 2u);
  EXPECT_EQ(shell.positions.size(), 4u);
  std::ofstream(folder / "b.inp") << abaqus_text;
  EXPECT_THROW(read_mesh(folder / "b.inp"), base::InputError);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ictus::geometry
