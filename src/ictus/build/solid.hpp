#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/mechanics/solid.hpp>

namespace ictus::build {

/// The solid of a scene; nothing where its mesh has mistakes, which are added under `bodies.<name>`.
std::unique_ptr<mechanics::Solid> make_solid(const scene::SolidSpec& spec, const std::string& name,
                                             const scene::Document& document, std::size_t first_unknown,
                                             Mistakes& mistakes);

/// What to say of a set that a mesh does not have.
std::string unknown_set(const std::map<std::string, std::vector<int>>& sets, const std::string& name);

/// Lets meshes be found from anywhere: their paths in the scene become absolute.
void make_paths_absolute(const scene::Document& document, scene::Scene& scene);

}  // namespace ictus::build
