#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/scene/text/document.hpp>
#include <vector>

namespace ictus::build {

/// The rows u_first − Σ N u_second = 0 of the ties of a scene [eq. coupling-1], where anything can move. Rows that
/// others imply are left out.
model::ConstraintSet make_ties(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies,
                               Mistakes& mistakes);

}  // namespace ictus::build
