#include <algorithm>
#include <cmath>
#include <ictus/contact/surface_detector.hpp>
#include <ictus/geometry/closest_points.hpp>

namespace ictus::contact {

using math::Vec3;
using model::ConstraintSet;
using Place = geometry::TrianglePoint::Place;

namespace {

/// Edges at a smaller angle (its sine squared) are parallel: their nearest points are ends, which vertices see.
constexpr double parallel_sq = 1e-10;
/// Below this the slip of crossing edges would need too large couples; friction is left to other pairs.
constexpr double slip_parallel_sq = 1e-4;

}  // namespace

void SurfaceDetector::prepare(std::span<const ContactPair> pairs) {
  skins_ = Skins(pairs);
  any_ = !skins_.skins().empty();
  any_meshes_ = std::any_of(skins_.laws().begin(), skins_.laws().end(),
                            [](const Skins::Law& law) { return law.first >= 0 && law.second >= 0; });
  list_.prepare(skins_);
  speed_.assign(skins_.skins().size(), 0.0);
  approach_.assign(pairs.size(), 0.0);
  reach_.assign(pairs.size(), 0.0);
}

void SurfaceDetector::detect(std::span<const ContactPair> pairs, const StepMotion& motion, ConstraintSet& constraints) {
  if (!any_) return;
  find_reach(motion);
  if (any_meshes_) {
    list_.update(skins_, motion.q, reach_);
    list_.for_each_vertex_triangle([&](const auto& candidate) { return vertex_on_triangle(candidate, constraints); });
    list_.for_each_edge_edge([&](const auto& candidate) { return edge_on_edge(candidate, constraints); });
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (skins_.laws()[i].second < 0 && skins_.laws()[i].first >= 0) {
      vertices_on_plane(*pairs[i].second_surface->plane(), i, true, motion, constraints);
    } else if (skins_.laws()[i].first < 0 && skins_.laws()[i].second >= 0) {
      vertices_on_plane(*pairs[i].first_surface->plane(), i, false, motion, constraints);
    }
  }
}

void SurfaceDetector::find_reach(const StepMotion& motion) {
  for (std::size_t s = 0; s < speed_.size(); ++s) {
    double largest_sq = 0;
    for (const int k : skins_.skins()[s].mesh->unknown()) {
      const auto i = static_cast<std::size_t>(k);
      const Vec3 v = Vec3::Map(motion.p.data() + i).cwiseProduct(Vec3::Map(motion.inverse_mass.data() + i));
      largest_sq = std::max(largest_sq, v.squaredNorm());
    }
    speed_[s] = std::sqrt(largest_sq);
  }
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    const Skins::Law& law = skins_.laws()[i];
    double speed = 0;
    for (const int skin : {law.first, law.second}) {
      if (skin >= 0) speed = std::max(speed, speed_[static_cast<std::size_t>(skin)]);
    }
    approach_[i] = 2 * motion.h * speed;
    reach_[i] = law.thickness + approach_[i] + sight_share * law.edge;
  }
}

double SurfaceDetector::vertex_on_triangle(const NeighbourList::Candidate& candidate, ConstraintSet& constraints) {
  const auto v = static_cast<std::size_t>(candidate.first), t = static_cast<std::size_t>(candidate.second);
  const auto pair = static_cast<std::size_t>(candidate.pair);
  const auto x = list_.positions();
  const auto [a, b, c] = skins_.triangles()[t];
  FourPoints points;
  points.x = {x[v], x[static_cast<std::size_t>(a)], x[static_cast<std::size_t>(b)], x[static_cast<std::size_t>(c)]};
  const geometry::TrianglePoint foot =
      geometry::closest_on_triangle(points.x[0], points.x[1], points.x[2], points.x[3]);
  points.weight = {1, -foot.weights[0], -foot.weights[1], -foot.weights[2]};
  const Vec3 h = points.separation();
  const double d = h.norm();
  if (!(d <= reach_[pair]) || d == 0) return d;

  if (foot.place != Place::inside) {
    const auto place = static_cast<std::size_t>(foot.place);
    const bool on_side = foot.place <= Place::side2;
    const int feature = on_side ? skins_.triangle_edges()[t][place - 1] : skins_.triangles()[t][place - 4];
    const auto owners = on_side ? skins_.edge_owner() : skins_.vertex_owner();
    if (owners[static_cast<std::size_t>(feature)] != candidate.second) return d;
    if (!on_side && feature < candidate.first) return d;  // two vertices see each other: once is enough
  }
  const auto unknown = skins_.vertex_unknown();
  points.unknown = {unknown[v], unknown[static_cast<std::size_t>(a)], unknown[static_cast<std::size_t>(b)],
                    unknown[static_cast<std::size_t>(c)]};
  const Skins::Law& law = skins_.laws()[pair];
  const Touch touch{d, h / d, candidate.pair, skins_.vertex_skin()[v] == law.second};
  add_distance(points, touch, law.thickness, constraints);
  if (law.friction > 0 && foot.place == Place::inside) add_slip_of_vertex(points, touch, constraints);
  return d;
}

