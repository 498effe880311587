#include <ictus/contact/detect/surface_detector.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect/component_range.hpp>
#include <ictus/geometry/proximity/closest_points.hpp>

namespace ictus::contact {

using math::Vec3;
using model::ConstraintSet;
using Region = geometry::TrianglePoint::Region;

namespace {

/// Edges at a smaller angle (its sine squared) are parallel: their nearest points are ends, which vertices see.
constexpr double interior_parallel_sq = 1e-10;
/// Below this the slip of crossing edges would need too large couples, and is that of points.
constexpr double slip_parallel_sq = 1e-4;
/// Impulses may change velocities within a step; what is closed is looked for up to this many times the way by which
/// two bodies approach before them.
constexpr double approach_share = 1.5;
/// Mean edges that surfaces may approach in a step. What keeps them apart is good for two or three; beyond this every
/// triangle would have every other as a neighbour.
constexpr double max_edges = 100;
/// Triangles at a smaller angle to each other push a vertex in one direction.
constexpr double parallel_angle = 1e-3;
/// Candidates and vertices that a thread works on at a time.
constexpr std::size_t test_block = 1024, plane_block = 4096;

/// Whether a way along a surface leads nearer to what is `apart` from its beginning, beyond rounding: where it is in
/// doubt both ends count.
bool leads_nearer(const Vec3& along, const Vec3& apart) {
  constexpr double rounding = 1e-9;
  return along.dot(apart) > rounding * along.norm() * apart.norm();
}

/// Of the vertices begin … end − 1 of a skin at momenta p.
Box range_of_velocities(const model::SurfaceMesh& mesh, std::size_t begin, std::size_t end, const StepMotion& motion,
                        std::span<const double> p) {
  ComponentRange range;
  double buffer[ComponentRange::width];
  for (std::size_t v = begin; v < end; v += ComponentRange::vectors) {
    const std::size_t count = std::min(end - v, ComponentRange::vectors);
    if (mesh.lies_in_sequence()) {
      const auto dof = static_cast<std::size_t>(mesh.dof()[v]);
      const double *momentum = &p[dof], *inverse_mass = &motion.inverse_mass[dof];
      range.include(3 * count, [=](std::size_t j) { return momentum[j] * inverse_mass[j]; });
    } else {
      for (std::size_t k = 0; k < count; ++k)
        Vec3::Map(buffer + 3 * k) = mesh.velocity(v + k, motion.q, p, motion.inverse_mass);
      range.include(3 * count, [&](std::size_t j) { return buffer[j]; });
    }
  }
  return range.box();
}

}  // namespace

void SurfaceDetector::prepare(std::span<const ContactPair> pairs, const exec::Executor& exec) {
  exec_ = exec;
  skins_ = Skins(pairs);
  any_ = !skins_.skins().empty();
  any_meshes_ = std::any_of(skins_.laws().begin(), skins_.laws().end(),
                            [](const Skins::Law& law) { return law.first >= 0 && law.second >= 0; });
  list_.prepare(skins_, exec);
  moving_.prepare(skins_, pairs, exec);
  velocities_.assign(skins_.skins().size(), Box::nothing());
  sight_.clear();
  for (const Skins::Law& law : skins_.laws()) sight_.push_back(sight_share * law.edge);
  planes_.clear();
  for (const ContactPair& pair : pairs) planes_.push_back(pair.moved_plane());
  approach_.assign(pairs.size(), 0.0);
  open_reach_.assign(pairs.size(), 0.0);
  reach_.assign(pairs.size(), 0.0);
}

void SurfaceDetector::detect(std::span<const ContactPair> pairs, const StepMotion& motion, ConstraintSet& constraints) {
  if (!any_) return;
  find_reach(motion);
  leave_out_gone(pairs, motion.time);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Skins::Law& law = skins_.laws()[i];
    if (law.first < 0 || law.second < 0 || approach_[i] <= max_edges * law.edge) continue;
    throw base::NumericalFailure(
        fmt::format("surfaces move by up to {:.3g} mean edges against each other in a step", approach_[i] / law.edge),
        fmt::format("{} and {}", pairs[i].first, pairs[i].second), "Use a smaller time.step");
  }
  if (any_meshes_) {
    list_.update(skins_, motion.q, reach_);
    moving_.look_ahead(skins_, motion, approach_);
    find_near(motion);
    leave_out_parallel();
    for (const Near& near : vertices_kept_) add_vertex(near, motion.q, constraints);
    for (const Near& near : edges_near_.all()) add_edges(near, motion.q, constraints);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (skins_.laws()[i].second < 0 && skins_.laws()[i].first >= 0) {
      vertices_on_plane(*pairs[i].second_surface, i, true, motion, constraints);
    } else if (skins_.laws()[i].first < 0 && skins_.laws()[i].second >= 0) {
      vertices_on_plane(*pairs[i].first_surface, i, false, motion, constraints);
    }
  }
}

