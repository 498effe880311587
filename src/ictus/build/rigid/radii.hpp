#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/scene/spec/rigid_spec.hpp>
#include <string>
#include <vector>

namespace ictus::build {

/// As many radii as bodies, drawn from their distribution by its seed (m). `key` names the distribution in mistakes:
/// one whose bounds hold next to nothing of it is refused.
std::vector<double> draw_radii(const scene::RadiiSpec& spec, std::size_t bodies, const std::string& key,
                               Mistakes& mistakes);

}  // namespace ictus::build
