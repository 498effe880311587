#include <ictus/contact/detect/penetration_detector.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/geometry/proximity/closest_points.hpp>
#include <ictus/geometry/proximity/triangle_intersection.hpp>

namespace ictus::contact {

using math::Vec3;

namespace {

/// Deepest penetration that is taken for one, in mean edges: beyond it a vertex is behind a face by chance.
constexpr double deepest_share = 0.5;
/// How well the mean normals of two edges must agree with their common normal.
constexpr double least_alignment = 0.3;
/// Sine squared of the angle below which edges count as parallel.
constexpr double parallel_sq = 1e-4;
/// Penetration before the step that round-off may cause, in mean edges.
constexpr double grain_share = 1e-9;

}  // namespace

void PenetrationDetector::prepare(std::span<const ContactPair> pairs, const exec::Executor& exec) {
  skins_ = Skins(pairs);
  any_ = std::any_of(skins_.laws().begin(), skins_.laws().end(),
                     [](const Skins::Law& law) { return law.first >= 0 && law.second >= 0; });
  list_.prepare(skins_, exec);
  reach_.assign(pairs.size(), 0.0);
  for (std::size_t i = 0; i < pairs.size(); ++i) reach_[i] = deepest_share * skins_.laws()[i].edge;
  faces_of_vertex_.assign(skins_.vertex_dof().size(), {});
  for (std::size_t t = 0; t < skins_.triangles().size(); ++t) {
    for (const int v : skins_.triangles()[t])
      faces_of_vertex_[static_cast<std::size_t>(v)].push_back(static_cast<int>(t));
  }
}

std::span<const PenetrationDetector::Pair> PenetrationDetector::detect(std::span<const double> q,
                                                                       std::span<const double> before) {
  pairs_.clear();
  if (!any_) return pairs_;
  list_.update(skins_, q, reach_);
  list_.for_vertex_triangle(0, list_.vertex_triangle_count(),
                            [&](const Candidate& features) { return try_vertex(features, q, before); });
  list_.for_edge_edge(0, list_.edge_edge_count(),
                      [&](const Candidate& features) { return try_edges(features, q, before); });
  return pairs_;
}

std::optional<Penetration> PenetrationDetector::evaluate(const Pair& pair, std::span<const double> q) const {
  return pair.of_edges ? edge_across_edge(pair.features, pair.side, q) : vertex_in_face(pair.features, q);
}

Vec3 PenetrationDetector::face_normal(std::span<const double> q, int triangle) const {
  const auto [a, b, c] = skins_.triangles()[static_cast<std::size_t>(triangle)];
  const Vec3 x = at(q, a);
  return (at(q, b) - x).cross(at(q, c) - x).normalized();
}

/// Mean of the normals of the faces beside an edge.
Vec3 PenetrationDetector::edge_normal(std::span<const double> q, int edge) const {
  const auto [left, right] = skins_.edge_triangles()[static_cast<std::size_t>(edge)];
  Vec3 sum = face_normal(q, left);
  if (right != Skins::none) sum += face_normal(q, right);
  return sum.normalized();
}

std::optional<Penetration> PenetrationDetector::vertex_in_face(const Candidate& features,
                                                               std::span<const double> q) const {
  const auto [a, b, c] = skins_.triangles()[static_cast<std::size_t>(features.second)];
  const Vec3 p = at(q, features.first), xa = at(q, a), xb = at(q, b), xc = at(q, c);
  const geometry::TrianglePoint foot = geometry::closest_on_triangle(p, xa, xb, xc);
  if (foot.region != geometry::TrianglePoint::Region::inside) return std::nullopt;
  const Vec3 normal = (xb - xa).cross(xc - xa).normalized();
  return Penetration{
      {features.first, a, b, c}, {1, -foot.weights[0], -foot.weights[1], -foot.weights[2]}, normal, normal.dot(p - xa)};
}

std::optional<Penetration> PenetrationDetector::edge_across_edge(const Candidate& features, double side,
                                                                 std::span<const double> q) const {
  const auto [a, b] = skins_.edges()[static_cast<std::size_t>(features.first)];
  const auto [c, d] = skins_.edges()[static_cast<std::size_t>(features.second)];
  const Vec3 xa = at(q, a), xb = at(q, b), xc = at(q, c), xd = at(q, d);
  const geometry::SegmentPoints points = geometry::closest_on_segments(xa, xb, xc, xd, parallel_sq);
  if (!points.inside) return std::nullopt;
  const Vec3 normal = side * (xb - xa).cross(xd - xc).normalized();
  return Penetration{{a, b, c, d}, {points.s - 1, -points.s, 1 - points.t, points.t}, normal, normal.dot(xc - xa)};
}

/// Adds the pair if it is a true penetration. Returns the distance of the features or a lower bound of it.
double PenetrationDetector::try_vertex(const Candidate& features, std::span<const double> q,
                                       std::span<const double> before) {
  const auto [a, b, c] = skins_.triangles()[static_cast<std::size_t>(features.second)];
  const Vec3 p = at(q, features.first), xa = at(q, a), xb = at(q, b), xc = at(q, c);
  const geometry::TrianglePoint foot = geometry::closest_on_triangle(p, xa, xb, xc);
  const double distance = (p - foot.weights[0] * xa - foot.weights[1] * xb - foot.weights[2] * xc).norm();
  const auto pair = static_cast<std::size_t>(features.pair);
  const auto found = vertex_in_face(features, q);
  if (!found || found->depth >= 0 || found->depth <= -reach_[pair]) return distance;
  Vec3 vertex_normal = Vec3::Zero();
  for (const int face : faces_of_vertex_[static_cast<std::size_t>(features.first)])
    vertex_normal += face_normal(q, face);
  if (vertex_normal.dot(found->normal) >= 0) return distance;
  const Vec3 old_normal = face_normal(before, features.second);
  const double old_depth = old_normal.dot(at(before, features.first) - at(before, a));
  if (old_depth < -grain_share * skins_.laws()[pair].edge - 0.5 * std::abs(found->depth)) return distance;
  const bool again = !pairs_.empty() && pairs_.back().features.first == features.first;
  if (again && last_depth_ >= found->depth) return distance;
  if (again) pairs_.pop_back();
  pairs_.push_back({features, false, 1});
  last_depth_ = found->depth;
  return distance;
}

double PenetrationDetector::try_edges(const Candidate& features, std::span<const double> q,
                                      std::span<const double> before) {
  const auto [a, b] = skins_.edges()[static_cast<std::size_t>(features.first)];
  const auto [c, d] = skins_.edges()[static_cast<std::size_t>(features.second)];
  const Vec3 xa = at(q, a), xb = at(q, b), xc = at(q, c), xd = at(q, d);
  const geometry::SegmentPoints points = geometry::closest_on_segments(xa, xb, xc, xd, parallel_sq);
  const double distance = ((1 - points.t) * xc + points.t * xd - (1 - points.s) * xa - points.s * xb).norm();
  const auto pair = static_cast<std::size_t>(features.pair);
  if (!points.inside || distance >= reach_[pair]) return distance;
  const Vec3 mean_first = edge_normal(q, features.first), mean_second = edge_normal(q, features.second);
  const Vec3 common = (xb - xa).cross(xd - xc).normalized();
  const double side = common.dot(mean_first) > 0 ? 1 : -1;
  if (mean_first.dot(mean_second) >= 0) return distance;
  if (side * common.dot(mean_first) <= least_alignment || -side * common.dot(mean_second) <= least_alignment)
    return distance;
  const double depth = side * common.dot(xc - xa);
  if (depth >= 0) return distance;
  const Vec3 old_common = (at(before, b) - at(before, a)).cross(at(before, d) - at(before, c)).normalized();
  const double old_depth = side * old_common.dot(at(before, c) - at(before, a));
  if (old_depth < -grain_share * skins_.laws()[pair].edge - 0.5 * std::abs(depth)) return distance;
  if (!pierces_beside(features.first, features.second, q) || !pierces_beside(features.second, features.first, q))
    return distance;
  pairs_.push_back({features, true, side});
  return distance;
}

/// Whether an edge passes through a face beside the other edge.
bool PenetrationDetector::pierces_beside(int edge, int other, std::span<const double> q) const {
  const auto [a, b] = skins_.edges()[static_cast<std::size_t>(edge)];
  for (const int face : skins_.edge_triangles()[static_cast<std::size_t>(other)]) {
    if (face == Skins::none) continue;
    const auto& corners = skins_.triangles()[static_cast<std::size_t>(face)];
    const geometry::TriangleCorners x{at(q, corners[0]), at(q, corners[1]), at(q, corners[2])};
    if (geometry::segment_pierces(at(q, a), at(q, b), x)) return true;
  }
  return false;
}

}  // namespace ictus::contact