void SurfaceDetector::find_velocities(const StepMotion& motion, std::span<const double> p) {
  for (std::size_t s = 0; s < velocities_.size(); ++s) {
    const model::SurfaceMesh& mesh = *skins_.skins()[s].mesh;
    const std::size_t blocks = (mesh.vertex_count() + plane_block - 1) / plane_block;
    part_.assign(blocks, Box::nothing());
    exec_.for_items(blocks, [&](std::size_t block) {
      part_[block] = range_of_velocities(mesh, block * plane_block,
                                         std::min((block + 1) * plane_block, mesh.vertex_count()), motion, p);
    });
    velocities_[s] = Box::nothing();
    for (const Box& part : part_) velocities_[s].include(part);
  }
}

void SurfaceDetector::find_reach(const StepMotion& motion) {
  const std::size_t pairs = reach_.size();
  find_velocities(motion, motion.p);
  for (std::size_t i = 0; i < pairs; ++i) {
    approach_[i] = approach_share * way(i, motion, motion.p);
    open_reach_[i] = approach_[i] + (sees_parting_ ? sight_[i] : 0);
  }
  if (!motion.before.empty()) {
    find_velocities(motion, motion.before);
    for (std::size_t i = 0; i < pairs; ++i) open_reach_[i] = std::max(open_reach_[i], way(i, motion, motion.before));
  }
  for (std::size_t i = 0; i < pairs; ++i) reach_[i] = skins_.laws()[i].thickness + open_reach_[i];
}

/// Nothing is near what has vanished.
void SurfaceDetector::leave_out_gone(std::span<const ContactPair> pairs, double time) {
  constexpr double nothing = -1;  // m; below every distance
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].is_gone(time)) approach_[i] = reach_[i] = nothing, open_reach_[i] = -INFINITY;
  }
}

/// By how far the two sides of a pair may come nearer in the step, with the velocities that were found last, of p.
double SurfaceDetector::way(std::size_t pair, const StepMotion& motion, std::span<const double> p) const {
  const Skins::Law& law = skins_.laws()[pair];
  if (law.first < 0 && law.second < 0) return 0;
  const auto velocities = [&](int skin) {
    return skin < 0 ? Box{Vec3::Zero(), Vec3::Zero()} : velocities_[static_cast<std::size_t>(skin)];
  };
  const double by_box = max_change(velocities(law.first), velocities(law.second));
  const model::Surface* obstacle = planes_[pair];
  if (!obstacle) return motion.h * by_box;
  // A plane that turns has other velocities everywhere.
  const model::SurfaceMesh& mesh = *skins_.skins()[static_cast<std::size_t>(std::max(law.first, law.second))].mesh;
  double fastest = 0;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3 at = model::plane_velocity(*obstacle, motion.q, mesh.position(v, motion.q), p, motion.inverse_mass);
    fastest = std::max(fastest, at.norm());
  }
  return motion.h * (by_box + fastest);
}

void SurfaceDetector::find_near(const StepMotion& motion) {
  vertices_near_.collect(exec_, list_.vertex_triangle_count(), test_block,
                         [&](std::size_t begin, std::size_t end, std::vector<Near>& near) {
                           list_.for_vertex_triangle(begin, end, [&](const auto& candidate) {
                             return vertex_on_triangle(candidate, motion, near);
                           });
                         });
  edges_near_.collect(
      exec_, list_.edge_edge_count(), test_block, [&](std::size_t begin, std::size_t end, std::vector<Near>& near) {
        list_.for_edge_edge(begin, end, [&](const auto& candidate) { return edge_on_edge(candidate, motion, near); });
      });
}

