#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/geometry/formats/mesh_file.hpp>
#include <ictus/geometry/mesh/curve_order.hpp>
#include <ictus/geometry/mesh/mesh_defects.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/geometry/subdivision/loop_subdivision.hpp>
#include <numbers>
#include <numeric>
#include <random>
#include <set>

namespace ictus::geometry {
namespace {

using math::Vec3;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) sum += 0.5 * mesh.area_vector(t).norm();
  return sum;
}

/// By Gauss: one sixth of the sum of a·(b × c).
double volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    sum += mesh.corner(t, 0).dot(mesh.corner(t, 1).cross(mesh.corner(t, 2))) / 6;
  return sum;
}

struct Made {
  std::string name;
  TriangleMesh mesh;
  std::size_t triangles;
  int euler;  ///< V − E + F: 2 closed, 1 a disc, 0 a tube
};

std::vector<Made> every_kind() {
  return {{"octahedron", sphere(2, SphereBase::octahedron, 3), 8 * 64, 2},
          {"icosahedron", sphere(2, SphereBase::icosahedron, 2), 20 * 16, 2},
          {"box", box({1, 2, 3}, {2, 4, 3}), 4 * (2 * 4 + 4 * 3 + 3 * 2), 2},
          {"disc", disc(0.5, 5), 6 * 25, 1},
          {"plate", plate(2, 1, 4, 3), 2 * 12, 1},
          {"tube", tube(1, 3, 12, 5), 2 * 60, 0},
          {"cylinder", cylinder(1, 3, 12, 5), 2 * 60 + 2 * 6 * 4, 2}};
}

TEST(Generators, MakeOrientedSurfacesOfTheRightTopology) {
  for (const Made& made : every_kind()) {
    SCOPED_TRACE(made.name);
    EXPECT_THAT(mesh_defects(made.mesh), IsEmpty());
    EXPECT_EQ(made.mesh.triangles.size(), made.triangles);
    const EdgeTopology topology(made.mesh);
    const auto count = [](const auto& items) { return static_cast<int>(items.size()); };
    EXPECT_EQ(count(made.mesh.positions) - count(topology.edges) + count(made.mesh.triangles), made.euler);
    if (made.euler == 2) {
      EXPECT_GT(volume(made.mesh), 0) << "normals point outwards";
      EXPECT_THAT(topology.opposite, testing::Each(testing::Ge(0)));
    }
  }
}

TEST(Generators, HaveTheSizesAskedFor) {
  EXPECT_NEAR(volume(box({1, 2, 3}, {2, 4, 3})), 6, 1e-12);
  EXPECT_NEAR(area(plate(2, 1, 4, 3)), 2, 1e-14);
  for (const Vec3& x : sphere(2, SphereBase::icosahedron, 2).positions) EXPECT_NEAR(x.norm(), 2, 1e-15);
  // The rim of 30 chords cuts off (2π/30)²/6 of the disc and of the mantle's volume.
  EXPECT_NEAR(area(disc(0.5, 5)), std::numbers::pi / 4 * (1 - 0.0073), 1e-4);
  EXPECT_NEAR(volume(cylinder(1, 3, 30, 5)), 3 * std::numbers::pi * (1 - 0.0073), 0.03);
}

