#include <btBulletDynamicsCommon.h>

#include "race/racer.hpp"

namespace ictus::race {

namespace {

Vec vec(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

/// Bullet with sequential impulses and its own defaults: 10 iterations, warm start; nobody falls asleep.
class BulletRacer final : public Racer {
 public:
  BulletRacer(const Start& start, bool judged)
      : start_(start),
        judged_(judged),
        judge_(start),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity(btVector3(0, 0, static_cast<btScalar>(-start.gravity)));
    const auto width = static_cast<btScalar>(start.settling.width()), half = static_cast<btScalar>(Settling::radius);
    const btScalar planes[][4] = {{0, 0, 1, 0}, {1, 0, 0, 0}, {-1, 0, 0, -width}, {0, 1, 0, 0}, {0, -1, 0, -width}};
    for (const auto& p : planes) {
      shapes_.push_back(std::make_unique<btStaticPlaneShape>(btVector3(p[0], p[1], p[2]), p[3]));
      add(0, btVector3(0, 0, 0), shapes_.back().get());
    }
    if (start.settling.boxes)
      shapes_.push_back(std::make_unique<btBoxShape>(btVector3(half, half, half)));
    else
      shapes_.push_back(std::make_unique<btSphereShape>(half));
    for (const Vec& x : start.positions) {
      add(start.mass, btVector3(static_cast<btScalar>(x.x), static_cast<btScalar>(x.y), static_cast<btScalar>(x.z)),
          shapes_.back().get());
    }
  }
  ~BulletRacer() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  std::string_view name() const override { return "Bullet"; }

  void step() override {
    if (judged_) note_before();
    world_.stepSimulation(static_cast<btScalar>(Settling::step), 0);
  }

  double error() override {
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold& manifold = *dispatcher_.getManifoldByIndexInternal(i);
      for (int k = 0; k < manifold.getNumContacts(); ++k) judge(manifold, manifold.getContactPoint(k));
    }
    return judge_.error();
  }
  double unexplained() override {
    double sum = 0;
    for (const auto& body : bodies_) {
      if (body->isStaticObject()) continue;
      const auto i = static_cast<std::size_t>(body->getUserIndex());
      sum += math::norm_sq(vec(body->getLinearVelocity()) - judge_.explained(i));
    }
    return std::sqrt(sum) / judge_.scale();
  }

  double kinetic_energy() const override {
    double sum = 0;
    for (const auto& body : bodies_) {
      if (body->isStaticObject()) continue;
      sum += 0.5 * start_.mass * body->getLinearVelocity().length2() +
             0.5 * start_.inertia * body->getAngularVelocity().length2();
    }
    return sum;
  }

 private:
  void add(double mass, const btVector3& position, btCollisionShape* shape) {
    const auto inertia = static_cast<btScalar>(mass > 0 ? start_.inertia : 0.0);
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape,
                                                  btVector3(inertia, inertia, inertia));
    info.m_startWorldTransform.setOrigin(position);
    // The friction of a pair is the product of both.
    info.m_friction = static_cast<btScalar>(std::sqrt(Settling::friction));
    info.m_restitution = 0;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    bodies_.back()->setUserIndex(mass > 0 ? movers_++ : solve::RigidContact::held);
    world_.addRigidBody(bodies_.back().get());
  }

  void note_before() {
    judge_.clear();
    centres_.clear();
    for (const auto& body : bodies_) {
      if (body->isStaticObject()) continue;
      judge_.add_body(vec(body->getLinearVelocity()) - Vec{0, 0, Settling::step * start_.gravity},
                      vec(body->getAngularVelocity()));
      centres_.push_back(vec(body->getWorldTransform().getOrigin()));
    }
  }

  /// The normal points from the second body to the first.
  void judge(const btPersistentManifold& manifold, const btManifoldPoint& p) {
    const auto& one = *btRigidBody::upcast(manifold.getBody0());
    const auto& other = *btRigidBody::upcast(manifold.getBody1());
    const auto lever = [&](const btRigidBody& body, const btVector3& point) {
      return body.isStaticObject() ? Vec{} : vec(point) - centres_[static_cast<std::size_t>(body.getUserIndex())];
    };
    solve::RigidContact c;
    c.body_a = other.getUserIndex();
    c.body_b = one.getUserIndex();
    c.normal = vec(p.m_normalWorldOnB);
    c.normal = (1 / std::sqrt(math::norm_sq(c.normal))) * c.normal;
    c.tangent = math::across(c.normal);
    c.lever_a = lever(other, p.getPositionWorldOnB());
    c.lever_b = lever(one, p.getPositionWorldOnA());
    const double gap = p.getDistance();
    c.offset.x = (gap > 0 ? 1.0 : double(world_.getSolverInfo().m_erp2)) * gap / Settling::step;
    c.cone = solve::FrictionCone(Settling::friction);
    judge_.add_contact(c, double(p.m_appliedImpulse) * vec(p.m_normalWorldOnB) +
                              double(p.m_appliedImpulseLateral1) * vec(p.m_lateralFrictionDir1) +
                              double(p.m_appliedImpulseLateral2) * vec(p.m_lateralFrictionDir2));
  }

  Start start_;
  bool judged_;
  Judge judge_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<Vec> centres_;
  int movers_ = 0;
};

}  // namespace

std::unique_ptr<Racer> make_bullet(const Start& start, bool judged) {
  return std::make_unique<BulletRacer>(start, judged);
}

}  // namespace ictus::race
