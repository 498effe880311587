#include <ictus/geometry/shape/rigid_shape.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <numbers>

namespace ictus::geometry {

namespace {

/// ∫ x xᵀ dV, ∫ x dV and ∫ dV of a polytope, as a sum over the tetrahedra of its fan of triangles and the origin:
/// ∫ over a tetrahedron (0, a, b, c) with d = det(a, b, c): d/6, d/24 (a+b+c), d/120 (Σ aaᵀ + s sᵀ), s = a+b+c.
struct Moments {
  double volume = 0;
  Vec first;
  Mat second{};

  void add(const Vec& a, const Vec& b, const Vec& c) {
    const double det = math::dot(a, math::cross(b, c));
    const Vec sum = a + b + c;
    volume += det / 6;
    first += (det / 24) * sum;
    for (const Vec& p : {a, b, c, sum}) second = second + (det / 120) * outer(p);
  }
  static Mat outer(const Vec& p) { return {p.x * p, p.y * p, p.z * p}; }
};

/// |x|² 1 − x xᵀ of ∫ x xᵀ.
Mat inertia_of(const Mat& second) {
  const double trace = second.a.x + second.b.y + second.c.z;
  return Mat{{trace, 0, 0}, {0, trace, 0}, {0, 0, trace}} + (-1.0) * second;
}

VolumeProperties about_centroid(const Moments& m) {
  VolumeProperties result;
  result.volume = m.volume;
  result.centroid = (1 / m.volume) * m.first;
  result.inertia = inertia_of(m.second + (-m.volume) * Moments::outer(result.centroid));
  return result;
}

VolumeProperties of_polytope(const Polytope& polytope) {
  Moments m;
  for (const Polytope::Face& face : polytope.faces) {
    for (std::size_t i = 2; i < face.corners.size(); ++i) {
      m.add(polytope.vertices[face.corners[0]], polytope.vertices[face.corners[i - 1]],
            polytope.vertices[face.corners[i]]);
    }
  }
  return about_centroid(m);
}

Vec to_vec(const math::Vec3& x) { return {x.x(), x.y(), x.z()}; }
math::Vec3 to_eigen_vec(const Vec& x) { return {x.x, x.y, x.z}; }

/// Columns of a rotation times a matrix times its transpose.
Mat turned(const Mat& axes, const Mat& matrix) {
  const auto column = [&](const Vec& v) { return axes * (matrix * v); };
  // matrix · axesᵀ has the rows of axes as what it acts on.
  const Vec x{axes.a.x, axes.b.x, axes.c.x}, y{axes.a.y, axes.b.y, axes.c.y}, z{axes.a.z, axes.b.z, axes.c.z};
  return {column(x), column(y), column(z)};
}

TriangleMesh fan_of(const Polytope& polytope) {
  TriangleMesh mesh;
  for (const Vec& v : polytope.vertices) mesh.positions.push_back(to_eigen_vec(v));
  for (const Polytope::Face& face : polytope.faces) {
    for (std::size_t i = 2; i < face.corners.size(); ++i)
      mesh.triangles.push_back({face.corners[0], face.corners[i - 1], face.corners[i]});
  }
  return mesh;
}

/// Corners on a circle about z.
std::vector<Vec> circle(double radius, double z, int around) {
  std::vector<Vec> points;
  for (int i = 0; i < around; ++i) {
    const double angle = 2 * std::numbers::pi * i / around;
    points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
  }
  return points;
}

/// Edges and their directions from the faces.
Polytope with_edges(Polytope p) {
  for (const Polytope::Face& face : p.faces) {
    for (std::size_t i = 0; i < face.corners.size(); ++i) {
      const int from = face.corners[i], to = face.corners[(i + 1) % face.corners.size()];
      if (from > to) continue;  // the neighbour has it the other way round
      const Vec along = p.vertices[to] - p.vertices[from];
      const Vec unit = (1 / norm(along)) * along;
      std::size_t d = 0;
      while (d < p.directions.size() && norm(math::cross(p.directions[d], unit)) > 1e-9) ++d;
      if (d == p.directions.size()) p.directions.push_back(unit);
      p.edges.push_back({from, to, static_cast<int>(d)});
    }
  }
  return p;
}

Polytope::Face face_of(const std::vector<Vec>& vertices, std::vector<int> corners) {
  const Vec& a = vertices[corners[0]];
  Vec normal = math::cross(vertices[corners[1]] - a, vertices[corners[2]] - a);
  normal = (1 / norm(normal)) * normal;
  return {normal, math::dot(normal, a), std::move(corners)};
}

/// A cylinder with two half spheres.
VolumeProperties of_capsule(double r, double half) {
  const double cylinder = std::numbers::pi * r * r * 2 * half;
  const double ball = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  // The centroid of a half sphere lies 3r/8 off its base.
  const double axial = cylinder * r * r / 2 + ball * 0.4 * r * r;
  const double across = cylinder * (r * r / 4 + half * half / 3) + ball * (0.4 * r * r + half * half + 0.75 * half * r);
  return {cylinder + ball, {}, {{across, 0, 0}, {0, across, 0}, {0, 0, axial}}};
}

}  // namespace

Polytope box_polytope(const Vec& size) {
  Polytope box;
  const Vec h = 0.5 * size;
  for (const double z : {-h.z, h.z}) {
    for (const double y : {-h.y, h.y}) {
      for (const double x : {-h.x, h.x}) box.vertices.push_back({x, y, z});
    }
  }
  box.faces = {{{-1, 0, 0}, h.x, {0, 4, 6, 2}}, {{1, 0, 0}, h.x, {1, 3, 7, 5}},  {{0, -1, 0}, h.y, {0, 1, 5, 4}},
               {{0, 1, 0}, h.y, {2, 6, 7, 3}},  {{0, 0, -1}, h.z, {0, 2, 3, 1}}, {{0, 0, 1}, h.z, {4, 5, 7, 6}}};
  box.directions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int axis = 0; axis < 3; ++axis) {
    for (int corner = 0; corner < 8; ++corner) {
      if ((corner >> axis) % 2 == 0) box.edges.push_back({corner, corner + (1 << axis), axis});
    }
  }
  return box;
}

