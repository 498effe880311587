// Notation: P, L linear and angular momentum of a zone, c its centre of mass, I its inertia about c, ω its spin.
#include <ictus/contact/detect/moving_surfaces.hpp>

#include <algorithm>
#include <ictus/base/index.hpp>
#include <ictus/contact/scheme/spin_of.hpp>

namespace ictus::contact {

using base::index;

using math::Vec3;

namespace {

/// Features are near once their distance is this share of what it was, or of the thickness of their contact.
constexpr double near_share = 0.1;
constexpr std::size_t candidate_block = 256;

}  // namespace

void MovingSurfaces::prepare(const Skins& skins, std::span<const ContactPair> pairs, const exec::Executor& exec) {
  exec_ = exec;
  always_.clear();
  can_follow_.clear();
  walls_.clear();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Skins::Law& law = skins.laws()[i];
    always_.push_back(pairs[i].continuous && law.first >= 0 && law.second >= 0 ? 1 : 0);
    can_follow_.push_back(skins.is_guided(law.first) || skins.is_guided(law.second) ? 0 : 1);
    if (law.first >= 0 && law.second < 0) walls_.push_back({law.first, &pairs[i], pairs[i].second_surface});
    if (law.second >= 0 && law.first < 0) walls_.push_back({law.second, &pairs[i], pairs[i].first_surface});
  }
  follows_ = always_;
  way_.assign(pairs.size(), 0.0);
  reach_.assign(pairs.size(), 0.0);
  parent_.assign(skins.vertex_dof().size(), -1);
  mover_.clear();
  for (int v = 0; v < static_cast<int>(skins.vertex_dof().size()); ++v)
    mover_.push_back(v > 0 && skins.one_body(v, mover_.back()) ? mover_.back() : v);
}

Box MovingSurfaces::velocities(const Skins& skins, const StepMotion& motion, int skin) const {
  Box box = Box::nothing();
  const model::SurfaceMesh& mesh = *skins.skins()[index(skin)].mesh;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    box.include(mesh.velocity(v, motion.q, motion.p, motion.inverse_mass));
  return box;
}

void MovingSurfaces::look_ahead(const Skins& skins, const StepMotion& motion, std::span<const double> max_distance) {
  any_ = false;
  for (std::size_t i = 0; i < follows_.size(); ++i) {
    const Skins::Law& law = skins.laws()[i];
    follows_[i] = 0;
    if (law.first < 0 || law.second < 0 || can_follow_[i] == 0 || max_distance[i] < 0) continue;
    const double is_long = layers_ ? long_share_of_edge * law.edge : long_share * law.least_thickness;
    if (always_[i] == 0 && max_distance[i] <= is_long) continue;
    way_[i] = motion.h * max_change(velocities(skins, motion, law.first), velocities(skins, motion, law.second));
    follows_[i] = always_[i] != 0 || way_[i] > is_long ? 1 : 0;
    any_ = any_ || follows_[i] != 0;
  }
}

std::optional<geometry::Meeting> MovingSurfaces::meeting(const NeighbourList& list, const Skins& skins,
                                                         const StepMotion& motion, const std::array<int, 4>& vertices,
                                                         std::size_t first, int pair, double distance) const {
  if (distance > way_[index(pair)]) return std::nullopt;
  geometry::MovingFeatures features{{}, {}, first};
  for (std::size_t k = 0; k < 4; ++k) {
    features.x[k] = list.positions()[index(vertices[k])];
    features.by[k] = motion.h * skins.velocity(vertices[k], motion.q, motion.p, motion.inverse_mass);
  }
  return geometry::find_meeting(features, near_share * std::min(distance, skins.laws()[index(pair)].thickness));
}

std::span<const model::RowEntry> MovingSurfaces::keep_apart(const Skins& skins, NeighbourList& list, StepMotion motion,
                                                            std::span<double> p) {
  push_.clear();
  external_impulse_ = {Vec3::Zero(), Vec3::Zero()};
  if (!any_) return push_;
  motion.p = p;
  // Each round joins at least two more vertices, so that there is a last one.
  for (;;) {
    find_hits(skins, list, motion);
    if (vertex_hits_.all().empty() && edge_hits_.all().empty()) break;
    if (members_.empty()) untouched_.assign(p.begin(), p.end());
    for (const auto* hits : {&vertex_hits_.all(), &edge_hits_.all()}) {
      for (const Hit& hit : *hits) {
        for (const int v : hit.vertex) join(hit.vertex[0], v);
      }
    }
    move_zones(skins, motion, p);
  }
  for (const int v : members_) {
    const int dof = skins.vertex_dof()[index(v)], angular = model::RigidFrame::angular;
    using Kind = model::RowEntry::Kind;
    for (int c = 0; c < (skins.has_frame(v) ? 2 * angular : angular); ++c) {
      const auto k = index(dof + c);
      if (p[k] == untouched_[k]) continue;
      push_.push_back({dof + c, p[k] - untouched_[k], c < angular ? Kind::coordinate : Kind::turning});
    }
    parent_[index(v)] = -1;
  }
  members_.clear();
  return push_;
}