double SurfaceDetector::vertex_on_triangle(const NeighbourList::Candidate& candidate, const StepMotion& motion,
                                           std::vector<Near>& near) const {
  const auto v = static_cast<std::size_t>(candidate.first), t = static_cast<std::size_t>(candidate.second);
  const auto x = list_.positions();
  const auto [a, b, c] = skins_.triangles()[t];
  const Vec3 &xa = x[static_cast<std::size_t>(a)], &xb = x[static_cast<std::size_t>(b)],
             &xc = x[static_cast<std::size_t>(c)];
  const geometry::TrianglePoint foot = geometry::closest_on_triangle(x[v], xa, xb, xc);
  const auto& [la, lb, lc] = foot.weights;
  const double d = (x[v] - la * xa - lb * xb - lc * xc).norm(),
               reach = reach_[static_cast<std::size_t>(candidate.pair)];
  if (!(d <= reach) || d == 0 || d + skins_.shortfall(candidate.first) + skins_.shortfall(a) > reach) return d;
  if (moving_.any()) follow(candidate, {candidate.first, a, b, c}, 1, d, motion, near);
  if (foot.region != Region::inside) {
    const auto region = static_cast<std::size_t>(foot.region);
    const bool on_side = foot.region <= Region::side2;
    const int feature = on_side ? skins_.triangle_edges()[t][region - 1] : skins_.triangles()[t][region - 4];
    const auto owners = on_side ? skins_.edge_owner() : skins_.vertex_owner();
    if (owners[static_cast<std::size_t>(feature)] != candidate.second) return d;
    if (!on_side && feature < candidate.first) return d;  // two vertices see each other: once is enough
    const Vec3 apart = x[v] - la * xa - lb * xb - lc * xc;
    if (!has_layers_ &&
        (on_side ? !is_nearest_on_edge(feature, apart)
                 : !is_nearest_in_vertex(feature, apart) || !is_nearest_in_vertex(candidate.first, -apart)))
      return d;
  }
  near.push_back({candidate, {1, -la, -lb, -lc}, foot.region == Region::inside});
  return d;
}

/// Whether a point that is nearest to an edge in one of its triangles, with the separation `apart` from it, is so in
/// the other triangle too.
bool SurfaceDetector::is_nearest_on_edge(int edge, const Vec3& apart) const {
  const auto x = list_.positions();
  const auto [a, b] = skins_.edges()[static_cast<std::size_t>(edge)];
  for (const int t : skins_.edge_triangles()[static_cast<std::size_t>(edge)]) {
    if (t == Skins::none) continue;
    for (const int c : skins_.triangles()[static_cast<std::size_t>(t)])
      if (c != a && c != b && leads_nearer(x[static_cast<std::size_t>(c)] - x[static_cast<std::size_t>(a)], apart))
        return false;
  }
  return true;
}

/// The same of a vertex and all its triangles.
bool SurfaceDetector::is_nearest_in_vertex(int vertex, const Vec3& apart) const {
  const auto x = list_.positions();
  const auto neighbours = skins_.neighbours(vertex);
  return std::none_of(neighbours.begin(), neighbours.end(), [&](int other) {
    return leads_nearer(x[static_cast<std::size_t>(other)] - x[static_cast<std::size_t>(vertex)], apart);
  });
}

/// Where a vertex is over the insides of several triangles, as in a dent, those whose directions differ by less than an
/// angle have one constraint, that of the nearest: the first of them but for what is as good as touching.
void SurfaceDetector::leave_out_parallel() {
  if (has_layers_) {
    vertices_kept_ = vertices_near_.all();
    return;
  }
  vertices_kept_.clear();
  std::size_t begin = 0;  // of those kept of the same vertex
  for (const Near& near : vertices_near_.all()) {
    if (begin < vertices_kept_.size() && vertices_kept_[begin].features.first != near.features.first)
      begin = vertices_kept_.size();
    const Vec3 apart = near.meets_along ? Vec3::Zero() : separation(near);
    const auto twin = std::find_if(vertices_kept_.begin() + static_cast<std::ptrdiff_t>(begin), vertices_kept_.end(),
                                   [&](const Near& other) {
                                     if (near.meets_along || other.meets_along) return false;
                                     if (other.features.pair != near.features.pair) return false;
                                     const Vec3 turned = separation(other).normalized() - apart.normalized();
                                     return turned.squaredNorm() < parallel_angle * parallel_angle;
                                   });
    if (twin == vertices_kept_.end()) {
      vertices_kept_.push_back(near);
      continue;
    }
    const double touching = touching_share * skins_.laws()[static_cast<std::size_t>(near.features.pair)].edge;
    if (apart.norm() < separation(*twin).norm() - touching) *twin = near;
  }
}

