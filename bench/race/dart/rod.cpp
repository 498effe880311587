// DART: the free rod as a chain.
//
//   rod [LINKS] [STEPS]
#include "chain.hpp"

int main(int count, char** words) {
  const rod::Links links(rod::links_of(count, words));
  const double step = rod::step_of(count, words);
  const auto world = race_dart::make_world(step, 0);
  const auto chain = race_dart::make_chain(links, {0, 0, rod::speed}, [&](int i) { return links.slope(i); });
  world->addSkeleton(chain.skeleton);
  rod::run(
      step, [&] { world->step(); },
      [&] {
        const Eigen::Vector3d end(links.link, 0, 0);
        return std::pair<double, double>((chain.last->getTransform() * end).z(),
                                         chain.last->getLinearVelocity(end).z());
      });
}
