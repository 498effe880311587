#include <ictus/dynamics/dcr/dcr_surfaces.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::dynamics {

using math::Vec3;

namespace {

/// The nodes of a contact, four or, of a vertex on a plane, one. A support may hold some directions of a node.
struct Nodes {
  std::size_t count;
  std::array<std::size_t, 4> dof;
  std::array<Vec3, 4> inverse_mass;
  std::array<double, 4> weight;
  Vec3 inertia = Vec3::Zero();  // diagonal of W = Σ w² M⁻¹

  Vec3 velocity(std::size_t k, std::span<const double> p) const {
    return inverse_mass[k].cwiseProduct(Vec3::Map(p.data() + dof[k]));
  }
  Vec3 relative_velocity(std::span<const double> p) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < count; ++k) sum += weight[k] * velocity(k, p);
    return sum;
  }
  /// d·W d.
  double inertia_along(const Vec3& d) const { return d.cwiseProduct(d).dot(inertia); }
  bool any_held() const {
    return std::any_of(inverse_mass.begin(), inverse_mass.begin() + static_cast<std::ptrdiff_t>(count),
                       [](const Vec3& each) { return each.minCoeff() == 0; });
  }
};

/// Kinetic energy of four free nodes in their rigid motion and in the rest of their momentum, that which neither the
/// contact's J = v_r/W nor the rigid motion carries: the change of shape.
void split_rest(const Nodes& nodes, const Vec3& v, const model::State& state, Impulse::Split& parts) {
  const auto position = [&](std::size_t k) { return Vec3::Map(state.q.data() + nodes.dof[k]); };
  double mass = 0;
  Vec3 momentum = Vec3::Zero(), centre = Vec3::Zero(), angular = Vec3::Zero();
  for (std::size_t k = 0; k < nodes.count; ++k) {
    const double m = 1 / nodes.inverse_mass[k].x();
    mass += m;
    momentum += m * nodes.velocity(k, state.p);
    centre += m * position(k);
  }
  centre /= mass;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (std::size_t k = 0; k < nodes.count; ++k) {
    const Vec3 r = position(k) - centre;
    angular += r.cross(Vec3(Vec3::Map(state.p.data() + nodes.dof[k])));
    inertia += (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose()) / nodes.inverse_mass[k].x();
  }
  const Vec3 spin = inertia.ldlt().solve(angular), drift = momentum / mass;
  parts.rigid = 0.5 * momentum.dot(drift) + 0.5 * angular.dot(spin);
  for (std::size_t k = 0; k < nodes.count; ++k) {
    const double inverse_mass = nodes.inverse_mass[k].x();
    const Vec3 of_contact = nodes.weight[k] * inverse_mass / nodes.inertia.x() * v;
    const Vec3 of_shape = nodes.velocity(k, state.p) - of_contact - drift - spin.cross(position(k) - centre);
    parts.shape += 0.5 / inverse_mass * of_shape.squaredNorm();
  }
}

/// Kinetic energy of the nodes in the parts of their momentum [cirak-2005 §7.6]: along the normal, sliding, rigid
/// motion of the four nodes, and what changes their shape. Of a single node, on a plane, the first two are all; where
/// supports hold something, the rigid motion is that of the ground.
Impulse::Split split(const Nodes& nodes, const Vec3& v, double v_normal, const Vec3& normal,
                     const model::State& state) {
  const Vec3 slip = v - v_normal * normal;
  const double along = nodes.inertia_along(normal), across = nodes.inertia_along(slip);
  Impulse::Split parts{0.5 * v_normal * v_normal / along,
                       across > 0 ? 0.5 * slip.squaredNorm() * slip.squaredNorm() / across : 0, 0, 0};
  if (nodes.count > 1 && !nodes.any_held()) split_rest(nodes, v, state, parts);
  return parts;
}

}  // namespace

void DcrSurfaces::prepare(const System& system) {
  detector_.prepare(system.pairs(), system.exec());
  any_ = !detector_.skins().skins().empty();
  penetrates_.assign(system.pairs().size(), 0);
}

void DcrSurfaces::respond(const System& system, std::span<const double> before, model::State& state,
                          std::vector<double>& closed, ContactRecord& record, StepReport& report) {
  if (!any_) return;
  std::fill(penetrates_.begin(), penetrates_.end(), 0);
  for (const auto& pair : detector_.detect(state.q, before)) {
    const auto penetration = detector_.evaluate(pair, state.q);
    if (!penetration || penetration->depth >= 0) continue;
    respond_to(system, *penetration, 4, pair.features.pair, state, record, report);
  }
  find_on_planes(system, state.q);
  for (const OnPlane& found : on_planes_) {
    const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(found.pair)];
    const model::Plane plane =
        pair.second_surface->plane() ? *pair.second_surface->plane() : *pair.first_surface->plane();
    const int v = found.vertex;
    const Vec3 x = model::vertex_at(state.q, detector_.skins().vertex_dof()[static_cast<std::size_t>(v)]);
    respond_to(system, {{v, v, v, v}, {1, 0, 0, 0}, plane.normal, plane.normal.dot(x - plane.point)}, 1, found.pair,
               state, record, report);
  }
  for (std::size_t i = 0; i < penetrates_.size(); ++i) {
    const contact::Skins::Law& law = detector_.skins().laws()[i];
    if (law.first < 0 && law.second < 0) continue;
    if (penetrates_[i] && closed[i] == 0) ++report.closings;
    closed[i] = penetrates_[i] ? 1 : 0;
  }
}

