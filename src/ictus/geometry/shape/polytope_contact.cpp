#include <ictus/geometry/shape/narrow_phase.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

// Two polytopes by separating axes [eq. rigid-bodies-14]. Everything is in the axes of the first.

namespace ictus::geometry {

using math::dot;

namespace {

/// Lowest and highest n·x of points.
std::array<double, 2> range_along(const Vec& n, std::span<const Vec> points) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vec& p : points) {
    const double d = dot(n, p);
    low = std::min(low, d);
    high = std::max(high, d);
  }
  return {low, high};
}

/// Names of the edges of a clipped face: those of the incident face and the sides of the reference face by the corners
/// from which they go. An edge is left over from clipping at most once, so that no two corners have the same two edges.
constexpr int edge_bits = 14;
int edge_from(int corner, bool of_reference) {
  constexpr int half = 1 << (edge_bits - 1);
  return corner % half + (of_reference ? half : 0);
}

/// The feature at the corner between two edges of a clipped face. Those of crossing edges are smaller numbers.
int corner_feature(int arriving, int leaving, bool flip) {
  return (1 << (2 * edge_bits + 1)) + 2 * ((arriving << edge_bits) + leaving) + (flip ? 1 : 0);
}

}  // namespace

/// Face normals of `a` against the points of the other polytope, both in the axes of `a`; false where one separates
/// them by more than the margin.
bool NarrowPhase::try_faces(const Polytope& a, std::span<const Vec> b, double margin, bool of_a, Axis& best) const {
  for (std::size_t f = 0; f < a.faces.size(); ++f) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const Vec& p : b) lowest = std::min(lowest, dot(a.faces[f].normal, p));
    const double separation = lowest - a.faces[f].offset;
    if (separation > margin) return false;
    if (separation <= best.separation) continue;
    best = {separation};
    (of_a ? best.face_a : best.face_b) = static_cast<int>(f);
  }
  return true;
}

/// Products of edge directions. A pair of edges must be better than the best face by `bias`, so that faces that lie on
/// each other stay a contact of faces whatever round-off does.
bool NarrowPhase::try_edges(const Polytope& a, const Polytope& b, double margin, double bias, Axis& best) const {
  const double face_separation = best.separation;
  for (std::size_t i = 0; i < a.directions.size(); ++i) {
    for (std::size_t j = 0; j < b.directions.size(); ++j) {
      Vec normal = math::cross(a.directions[i], directions_b_[j]);
      const double sine = std::sqrt(math::norm_sq(normal));
      if (sine < 1e-6) continue;
      normal = (1 / sine) * normal;
      const auto [low_a, high_a] = range_along(normal, a.vertices);
      const auto [low_b, high_b] = range_along(normal, vertices_b_);
      const bool forward = low_b - high_a >= low_a - high_b;
      const double separation = forward ? low_b - high_a : low_a - high_b;
      if (separation > margin) return false;
      if (separation <= face_separation + bias || separation <= best.separation) continue;
      best = {separation, -1, -1, static_cast<int>(i), static_cast<int>(j), forward ? normal : -normal};
    }
  }
  return true;
}

/// The face of `incident` that looks most against the reference face, clipped to the prism over it; its corners below
/// the margin are the contact points. `flip`: the reference belongs to the second shape.
void NarrowPhase::clip_faces(const Polytope& reference, std::span<const Vec> reference_vertices, int face,
                             const Vec& normal, double offset, const Polytope& incident,
                             std::span<const Vec> incident_vertices, std::span<const Vec> incident_normals,
                             double margin, bool flip, Manifold& manifold) {
  std::size_t facing = 0;
  for (std::size_t f = 1; f < incident_normals.size(); ++f) {
    if (dot(incident_normals[f], normal) < dot(incident_normals[facing], normal)) facing = f;
  }
  polygon_.clear();
  for (const int corner : incident.faces[facing].corners) {
    polygon_.push_back({incident_vertices[corner], edge_from(corner, false)});
  }
  const std::vector<int>& corners = reference.faces[static_cast<std::size_t>(face)].corners;
  for (std::size_t i = 0; i < corners.size() && !polygon_.empty(); ++i) {
    const Vec& from = reference_vertices[corners[i]];
    const Vec& to = reference_vertices[corners[(i + 1) % corners.size()]];
    const Vec outward = math::cross(to - from, normal);
    // Corners on the side to within a millionth of its length count as inside: faces that coincide keep four corners.
    const double on_side = 1e-6 * math::norm_sq(outward);
    const int side = edge_from(corners[i], true);
    clipped_.clear();
    for (std::size_t k = 0; k < polygon_.size(); ++k) {
      const Corner& here = polygon_[k];
      const Corner& next = polygon_[(k + 1) % polygon_.size()];
      const double d = dot(outward, here.position - from), e = dot(outward, next.position - from);
      if (d <= on_side) clipped_.push_back(here);
      if ((d < -on_side && e > on_side) || (d > on_side && e < -on_side)) {
        clipped_.push_back({here.position + (d / (d - e)) * (next.position - here.position), d < 0 ? side : here.edge});
      }
    }
    polygon_.swap(clipped_);
  }
  for (std::size_t k = 0; k < polygon_.size(); ++k) {
    const Corner& corner = polygon_[k];
    const double gap = dot(normal, corner.position) - offset;
    if (gap > margin) continue;
    const int arriving = polygon_[(k + polygon_.size() - 1) % polygon_.size()].edge;
    manifold.add({corner.position - (0.5 * gap) * normal, flip ? -normal : normal, gap,
                  corner_feature(arriving, corner.edge, flip)});
  }
}

