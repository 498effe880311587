#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/mechanics/beam/lie_beam.hpp>
#include <ictus/mechanics/beam_in_space/lie_beam_sheet.hpp>
#include <ictus/scene/spec/scene.hpp>

namespace ictus::build {

/// The section of a beam: from its shape and material, or as given.
mechanics::LieBeamSection make_section(const scene::LieBeamSpec& spec);

/// A beam as integration along its length sees it; the times are those of the scene.
mechanics::LieBeamSheetProperties make_lie_beam_sheet(const scene::LieBeamSpec& spec, const std::string& name,
                                                      const scene::Scene& scene, Mistakes& mistakes);

/// Its length at rest (m).
double length_of(const scene::LieBeamSpec& spec);

/// Whether the scene integrates its beam in space.
bool runs_in_space(const scene::Scene& scene);
/// Whether its integrator cuts space-time into triangles.
bool on_triangles(const scene::Scene& scene);

/// Refuses loads that have moments, which have no potential: the beam's own scheme alone books their work.
void refuse_moments(const mechanics::LieBeamLoads& loads, const std::string& name, Mistakes& mistakes);

/// A beam and its start on the mesh that the scene's integrator uses.
mechanics::LieBeamProperties make_lie_beam(const scene::LieBeamSpec& spec, const scene::Scene& scene);

}  // namespace ictus::build
