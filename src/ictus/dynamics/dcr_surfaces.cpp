#include <algorithm>
#include <cmath>
#include <ictus/dynamics/dcr_surfaces.hpp>

namespace ictus::dynamics {

using math::Vec3;

namespace {

/// The four nodes of a contact. A vertex on a plane is one of them, with the others' weights zero.
struct Nodes {
  std::array<std::size_t, 4> unknown;
  std::array<double, 4> inverse_mass;
  std::array<double, 4> weight;
  double inertia = 0;  // W

  Vec3 relative_velocity(std::span<const double> p) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < 4; ++k) sum += weight[k] * inverse_mass[k] * Vec3::Map(p.data() + unknown[k]);
    return sum;
  }
};

/// Kinetic energy of the nodes in the parts of their momentum [cirak-2005 §7.6]: along the normal, sliding, rigid
/// motion of the four nodes, and the rest, which changes their shape.
Impulse::Split split(const Nodes& nodes, const Vec3& v, double v_normal, const model::State& state) {
  Impulse::Split parts{0.5 * v_normal * v_normal / nodes.inertia,
                       0.5 * std::max(v.squaredNorm() - v_normal * v_normal, 0.0) / nodes.inertia, 0, 0};
  double mass = 0, total = 0;
  Vec3 momentum = Vec3::Zero(), centre = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (nodes.inverse_mass[k] == 0) return parts;  // held: the rigid motion is that of the ground
    const Vec3 p = Vec3::Map(state.p.data() + nodes.unknown[k]), x = Vec3::Map(state.q.data() + nodes.unknown[k]);
    mass += 1 / nodes.inverse_mass[k];
    momentum += p;
    centre += x / nodes.inverse_mass[k];
    total += 0.5 * nodes.inverse_mass[k] * p.squaredNorm();
  }
  centre /= mass;
  Vec3 angular = Vec3::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 r = Vec3::Map(state.q.data() + nodes.unknown[k]) - centre;
    angular += r.cross(Vec3::Map(state.p.data() + nodes.unknown[k]));
    inertia += (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose()) / nodes.inverse_mass[k];
  }
  parts.rigid = 0.5 * momentum.squaredNorm() / mass + 0.5 * angular.dot(inertia.inverse() * angular);
  parts.shape = std::max(total - parts.normal - parts.slide - parts.rigid, 0.0);
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
    respond_to(system, *penetration, pair.features.pair, state, record, report);
  }
  find_on_planes(system, state.q);
  for (const OnPlane& found : on_planes_) {
    const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(found.pair)];
    const model::Plane plane =
        pair.second_surface->plane() ? *pair.second_surface->plane() : *pair.first_surface->plane();
    const int v = found.vertex;
    const Vec3 x = model::vertex_at(state.q, detector_.skins().vertex_unknown()[static_cast<std::size_t>(v)]);
    respond_to(system, {{v, v, v, v}, {1, 0, 0, 0}, plane.normal, plane.normal.dot(x - plane.point)}, found.pair, state,
               record, report);
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
      const Vec3 x = model::vertex_at(q, skin.mesh->unknown()[v]);
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

void DcrSurfaces::respond_to(const System& system, const Penetration& penetration, int pair_number, model::State& state,
                             ContactRecord& record, StepReport& report) {
  const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(pair_number)];
  const Vec3& n = penetration.normal;
  Nodes nodes{{}, {}, penetration.weight};
  Vec3 middle = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) {
    nodes.unknown[k] =
        static_cast<std::size_t>(detector_.skins().vertex_unknown()[static_cast<std::size_t>(penetration.vertex[k])]);
    nodes.inverse_mass[k] = system.inverse_mass()[nodes.unknown[k]];
    nodes.inertia += nodes.weight[k] * nodes.weight[k] * nodes.inverse_mass[k];
  }
  if (nodes.inertia == 0) return;
  penetrates_[static_cast<std::size_t>(pair_number)] = 1;
  report.max_penetration = std::max(report.max_penetration, -penetration.depth);
  double weights = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    auto x = Vec3::Map(state.q.data() + nodes.unknown[k]);
    x -= penetration.depth / nodes.inertia * nodes.weight[k] * nodes.inverse_mass[k] * n;
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
  push.impulse.split = split(nodes, v, v_normal, state);
  for (std::size_t k = 0; k < 4 && nodes.weight[k] != 0; ++k) {
    push.impulse.node[k] = static_cast<int>(nodes.unknown[k]);
    push.impulse.share[k] = std::abs(nodes.weight[k]);
  }
  const Vec3 slip = v - v_normal * n;
  const double e = pair.restitution.value_or(1), normal = -(1 + e) * v_normal / nodes.inertia;
  const double tangential = pair.friction > 0 ? std::min(slip.norm() / nodes.inertia, pair.friction * normal) : 0;
  const Vec3 friction = tangential > 0 ? Vec3(-tangential * slip.normalized()) : Vec3(Vec3::Zero());
  for (std::size_t k = 0; k < 4; ++k) {
    Vec3::Map(state.p.data() + nodes.unknown[k]) += nodes.weight[k] * (normal * n + friction);
  }
  const double side = second_is_positive(pair_number, penetration) ? 1 : -1;
  push.impulse.normal = side * n;
  push.impulse.normal_impulse = normal;
  push.tangential = side * friction;
  push.lost = -normal * (v_normal + 0.5 * nodes.inertia * normal);
  push.lost_to_friction = -friction.dot(slip) - 0.5 * nodes.inertia * tangential * tangential;
  record.add(system, push, model::Loss::restitution, report);
}

}  // namespace ictus::dynamics
