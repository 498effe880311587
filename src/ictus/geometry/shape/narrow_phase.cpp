#include <ictus/geometry/shape/narrow_phase.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus::geometry {

namespace {

using math::dot;

/// Two balls.
void add_balls(const Vec& a, double radius_a, const Vec& b, double radius_b, int feature, double margin,
               Manifold& manifold) {
  const Vec between = b - a;
  const double distance = norm(between);
  const double gap = distance - radius_a - radius_b;
  if (gap > margin) return;
  // Balls at one position have no direction between them; any will part them.
  const Vec normal = distance > 0 ? (1 / distance) * between : Vec{0, 0, 1};
  manifold.add({a + (radius_a + 0.5 * gap) * normal, normal, gap, feature});
}

struct Segment {
  Vec from, to;
  Vec at(double s) const { return from + s * (to - from); }
  double nearest(const Vec& p) const {
    const Vec along = to - from;
    const double length_sq = math::norm_sq(along);
    return length_sq > 0 ? std::clamp(dot(p - from, along) / length_sq, 0.0, 1.0) : 0.0;
  }
};

Segment axis_of(const RigidShape& capsule, const Pose& at) {
  const Vec half = capsule.half_length * at.axes.c;
  return {at.position - half, at.position + half};
}

/// Parameters of the closest points of two segments.
std::array<double, 2> closest(const Segment& p, const Segment& q) {
  const Vec u = p.to - p.from, v = q.to - q.from, w = p.from - q.from;
  const double a = dot(u, u), b = dot(u, v), c = dot(v, v), d = dot(u, w), e = dot(v, w);
  const double det = a * c - b * b;
  double s = det > 1e-12 * a * c ? std::clamp((b * e - c * d) / det, 0.0, 1.0) : 0.0;
  double t = c > 0 ? (b * s + e) / c : 0.0;
  if (t < 0 || t > 1 || c == 0) {
    t = std::clamp(t, 0.0, 1.0);
    s = a > 0 ? std::clamp((b * t - d) / a, 0.0, 1.0) : 0.0;
  }
  return {s, t};
}

/// Capsules that lie along each other touch at both ends of their common length, others at one point.
void capsules(const RigidShape& a, const Pose& at_a, const RigidShape& b, const Pose& at_b, double margin,
              Manifold& manifold) {
  const Segment p = axis_of(a, at_a), q = axis_of(b, at_b);
  constexpr double parallel = 0.05;  // sine of the angle
  if (norm(math::cross(at_a.axes.c, at_b.axes.c)) < parallel && a.half_length > 0) {
    const double first = p.nearest(q.from), last = p.nearest(q.to);
    if (std::abs(last - first) > 1e-6) {
      add_balls(p.at(first), a.radius, q.at(q.nearest(p.at(first))), b.radius, 1, margin, manifold);
      add_balls(p.at(last), a.radius, q.at(q.nearest(p.at(last))), b.radius, 2, margin, manifold);
      return;
    }
  }
  const auto [s, t] = closest(p, q);
  add_balls(p.at(s), a.radius, q.at(t), b.radius, 0, margin, manifold);
}

struct Nearest {
  Vec normal;           ///< out of the polytope
  double distance = 0;  ///< negative inside
  bool in_face = false;
};

Vec nearest_in_face(const Polytope& polytope, const Polytope::Face& face, const Vec& p, bool& inside) {
  inside = true;
  Vec best{};
  double best_sq = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < face.corners.size(); ++i) {
    const Segment edge{polytope.vertices[face.corners[i]],
                       polytope.vertices[face.corners[(i + 1) % face.corners.size()]]};
    if (dot(math::cross(edge.to - edge.from, face.normal), p - edge.from) <= 0) continue;
    inside = false;
    const Vec candidate = edge.at(edge.nearest(p));
    const double sq = math::norm_sq(candidate - p);
    if (sq < best_sq) best_sq = sq, best = candidate;
  }
  return inside ? p - (dot(face.normal, p) - face.offset) * face.normal : best;
}

