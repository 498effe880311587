#include <ictus/build/bodies/families.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/build/bodies/generalised.hpp>
#include <ictus/build/integrators/integrators.hpp>
#include <ictus/build/rigid/rigid.hpp>

namespace ictus::build {

bool has_several_families(const scene::Scene& scene) {
  const auto has = [&](auto&& is) {
    return std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const auto& entry) { return is(entry.value); });
  };
  const auto is_elastic = [](const scene::Body& body) {
    return scene::is_any_of<scene::BarSpec, scene::FrameSpec, scene::LieBeamSpec, scene::ShellSpec, scene::SolidSpec,
                            scene::OwnBodySpec>(body);
  };
  const auto drags = [](const scene::Body& body) {
    const auto* rigid = std::get_if<scene::RigidSpec>(&body);
    return rigid != nullptr && rigid->drag > 0;
  };
  // Shapes that are met by their skins, as elastic bodies are.
  const auto has_skin = [](const scene::Body& body) {
    const auto* rigid = std::get_if<scene::RigidSpec>(&body);
    return rigid != nullptr && (std::holds_alternative<scene::RigidMeshSpec>(rigid->shape) ||
                                std::holds_alternative<scene::CompoundSpec>(rigid->shape) ||
                                std::holds_alternative<scene::HeightfieldSpec>(rigid->shape));
  };
  const auto vanishes = [](const scene::Body& body) { return std::isfinite(scene::until_of(body)); };
  return has(is_elastic) || has(has_skin) || (has(is_generalised) && has(vanishes)) ||
         (has(is_rigid) && (has(drags) || scene.initial == scene::Initial::at_rest || !scene.loads.empty() ||
                            !scene.joints.empty() || has(is_generalised))) ||
         others_meet_coordinates(scene);
}

bool all_families_meet(const scene::Scene& scene) {
  const scene::Integrator integrator = scene.integrator ? *scene.integrator : default_integrator(scene);
  if (std::holds_alternative<scene::MoreauVariationalSpec>(integrator)) return has_several_families(scene);
  return !std::holds_alternative<scene::MoreauSpec>(integrator) &&
         !std::holds_alternative<scene::MultisymplecticBeamSpec>(integrator);
}

}  // namespace ictus::build
