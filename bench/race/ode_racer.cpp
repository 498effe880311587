#include <ode/ode.h>

#include <deque>

#include "race/racer.hpp"

namespace ictus::race {

namespace {

/// The Open Dynamics Engine with its iterative step ("quick step") and its own defaults: 20 iterations, erp 0.2.
class OdeRacer final : public Racer {
 public:
  OdeRacer(const Start& start, bool judged) : start_(start), judged_(judged), judge_(start) {
    dInitODE2(0);
    dRandSetSeed(1);
    world_ = dWorldCreate();
    dWorldSetGravity(world_, 0, 0, -start.gravity);
    space_ = dHashSpaceCreate(nullptr);
    dHashSpaceSetLevels(space_, -4, 0);
    joints_ = dJointGroupCreate(0);
    const double width = start.settling.width(), size = 2 * Settling::radius;
    const double planes[][4] = {{0, 0, 1, 0}, {1, 0, 0, 0}, {-1, 0, 0, -width}, {0, 1, 0, 0}, {0, -1, 0, -width}};
    for (const auto& p : planes) dCreatePlane(space_, p[0], p[1], p[2], p[3]);
    for (const Vec& x : start.positions) {
      dMass mass;
      dMassSetParameters(&mass, start.mass, 0, 0, 0, start.inertia, start.inertia, start.inertia, 0, 0, 0);
      const dBodyID body = dBodyCreate(world_);
      dBodySetMass(body, &mass);
      dBodySetPosition(body, x.x, x.y, x.z);
      dBodySetData(body, reinterpret_cast<void*>(bodies_.size()));
      dGeomSetBody(
          start.settling.boxes ? dCreateBox(space_, size, size, size) : dCreateSphere(space_, Settling::radius), body);
      bodies_.push_back(body);
    }
  }
  ~OdeRacer() override {
    dJointGroupDestroy(joints_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  std::string_view name() const override { return "ODE"; }

  void step() override {
    dJointGroupEmpty(joints_);
    contacts_.clear();
    feedback_.clear();
    if (judged_) note_before();
    dSpaceCollide(space_, this, &OdeRacer::near);
    dWorldQuickStep(world_, Settling::step);
  }

  double error() override {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const dReal* f = feedback_[i].f1;
      judge_.add_contact(contacts_[i], Settling::step * Vec{f[0], f[1], f[2]});
    }
    return judge_.error();
  }
  double unexplained() override {
    double sum = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const dReal* v = dBodyGetLinearVel(bodies_[i]);
      sum += math::norm_sq(Vec{v[0], v[1], v[2]} - judge_.explained(i));
    }
    return std::sqrt(sum) / judge_.scale();
  }

  double kinetic_energy() const override {
    double sum = 0;
    for (const dBodyID body : bodies_) {
      const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
      sum += 0.5 * start_.mass * math::norm_sq(Vec{v[0], v[1], v[2]}) +
             0.5 * start_.inertia * math::norm_sq(Vec{w[0], w[1], w[2]});
    }
    return sum;
  }

 private:
  static constexpr int max_points = 8;

  void note_before() {
    judge_.clear();
    for (const dBodyID body : bodies_) {
      const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
      judge_.add_body({v[0], v[1], v[2] - Settling::step * start_.gravity}, {w[0], w[1], w[2]});
    }
  }

  static void near(void* self, dGeomID one, dGeomID other) { static_cast<OdeRacer*>(self)->meet(one, other); }

  void meet(dGeomID one, dGeomID other) {
    if (dGeomGetBody(one) == nullptr) std::swap(one, other);
    const dBodyID body = dGeomGetBody(one), partner = dGeomGetBody(other);
    if (body == nullptr) return;
    dContact points[max_points];
    const int count = dCollide(one, other, max_points, &points[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      points[i].surface.mode = dContactApprox1;
      points[i].surface.mu = Settling::friction;
      const dJointID joint = dJointCreateContact(world_, joints_, &points[i]);
      dJointAttach(joint, body, partner);
      if (judged_) note(joint, points[i].geom, body, partner);
    }
  }

  /// The normal points from the second body to the first.
  void note(dJointID joint, const dContactGeom& geom, dBodyID body, dBodyID partner) {
    feedback_.emplace_back();
    dJointSetFeedback(joint, &feedback_.back());
    const auto number = [](dBodyID b) {
      return b == nullptr ? solve::RigidContact::held
                          : static_cast<int>(reinterpret_cast<std::size_t>(dBodyGetData(b)));
    };
    const Vec point{geom.pos[0], geom.pos[1], geom.pos[2]};
    const auto lever = [&](dBodyID b) {
      if (b == nullptr) return Vec{};
      const dReal* x = dBodyGetPosition(b);
      return point - Vec{x[0], x[1], x[2]};
    };
    solve::RigidContact c;
    c.body_a = number(partner);
    c.body_b = number(body);
    c.normal = {geom.normal[0], geom.normal[1], geom.normal[2]};
    c.tangent = math::across(c.normal);
    c.lever_a = lever(partner);
    c.lever_b = lever(body);
    c.offset.x = -dWorldGetERP(world_) * geom.depth / Settling::step;
    c.cone = solve::FrictionCone(Settling::friction);
    contacts_.push_back(c);
  }

  Start start_;
  bool judged_;
  Judge judge_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID joints_;
  std::vector<dBodyID> bodies_;
  std::vector<solve::RigidContact> contacts_;
  std::deque<dJointFeedback> feedback_;
};

}  // namespace

std::unique_ptr<Racer> make_ode(const Start& start, bool judged) { return std::make_unique<OdeRacer>(start, judged); }

}  // namespace ictus::race
