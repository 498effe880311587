#include <ictus/observe/probe/rigid_gaps.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus::observe {

RigidGaps::RigidGaps(const dynamics::System& system) : rigid_(system) {
  if (rigid_.units.empty()) return;
  const auto members = [&](const std::string& name) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < rigid_.units.size(); ++i) {
      if (system.bodies()[static_cast<std::size_t>(rigid_.units[i].group)]->name() == name) found.push_back(i);
    }
    return found;
  };
  for (const contact::ContactPair& pair : system.pairs()) {
    if (pair.first_surface->mesh() || pair.second_surface->mesh()) {  // met by their skins, as elastic bodies are
      sides_.emplace_back();
      continue;
    }
    Sides sides{true, members(pair.first), members(pair.second), -1};
    const auto planes = rigid_.detector.planes();
    for (std::size_t k = 0; k < planes.size(); ++k) {
      const std::string& name = system.bodies()[static_cast<std::size_t>(planes[k].group)]->name();
      if (name == pair.first || name == pair.second) sides.plane = static_cast<std::ptrdiff_t>(k);
    }
    if (sides.first.empty()) std::swap(sides.first, sides.second);
    sides.known = !sides.first.empty();
    sides_.push_back(std::move(sides));
  }
  for (const dynamics::RigidUnit& unit : rigid_.units) margins_.push_back(unit.reach);
}

void RigidGaps::move(std::span<const double> q) {
  poses_.clear();
  for (const dynamics::RigidUnit& unit : rigid_.units) {
    const double* at = &q[unit.first_dof];
    poses_.push_back({mechanics::rigid_position(at), matrix(mechanics::rigid_orientation(at))});
  }
}

double RigidGaps::smallest(std::size_t pair) {
  const Sides& sides = sides_[pair];
  const auto members = rigid_.detector.members();
  double least = std::numeric_limits<double>::infinity();
  if (sides.plane >= 0) {
    const contact::RigidPlane& plane = rigid_.detector.planes()[static_cast<std::size_t>(sides.plane)];
    for (const std::size_t i : sides.first) {
      least =
          std::min(least, geometry::NarrowPhase::gap_to_plane(plane.point, plane.normal, *members[i].shape, poses_[i]));
    }
    return least;
  }
  if (sides.first.size() * sides.second.size() > max_pairs) return by_search(pair);
  const bool same = sides.first == sides.second;
  for (const std::size_t i : sides.first) {
    for (const std::size_t j : sides.second) {
      if (i == j || (same && j < i)) continue;
      const double reach = members[i].shape->reach() + members[j].shape->reach() + least;
      if (reach > 0 && math::norm_sq(poses_[j].position - poses_[i].position) > reach * reach) continue;
      least = std::min(least, narrow_.gap(*members[i].shape, poses_[i], *members[j].shape, poses_[j]));
    }
  }
  return least;
}

double RigidGaps::by_search(std::size_t pair) {
  double least = std::numeric_limits<double>::infinity();
  for (const contact::RigidTouch& touch : rigid_.detector.detect(poses_, margins_)) {
    if (touch.pair == static_cast<int>(pair)) least = std::min(least, touch.at.gap);
  }
  return least;
}

}  // namespace ictus::observe