TEST(EdgeTopology, HalfEdgesAreOppositeAndFansComplete) {
  for (const Made& made : every_kind()) {
    SCOPED_TRACE(made.name);
    const EdgeTopology topology(made.mesh);
    for (int h = 0; h < static_cast<int>(topology.opposite.size()); ++h) {
      const int other = topology.opposite[static_cast<std::size_t>(h)];
      if (other < 0) continue;
      EXPECT_EQ(topology.opposite[static_cast<std::size_t>(other)], h);
      EXPECT_EQ(origin(made.mesh, other), origin(made.mesh, EdgeTopology::next(h)));
      EXPECT_EQ(topology.edge[static_cast<std::size_t>(other)], topology.edge[static_cast<std::size_t>(h)]);
    }
    for (int v = 0; v < static_cast<int>(made.mesh.positions.size()); ++v) {
      std::set<int> neighbours;
      for (const int t : topology.triangles_of(v)) {
        const Triangle& triangle = made.mesh.triangles[static_cast<std::size_t>(t)];
        neighbours.insert(triangle.begin(), triangle.end());
      }
      neighbours.erase(v);
      const std::vector<int> in_order = ring(made.mesh, topology, v);
      EXPECT_EQ(std::set<int>(in_order.begin(), in_order.end()), neighbours);
      EXPECT_EQ(in_order.size(), neighbours.size());
    }
  }
}

TEST(LoopSubdivision, KeepsPlanesAndReachesItsLimit) {
  const TriangleMesh flat = plate(2, 1, 4, 3);
  for (const Vec3& x : loop_refine(flat, EdgeTopology(flat)).positions) EXPECT_EQ(x.z(), 0);
  // The limit of a vertex does not change by refining; five levels bring the vertex itself within 4⁻⁵ of it.
  TriangleMesh mesh = box({1, 1, 1}, {1, 1, 1});
  const std::vector<Vec3> limit = limit_positions(mesh, EdgeTopology(mesh));
  for (int level = 0; level < 5; ++level) mesh = loop_refine(mesh, EdgeTopology(mesh));
  const std::vector<Vec3> refined_limit = limit_positions(mesh, EdgeTopology(mesh));
  for (std::size_t v = 0; v < limit.size(); ++v) {
    EXPECT_LT((refined_limit[v] - limit[v]).norm(), 1e-14);
    EXPECT_LT((mesh.positions[v] - limit[v]).norm(), 1e-3);
  }
}

TEST(LoopSubdivision, AnOpenBoundaryGoesToTheCubicSplineOfItsVertices) {
  const TriangleMesh mesh = disc(1, 2);
  const EdgeTopology topology(mesh);
  const std::vector<Vec3> limit = limit_positions(mesh, topology);
  for (int v = 0; v < static_cast<int>(mesh.positions.size()); ++v) {
    if (!topology.on_boundary(v)) continue;
    // Twelve vertices on the unit circle: (4 + 2 cos 30°)/6.
    EXPECT_NEAR(limit[static_cast<std::size_t>(v)].norm(), (4 + std::sqrt(3.0)) / 6, 1e-14);
  }
}

TEST(CurveOrder, VisitsEveryPointOnceAndNeighboursSoon) {
  std::vector<Vec3> grid;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j)
      for (int k = 0; k < 16; ++k) grid.emplace_back(i, j, k);
  const std::vector<int> order = curve_order(grid);
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> all(grid.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
  // A Hilbert curve through a full grid goes from neighbour to neighbour; cells of the curve and of this grid agree
  // but for the rounding of 15 intervals to 2²¹ − 1 cells, which leaves the steps between neighbours.
  double longest = 0;
  for (std::size_t i = 0; i + 1 < order.size(); ++i)
    longest = std::max(
        longest, (grid[static_cast<std::size_t>(order[i + 1])] - grid[static_cast<std::size_t>(order[i])]).norm());
  EXPECT_LT(longest, 1.5);
}

TEST(Renumbered, IsTheSameSurface) {
  const TriangleMesh mesh = sphere(1, SphereBase::octahedron, 3), other = renumbered(mesh);
  EXPECT_THAT(mesh_defects(other), IsEmpty());
  EXPECT_EQ(other.positions.size(), mesh.positions.size());
  EXPECT_NEAR(volume(other), volume(mesh), 1e-14);
}