/// The point of a polytope's surface nearest to p, both in its own axes.
Nearest nearest_on(const Polytope& polytope, const Vec& p) {
  double deepest = -std::numeric_limits<double>::infinity(), best_sq = std::numeric_limits<double>::infinity();
  Nearest result;
  for (const Polytope::Face& face : polytope.faces) {
    const double height = dot(face.normal, p) - face.offset;
    if (height > deepest) {
      deepest = height;
      if (height <= 0) result = {face.normal, height, true};
    }
    if (height <= 0) continue;
    bool inside = false;
    const Vec away = p - nearest_in_face(polytope, face, p, inside);
    const double sq = math::norm_sq(away);
    if (sq >= best_sq) continue;
    best_sq = sq;
    const double distance = std::sqrt(sq);
    result = {inside ? face.normal : (1 / distance) * away, distance, inside};
  }
  return result;
}

void ball_on_polytope(const Polytope& polytope, const Pose& at, const Vec& centre, double radius, int feature,
                      double margin, Manifold& manifold) {
  const Nearest nearest = nearest_on(polytope, at.local(centre));
  const double gap = nearest.distance - radius;
  if (gap > margin) return;
  const Vec normal = at.axes * nearest.normal;
  manifold.add({centre - (radius + 0.5 * gap) * normal, normal, gap, feature});
}

/// The part of a segment above a face; false where there is none.
bool clip_to_face(const Polytope& polytope, const Polytope::Face& face, Segment& segment) {
  double low = 0, high = 1;
  for (std::size_t i = 0; i < face.corners.size(); ++i) {
    const Vec& from = polytope.vertices[face.corners[i]];
    const Vec& to = polytope.vertices[face.corners[(i + 1) % face.corners.size()]];
    const Vec outward = math::cross(to - from, face.normal);
    const double begin = dot(outward, segment.from - from), end = dot(outward, segment.to - from);
    if (begin > 0 && end > 0) return false;
    if (begin > 0) low = std::max(low, begin / (begin - end));
    if (end > 0) high = std::min(high, begin / (begin - end));
  }
  if (low >= high) return false;
  segment = {segment.at(low), segment.at(high)};
  return true;
}

/// A capsule that lies along a face touches it at both ends of the part above it; otherwise its caps and the nearest
/// edge count.
void capsule_on_polytope(const Polytope& polytope, const Pose& at, const RigidShape& capsule, const Pose& at_capsule,
                         double margin, Manifold& manifold) {
  const Segment world = axis_of(capsule, at_capsule);
  const Segment axis{at.local(world.from), at.local(world.to)};
  const Polytope::Face* top = nullptr;
  double height = -std::numeric_limits<double>::infinity();
  for (const Polytope::Face& face : polytope.faces) {
    const double low = std::min(dot(face.normal, axis.from), dot(face.normal, axis.to)) - face.offset;
    if (low > height) height = low, top = &face;
  }
  if (height - capsule.radius > margin) return;
  constexpr double flat = 0.1;  // sine of the angle between axis and face
  Segment above = axis;
  if (std::abs(dot(top->normal, axis.to - axis.from)) < flat * 2 * capsule.half_length &&
      clip_to_face(polytope, *top, above)) {
    const Vec normal = at.axes * top->normal;
    int feature = 1;
    for (const Vec& end : {above.from, above.to}) {
      const double gap = dot(top->normal, end) - top->offset - capsule.radius;
      if (gap <= margin)
        manifold.add({at.position_of(end) - (capsule.radius + 0.5 * gap) * normal, normal, gap, feature});
      ++feature;
    }
    return;
  }
  ball_on_polytope(polytope, at, world.from, capsule.radius, 1, margin, manifold);
  ball_on_polytope(polytope, at, world.to, capsule.radius, 2, margin, manifold);
  double best = margin + capsule.radius;
  Vec on_edge, on_axis;
  bool found = false;
  for (const Polytope::Edge& edge : polytope.edges) {
    const Segment segment{polytope.vertices[edge.from], polytope.vertices[edge.to]};
    const auto [s, t] = closest(segment, axis);
    const double distance = norm(axis.at(t) - segment.at(s));
    if (t <= 0 || t >= 1 || distance >= best) continue;
    best = distance, found = true;
    on_edge = segment.at(s), on_axis = axis.at(t);
  }
  if (found && nearest_on(polytope, on_axis).distance > 0) {
    add_balls(at.position_of(on_edge), 0, at.position_of(on_axis), capsule.radius, 3, margin, manifold);
  }
}

void flip(Manifold& manifold) {
  for (ContactPoint& point : manifold.points()) point.normal = -point.normal;
}

}  // namespace

