#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/contact/law/contact_pair.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <vector>

namespace ictus::build {

/// Adds a mistake for every key of a contact that means nothing to the bodies that meet in it, or to the integrator:
/// what is not honoured is refused.
void check_contact_keys(const scene::Scene& scene, const std::vector<contact::ContactPair>& pairs,
                        const dynamics::Integrator& integrator, Mistakes& mistakes);

}  // namespace ictus::build
