// Bullet: sequential impulses with its own defaults; nobody falls asleep.
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "../stack.hpp"

int main() {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, static_cast<btScalar>(-stack::gravity)));
  btStaticPlaneShape floor(btVector3(0, 0, 1), 0);
  const auto half = static_cast<btScalar>(stack::side / 2);
  btBoxShape cube(btVector3(half, half, half));
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  const auto add = [&](btScalar mass, btScalar z, btCollisionShape& shape) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape.calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
    info.m_startWorldTransform.setOrigin(btVector3(0, 0, z));
    info.m_friction = static_cast<btScalar>(std::sqrt(stack::friction));  // that of a contact is the product of two
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(bodies.back().get());
  };
  for (int i = 0; i < stack::cubes; ++i)
    add(static_cast<btScalar>(stack::mass), static_cast<btScalar>(stack::height(i)), cube);
  add(0, 0, floor);
  stack::run([&] { world.stepSimulation(static_cast<btScalar>(stack::step), 0); },
             [&](int i) {
               const btVector3& x = bodies[std::size_t(i)]->getWorldTransform().getOrigin();
               return stack::Point{x.x(), x.y(), x.z()};
             },
             [&] {
               double energy = 0;
               for (int i = 0; i < stack::cubes; ++i) {
                 const btRigidBody& body = *bodies[std::size_t(i)];
                 energy += 0.5 * stack::mass * body.getLinearVelocity().length2() +
                           0.5 * stack::mass * stack::side * stack::side / 6 * body.getAngularVelocity().length2();
               }
               return energy;
             });
  for (const auto& body : bodies) world.removeRigidBody(body.get());
}
