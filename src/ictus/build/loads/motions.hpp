#pragma once

#include <ictus/build/loads/load_context.hpp>

namespace ictus::build {

/// What is held and follows a signal along a direction, or about an axis.
void make_motion(const LoadContext& context, const scene::SupportMotionSpec& spec);
void make_rotation(const LoadContext& context, const scene::SupportRotationSpec& spec);

/// The names of bodies that some motion of a scene moves.
std::vector<std::string> moved_bodies(const scene::Scene& scene);

}  // namespace ictus::build
