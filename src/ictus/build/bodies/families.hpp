#pragma once

#include <ictus/scene/spec/scene.hpp>

namespace ictus::build {

/// Whether no scheme of one family steps the scene: some bodies deform, rigid bodies stand beside such with coordinates
/// of their own or are under loads or drag or start at rest, what such with coordinates of their own meet
/// vanishes, or a contact is between the latter and others than their surroundings.
bool has_several_families(const scene::Scene& scene);

/// Whether a scheme for bodies of all families steps the scene: then rigid bodies, beams, point masses and pendulums
/// show skins, by which they meet any other body.
bool all_families_meet(const scene::Scene& scene);

}  // namespace ictus::build
