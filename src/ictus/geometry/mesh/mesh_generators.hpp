#pragma once

#include <array>
#include <ictus/geometry/mesh/triangle_mesh.hpp>

namespace ictus::geometry {

enum class SphereBase { octahedron, icosahedron };

/// A sphere about the origin: the triangles of the base cut into four `level` times, every vertex at `radius`.
TriangleMesh sphere(double radius, SphereBase base, int level);

/// The surface of a box about the origin, its faces cut into divisions[i] squares along each direction, each of two
/// triangles.
TriangleMesh box(const math::Vec3& size, const std::array<int, 3>& divisions);

/// A flat disc about the origin, normal z: a hexagon of `rings` rings of triangles, ring k bent to the circle of radius
/// k/rings of the disc's. 6·rings² triangles.
TriangleMesh disc(double radius, int rings);

/// A rectangle about the origin in the plane z = 0, normal z, of nx × ny rectangles cut along parallel diagonals.
TriangleMesh plate(double length_x, double length_y, int nx, int ny);

/// The mantle of a cylinder about the z axis, ends open, normals outwards: `around` triangles' bases on each circle,
/// `along` rows, each turned by half a base against the one below it.
TriangleMesh tube(double radius, double length, int around, int along);

/// A tube whose ends are closed by discs; `around` is a multiple of 6.
TriangleMesh cylinder(double radius, double length, int around, int along);

}  // namespace ictus::geometry
