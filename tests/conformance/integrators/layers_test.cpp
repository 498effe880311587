// The contract of dynamics::Integrator, kept by layers between bodies that turn.
#include <gtest/gtest.h>

#include <ictus/dynamics/scheme/discrete_gradient.hpp>

#include "conformance/contract.hpp"
#include "structure/rigid_run.hpp"

namespace ictus::dynamics {
namespace {

/// A slab that slides over a floor, and a ball that rolls on it.
System ball_on_slab() {
  const Vec gravity{0, 0, -9.81};
  std::vector<BodyPtr> bodies;
  bodies.push_back(std::make_unique<RigidBodies>("slab", properties(box(2, 2, 0.2), 20, gravity),
                                                 std::vector<RigidStart>{{{0, 0, 0.1}, {}, {0.5, 0, 0}, {}}}, 0,
                                                 RigidBodies::Outside::skin));
  bodies.push_back(std::make_unique<RigidBodies>("ball", properties(geometry::RigidShape::sphere(0.1), 2, gravity),
                                                 std::vector<RigidStart>{{{0.1, 0.03, 0.301}, {}, {0.1, 0, 0}, {}}},
                                                 bodies[0]->dofs().end(), RigidBodies::Outside::skin));
  bodies.push_back(
      std::make_unique<mechanics::Obstacle>("floor", model::Plane{math::Vec3::Zero(), math::Vec3::UnitZ()}));
  std::vector<contact::ContactPair> pairs{pair_of(*bodies[0], *bodies[2], {0.5, 0.1}),
                                          pair_of(*bodies[1], *bodies[0], {0.5, 0.3})};
  return System(std::move(bodies), std::move(pairs), exec::Executor(1));
}

TEST(LayersOfRigidBodies, WarmStepAllocatesNothing) {
  const System system = ball_on_slab();
  DiscreteGradient integrator;
  EXPECT_GT(testing::expect_no_allocation(system, integrator, 1e-3, 500), 1000);
}

}  // namespace
}  // namespace ictus::dynamics