/// From the point of a triangle to a vertex near it.
Vec3 SurfaceDetector::separation(const Near& near) const {
  const auto x = list_.positions();
  Vec3 sum = x[static_cast<std::size_t>(near.features.first)];
  for (std::size_t k = 0; k < 3; ++k) {
    const int corner = skins_.triangles()[static_cast<std::size_t>(near.features.second)][k];
    sum += near.weight[k + 1] * x[static_cast<std::size_t>(corner)];
  }
  return sum;
}

double SurfaceDetector::edge_on_edge(const NeighbourList::Candidate& candidate, const StepMotion& motion,
                                     std::vector<Near>& near) const {
  const auto x = list_.positions();
  const auto [a, b] = skins_.edges()[static_cast<std::size_t>(candidate.first)];
  const auto [c, d] = skins_.edges()[static_cast<std::size_t>(candidate.second)];
  const Vec3 &xa = x[static_cast<std::size_t>(a)], &xb = x[static_cast<std::size_t>(b)],
             &xc = x[static_cast<std::size_t>(c)], &xd = x[static_cast<std::size_t>(d)];
  const auto [s, t, inside] = geometry::closest_on_segments(xa, xb, xc, xd, interior_parallel_sq);
  const double distance = ((1 - t) * xc + t * xd - (1 - s) * xa - s * xb).norm();
  if (!(distance <= reach_[static_cast<std::size_t>(candidate.pair)]) || distance == 0) return distance;
  if (moving_.any()) follow(candidate, {a, b, c, d}, 2, distance, motion, near);
  if (!inside) return distance;  // ends nearest to the other edge are vertices near a triangle
  const Vec3 along_first = xb - xa, along_second = xd - xc;
  const double span_sq = along_first.cross(along_second).squaredNorm();
  near.push_back({candidate,
                  {s - 1, -s, 1 - t, t},
                  span_sq > slip_parallel_sq * along_first.squaredNorm() * along_second.squaredNorm()});
  return distance;
}

void SurfaceDetector::follow(const NeighbourList::Candidate& candidate, const std::array<int, 4>& vertices,
                             std::size_t first, double distance, const StepMotion& motion,
                             std::vector<Near>& near) const {
  if (has_layers_ || !moving_.follows(candidate.pair)) return;
  const auto meeting = moving_.meeting(list_, skins_, motion, vertices, first, candidate.pair, distance);
  if (meeting) near.push_back({candidate, meeting->weight, false, meeting->separation.normalized()});
}

void SurfaceDetector::add_vertex(const Near& near, std::span<const double> q, ConstraintSet& constraints) const {
  const auto [a, b, c] = skins_.triangles()[static_cast<std::size_t>(near.features.second)];
  const FourPoints points = four_points({near.features.first, a, b, c}, near.weight, 1, q);
  const int skin = skins_.vertex_skin()[static_cast<std::size_t>(near.features.first)];
  const Touch touch = touch_of(points, near, skin, vertex_and_triangle);
  if (near.meets_along) return add_meeting(points, touch, constraints);
  const Skins::Law& law = skins_.laws()[static_cast<std::size_t>(near.features.pair)];
  const double thickness = skins_.thickness(near.features.pair, near.features.first, a);
  if (!points.only_nodes()) return add_carried(points, touch, thickness, law.friction > 0, constraints);
  add_distance(points, touch, thickness, constraints);
  if (law.friction == 0) return;
  near.inside ? add_slip_of_vertex(points, touch, constraints) : add_slip_of_points(points, touch, constraints);
}

