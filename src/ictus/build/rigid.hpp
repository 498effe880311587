#pragma once

#include <ictus/build/overlap.hpp>
#include <ictus/dynamics/system.hpp>
#include <string>

namespace ictus::build {

/// Makes rigid bodies, whose unknowns begin at `unknown`.
struct RigidMaker {
  const scene::Document& document;
  const std::string& name;
  std::size_t unknown;
  Mistakes& mistakes;

  dynamics::BodyPtr operator()(const scene::SphereSpec& spec) const;
  dynamics::BodyPtr operator()(const scene::BoxSpec& spec) const;
  dynamics::BodyPtr operator()(const scene::CapsuleSpec& spec) const;
  dynamics::BodyPtr operator()(const scene::ConvexSpec& spec) const;
};

bool is_rigid(const scene::Body& body);
bool has_rigid(const scene::Scene& scene);
/// Whether moreau-variational steps bodies with nodes, beside which rigid ones may be: bars, frames, shells and solids.
bool steps_nodes_by_moreau(const scene::Scene& scene);
/// Whether rigid bodies meet those of other families: all schemes but those for rigid bodies alone see them by their
/// skins.
bool rigid_bodies_have_skins(const scene::Scene& scene);

/// The pair of contact `index` of the scene, one of whose bodies is rigid.
contact::ContactPair rigid_pair(const scene::Scene& scene, std::size_t index, const mechanics::Body& first,
                                const mechanics::Body& second, Mistakes& mistakes);

/// Rigid bodies that lie in each other or in a plane at the start.
void find_rigid_overlaps(const scene::Scene& scene, const dynamics::System& system, Overlaps& overlaps);

}  // namespace ictus::build
