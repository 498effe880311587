// Mass, centre and inertia of rigid shapes against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/geometry/mesh/volume_mesh.hpp>
#include <ictus/geometry/shape/rigid_shape.hpp>
#include <numbers>

namespace ictus::geometry {
namespace {

void expect_near(const VolumeProperties& a, const VolumeProperties& b, double tolerance) {
  EXPECT_NEAR(a.volume, b.volume, tolerance * std::abs(b.volume));
  EXPECT_NEAR(norm(a.centroid - b.centroid), 0, tolerance);
  const auto entries = [](const Mat& m) {
    return std::array{m.a.x, m.a.y, m.a.z, m.b.x, m.b.y, m.b.z, m.c.x, m.c.y, m.c.z};
  };
  const double size = b.inertia.a.x + b.inertia.b.y + b.inertia.c.z;
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(entries(a.inertia)[k], entries(b.inertia)[k], tolerance * size) << k;
}

VolumeProperties box_properties(const Vec& size, const Vec& centre) {
  const double v = size.x * size.y * size.z;
  return {v,
          centre,
          {{v * (size.y * size.y + size.z * size.z) / 12, 0, 0},
           {0, v * (size.x * size.x + size.z * size.z) / 12, 0},
           {0, 0, v * (size.x * size.x + size.y * size.y) / 12}}};
}

TEST(ShapeProperties, OfAClosedMeshAreExact) {
  TriangleMesh box = geometry::box({1, 2, 3}, {2, 3, 4});
  for (math::Vec3& x : box.positions) x += math::Vec3(5, -1, 2);
  expect_near(volume_properties(box), box_properties({1, 2, 3}, {5, -1, 2}), 1e-13);
  for (Triangle& t : box.triangles) std::swap(t[1], t[2]);
  EXPECT_LT(volume_properties(box).volume, 0);
}

/// A box with a smaller one taken out of it: a hollow mesh, which is not convex.
TEST(ShapeProperties, OfAHollowMeshAreThoseOfTheDifference) {
  TriangleMesh hollow = geometry::box({2, 2, 2}, {1, 1, 1});
  TriangleMesh hole = geometry::box({1, 1.5, 0.5}, {1, 1, 1});
  const int first = static_cast<int>(hollow.positions.size());
  for (const math::Vec3& x : hole.positions) hollow.positions.push_back(x + math::Vec3(0.2, 0, -0.1));
  for (const Triangle& t : hole.triangles) hollow.triangles.push_back({first + t[0], first + t[2], first + t[1]});
  expect_near(volume_properties(hollow),
              combined({box_properties({2, 2, 2}, {}), box_properties({1, 1.5, 0.5}, {0.2, 0, -0.1})}, {1, -1}), 1e-13);
}

/// Prisms and pyramids tend to what they are inscribed to with the square of the number of sides.
TEST(ShapeProperties, OfPrismsAndPyramidsTendToThoseOfRoundBodies) {
  const auto error = [](const Polytope& polytope, const VolumeProperties& round) {
    return std::abs(volume_properties(RigidShape::convex(polytope)).inertia.c.z / round.inertia.c.z - 1);
  };
  const VolumeProperties cylinder = cylinder_properties(0.3, 0.7), cone = cone_properties(0.3, 0.7);
  EXPECT_NEAR(cylinder.inertia.c.z / cylinder.volume, 0.5 * 0.09, 1e-15);
  EXPECT_NEAR(cone.inertia.c.z / cone.volume, 0.3 * 0.09, 1e-15);
  EXPECT_NEAR(cone.centroid.z, 0.175, 1e-15);
  const double coarse = error(prism_polytope(0.3, 0.7, 24), cylinder),
               fine = error(prism_polytope(0.3, 0.7, 48), cylinder);
  EXPECT_NEAR(coarse / fine, 4, 0.05);
  EXPECT_NEAR(error(pyramid_polytope(0.3, 0.7, 24), cone) / error(pyramid_polytope(0.3, 0.7, 48), cone), 4, 0.05);
  expect_near(volume_properties(RigidShape::convex(prism_polytope(0.3, 0.7, 400))), cylinder, 2e-4);
  expect_near(volume_properties(RigidShape::convex(pyramid_polytope(0.3, 0.7, 400))), cone, 2e-4);
}

/// The faces of a prism close, look outwards and have its edges.
TEST(ShapeProperties, PrismsArePolyhedra) {
  for (const Polytope& p : {prism_polytope(1, 2, 7), pyramid_polytope(1, 2, 7)}) {
    EXPECT_EQ(static_cast<int>(p.vertices.size()) - static_cast<int>(p.edges.size()) + static_cast<int>(p.faces.size()),
              2);
    for (const Polytope::Face& face : p.faces) {
      for (const Vec& v : p.vertices) EXPECT_LE(math::dot(face.normal, v), face.offset + 1e-12);
    }
  }
}

/// Two balls on a rod: Steiner's theorem.
TEST(ShapeProperties, OfACompoundAddUp) {
  const VolumeProperties ball = volume_properties(RigidShape::sphere(0.1));
  const Pose up{{0, 0, 1}}, down{{0, 0, -0.5}};
  const VolumeProperties both = combined({moved(ball, up), moved(ball, down)}, {1, 2});
  const double m = 4.0 / 3 * std::numbers::pi * 1e-3, own = 0.4 * 0.01;
  EXPECT_NEAR(both.volume, 3 * m, 1e-15);
  EXPECT_NEAR(both.centroid.z, 0, 1e-15);
  EXPECT_NEAR(both.inertia.a.x, m * (1 + own) + 2 * m * (0.25 + own), 1e-15);
  EXPECT_NEAR(both.inertia.c.z, 3 * m * own, 1e-15);
  // A cylinder that lies: its axis is x.
  const Pose lying{{}, {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}};
  const VolumeProperties rod = moved(cylinder_properties(0.1, 2), lying);
  EXPECT_NEAR(rod.inertia.a.x / rod.volume, 0.005, 1e-15);
  EXPECT_NEAR(rod.inertia.c.z / rod.volume, 0.0025 + 4.0 / 12, 1e-14);
}

double volume_of(const VolumeMesh& mesh) {
  TriangleMesh surface{mesh.nodes, {}};
  for (const auto& t : boundary(mesh)) surface.triangles.push_back(t);
  return volume_properties(surface).volume;
}

TEST(SolidShapes, TubesFillTheirVolume) {
  for (const VolumeElement element : {VolumeElement::tetrahedron, VolumeElement::hexahedron}) {
    const VolumeMesh tube = tube_mesh(0.2, 0.3, 1, {32, 2, 3}, element);
    EXPECT_TRUE(defects(tube).empty());
    EXPECT_EQ(tube.nodes.size(), 32U * 3 * 4);
    EXPECT_NEAR(volume_of(tube) / (std::numbers::pi * (0.09 - 0.04)), 1, 0.01);
    EXPECT_EQ(tube.node_sets.at("inside").size(), 32U * 4);
  }
}

}  // namespace
}  // namespace ictus::geometry
