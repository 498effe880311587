// DART: restitution 1 of balls and floor, no friction, its default solver (Dantzig's, exact for balls apart).
#include "world.hpp"

#include "../bouncing.hpp"

int main(int count, char** words) {
  const double step = bouncing::step_of(count, words);
  const auto world = race_dart::make_world(step, bouncing::gravity);
  race_dart::add_floor(*world, 0, 1);
  const auto ball = std::make_shared<dart::dynamics::SphereShape>(bouncing::radius);
  std::vector<dart::dynamics::BodyNode*> bodies;
  for (int i = 0; i < bouncing::balls; ++i) {
    bodies.push_back(race_dart::add_body(*world, ball, bouncing::mass,
                                         {i % bouncing::side - 3.0, i / bouncing::side - 3.0, bouncing::height}, 0, 1));
  }
  bouncing::run(
      step, [&] { world->step(); },
      [&](bouncing::Judge& judge) {
        judge.look([&](int i) { return bodies[std::size_t(i)]->getTransform().translation().z(); },
                   [&](int i) { return bodies[std::size_t(i)]->getLinearVelocity().squaredNorm(); });
      });
}
