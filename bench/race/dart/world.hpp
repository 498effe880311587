#pragma once

// What the racers in DART share: a world with its own collision detection, which knows boxes and balls, and a floor
// that is a box.
#include <dart/dart.hpp>

namespace race_dart {

inline dart::simulation::WorldPtr make_world(double step, double gravity) {
  auto world = dart::simulation::World::create();
  world->setTimeStep(step);
  world->setGravity({0, 0, -gravity});
  world->getConstraintSolver()->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
  return world;
}

inline void set_contact(dart::dynamics::ShapeNode& node, double friction, double restitution) {
  dart::dynamics::DynamicsAspect* aspect = node.getDynamicsAspect();
  aspect->setFrictionCoeff(friction);
  aspect->setRestitutionCoeff(restitution);
}

/// A free body; its centre is at `place`.
inline dart::dynamics::BodyNode* add_body(dart::simulation::World& world, const dart::dynamics::ShapePtr& shape,
                                          double mass, const Eigen::Vector3d& place, double friction,
                                          double restitution) {
  auto skeleton = dart::dynamics::Skeleton::create("body " + std::to_string(world.getNumSkeletons()));
  auto [joint, body] = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>();
  auto* node = body->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(shape);
  set_contact(*node, friction, restitution);
  dart::dynamics::Inertia inertia;
  inertia.setMass(mass);
  inertia.setMoment(shape->computeInertia(mass));
  body->setInertia(inertia);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = place;
  joint->setPositions(dart::dynamics::FreeJoint::convertToPositions(pose));
  world.addSkeleton(skeleton);
  return body;
}

inline void add_floor(dart::simulation::World& world, double friction, double restitution) {
  auto skeleton = dart::dynamics::Skeleton::create("floor");
  auto* body = skeleton->createJointAndBodyNodePair<dart::dynamics::WeldJoint>().second;
  const auto shape = std::make_shared<dart::dynamics::BoxShape>(Eigen::Vector3d(40, 40, 2));
  auto* node = body->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(shape);
  set_contact(*node, friction, restitution);
  node->setRelativeTranslation({0, 0, -1});
  world.addSkeleton(skeleton);
}

}  // namespace race_dart
