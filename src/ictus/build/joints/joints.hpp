#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/build/own.hpp>
#include <ictus/dynamics/joint/joint.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/scene/text/document.hpp>
#include <memory>
#include <vector>

namespace ictus::build {

/// What the joints of a scene come to.
struct Jointed {
  std::vector<dynamics::Joint> joints;
  std::vector<std::unique_ptr<const model::Surface>> stops;  ///< that the pairs below are between
  std::vector<contact::ContactPair> limits;
  std::vector<dynamics::BodyPtr> leads;  ///< bodies of motors that lead, whose dofs come after all others
  std::vector<mechanics::SupportMotion> motions;
};

/// The joints of a scene whose signals are no files any more, between bodies at their start.
Jointed make_joints(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies, const Own& own,
                    Mistakes& mistakes);

}  // namespace ictus::build