/// Features of followed pairs that meet in the motion and are not in one zone.
void MovingSurfaces::find_hits(const Skins& skins, NeighbourList& list, const StepMotion& motion) {
  for (std::size_t i = 0; i < follows_.size(); ++i) {
    const Skins::Law& law = skins.laws()[i];
    if (law.first < 0 || law.second < 0) continue;
    way_[i] = motion.h * max_change(velocities(skins, motion, law.first), velocities(skins, motion, law.second));
    reach_[i] = follows_[i] != 0 ? way_[i] : 0;
  }
  list.update(skins, motion.q, reach_);
  const auto try_features = [&](const NeighbourList::Candidate& candidate, const std::array<int, 4>& vertices,
                                std::size_t first, std::vector<Hit>& hits) {
    if (!follows(candidate.pair)) return 0.0;
    std::array<Vec3, 4> x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = list.positions()[index(vertices[k])];
    const auto w = geometry::MovingFeatures{x, {}, first}.weights(x);
    const double distance = (w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3]).norm();
    const int zone = parent_[index(mover_[index(vertices[0])])];
    const bool together = zone >= 0 && std::all_of(vertices.begin(), vertices.end(),
                                                   [&](int v) { return parent_[index(mover_[index(v)])] == zone; });
    if (!together && meeting(list, skins, motion, vertices, first, candidate.pair, distance))
      hits.push_back({vertices});
    return distance;
  };
  vertex_hits_.collect(exec_, list.vertex_triangle_count(), candidate_block,
                       [&](std::size_t begin, std::size_t end, std::vector<Hit>& hits) {
                         list.for_vertex_triangle(begin, end, [&](const NeighbourList::Candidate& candidate) {
                           const auto [a, b, c] = skins.triangles()[index(candidate.second)];
                           return try_features(candidate, {candidate.first, a, b, c}, 1, hits);
                         });
                       });
  edge_hits_.collect(exec_, list.edge_edge_count(), candidate_block,
                     [&](std::size_t begin, std::size_t end, std::vector<Hit>& hits) {
                       list.for_edge_edge(begin, end, [&](const NeighbourList::Candidate& candidate) {
                         const auto [a, b] = skins.edges()[index(candidate.first)];
                         const auto [c, d] = skins.edges()[index(candidate.second)];
                         return try_features(candidate, {a, b, c, d}, 2, hits);
                       });
                     });
}

int MovingSurfaces::zone_of(int vertex) {
  if (parent_[index(vertex)] < 0) {
    parent_[index(vertex)] = vertex;
    members_.push_back(vertex);
  }
  while (parent_[index(vertex)] != vertex) vertex = parent_[index(vertex)];
  return vertex;
}

void MovingSurfaces::join(int vertex, int other) {
  const int a = zone_of(mover_[index(vertex)]), b = zone_of(mover_[index(other)]);
  parent_[index(std::max(a, b))] = std::min(a, b);
}

/// Gives every zone the rigid motion that has its momenta.
void MovingSurfaces::move_zones(const Skins& skins, const StepMotion& motion, std::span<double> p) {
  for (const int v : members_) parent_[index(v)] = zone_of(v);
  std::sort(members_.begin(), members_.end(),
            [&](int a, int b) { return std::pair(parent_[index(a)], a) < std::pair(parent_[index(b)], b); });
  external_impulse_ = {Vec3::Zero(), Vec3::Zero()};
  for (std::size_t begin = 0; begin < members_.size();) {
    std::size_t end = begin;
    while (end < members_.size() && parent_[index(members_[end])] == parent_[index(members_[begin])]) ++end;
    const auto zone = std::span<const int>(members_).subspan(begin, end - begin);
    begin = end;
    move_rigidly(zone, skins, motion, p);
    if (!is_stopped(zone, skins, motion)) continue;
    for (const int v : zone) {
      const Moving before = moving(v, skins, motion, untouched_);
      set_motion(v, skins, motion, Vec3::Zero(), Vec3::Zero(), p);
      external_impulse_[0] -= before.linear;
      external_impulse_[1] -= before.x.cross(before.linear) + before.angular;
    }
  }
}

