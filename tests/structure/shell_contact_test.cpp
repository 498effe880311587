#include <gtest/gtest.h>

#include <ictus/dynamics/dcr/dcr.hpp>
#include <ictus/dynamics/scheme/capture_return.hpp>
#include <ictus/dynamics/scheme/reflection.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/mechanics/shell/shell.hpp>

#include "support/surface_run.hpp"

namespace ictus {
namespace {

using dynamics::CaptureReturn;
using math::Vec3;
using model::Loss;
using testing::SurfaceRun;

/// The two spheres of cirak-2005 §6.2 with a quarter of the elements, and what may be changed about them.
struct ShellSpheres {
  double speed = 1;  ///< times 150 and −50 m/s
  double friction = 0;
  std::optional<double> restitution = std::nullopt;
  bool self_contact = false;
  double turn = 0.6;           ///< of the meshes, in opposite senses (rad)
  Vec3 offset = Vec3::Zero();  ///< of the second sphere (m)
};

/// The spheres approach by 0.03 edges of 0.25 m in a step at the lowest speed, and have parted at the end.
constexpr double shell_step = 4e-5;
constexpr int shell_steps = 800;

dynamics::System make(const ShellSpheres& options) {
  std::vector<dynamics::BodyPtr> bodies;
  std::size_t next = 0;
  for (const double side : {-1.0, 1.0}) {
    mechanics::ShellProperties shell;
    shell.mesh = geometry::sphere(1, geometry::SphereBase::octahedron, 3);
    const Eigen::AngleAxisd rotation(side * options.turn, Vec3(0.3, 0.5, 0.2).normalized());
    const Vec3 shift = side * Vec3(1.02, 0, 0) + (side > 0 ? options.offset : Vec3(Vec3::Zero()));
    for (Vec3& x : shell.mesh.positions) x = rotation * x + shift;
    shell.thickness = 0.05;
    shell.youngs_modulus = 2.1e5;
    shell.poissons_ratio = 0.3;
    shell.density = 0.0785;
    shell.velocity = options.speed * Vec3(side < 0 ? 150 : -50, 0, 0);
    auto body = std::make_unique<mechanics::Shell>(side < 0 ? "left" : "right", std::move(shell), next);
    next = body->dofs().end();
    bodies.push_back(std::move(body));
  }
  std::vector<contact::ContactPair> pairs;
  const auto add = [&](std::size_t a, std::size_t b) {
    contact::ContactPair& pair = pairs.emplace_back();
    pair.first = bodies[a]->name(), pair.second = bodies[b]->name();
    pair.first_surface = &bodies[a]->surface(), pair.second_surface = &bodies[b]->surface();
    pair.friction = options.friction;
    pair.restitution = options.restitution;
  };
  add(0, 1);
  if (options.self_contact) add(0, 0), add(1, 1);
  return {std::move(bodies), std::move(pairs), exec::Executor(1)};
}

template <class Scheme, class... Options>
SurfaceRun collide_shells(const ShellSpheres& spheres, Options... options) {
  Scheme scheme(options...);
  return testing::run_surfaces(make(spheres), scheme, shell_step / spheres.speed, shell_steps, 10);
}

/// Momenta and ledger to round-off, and not one pair of triangles that intersects.
void expect_exact_shells(const SurfaceRun& run) {
  EXPECT_GT(run.contacts, 100);
  EXPECT_LT(run.residual, 1e-12);
  EXPECT_LT(run.linear_drift, 1e-12);
  EXPECT_LT(run.angular_drift, 1e-12);
  EXPECT_EQ(run.crossings, 0);
}

TEST(ShellContact, FrictionTakesWhatTheLedgerSays) {
  double least = 0;
  const dynamics::System system = make({});
  const double energy = system.kinetic_energy(system.initial_state().p);
  for (const double friction : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    SCOPED_TRACE(friction);
    ShellSpheres spheres;
    spheres.friction = friction;
    const SurfaceRun run = collide_shells<CaptureReturn>(spheres);
    expect_exact_shells(run);
    EXPECT_LT(run.largest_gain, 1e-3);  // the leapfrog's own error at this step, between looks of the control
    EXPECT_LT(std::abs(run.final_error + run.lost[Loss::friction] / energy), 1e-3);
    EXPECT_GE(run.lost[Loss::friction], friction > 0 ? 0.5 * least : 0);
    least = run.lost[Loss::friction];
  }
}

/// Also where the shells turn inside out and fold in on themselves, and without the control.
TEST(ShellContact, NothingPassesAtAnySpeed) {
  for (const double speed : {1.0, 2.0, 4.0}) {
    for (const bool self_contact : {false, true}) {
      SCOPED_TRACE(speed);
      ShellSpheres spheres;
      spheres.speed = speed;
      spheres.self_contact = self_contact;
      expect_exact_shells(
          collide_shells<CaptureReturn>(spheres, dynamics::CaptureReturnOptions{.control = !self_contact}));
    }
  }
}

/// The same step at several times the speed: up to half an edge at a time.
TEST(ShellContact, NothingPassesInLongSteps) {
  ShellSpheres spheres;
  spheres.speed = 16;
  spheres.offset = {0.6, 0.3, 0.1};
  spheres.self_contact = true;
  CaptureReturn scheme;
  expect_exact_shells(testing::run_surfaces(make(spheres), scheme, shell_step, 30, 1));
}

/// The five hollow cubes of cirak-2005 §6.3, whose edges and corners strike, at `speed` times 30 m/s.
dynamics::System five_cubes(double speed) {
  std::vector<dynamics::BodyPtr> bodies;
  std::vector<contact::ContactPair> pairs;
  for (int i = 0; i < 5; ++i) {
    mechanics::ShellProperties shell;
    shell.mesh = geometry::box({1, 1, 1}, {4, 4, 4});
    const Vec3 position = i < 4 ? Vec3(1.1 * (i % 2) - 0.55, 1.1 * (i / 2) - 0.55, 0) : Vec3(-1.10, 1.12, 1.15);
    for (Vec3& x : shell.mesh.positions) x += position;
    shell.thickness = 0.05;
    shell.youngs_modulus = 2.1e5;
    shell.poissons_ratio = 0.3;
    shell.density = 0.7085;
    shell.velocity = (i < 4 ? 30 : -30) * speed * Vec3(-1, 1, 1);
    bodies.push_back(std::make_unique<mechanics::Shell>("cube" + std::to_string(i), std::move(shell),
                                                        bodies.empty() ? 0 : bodies.back()->dofs().end()));
  }
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    for (std::size_t b = a; b < bodies.size(); ++b) {
      contact::ContactPair& pair = pairs.emplace_back();
      pair.first = bodies[a]->name(), pair.second = bodies[b]->name();
      pair.first_surface = &bodies[a]->surface(), pair.second_surface = &bodies[b]->surface();
    }
  }
  return {std::move(bodies), std::move(pairs), exec::Executor(1)};
}

/// Up to the longest step that is allowed, and without asking for detection along the whole of it.
TEST(ShellContact, CubesDoNotTangleInLongSteps) {
  for (const double speed : {1.0, 3.0}) {
    const dynamics::System system = five_cubes(speed);
    for (const double courant : {0.5, 0.7, 0.9}) {
      SCOPED_TRACE(::testing::Message() << "speed " << speed << ", Courant " << courant);
      CaptureReturn scheme;
      const double h = courant * scheme.step_limit(system).step;
      const SurfaceRun run = testing::run_surfaces(system, scheme, h, static_cast<int>(0.02 / h), 1);
      EXPECT_GT(run.contacts, 20);
      EXPECT_EQ(run.crossings, 0);
      EXPECT_LT(run.residual, 1e-12);
    }
  }
}

TEST(ShellContact, OtherMeshesOffsetsAndRestitution) {
  for (const double turn : {0.0, 1.1, 2.3}) {
    SCOPED_TRACE(turn);
    ShellSpheres spheres;
    spheres.turn = turn;
    spheres.offset = {0, 0.3 * turn, -0.1 * turn};
    expect_exact_shells(collide_shells<CaptureReturn>(spheres));
    spheres.restitution = 0.5;
    const SurfaceRun damped = collide_shells<CaptureReturn>(spheres),
                     reflected = collide_shells<dynamics::Reflection>(spheres);
    for (const SurfaceRun& run : {damped, reflected}) {
      expect_exact_shells(run);
      EXPECT_GT(run.lost[Loss::restitution], 0);
    }
  }
}

/// The paper's scheme keeps the linear momentum, and books what its projections move.
TEST(ShellContact, DcrKeepsLinearMomentumAndItsLedger) {
  for (const double friction : {0.0, 0.5}) {
    ShellSpheres spheres;
    spheres.friction = friction;
    dynamics::Dcr scheme(false);
    const SurfaceRun run = testing::run_surfaces(make(spheres), scheme, shell_step / 4, 4 * shell_steps, 20);
    EXPECT_GT(run.contacts, 100);
    EXPECT_LT(run.residual, 1e-12);
    EXPECT_LT(run.linear_drift, 1e-12);
    EXPECT_LT(run.largest_gain, 5e-3);
  }
}

}  // namespace
}  // namespace ictus