void SurfaceDetector::add_edges(const Near& near, std::span<const double> q, ConstraintSet& constraints) const {
  const auto [a, b] = skins_.edges()[static_cast<std::size_t>(near.features.first)];
  const auto [c, d] = skins_.edges()[static_cast<std::size_t>(near.features.second)];
  const FourPoints points = four_points({a, b, c, d}, near.weight, 2, q);
  const int skin = skins_.edge_skin()[static_cast<std::size_t>(near.features.second)];
  const Touch touch = touch_of(points, near, skin, two_edges);
  if (near.meets_along) return add_meeting(points, touch, constraints);
  const Skins::Law& law = skins_.laws()[static_cast<std::size_t>(near.features.pair)];
  const double thickness = skins_.thickness(near.features.pair, a, c);
  if (!points.only_nodes()) return add_carried(points, touch, thickness, law.friction > 0, constraints);
  add_distance(points, touch, thickness, constraints);
  if (law.friction == 0) return;
  near.inside ? add_slip_of_edges(points, touch, constraints) : add_slip_of_points(points, touch, constraints);
}

std::optional<std::array<int, 2>> SurfaceDetector::meeting_of(int pair) const {
  const auto meets = [&](const Near& near) { return near.features.pair == pair && near.meets_along; };
  const auto& vertices = vertices_near_.all();
  if (const auto found = std::find_if(vertices.begin(), vertices.end(), meets); found != vertices.end())
    return std::array{skins_.vertex_owner()[static_cast<std::size_t>(found->features.first)], found->features.second};
  const auto& edges = edges_near_.all();
  if (const auto found = std::find_if(edges.begin(), edges.end(), meets); found != edges.end())
    return std::array{skins_.edge_owner()[static_cast<std::size_t>(found->features.first)],
                      skins_.edge_owner()[static_cast<std::size_t>(found->features.second)]};
  return std::nullopt;
}

FourPoints SurfaceDetector::four_points(const std::array<int, 4>& vertex, const std::array<double, 4>& weight,
                                        std::size_t first, std::span<const double> q) const {
  FourPoints points{{}, {}, weight, first};
  if (!skins_.is_node(vertex[0]) || !skins_.is_node(vertex[3])) points.carriers = {&skins_, vertex, q};
  for (std::size_t k = 0; k < 4; ++k) {
    points.dof[k] = skins_.vertex_dof()[static_cast<std::size_t>(vertex[k])];
    points.x[k] = list_.positions()[static_cast<std::size_t>(vertex[k])];
  }
  return points;
}

/// `skin` is the one to which the separation leads.
Touch SurfaceDetector::touch_of(const FourPoints& points, const Near& near, int skin, FeatureKind kind) const {
  const Vec3 h = points.separation();
  const double d = h.norm();
  const Skins::Law& law = skins_.laws()[static_cast<std::size_t>(near.features.pair)];
  return {d,
          near.meets_along ? *near.meets_along : Vec3(h / d),
          near.features.pair,
          skin == law.second,
          {kind, near.features.first, near.features.second}};
}

void SurfaceDetector::vertices_on_plane(const model::Surface& obstacle, std::size_t pair, bool plane_is_second,
                                        const StepMotion& motion, ConstraintSet& constraints) const {
  const model::Plane plane = model::plane_at(obstacle, motion.q);
  const Skins::Law& law = skins_.laws()[pair];
  const model::SurfaceMesh& mesh = *skins_.skins()[static_cast<std::size_t>(std::max(law.first, law.second))].mesh;
  const double side = plane_is_second ? -1 : 1;
  const Vec3 normal = side * plane.normal;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3 x = mesh.position(v, motion.q) - mesh.radius(v) * plane.normal;
    const double gap = plane.normal.dot(x - plane.point);
    if (!(gap <= open_reach_[pair])) continue;
    const auto frame = mesh.free_frame(v, motion.q);
    const auto push = [&](const Vec3& force) {
      constexpr std::size_t entries = 6;
      if (frame)
        write_carried(*frame, x, force, mesh.dof()[v], constraints.open_entries(entries).data());
      else
        mesh.pull_back(v, motion.q, x, force, constraints.open_row());
      model::push_plane(obstacle, motion.q, x, -force, constraints.open_row());
    };
    push(plane.normal);
    constraints.add(gap, {static_cast<int>(pair), x, normal}, 0, ConstraintSet::Onset::ahead,
                    {plane_and_vertex, static_cast<int>(pair), static_cast<int>(v)});
    if (law.friction == 0) continue;
    for (const Vec3& tangent : constraints.open_tangents()) {
      push(side * tangent);
      constraints.add_tangent();
    }
  }
}

}  // namespace ictus::contact
