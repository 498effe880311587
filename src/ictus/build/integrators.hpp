#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/dynamics/integrator.hpp>
#include <memory>

namespace ictus::build {

/// The integrator that a scene without one gets.
scene::Integrator default_integrator(const scene::Scene& scene);

std::unique_ptr<dynamics::Integrator> make_integrator(const scene::Integrator& spec);

/// Adds a mistake for every key of the contacts that the integrator cannot honour.
void check_capabilities(const scene::Scene& scene, const dynamics::Integrator& integrator, Mistakes& mistakes);

}  // namespace ictus::build
