// DART: the rod as a chain on a floor, contacts of boxes by its default solver (Dantzig's).
//
//   sliding_rod [LINKS] [STEPS]
#include "../sliding_rod.hpp"
#include "chain.hpp"

int main(int count, char** words) {
  const rod::Links links(rod::links_of(count, words));
  const double step = sliding_rod::end / (count > 2 ? std::atof(words[2]) : 1000);
  const auto world = race_dart::make_world(step, sliding_rod::gravity);
  race_dart::add_floor(*world, sliding_rod::friction, 0);
  const auto chain = race_dart::make_chain(links, {sliding_rod::speed, 0, 0}, [](int) { return 0.0; });
  const auto box = std::make_shared<dart::dynamics::BoxShape>(Eigen::Vector3d(links.link, rod::side, rod::side));
  for (std::size_t i = 0; i < chain.skeleton->getNumBodyNodes(); ++i) {
    auto* node = chain.skeleton->getBodyNode(i)
                     ->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(box);
    node->setRelativeTranslation({links.link / 2, 0, 0});
    race_dart::set_contact(*node, sliding_rod::friction, 0);
  }
  chain.skeleton->getJoint(0)->setPosition(5, rod::side / 2);
  world->addSkeleton(chain.skeleton);
  sliding_rod::run(
      step, [&] { world->step(); },
      [&] {
        const Eigen::Vector3d end(links.link, 0, 0), at = chain.last->getTransform() * end;
        return sliding_rod::Last{at.x() - rod::length, chain.last->getLinearVelocity(end).x(), at.z() - rod::side / 2};
      });
}
