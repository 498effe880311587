#pragma once

#include <ictus/build/bodies/solid_parts.hpp>
#include <ictus/build/mistakes.hpp>
#include <ictus/build/own.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/mechanics/solid/solid.hpp>

namespace ictus::build {

/// The mesh of a solid, where the body is; nothing where it has mistakes, which are added under `bodies.<name>`.
std::optional<geometry::VolumeMesh> solid_mesh(const scene::SolidSpec& spec, const std::string& name,
                                               const scene::Document& document, Mistakes& mistakes);

/// How a metal of law j2 flows; a share of heat that it does not give is that of its hardening.
mechanics::Plasticity plasticity_of(const scene::MaterialSpec& material, double density);

/// Opposite corners of the box around a mesh.
std::array<math::Vec3, 2> extent_of(const geometry::VolumeMesh& mesh);

/// The solid of a scene, or a part of one, which has the supports and pressures of the whole as far as it goes; nothing
/// where there are mistakes.
std::unique_ptr<mechanics::Solid> make_solid(const scene::SolidSpec& spec, const std::string& name,
                                             const SolidPart* part, const scene::Document& document, const Own& own,
                                             std::size_t first_dof, std::size_t history_before, Mistakes& mistakes);

/// What to say of a set that a mesh does not have.
std::string unknown_set(const std::map<std::string, std::vector<int>>& sets, const std::string& name);

/// Lets meshes be found from anywhere: their paths in the scene become absolute.
void make_paths_absolute(const scene::Document& document, scene::Scene& scene);

}  // namespace ictus::build
