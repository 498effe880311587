#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <ictus/scene/spec/scene.hpp>

namespace ictus::build {

/// The shell of a scene with its mesh in place, renumbered along a space-filling curve. `key` is that of the body.
/// Throws base::InputError where there is no mesh, or no boundary of it, to go on with.
mechanics::ShellProperties make_shell(const scene::ShellSpec& spec, const scene::Document& document,
                                      const std::string& key, Mistakes& mistakes);

/// Adds a mistake where most of the surface has a radius of curvature below half the thickness: its inner face would be
/// turned inside out, and no shell is that thick. Creases of a few elements may be sharper.
void check_thickness(const mechanics::Shell& shell, const std::string& key, Mistakes& mistakes);

/// Adds a mistake where a vertex has no mass: the mesh is too coarse for its boundary.
void check_masses(const mechanics::Shell& shell, const std::string& key, Mistakes& mistakes);

}  // namespace ictus::build
