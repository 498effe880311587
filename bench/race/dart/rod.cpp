// DART: a chain of stiff links with springs in its joints, EI over the length of a link.
//
//   rod [LINKS] [STEPS]
#include "../rod.hpp"
#include "world.hpp"

int main(int count, char** words) {
  using namespace dart::dynamics;
  const rod::Links links(rod::links_of(count, words));
  const double step = rod::step_of(count, words);
  const auto world = race_dart::make_world(step, 0);
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
      joint->setLinearVelocity({0, 0, rod::speed});
      joint->setAngularVelocity({0, -links.slope(0), 0});
      last = body;
    } else {
      RevoluteJoint::Properties properties;
      properties.mAxis = Eigen::Vector3d::UnitY();
      properties.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(links.link, 0, 0);
      auto [joint, body] = last->createChildJointAndBodyNodePair<RevoluteJoint>(properties);
      joint->setSpringStiffness(0, links.stiffness);
      joint->setDampingCoefficient(0, 0);
      joint->setVelocity(0, links.slope(i - 1) - links.slope(i));
      last = body;
    }
    last->setInertia(inertia);
  }
  world->addSkeleton(skeleton);
  rod::run(
      step, [&] { world->step(); },
      [&] {
        const Eigen::Vector3d end(links.link, 0, 0);
        return std::pair<double, double>((last->getTransform() * end).z(), last->getLinearVelocity(end).z());
      });
}
