#include <ictus/geometry/shape/rigid_shape.hpp>

#include <algorithm>
#include <cmath>
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

VolumeProperties of_polytope(const Polytope& polytope) {
  Moments m;
  for (const Polytope::Face& face : polytope.faces) {
    for (std::size_t i = 2; i < face.corners.size(); ++i) {
      m.add(polytope.vertices[face.corners[0]], polytope.vertices[face.corners[i - 1]],
            polytope.vertices[face.corners[i]]);
    }
  }
  VolumeProperties result;
  result.volume = m.volume;
  result.centroid = (1 / m.volume) * m.first;
  const Mat about = m.second + (-m.volume) * Moments::outer(result.centroid);
  const double trace = about.a.x + about.b.y + about.c.z;
  result.inertia = Mat{{trace, 0, 0}, {0, trace, 0}, {0, 0, trace}} + (-1.0) * about;
  return result;
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

Vec RigidShape::half_extent(const Mat& axes) const {
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
    case RigidShape::Kind::polytope:
      break;
  }
  return of_polytope(*shape.polytope);
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
