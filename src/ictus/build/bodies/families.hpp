#pragma once

#include <ictus/scene/spec/scene.hpp>

namespace ictus::build {

/// Whether no scheme of one family steps the scene: some bodies deform, or rigid bodies stand beside point masses or
/// are under loads.
bool has_several_families(const scene::Scene& scene);

/// Whether a scheme for bodies of all families steps the scene: then rigid bodies, beams and point masses show skins,
/// by which they meet any other body.
bool all_families_meet(const scene::Scene& scene);

}  // namespace ictus::build