/// What a node or a rigid body has of momentum and of mass; the angular ones are about its own x.
MovingSurfaces::Moving MovingSurfaces::moving(int vertex, const Skins& skins, const StepMotion& motion,
                                              std::span<const double> p) const {
  const auto k = index(skins.vertex_dof()[index(vertex)]);
  const Vec3 inverse = Vec3::Map(&motion.inverse_mass[k]);
  Moving result{Vec3::Map(&motion.q[k]), Vec3::Map(&p[k])};
  result.mass = inverse.minCoeff() > 0 ? 1 / inverse[0] : 0;
  const auto frame = skins.frame(vertex, motion.q);
  if (!frame) return result;
  const auto j = k + model::RigidFrame::angular;
  result.angular = frame->axes * Vec3::Map(&p[j]);
  if (result.mass > 0)
    result.inertia =
        frame->axes * Vec3::Map(&motion.inverse_mass[j]).cwiseInverse().asDiagonal() * frame->axes.transpose();
  return result;
}

/// Lets it move with a velocity and a spin.
void MovingSurfaces::set_motion(int vertex, const Skins& skins, const StepMotion& motion, const Vec3& velocity,
                                const Vec3& spin, std::span<double> p) const {
  const auto k = index(skins.vertex_dof()[index(vertex)]);
  const Moving now = moving(vertex, skins, motion, p);
  Vec3::Map(&p[k]) = now.mass * velocity;
  if (const auto frame = skins.frame(vertex, motion.q))
    Vec3::Map(&p[k + model::RigidFrame::angular]) = frame->axes.transpose() * (now.inertia * spin);
}

/// Whether a zone is held by a support, or would take a vertex through a plane: then it stands still for the step.
bool MovingSurfaces::is_stopped(std::span<const int> zone, const Skins& skins, const StepMotion& motion) const {
  const auto passes_wall = [&](int v) {
    const Vec3 velocity = skins.velocity(v, motion.q, motion.p, motion.inverse_mass);
    return std::any_of(walls_.begin(), walls_.end(), [&](const Wall& wall) {
      if (wall.skin != skins.vertex_skin()[index(v)] || wall.pair->is_gone(motion.time)) return false;
      const model::Plane plane = model::plane_at(*wall.plane, motion.q);
      const Vec3 x = skins.position(v, motion.q);
      const Vec3 apart = velocity - model::plane_velocity(*wall.plane, motion.q, x, motion.p, motion.inverse_mass);
      const double approach = motion.h * plane.normal.dot(apart);
      const double gap = plane.normal.dot(x - plane.point) - skins.radius(v);
      return approach < 0 && gap + approach < 0;
    });
  };
  return std::any_of(zone.begin(), zone.end(), [&](int first) {
    const int k = skins.vertex_dof()[index(first)];
    if (Vec3::Map(motion.inverse_mass.data() + k).minCoeff() == 0) return true;
    for (auto v = index(first); v < mover_.size() && mover_[v] == first; ++v) {
      if (passes_wall(static_cast<int>(v))) return true;
    }
    return false;
  });
}

/// p_k = m_k (P/m + ω × (x_k − c)), I ω = L.
void MovingSurfaces::move_rigidly(std::span<const int> zone, const Skins& skins, const StepMotion& motion,
                                  std::span<double> p) const {
  double total = 0;
  Vec3 linear = Vec3::Zero(), centre = Vec3::Zero(), angular = Vec3::Zero();
  for (const int v : zone) {
    const Moving part = moving(v, skins, motion, untouched_);
    total += part.mass;
    linear += part.linear;
    centre += part.mass * part.x;
  }
  if (total == 0) return;
  centre /= total;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (const int v : zone) {
    const Moving part = moving(v, skins, motion, untouched_);
    const Vec3 r = part.x - centre;
    angular += r.cross(part.linear) + part.angular;
    inertia += part.mass * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose()) + part.inertia;
  }
  const Vec3 spin = spin_of(inertia, angular);
  for (const int v : zone) {
    const Vec3 r = moving(v, skins, motion, untouched_).x - centre;
    set_motion(v, skins, motion, linear / total + spin.cross(r), spin, p);
  }
}

}  // namespace ictus::contact
