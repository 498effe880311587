#include <ictus/dynamics/rigid/rigid_system.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::dynamics {

namespace {

math::Vector3<double> vector(const math::Vec3& v) { return {v.x(), v.y(), v.z()}; }

/// The number of a body; that of all bodies for what is none, the surroundings of a generalised system.
int group_of(const System& system, std::string_view name) {
  const auto bodies = system.bodies();
  return static_cast<int>(
      std::find_if(bodies.begin(), bodies.end(), [&](const BodyPtr& body) { return body->name() == name; }) -
      bodies.begin());
}

}  // namespace

RigidSystem::RigidSystem(const System& system) {
  std::vector<contact::RigidMember> members;
  std::vector<contact::RigidPlane> planes;
  for (std::size_t group = 0; group < system.bodies().size(); ++group) {
    const mechanics::Body& body = *system.bodies()[group];
    if (const auto plane = body.surface().plane()) {
      planes.push_back({vector(plane->point), vector(plane->normal), static_cast<int>(group)});
    }
    const auto* rigid = body.rigid_bodies();
    if (rigid == nullptr) continue;
    const mechanics::RigidProperties& p = rigid->properties();
    for (std::size_t i = 0; i < rigid->size(); ++i) {
      const std::size_t first_dof = rigid->dofs().begin + mechanics::RigidBodies::stride * i;
      const geometry::RigidShape& shape = rigid->shape(i);
      units.push_back({first_dof, rigid->mass(i), rigid->inertia(i), p.gravity, shape.reach(), shape.inner_radius(),
                       static_cast<int>(group), !p.fixed});
      members.push_back({&shape, static_cast<int>(group), !p.fixed});
    }
  }
  contact::PairTable table(system.bodies().size());
  for (std::size_t k = 0; k < system.pairs().size(); ++k) {
    const contact::ContactPair& pair = system.pairs()[k];
    const int first = group_of(system, pair.first), second = group_of(system, pair.second);
    const auto bodies = static_cast<int>(system.bodies().size());
    if (first < bodies && second < bodies) table.allow(first, second, static_cast<int>(k));
    if (std::isfinite(pair.until)) partings_.push_back({&pair, first, second});
    RigidLaw law{pair.restitution.value_or(0),
                 pair.tangential_restitution,
                 {pair.friction, pair.friction_across.value_or(pair.friction)},
                 second};
    if (pair.friction_direction) {
      law.direction = vector(*pair.friction_direction);
      law.direction_group = pair.with_obstacle() ? -1 : first;
    }
    law.rolling = pair.rolling_friction;
    law.spinning = pair.spinning_friction;
    moments = moments || law.rolling > 0 || law.spinning > 0;
    laws.push_back(law);
  }
  detector = contact::RigidDetector(std::move(members), std::move(planes), std::move(table));
}

void RigidSystem::vanish(double time) {
  std::erase_if(partings_, [&](const Parting& parting) {
    if (!parting.pair->is_gone(time)) return false;
    detector.part(parting.first, parting.second);
    return true;
  });
}

}  // namespace ictus::dynamics
