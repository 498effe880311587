#pragma once

#include <ictus/build/contacts/overlap.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <string>

namespace ictus::build {

/// Makes rigid bodies, whose dofs begin at `dof`.
struct RigidMaker {
  const scene::Document& document;
  const std::string& name;
  std::size_t dof;
  Mistakes& mistakes;

  dynamics::BodyPtr operator()(const scene::RigidSpec& spec) const;
};

bool is_rigid(const scene::Body& body);
/// How many bodies copies are; infinity for those of a file, which are counted once it is read.
double copies_count(const scene::RigidCopies& copies);
bool has_rigid(const scene::Scene& scene);
/// Whether there are so many rigid bodies that figures of all their contacts tell something.
bool has_heap(const scene::Scene& scene);

/// The pair of contact `index` of the scene, one of whose bodies is rigid.
contact::ContactPair rigid_pair(const scene::Scene& scene, std::size_t index, const mechanics::Body& first,
                                const mechanics::Body& second, Mistakes& mistakes);

/// Rigid bodies that lie in each other or in a plane at the start.
void find_rigid_overlaps(const scene::Scene& scene, const dynamics::System& system, Overlaps& overlaps);

}  // namespace ictus::build
