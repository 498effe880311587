#include <ictus/geometry/mesh/mesh_generators.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/geometry/mesh/mesh_defects.hpp>
#include <ictus/geometry/mesh/split.hpp>
#include <numbers>

namespace ictus::geometry {

using math::Vec3;

namespace {

constexpr double pi = std::numbers::pi;

TriangleMesh octahedron() {
  return {{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
          {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
}

/// Poles on z, and two rings of five between them turned by 36° against each other, at height ±1/√5.
TriangleMesh icosahedron() {
  TriangleMesh mesh;
  mesh.positions.emplace_back(0, 0, 1);
  const double height = 1 / std::sqrt(5.0);
  for (int half = 0; half < 2; ++half) {
    for (int k = 0; k < 5; ++k) {
      const double angle = (2 * k + half) * pi / 5, sign = half == 0 ? 1 : -1;
      mesh.positions.emplace_back(2 * height * std::cos(angle), 2 * height * std::sin(angle), sign * height);
    }
  }
  mesh.positions.emplace_back(0, 0, -1);
  for (int k = 0; k < 5; ++k) {
    const int next = (k + 1) % 5, upper = 1 + k, upper_next = 1 + next, lower = 6 + k, lower_next = 6 + next;
    mesh.triangles.insert(
        mesh.triangles.end(),
        {{0, upper, upper_next}, {upper, lower, upper_next}, {upper_next, lower, lower_next}, {11, lower_next, lower}});
  }
  return mesh;
}

/// The vertices of rings first … of a disc and the triangles between them, seen from +z; ring k has 6k vertices.
TriangleMesh hexagon_rings(int rings) {
  TriangleMesh mesh;
  mesh.positions.emplace_back(0, 0, 0);
  for (int k = 1; k <= rings; ++k) {
    for (int i = 0; i < 6 * k; ++i) {
      const double angle = 2 * pi * i / (6 * k), radius = static_cast<double>(k) / rings;
      mesh.positions.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0);
    }
  }
  const auto vertex = [](int ring, int i) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + i % (6 * ring); };
  for (int k = 1; k <= rings; ++k) {
    for (int sector = 0; sector < 6; ++sector) {
      for (int i = 0; i < k; ++i) {
        const int out = sector * k + i, in = sector * (k - 1) + i;
        mesh.triangles.push_back({vertex(k - 1, in), vertex(k, out), vertex(k, out + 1)});
        if (i + 1 < k) mesh.triangles.push_back({vertex(k - 1, in), vertex(k, out + 1), vertex(k - 1, in + 1)});
      }
    }
  }
  return mesh;
}

/// One face of a box: a grid of nu × nv squares from `corner` along u and v, seen from u × v.
void append_grid(const Vec3& corner, const Vec3& u, const Vec3& v, int nu, int nv, TriangleMesh& mesh) {
  const int first = static_cast<int>(mesh.positions.size());
  for (int j = 0; j <= nv; ++j) {
    for (int i = 0; i <= nu; ++i) mesh.positions.push_back(corner + (1.0 * i / nu) * u + (1.0 * j / nv) * v);
  }
  for (int j = 0; j < nv; ++j) {
    for (int i = 0; i < nu; ++i) {
      const int a = first + j * (nu + 1) + i, b = a + 1, d = a + nu + 1, c = d + 1;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  }
}

void append(const TriangleMesh& part, const Vec3& scale, double height, bool turned, TriangleMesh& mesh) {
  const int first = static_cast<int>(mesh.positions.size());
  for (const Vec3& x : part.positions) mesh.positions.push_back(scale.cwiseProduct(x) + Vec3(0, 0, height));
  for (const Triangle& t : part.triangles) {
    mesh.triangles.push_back({first + t[0], first + t[turned ? 2 : 1], first + t[turned ? 1 : 2]});
  }
}

}  // namespace

TriangleMesh sphere(double radius, SphereBase base, int level) {
  TriangleMesh mesh = base == SphereBase::octahedron ? octahedron() : icosahedron();
  for (int i = 0; i < level; ++i) {
    mesh = split(mesh, EdgeTopology(mesh));
    for (Vec3& x : mesh.positions) x.normalize();
  }
  for (Vec3& x : mesh.positions) x *= radius;
  return mesh;
}

TriangleMesh box(const Vec3& size, const std::array<int, 3>& divisions) {
  TriangleMesh faces;
  const Vec3 half = 0.5 * size;
  for (int axis = 0; axis < 3; ++axis) {
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    const Vec3 u = size[a] * Vec3::Unit(a), v = size[b] * Vec3::Unit(b);
    const Vec3 low = -half, high = low + size[axis] * Vec3::Unit(axis);
    append_grid(high, u, v, divisions[static_cast<std::size_t>(a)], divisions[static_cast<std::size_t>(b)], faces);
    append_grid(low, v, u, divisions[static_cast<std::size_t>(b)], divisions[static_cast<std::size_t>(a)], faces);
  }
  double finest = size.maxCoeff();
  for (int axis = 0; axis < 3; ++axis)
    finest = std::min(finest, size[axis] / divisions[static_cast<std::size_t>(axis)]);
  return weld(faces, 1e-6 * finest);
}

TriangleMesh disc(double radius, int rings) {
  TriangleMesh mesh;
  append(hexagon_rings(rings), {radius, radius, 0}, 0, false, mesh);
  return mesh;
}

TriangleMesh plate(double length_x, double length_y, int nx, int ny) {
  TriangleMesh mesh;
  append_grid({-0.5 * length_x, -0.5 * length_y, 0}, {length_x, 0, 0}, {0, length_y, 0}, nx, ny, mesh);
  return mesh;
}

TriangleMesh tube(double radius, double length, int around, int along) {
  TriangleMesh mesh;
  for (int j = 0; j <= along; ++j) {
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * pi * (i + 0.5 * j) / around;
      mesh.positions.emplace_back(radius * std::cos(angle), radius * std::sin(angle), length * (1.0 * j / along - 0.5));
    }
  }
  for (int j = 0; j < along; ++j) {
    for (int i = 0; i < around; ++i) {
      const int next = (i + 1) % around, a = j * around + i, b = j * around + next;
      const int above = (j + 1) * around + i, above_next = (j + 1) * around + next;
      mesh.triangles.push_back({a, b, above});
      mesh.triangles.push_back({b, above_next, above});
    }
  }
  return mesh;
}

TriangleMesh cylinder(double radius, double length, int around, int along) {
  TriangleMesh mesh = tube(radius, length, around, along);
  const TriangleMesh cap = hexagon_rings(around / 6);
  append(cap, {radius, radius, 0}, -0.5 * length, true, mesh);
  // The upper rim is turned by half a base for each row.
  const double turn = pi * along / around;
  TriangleMesh upper = cap;
  for (Vec3& x : upper.positions) x = Eigen::AngleAxisd(turn, Vec3::UnitZ()) * x;
  append(upper, {radius, radius, 0}, 0.5 * length, false, mesh);
  return weld(mesh, 1e-6 * std::min(radius / around, length / along));
}

}  // namespace ictus::geometry
