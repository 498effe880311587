#pragma once

#include <ictus/build/contacts/overlap.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <ictus/scene/spec/scene.hpp>
#include <span>
#include <string>
#include <vector>

namespace ictus::build {

/// A triangulated surface meets others of its kind and planes.
void check_surface_pair(const contact::ContactPair& pair, const std::string& key, Mistakes& mistakes);

/// Where triangulated surfaces pass through each other or through planes at the start, or are nearer to each other than
/// the thickness of their contact, and which planes they stand on. A thickness that the scene does not give becomes
/// their distance where that is smaller than usual, down to a quarter of the usual one; still nearer ones touch.
void find_overlaps(std::vector<contact::ContactPair>& pairs, std::span<const double> q, Overlaps& overlaps);

/// A step in which surfaces approach each other by more than the integrator can keep them apart.
void check_approach(const dynamics::System& system, const dynamics::Integrator& integrator, double step,
                    Mistakes& mistakes);

}  // namespace ictus::build