RigidShape RigidShape::sphere(double radius) {
  RigidShape shape;
  shape.kind = Kind::sphere;
  shape.radius = shape.reach_ = shape.inner_radius_ = radius;
  return shape;
}

RigidShape RigidShape::capsule(double radius, double length) {
  RigidShape shape;
  shape.kind = Kind::capsule;
  shape.radius = shape.inner_radius_ = radius;
  shape.half_length = 0.5 * length;
  shape.reach_ = radius + shape.half_length;
  return shape;
}

RigidShape RigidShape::convex(Polytope polytope) {
  RigidShape shape;
  shape.kind = Kind::polytope;
  for (const Vec& v : polytope.vertices) shape.reach_ = std::max(shape.reach_, norm(v));
  shape.inner_radius_ = shape.reach_;
  for (const Polytope::Face& f : polytope.faces) shape.inner_radius_ = std::min(shape.inner_radius_, f.offset);
  shape.inner_radius_ = std::max(0.0, shape.inner_radius_);
  shape.polytope = std::make_shared<const Polytope>(std::move(polytope));
  return shape;
}

RigidShape RigidShape::scaled(double times) const {
  if (kind == Kind::sphere) return sphere(times * radius);
  if (kind == Kind::capsule) return capsule(times * radius, 2 * times * half_length);
  Polytope larger = *polytope;
  for (Vec& vertex : larger.vertices) vertex = times * vertex;
  for (Polytope::Face& face : larger.faces) face.offset *= times;
  return convex(std::move(larger));
}

RigidShape RigidShape::triangles(TriangleMesh mesh, TriangleMesh picture, double radius) {
  RigidShape shape;
  shape.kind = Kind::mesh;
  shape.radius = radius;
  for (const math::Vec3& x : mesh.positions) shape.reach_ = std::max(shape.reach_, x.norm() + radius);
  shape.mesh = std::make_shared<const TriangleMesh>(std::move(mesh));
  shape.picture = std::make_shared<const TriangleMesh>(std::move(picture));
  return shape;
}

Vec RigidShape::half_extent(const Mat& axes) const {
  if (kind == Kind::mesh) return {reach_, reach_, reach_};
  if (kind == Kind::sphere) return {radius, radius, radius};
  if (kind == Kind::capsule) {
    return {std::abs(axes.c.x) * half_length + radius, std::abs(axes.c.y) * half_length + radius,
            std::abs(axes.c.z) * half_length + radius};
  }
  Vec largest;
  for (const Vec& v : polytope->vertices) {
    const Vec w = axes * v;
    largest = {std::max(largest.x, std::abs(w.x)), std::max(largest.y, std::abs(w.y)),
               std::max(largest.z, std::abs(w.z))};
  }
  return largest;
}

VolumeProperties volume_properties(const RigidShape& shape) {
  switch (shape.kind) {
    case RigidShape::Kind::sphere:
      return of_capsule(shape.radius, 0);
    case RigidShape::Kind::capsule:
      return of_capsule(shape.radius, shape.half_length);
    case RigidShape::Kind::mesh:
      return volume_properties(*shape.mesh);
    case RigidShape::Kind::polytope:
      break;
  }
  return of_polytope(*shape.polytope);
}

