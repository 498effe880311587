#pragma once

#include <ictus/build/bodies/solid_parts.hpp>
#include <ictus/build/mistakes.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/scene/text/document.hpp>

namespace ictus::build {

/// Where a coupled integrator takes only a part of a frame or solid as implicit, puts the parts in the place of the
/// body, tied together, and lets contacts, probes, loads and the integrator name them. Surfaces meet others in the
/// explicit part. Returns the parts of solids, which their specs alone do not tell. Scenes without parts stay as they
/// are.
SolidParts divide_bodies(scene::Document& document, Mistakes& mistakes);

/// What a coupled integrator asks of its domains: ratios that divide the largest one, bodies with lumped masses,
/// contact and ties that do not meet, contact in explicit bodies only.
void check_domains(const scene::Scene& scene, const dynamics::System& system, Mistakes& mistakes);

}  // namespace ictus::build