/// The outermost edges of the two directions and their closest points.
void NarrowPhase::cross_edges(const Polytope& a, const Polytope& b, const Axis& axis, Manifold& manifold) const {
  const auto outermost = [&](const Polytope& polytope, std::span<const Vec> vertices, int direction, double sign) {
    const Polytope::Edge* best = nullptr;
    double largest = -std::numeric_limits<double>::infinity();
    for (const Polytope::Edge& edge : polytope.edges) {
      if (edge.direction != direction) continue;
      const double height = sign * dot(axis.normal, vertices[edge.from] + vertices[edge.to]);
      if (height > largest) largest = height, best = &edge;
    }
    return best;
  };
  const Polytope::Edge* edge_a = outermost(a, a.vertices, axis.direction_a, 1);
  const Polytope::Edge* edge_b = outermost(b, vertices_b_, axis.direction_b, -1);
  const Vec p = a.vertices[edge_a->from], u = a.vertices[edge_a->to] - p;
  const Vec q = vertices_b_[edge_b->from], v = vertices_b_[edge_b->to] - q;
  const Vec w = p - q;
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
  const double s = std::clamp((uv * dot(v, w) - vv * dot(u, w)) / det, 0.0, 1.0);
  const double t = std::clamp((uu * dot(v, w) - uv * dot(u, w)) / det, 0.0, 1.0);
  const Vec middle = 0.5 * (p + s * u + q + t * v);
  manifold.add({middle, axis.normal, axis.separation, 100000 + 100 * axis.direction_a + axis.direction_b});
}

void NarrowPhase::polytopes(const Polytope& a, const Pose& at_a, const Polytope& b, const Pose& at_b, double margin,
                            double reach, Manifold& manifold) {
  const auto into_a = [&](const Vec& direction) { return math::transpose_times(at_a.axes, at_b.axes * direction); };
  const Vec offset = at_a.local(at_b.position);
  vertices_b_.clear();
  for (const Vec& v : b.vertices) vertices_b_.push_back(offset + into_a(v));
  // Corners of a in the axes of b, where b's faces are known.
  vertices_a_in_b_.clear();
  for (const Vec& v : a.vertices) vertices_a_in_b_.push_back(at_b.local(at_a.position_of(v)));
  Axis best{-std::numeric_limits<double>::infinity()};
  if (!try_faces(a, vertices_b_, margin, true, best)) return;
  // The faces of b must be better by more than round-off: which of two equal faces is the reference stays the same.
  Axis best_b{best.separation + 1e-6 * reach};
  if (!try_faces(b, vertices_a_in_b_, margin, false, best_b)) return;
  if (best_b.face_b >= 0) best = best_b;
  directions_b_.clear();
  for (const Vec& d : b.directions) directions_b_.push_back(into_a(d));
  if (!try_edges(a, b, margin, 1e-3 * reach, best)) return;
  normals_b_.clear();
  for (const Polytope::Face& face : b.faces) normals_b_.push_back(into_a(face.normal));
  if (best.direction_a >= 0) {
    cross_edges(a, b, best, manifold);
  } else if (best.face_a >= 0) {
    const Polytope::Face& face = a.faces[static_cast<std::size_t>(best.face_a)];
    clip_faces(a, a.vertices, best.face_a, face.normal, face.offset, b, vertices_b_, normals_b_, margin, false,
               manifold);
  } else {
    const Polytope::Face& face = b.faces[static_cast<std::size_t>(best.face_b)];
    const Vec normal = normals_b_[static_cast<std::size_t>(best.face_b)];
    normals_b_.clear();
    for (const Polytope::Face& f : a.faces) normals_b_.push_back(f.normal);
    clip_faces(b, vertices_b_, best.face_b, normal, face.offset + dot(normal, offset), a, a.vertices, normals_b_,
               margin, true, manifold);
  }
  for (ContactPoint& point : manifold.points()) {
    point.point = at_a.position_of(point.point);
    point.normal = at_a.axes * point.normal;
  }
}

}  // namespace ictus::geometry
