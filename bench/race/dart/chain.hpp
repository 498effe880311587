#pragma once

// The rod in DART: a chain of stiff links with springs in its joints, EI over the length of a link.
#include "../rod.hpp"
#include "world.hpp"

namespace race_dart {

struct Chain {
  dart::dynamics::SkeletonPtr skeleton;
  dart::dynamics::BodyNode* last;
};

/// A chain along x. `velocity` is that of its start; links turn as `slope(i)` says.
template <class Slope>
Chain make_chain(const rod::Links& links, const Eigen::Vector3d& velocity, Slope slope) {
  using namespace dart::dynamics;
  const auto skeleton = Skeleton::create("rod");
  const auto box = std::make_shared<BoxShape>(Eigen::Vector3d(links.link, rod::side, rod::side));
  Inertia inertia;
  inertia.setMass(links.link_mass);
  inertia.setMoment(box->computeInertia(links.link_mass));
  inertia.setLocalCOM({links.link / 2, 0, 0});
  BodyNode* last = nullptr;
  for (int i = 0; i < links.count; ++i) {
    if (i == 0) {
      auto [joint, body] = skeleton->createJointAndBodyNodePair<FreeJoint>();
      joint->setLinearVelocity(velocity);
      joint->setAngularVelocity({0, -slope(0), 0});
      last = body;
    } else {
      RevoluteJoint::Properties properties;
      properties.mAxis = Eigen::Vector3d::UnitY();
      properties.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(links.link, 0, 0);
      auto [joint, body] = last->createChildJointAndBodyNodePair<RevoluteJoint>(properties);
      joint->setSpringStiffness(0, links.stiffness);
      joint->setDampingCoefficient(0, 0);
      joint->setVelocity(0, slope(i - 1) - slope(i));
      last = body;
    }
    last->setInertia(inertia);
  }
  return {skeleton, last};
}

}  // namespace race_dart
