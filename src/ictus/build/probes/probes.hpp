#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/observe/probe/probe.hpp>
#include <vector>

namespace ictus::build {

/// The probes of a scene.
std::vector<observe::Probe> make_probes(const scene::Scene& scene, const dynamics::System& system, Mistakes& mistakes);

}  // namespace ictus::build
