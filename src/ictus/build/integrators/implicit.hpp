#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/scene/spec/scene.hpp>

namespace ictus::build {

/// Lets the bodies that say so have implicit steps. The last thing that is known of a system before its steps.
void make_implicit(const scene::Scene& scene, const dynamics::Integrator& integrator, dynamics::System& system,
                   Mistakes& mistakes);

}  // namespace ictus::build
