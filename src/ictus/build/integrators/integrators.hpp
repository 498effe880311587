#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <memory>
#include <string>

namespace ictus::build {

/// The integrator that a scene without one gets.
scene::Integrator default_integrator(const scene::Scene& scene);

/// The integrator that a scene names, as its bodies need it.
std::unique_ptr<dynamics::Integrator> make_integrator(const scene::Scene& scene);

/// Whether the scheme can take this coefficient of restitution, and, in words, which it can take.
bool honours_restitution(const dynamics::Capabilities& can, double restitution);
std::string allowed_restitutions(const dynamics::Capabilities& can);

/// Adds a mistake for every body that the integrator does not know how to move.
void check_bodies(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies,
                  const dynamics::Integrator& integrator, Mistakes& mistakes);

/// Adds a mistake for every key of the contacts that the integrator cannot honour.
void check_capabilities(const scene::Scene& scene, const dynamics::Integrator& integrator, Mistakes& mistakes);

/// Adds a mistake for every pair of triangulated surfaces that the integrator would not see.
void check_surfaces(const std::vector<contact::ContactPair>& pairs, const dynamics::Integrator& integrator,
                    Mistakes& mistakes);

}  // namespace ictus::build
