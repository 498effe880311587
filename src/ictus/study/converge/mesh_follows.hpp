#pragma once

#include <ictus/scene/spec/scene.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ictus::study {

/// A step and the meshes that go with it.
struct FollowedMesh {
  double step;                                        ///< h (s)
  std::vector<std::pair<std::string, int>> elements;  ///< of each bar, by name
};

/// The largest share by which follow_mesh() moves a step.
inline constexpr double largest_move = 0.1;

/// The meshes at which every bar keeps its Courant number c h/l, given by the mesh of the scene and `own_step`, near
/// the step that is asked for. Elements are whole: with n elements in the scene and g the greatest common divisor of
/// all n, a step h₀ g/k leaves n k/g elements in each bar, for any whole k, and no other step does. The nearest of
/// these steps is taken, so that the Courant numbers stay the same to round-off and the step gives way, by up to
/// `largest_move`. Throws base::InputError where there is no such step that near (it names those around it), or no bar.
FollowedMesh follow_mesh(const scene::Scene& scene, double own_step, double asked_step);

}  // namespace ictus::study
