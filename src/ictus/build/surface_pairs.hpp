#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/dynamics/integrator.hpp>
#include <ictus/scene/scene.hpp>
#include <span>
#include <string>
#include <vector>

namespace ictus::build {

/// A triangulated surface meets others of its kind and planes.
void check_surface_pair(const contact::ContactPair& pair, const std::string& key, Mistakes& mistakes);

/// Triangulated surfaces must not pass through each other at the start, and must be farther apart than their thickness,
/// or as far where they may touch.
void check_apart(const std::vector<contact::ContactPair>& pairs, std::span<const double> q, bool may_touch,
                 Mistakes& mistakes);

/// A step in which surfaces approach each other by more than the integrator can keep them apart.
void check_approach(const dynamics::System& system, const dynamics::Integrator& integrator, double step,
                    Mistakes& mistakes);

}  // namespace ictus::build
