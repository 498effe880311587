// The Open Dynamics Engine: its exact step (each ball is a problem of its own, so it is the fast one, too), bounce 1
// without a lowest velocity, no friction, and erp as it comes.
#include <ode/ode.h>

#include "../bouncing.hpp"

namespace {

dWorldID world;
dJointGroupID joints;

void near(void*, dGeomID one, dGeomID other) {
  dContact contact{};
  if (dCollide(one, other, 1, &contact.geom, sizeof(dContact)) == 0) return;
  contact.surface.mode = dContactBounce;
  contact.surface.mu = 0;
  contact.surface.bounce = 1;
  contact.surface.bounce_vel = 0;
  dJointAttach(dJointCreateContact(world, joints, &contact), dGeomGetBody(one), dGeomGetBody(other));
}

}  // namespace

int main(int count, char** words) {
  const double step = bouncing::step_of(count, words);
  dInitODE2(0);
  world = dWorldCreate();
  dWorldSetGravity(world, 0, 0, -bouncing::gravity);
  const dSpaceID space = dHashSpaceCreate(nullptr);
  joints = dJointGroupCreate(0);
  dCreatePlane(space, 0, 0, 1, 0);
  dBodyID bodies[bouncing::balls];
  for (int i = 0; i < bouncing::balls; ++i) {
    bodies[i] = dBodyCreate(world);
    dMass mass;
    dMassSetSphereTotal(&mass, bouncing::mass, bouncing::radius);
    dBodySetMass(bodies[i], &mass);
    dBodySetPosition(bodies[i], i % bouncing::side, i / bouncing::side, bouncing::height);
    dGeomSetBody(dCreateSphere(space, bouncing::radius), bodies[i]);
  }
  bouncing::run(
      step,
      [&] {
        dSpaceCollide(space, nullptr, &near);
        dWorldStep(world, step);
        dJointGroupEmpty(joints);
      },
      [&](bouncing::Judge& judge) {
        judge.look([&](int i) { return dBodyGetPosition(bodies[i])[2]; },
                   [&](int i) {
                     const dReal* v = dBodyGetLinearVel(bodies[i]);
                     return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
                   });
      });
  dCloseODE();
}