void DcrSurfaces::find_on_planes(const System& system, std::span<const double> q) {
  on_planes_.clear();
  const contact::Skins& skins = detector_.skins();
  for (std::size_t i = 0; i < system.pairs().size(); ++i) {
    const contact::Skins::Law& law = skins.laws()[i];
    if ((law.first < 0) == (law.second < 0)) continue;
    const contact::ContactPair& pair = system.pairs()[i];
    const model::Plane plane = law.second < 0 ? *pair.second_surface->plane() : *pair.first_surface->plane();
    const contact::Skins::Skin& skin = skins.skins()[static_cast<std::size_t>(std::max(law.first, law.second))];
    for (std::size_t v = 0; v < skin.mesh->vertex_count(); ++v) {
      const Vec3 x = model::vertex_at(q, skin.mesh->dof()[v]);
      if (plane.normal.dot(x - plane.point) < 0)
        on_planes_.push_back({static_cast<int>(i), skin.first_vertex + static_cast<int>(v)});
    }
  }
}

bool DcrSurfaces::second_is_positive(int pair, const Penetration& penetration) const {
  const contact::Skins& skins = detector_.skins();
  const contact::Skins::Law& law = skins.laws()[static_cast<std::size_t>(pair)];
  const std::size_t positive = penetration.weight[0] > 0 ? 0 : 2;  // a vertex comes first, a second edge last
  return skins.vertex_skin()[static_cast<std::size_t>(penetration.vertex[positive])] == law.second;
}

void DcrSurfaces::respond_to(const System& system, const Penetration& penetration, std::size_t count, int pair_number,
                             model::State& state, ContactRecord& record, StepReport& report) {
  const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(pair_number)];
  const Vec3& n = penetration.normal;
  Nodes nodes{count, {}, {}, penetration.weight};
  for (std::size_t k = 0; k < count; ++k) {
    nodes.dof[k] =
        static_cast<std::size_t>(detector_.skins().vertex_dof()[static_cast<std::size_t>(penetration.vertex[k])]);
    nodes.inverse_mass[k] = Vec3::Map(system.inverse_mass().data() + nodes.dof[k]);
    nodes.inertia += nodes.weight[k] * nodes.weight[k] * nodes.inverse_mass[k];
  }
  const double inertia = nodes.inertia_along(n);
  if (inertia == 0) return;
  penetrates_[static_cast<std::size_t>(pair_number)] = 1;
  report.max_penetration = std::max(report.max_penetration, -penetration.depth);
  Vec3 middle = Vec3::Zero();
  double weights = 0;
  for (std::size_t k = 0; k < count; ++k) {
    auto x = Vec3::Map(state.q.data() + nodes.dof[k]);
    x -= penetration.depth / inertia * nodes.weight[k] * nodes.inverse_mass[k].cwiseProduct(n);
    middle += std::abs(nodes.weight[k]) * x;
    weights += std::abs(nodes.weight[k]);
  }
  const Vec3 v = nodes.relative_velocity(state.p);
  const double v_normal = v.dot(n);
  if (v_normal >= 0) return;
  SurfacePush push;
  push.impulse.time = state.time;
  push.impulse.pair = pair_number;
  push.impulse.point = middle / weights;
  push.impulse.split = split(nodes, v, v_normal, n, state);
  for (std::size_t k = 0; k < count; ++k) {
    push.impulse.node[k] = static_cast<int>(nodes.dof[k]);
    push.impulse.share[k] = std::abs(nodes.weight[k]);
  }
  const Vec3 slip = v - v_normal * n;
  const double speed = slip.norm(), e = pair.restitution.value_or(1), normal = -(1 + e) * v_normal / inertia;
  Vec3 friction = Vec3::Zero();
  if (pair.friction > 0 && speed > 0) {
    const Vec3 along = slip / speed;
    const double across = nodes.inertia_along(along);
    if (across > 0) friction = -std::min(speed / across, pair.friction * normal) * along;
  }
  const Vec3 impulse = normal * n + friction;
  for (std::size_t k = 0; k < count; ++k) Vec3::Map(state.p.data() + nodes.dof[k]) += nodes.weight[k] * impulse;
  // Each part works with the mean of the velocities before and after.
  const Vec3 mean = v + 0.5 * nodes.inertia.cwiseProduct(impulse);
  const double side = second_is_positive(pair_number, penetration) ? 1 : -1;
  push.impulse.normal = side * n;
  push.impulse.normal_impulse = normal;
  push.tangential = side * friction;
  push.lost = -normal * n.dot(mean);
  push.lost_to_friction = -friction.dot(mean);
  record.add(system, push, model::Loss::restitution, report);
}

}  // namespace ictus::dynamics
