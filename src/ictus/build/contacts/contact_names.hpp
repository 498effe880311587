#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/scene/spec/scene.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ictus::build {

using BodyNames = std::pair<std::string, std::string>;

/// Names of the bodies of each pair that contact `index` of the scene is about: the two that it names, every body where
/// it says `all` (but not pairs that another contact names, and of two that say `all` the one that says it once comes
/// first), and each triangulated body with itself for self-contact.
std::vector<BodyNames> bodies_between(const scene::Scene& scene, std::size_t index);

/// Adds a mistake for each key of contact `index` that only triangulated surfaces, or nodes, can honour.
void refuse_surface_keys(const scene::ContactSpec& contact, std::size_t index, std::string_view bodies,
                         Mistakes& mistakes);

/// Whether a contact says `all`.
bool is_for_all(const scene::ContactSpec& contact);

}  // namespace ictus::build