TEST(MeshDefects, NameTheTriangles) {
  const TriangleMesh good = box({1, 1, 1}, {1, 1, 1});
  TriangleMesh mesh = good;
  std::swap(mesh.triangles[4][0], mesh.triangles[4][1]);
  EXPECT_THAT(mesh_defects(mesh), Contains(HasSubstr("4 are wound in opposite senses")));
  mesh = good;
  mesh.triangles.push_back(mesh.triangles[3]);
  EXPECT_THAT(mesh_defects(mesh), Contains("triangles 3 and 12 have the same corners"));
  EXPECT_THAT(mesh_defects(mesh), Contains(HasSubstr("at most two on an edge")));
  mesh = good;
  mesh.triangles[2][1] = mesh.triangles[2][0];
  EXPECT_THAT(mesh_defects(mesh), Contains(testing::MatchesRegex("triangle 2 .* has no area")));
  mesh = good;
  mesh.triangles[5][2] = 99;
  EXPECT_THAT(mesh_defects(mesh), Contains("triangle 5 names vertex 99, the mesh has 8"));
  mesh = good;
  mesh.positions.emplace_back(9, 9, 9);
  EXPECT_THAT(mesh_defects(mesh), Contains("vertex 8 belongs to no triangle"));
  TriangleMesh bow{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, {{0, 1, 2}, {0, 3, 4}}};
  EXPECT_THAT(mesh_defects(bow), Contains(HasSubstr("triangles 0, 1 meet in vertex 0 alone")));
  EXPECT_THAT(mesh_defects({}), Contains("the mesh has no triangles"));
}

class MeshFile : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder_ / name;
    std::ofstream(file) << text;
    return file;
  }
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("ictus-mesh-" + std::to_string(std::random_device{}()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

constexpr const char* obj_quad = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4\n";

TEST_F(MeshFile, ReadsPolygonsOfObjFiles) {
  const TriangleMesh mesh = read_mesh(write("quad.obj", obj_quad));
  EXPECT_EQ(mesh.triangles.size(), 2U);
  EXPECT_EQ(mesh.positions.size(), 4U);
  EXPECT_NEAR(area(mesh), 2, 1e-6);
}

TEST_F(MeshFile, WeldsTheTrianglesOfStlFiles) {
  std::string text = "solid box\n";
  const TriangleMesh made = box({1, 2, 3}, {2, 2, 2});
  for (std::size_t t = 0; t < made.triangles.size(); ++t) {
    text += "facet normal 0 0 1\nouter loop\n";
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& x = made.corner(t, k);
      text += "vertex " + std::to_string(x.x()) + " " + std::to_string(x.y()) + " " + std::to_string(x.z()) + "\n";
    }
    text += "endloop\nendfacet\n";
  }
  const TriangleMesh mesh = read_mesh(write("box.stl", text + "endsolid box\n"));
  EXPECT_EQ(mesh.triangles.size(), made.triangles.size());
  EXPECT_EQ(mesh.positions.size(), made.positions.size());
  EXPECT_NEAR(volume(mesh), 6, 1e-6);
}

TEST_F(MeshFile, ReadsPlyFiles) {
  const std::string text =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  EXPECT_NEAR(area(read_mesh(write("one.ply", text))), 0.5, 1e-7);
}

TEST_F(MeshFile, MistakesNameTheFile) {
  const auto message = [](const std::filesystem::path& file) -> std::string {
    try {
      read_mesh(file);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message(folder_ / "none.obj"), HasSubstr("none.obj: there is no such file"));
  EXPECT_THAT(message(write("a.txt", "")), HasSubstr(".obj, .stl, .ply, .msh and .inp"));
  EXPECT_THAT(message(write("bad.ply", "nothing")), HasSubstr("bad.ply:1: a PLY file must begin with 'ply'"));
  EXPECT_THAT(message(write("nowhere.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n")),
              HasSubstr("nowhere.obj: triangle 0 has a corner whose place is not a number"));
  EXPECT_THAT(message(write("turned.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 3 4\n")),
              HasSubstr("triangles 0 and 1 are wound in opposite senses"));
}

}  // namespace
}  // namespace ictus::geometry
