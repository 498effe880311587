// Bullet: sequential impulses with its own defaults, restitution 1 of balls and floor, no friction, no damping, nobody
// falls asleep. Contacts count from touching on: before that Bullet slows what comes near, and an impact would return
// next to nothing. Overlap is taken back apart from the velocities (split impulse at any depth), which adds no energy.
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "../bouncing.hpp"

int main(int count, char** words) {
  const double step = bouncing::step_of(count, words);
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, static_cast<btScalar>(-bouncing::gravity)));
  world.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
  btStaticPlaneShape floor(btVector3(0, 0, 1), 0);
  btSphereShape ball(static_cast<btScalar>(bouncing::radius));
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  const auto add = [&](btScalar mass, const btVector3& position, btCollisionShape& shape) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape.calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
    info.m_startWorldTransform.setOrigin(position);
    info.m_friction = 0;
    info.m_restitution = 1;
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    bodies.back()->setContactProcessingThreshold(0);
    world.addRigidBody(bodies.back().get());
  };
  for (int i = 0; i < bouncing::balls; ++i)
    add(static_cast<btScalar>(bouncing::mass),
        btVector3(static_cast<btScalar>(i % bouncing::side), static_cast<btScalar>(i / bouncing::side),
                  static_cast<btScalar>(bouncing::height)),
        ball);
  add(0, btVector3(0, 0, 0), floor);
  bouncing::run(
      step, [&] { world.stepSimulation(static_cast<btScalar>(step), 0); },
      [&](bouncing::Judge& judge) {
        judge.look([&](int i) { return double(bodies[std::size_t(i)]->getWorldTransform().getOrigin().z()); },
                   [&](int i) { return double(bodies[std::size_t(i)]->getLinearVelocity().length2()); });
      });
  for (const auto& body : bodies) world.removeRigidBody(body.get());
}
