// DART: friction of cubes and floor, its default solver (Dantzig's).
#include "world.hpp"

#include "../stack.hpp"

int main() {
  const auto world = race_dart::make_world(stack::step, stack::gravity);
  race_dart::add_floor(*world, stack::friction, 0);
  const auto cube = std::make_shared<dart::dynamics::BoxShape>(Eigen::Vector3d::Constant(stack::side));
  std::vector<dart::dynamics::BodyNode*> bodies;
  for (int i = 0; i < stack::cubes; ++i)
    bodies.push_back(race_dart::add_body(*world, cube, stack::mass, {0, 0, stack::height(i)}, stack::friction, 0));
  stack::run([&] { world->step(); },
             [&](int i) {
               const Eigen::Vector3d x = bodies[std::size_t(i)]->getTransform().translation();
               return stack::Point{x.x(), x.y(), x.z()};
             },
             [&] {
               double energy = 0;
               for (const dart::dynamics::BodyNode* body : bodies) energy += body->computeKineticEnergy();
               return energy;
             });
}