void NarrowPhase::collide(const RigidShape& a, const Pose& at_a, const RigidShape& b, const Pose& at_b, double margin,
                          Manifold& manifold) {
  using Kind = RigidShape::Kind;
  manifold.clear();
  if (a.kind == Kind::polytope && b.kind == Kind::polytope) {
    polytopes(*a.polytope, at_a, *b.polytope, at_b, margin, std::min(a.reach(), b.reach()), manifold);
  } else if (a.kind == Kind::polytope) {
    if (b.kind == Kind::sphere) {
      ball_on_polytope(*a.polytope, at_a, at_b.position, b.radius, 0, margin, manifold);
    } else {
      capsule_on_polytope(*a.polytope, at_a, b, at_b, margin, manifold);
    }
  } else if (b.kind == Kind::polytope) {
    collide(b, at_b, a, at_a, margin, manifold);
    flip(manifold);
  } else if (a.kind == Kind::sphere && b.kind == Kind::sphere) {
    add_balls(at_a.position, a.radius, at_b.position, b.radius, 0, margin, manifold);
  } else {
    capsules(a, at_a, b, at_b, margin, manifold);
  }
}

void NarrowPhase::collide_plane(const Vec& point, const Vec& normal, const RigidShape& b, const Pose& at_b,
                                double margin, Manifold& manifold) {
  manifold.clear();
  const auto add = [&](const Vec& centre, double radius, int feature) {
    const double gap = dot(normal, centre - point) - radius;
    if (gap <= margin) manifold.add({centre - (radius + 0.5 * gap) * normal, normal, gap, feature});
  };
  switch (b.kind) {
    case RigidShape::Kind::sphere:
      return add(at_b.position, b.radius, 0);
    case RigidShape::Kind::capsule: {
      const Segment axis = axis_of(b, at_b);
      add(axis.from, b.radius, 0);
      return add(axis.to, b.radius, 1);
    }
    case RigidShape::Kind::polytope:
      for (std::size_t i = 0; i < b.polytope->vertices.size(); ++i) {
        add(at_b.position_of(b.polytope->vertices[i]), 0, static_cast<int>(i));
      }
      return;
    case RigidShape::Kind::mesh:  // met by its skin
      return;
  }
}

namespace {

/// The distance of two polytopes that are apart: from a corner to the other's surface, or from edge to edge.
double polytope_distance(const Polytope& a, const Pose& at_a, const Polytope& b, const Pose& at_b) {
  double least = std::numeric_limits<double>::infinity();
  for (const Vec& corner : b.vertices) {
    least = std::min(least, nearest_on(a, at_a.local(at_b.position_of(corner))).distance);
  }
  for (const Vec& corner : a.vertices) {
    least = std::min(least, nearest_on(b, at_b.local(at_a.position_of(corner))).distance);
  }
  for (const Polytope::Edge& one : a.edges) {
    const Segment p{at_a.position_of(a.vertices[one.from]), at_a.position_of(a.vertices[one.to])};
    for (const Polytope::Edge& other : b.edges) {
      const Segment q{at_b.position_of(b.vertices[other.from]), at_b.position_of(b.vertices[other.to])};
      const auto [s, t] = closest(p, q);
      least = std::min(least, norm(q.at(t) - p.at(s)));
    }
  }
  return least;
}

}  // namespace

double NarrowPhase::gap(const RigidShape& a, const Pose& at_a, const RigidShape& b, const Pose& at_b) {
  constexpr double far = std::numeric_limits<double>::infinity();
  const bool faceted = a.kind == RigidShape::Kind::polytope && b.kind == RigidShape::Kind::polytope;
  collide(a, at_a, b, at_b, faceted ? 0 : far, nearest_);
  double least = far;
  for (const ContactPoint& point : nearest_.points()) least = std::min(least, point.gap);
  return least == far ? polytope_distance(*a.polytope, at_a, *b.polytope, at_b) : least;
}

double NarrowPhase::gap_to_plane(const Vec& point, const Vec& normal, const RigidShape& b, const Pose& at_b) {
  if (b.kind != RigidShape::Kind::polytope) {
    const Segment axis = axis_of(b, at_b);
    return std::min(dot(normal, axis.from - point), dot(normal, axis.to - point)) - b.radius;
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Vec& vertex : b.polytope->vertices) least = std::min(least, dot(normal, at_b.position_of(vertex) - point));
  return least;
}

}  // namespace ictus::geometry