VolumeProperties volume_properties(const TriangleMesh& mesh) {
  Moments m;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    m.add(to_vec(mesh.corner(t, 0)), to_vec(mesh.corner(t, 1)), to_vec(mesh.corner(t, 2)));
  return about_centroid(m);
}

VolumeProperties cylinder_properties(double r, double length) {
  const double volume = std::numbers::pi * r * r * length;
  const double across = volume * (r * r / 4 + length * length / 12);
  return {volume, {}, {{across, 0, 0}, {0, across, 0}, {0, 0, volume * r * r / 2}}};
}

VolumeProperties cone_properties(double r, double length) {
  const double volume = std::numbers::pi * r * r * length / 3;
  const double across = 3.0 / 80 * volume * (4 * r * r + length * length);
  return {volume, {0, 0, length / 4}, {{across, 0, 0}, {0, across, 0}, {0, 0, 0.3 * volume * r * r}}};
}

VolumeProperties moved(const VolumeProperties& body, const Pose& pose) {
  return {body.volume, pose.position_of(body.centroid), turned(pose.axes, body.inertia)};
}

/// Steiner's theorem for each.
VolumeProperties combined(const std::vector<VolumeProperties>& bodies, const std::vector<double>& densities) {
  VolumeProperties sum{0, {}, Mat{}};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    sum.volume += densities[i] * bodies[i].volume;
    sum.centroid += (densities[i] * bodies[i].volume) * bodies[i].centroid;
  }
  sum.centroid = (1 / sum.volume) * sum.centroid;
  sum.inertia = Mat{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double mass = densities[i] * bodies[i].volume;
    sum.inertia = sum.inertia + densities[i] * bodies[i].inertia +
                  mass * inertia_of(Moments::outer(bodies[i].centroid - sum.centroid));
  }
  return sum;
}

Polytope prism_polytope(double radius, double length, int around) {
  Polytope p;
  p.vertices = circle(radius, -length / 2, around);
  for (const Vec& v : circle(radius, length / 2, around)) p.vertices.push_back(v);
  std::vector<int> bottom, top;
  for (int i = 0; i < around; ++i) {
    bottom.push_back(around - 1 - i);
    top.push_back(around + i);
    const int next = (i + 1) % around;
    p.faces.push_back(face_of(p.vertices, {i, next, around + next, around + i}));
  }
  p.faces.push_back(face_of(p.vertices, std::move(bottom)));
  p.faces.push_back(face_of(p.vertices, std::move(top)));
  return with_edges(std::move(p));
}

Polytope pyramid_polytope(double radius, double length, int around) {
  Polytope p;
  p.vertices = circle(radius, 0, around);
  p.vertices.push_back({0, 0, length});
  std::vector<int> bottom;
  for (int i = 0; i < around; ++i) {
    bottom.push_back(around - 1 - i);
    p.faces.push_back(face_of(p.vertices, {i, (i + 1) % around, around}));
  }
  p.faces.push_back(face_of(p.vertices, std::move(bottom)));
  return with_edges(std::move(p));
}

TriangleMesh surface_of(const RigidShape& shape, int level) {
  if (shape.kind == RigidShape::Kind::mesh) return *shape.picture;
  if (shape.kind == RigidShape::Kind::polytope) return fan_of(*shape.polytope);
  TriangleMesh mesh = sphere(shape.radius, SphereBase::octahedron, level);
  for (math::Vec3& p : mesh.positions) {
    if (std::abs(p.z()) > 1e-9 * shape.radius) p.z() += std::copysign(shape.half_length, p.z());
  }
  return mesh;
}

RigidShape relocated(const RigidShape& mesh, const Vec& origin, const Mat& axes) {
  const auto move = [&](TriangleMesh triangles) {
    for (math::Vec3& x : triangles.positions) x = to_eigen_vec(math::transpose_times(axes, to_vec(x) - origin));
    return triangles;
  };
  return RigidShape::triangles(move(*mesh.mesh), move(*mesh.picture), mesh.radius);
}

Polytope relocated(const Polytope& polytope, const Vec& origin, const Mat& axes) {
  Polytope moved = polytope;
  for (Vec& v : moved.vertices) v = math::transpose_times(axes, v - origin);
  for (Vec& d : moved.directions) d = math::transpose_times(axes, d);
  for (Polytope::Face& face : moved.faces) {
    face.offset -= math::dot(face.normal, origin);
    face.normal = math::transpose_times(axes, face.normal);
  }
  return moved;
}

}  // namespace ictus::geometry
