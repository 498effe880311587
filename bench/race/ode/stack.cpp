// The Open Dynamics Engine: its exact step, which suits ten bodies, up to eight contact points of each two bodies, and
// erp and cfm as they come.
#include <ode/ode.h>

#include "../stack.hpp"

namespace {

dWorldID world;
dJointGroupID joints;

void near(void*, dGeomID one, dGeomID other) {
  dContact contacts[8]{};
  const int count = dCollide(one, other, 8, &contacts[0].geom, sizeof(dContact));
  for (int i = 0; i < count; ++i) {
    contacts[i].surface.mode = dContactApprox1;
    contacts[i].surface.mu = stack::friction;
    dJointAttach(dJointCreateContact(world, joints, &contacts[i]), dGeomGetBody(one), dGeomGetBody(other));
  }
}

}  // namespace

int main() {
  dInitODE2(0);
  world = dWorldCreate();
  dWorldSetGravity(world, 0, 0, -stack::gravity);
  const dSpaceID space = dHashSpaceCreate(nullptr);
  joints = dJointGroupCreate(0);
  dCreatePlane(space, 0, 0, 1, 0);
  dBodyID bodies[stack::cubes];
  dMass mass;
  dMassSetBoxTotal(&mass, stack::mass, stack::side, stack::side, stack::side);
  for (int i = 0; i < stack::cubes; ++i) {
    bodies[i] = dBodyCreate(world);
    dBodySetMass(bodies[i], &mass);
    dBodySetPosition(bodies[i], 0, 0, stack::height(i));
    dGeomSetBody(dCreateBox(space, stack::side, stack::side, stack::side), bodies[i]);
  }
  stack::run(
      [&] {
        dSpaceCollide(space, nullptr, &near);
        dWorldStep(world, stack::step);
        dJointGroupEmpty(joints);
      },
      [&](int i) {
        const dReal* x = dBodyGetPosition(bodies[i]);
        return stack::Point{x[0], x[1], x[2]};
      },
      [&] {
        double energy = 0;
        for (const dBodyID body : bodies) {
          const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
          energy += 0.5 * stack::mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                    0.5 * mass.I[0] * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        }
        return energy;
      });
  dCloseODE();
}