double SurfaceDetector::edge_on_edge(const NeighbourList::Candidate& candidate, ConstraintSet& constraints) {
  const auto e = static_cast<std::size_t>(candidate.first), f = static_cast<std::size_t>(candidate.second);
  const auto pair = static_cast<std::size_t>(candidate.pair);
  const auto x = list_.positions();
  const auto [a, b] = skins_.edges()[e];
  const auto [c, d] = skins_.edges()[f];
  FourPoints points;
  points.x = {x[static_cast<std::size_t>(a)], x[static_cast<std::size_t>(b)], x[static_cast<std::size_t>(c)],
              x[static_cast<std::size_t>(d)]};
  const geometry::SegmentPoints closest =
      geometry::closest_on_segments(points.x[0], points.x[1], points.x[2], points.x[3], parallel_sq);
  points.weight = {closest.s - 1, -closest.s, 1 - closest.t, closest.t};
  const Vec3 h = points.separation();
  const double distance = h.norm();
  // Ends nearest to the other edge are vertices near a triangle.
  if (!closest.inside || !(distance <= reach_[pair]) || distance == 0) return distance;

  const auto unknown = skins_.vertex_unknown();
  points.unknown = {unknown[static_cast<std::size_t>(a)], unknown[static_cast<std::size_t>(b)],
                    unknown[static_cast<std::size_t>(c)], unknown[static_cast<std::size_t>(d)]};
  const Skins::Law& law = skins_.laws()[pair];
  const Touch touch{distance, h / distance, candidate.pair, skins_.edge_skin()[f] == law.second};
  add_distance(points, touch, law.thickness, constraints);
  if (law.friction > 0) {
    const Vec3 along_first = points.x[1] - points.x[0], along_second = points.x[3] - points.x[2];
    const double span_sq = along_first.cross(along_second).squaredNorm();
    if (span_sq > slip_parallel_sq * along_first.squaredNorm() * along_second.squaredNorm())
      add_slip_of_edges(points, touch, constraints);
  }
  return distance;
}

void SurfaceDetector::vertices_on_plane(const model::Plane& plane, std::size_t pair, bool plane_is_second,
                                        const StepMotion& motion, ConstraintSet& constraints) const {
  const Skins::Law& law = skins_.laws()[pair];
  const model::SurfaceMesh& mesh = *skins_.skins()[static_cast<std::size_t>(std::max(law.first, law.second))].mesh;
  const double side = plane_is_second ? -1 : 1;
  const Vec3 normal = side * plane.normal;
  const auto tangents = model::tangent_basis(normal);
  const auto push = [&](int unknown, const Vec3& weights) {
    for (int c = 0; c < 3; ++c) constraints.open_row().push_back({unknown + c, weights[c]});
  };
  for (const int k : mesh.unknown()) {
    const Vec3 x = model::vertex_at(motion.q, k);
    const double gap = plane.normal.dot(x - plane.point);
    if (!(gap <= reach_[pair])) continue;
    push(k, plane.normal);
    constraints.add(gap, {static_cast<int>(pair), x, normal}, 0, ConstraintSet::Onset::ahead);
    if (law.friction == 0) continue;
    for (const Vec3& tangent : tangents) {
      push(k, side * tangent);
      constraints.add_tangent();
    }
  }
}

}  // namespace ictus::contact
