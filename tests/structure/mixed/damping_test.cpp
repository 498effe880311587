// Damping of bars, shells, beams and rigid bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/mechanics/rigid/rigid_bodies.hpp>
#include <random>

#include "support/scene_run.hpp"

namespace ictus {
namespace {

using testing::run_scene;
using testing::SceneRun;

constexpr const char* damped_bodies[] = {
    "bar, length: 1, cells: 6, density: 1000, youngs_modulus: 1.0e+6, area: 0.01",
    "bar, length: 1, cells: 6, density: 1000, youngs_modulus: 1.0e+6, area: 0.01, material: st-venant-kirchhoff",
    "shell, shape: {type: plate, size: [1, 1], cells: [4, 4]}, thickness: 0.05, density: 1000, "
    "youngs_modulus: 1.0e+6, poissons_ratio: 0.3",
    "shell, shape: {type: tube, radius: 0.3, length: 0.5, cells: [12, 6]}, thickness: 0.02, density: 1000, "
    "youngs_modulus: 1.0e+6, poissons_ratio: 0.3, supports: [{edge: all, type: clamped}]",
    "beam, length: 1, cells: 6, section: {type: rectangle, width: 0.05, height: 0.1}, density: 1000, "
    "youngs_modulus: 1.0e+6",
    "beam, curve: {type: arc, radius: 1, angle: 60 deg}, cells: 6, section: {type: circle, radius: 0.05}, "
    "density: 1000, youngs_modulus: 1.0e+6"};

build::Simulation damped(const std::string& body) {
  return build::build(
      scene::read_text("time: {end: 0.01}\nintegrator: {type: capture-return}\nbodies:\n  body: {type: " + body +
                           ", damping: {mass: 0.3, stiffness: 2 ms}}\n",
                       "scene.yaml"),
      1);
}

/// At rest −K v is what resists a motion v, K the stiffness that the body tells.
TEST(Damping, ResistsByTheStiffnessAtRest) {
  for (const char* body : damped_bodies) {
    const build::Simulation simulation = damped(body);
    const mechanics::NodalBody& nodal = *simulation.system.nodal_bodies()[0];
    const std::vector<double> q = simulation.system.initial_state().q;
    std::mt19937 random(1);
    std::vector<double> v(q.size()), p(q.size()), expected(q.size());
    for (std::size_t k = 0; k < v.size(); ++k) {
      const bool is_unused = nodal.turns() && k % 7 == 6;
      v[k] = is_unused ? 0 : std::uniform_real_distribution<double>(-1, 1)(random);
    }
    nodal.apply_damping(simulation.system.exec(), q, v, 1.0, p);
    std::vector<mechanics::StiffnessEntry> stiffness;
    nodal.stiffness(q, stiffness);
    double largest = 0;
    for (const auto& [row, column, value] : stiffness) {
      expected[static_cast<std::size_t>(row)] -= value * v[static_cast<std::size_t>(column)];
    }
    for (const double force : expected) largest = std::max(largest, std::abs(force));
    for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k], expected[k], 1e-9 * largest) << body << " " << k;
  }
}

/// Wherever a body is, damping takes energy from any motion, and nothing from one of a rigid body.
TEST(Damping, NeverGivesEnergyAndLeavesRigidMotionsAlone) {
  for (const std::string body : {damped_bodies[2], damped_bodies[4], damped_bodies[5]}) {
    const build::Simulation simulation = damped(body);
    const mechanics::NodalBody& nodal = *simulation.system.nodal_bodies()[0];
    std::vector<double> q = simulation.system.initial_state().q;
    std::mt19937 random(2);
    const auto some = [&](double size) { return std::uniform_real_distribution<double>(-size, size)(random); };
    for (std::size_t k = 0; k < q.size(); ++k) {
      if (!nodal.turns() || k % 7 < 3) q[k] += some(0.02);
    }
    std::vector<double> v(q.size()), p(q.size());
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = nodal.turns() && k % 7 == 6 ? 0 : some(1);
    nodal.apply_damping(simulation.system.exec(), q, v, 1.0, p);
    double power = 0, largest = 0;
    for (std::size_t k = 0; k < v.size(); ++k) power += p[k] * v[k], largest = std::max(largest, std::abs(p[k]));
    EXPECT_LT(power, 0) << body;
    const math::Vec3 spin(0.4, -0.3, 0.8);
    std::fill(p.begin(), p.end(), 0.0);
    const std::size_t stride = nodal.turns() ? 7 : 3;
    for (std::size_t k = 0; k < q.size(); k += stride) {
      math::Vec3::Map(&v[k]) = math::Vec3(0.1, 0.2, 0.3) + spin.cross(math::Vec3(math::Vec3::Map(&q[k])));
      if (nodal.turns()) math::Vec3::Map(&v[k + 3]) = model::RigidFrame::at(q, k).axes.transpose() * spin;
    }
    nodal.apply_damping(simulation.system.exec(), q, v, 1.0, p);
    for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k], 0, 1e-10 * largest) << body << " " << k;
  }
}

/// Under drag a body's velocity and spin die away as exp(−αt), by ((1 − ½hα)/(1 + ½hα))ⁿ in steps; so does a beam that
/// moves as a whole.
TEST(Damping, DragLetsMotionDieAwayExponentially) {
  const double alpha = 0.8, h = 1e-3, end = 2;
  const double left = std::pow((1 - 0.5 * h * alpha) / (1 + 0.5 * h * alpha), end / h);
  EXPECT_NEAR(left, std::exp(-alpha * end), 1e-6);
  for (const std::string scheme : {"central-difference", "capture-return", "cd-lagrange", "moreau-variational"}) {
    const SceneRun run = run_scene("time: {end: 2, step: 1 ms}\nintegrator: {type: " + scheme + R"(}
bodies:
  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, density: 1000, velocity: [3, 0, -1], angular_velocity: [0, 5, 1], drag: 0.8 1/s}
)");
    const double* p = run.state.p.data();
    const auto& ball = dynamic_cast<const mechanics::RigidBodies&>(run.body("ball"));
    // The state is half a step ahead of the node, the start half a step behind.
    EXPECT_NEAR(p[0] / ball.mass(0), 3 * left, 3 * alpha * h) << scheme;
    EXPECT_NEAR(p[0] / p[2], -3, 1e-12);
    EXPECT_NEAR(p[4] / ball.inertia(0).y, 5 * left, 5 * alpha * h) << scheme;
    EXPECT_LE(run.books.residual, 1e-12);
    EXPECT_NEAR(run.books.lost[model::Loss::damping] / (run.books.lost[model::Loss::damping] + run.kinetic()),
                1 - std::exp(-2 * alpha * end), 2e-3);
  }
}

/// The slowest mode of a clamped beam, a bar and a plate dies away by its ratio ½(α/ω + βω): what damping takes is
/// booked and the books close.
TEST(Damping, BooksCloseOfEveryFamily) {
  for (const char* body : damped_bodies) {
    for (const std::string scheme : {"capture-return", "cd-lagrange", "reflection"}) {
      const SceneRun run =
          run_scene("time: {end: 0.02, courant: 0.4}\ngravity: [1, 2, 3]\nintegrator: {type: " + scheme +
                    "}\nbodies:\n  body: {type: " + body + ", damping: {mass: 3, stiffness: 1 ms}}\n");
      EXPECT_EQ(run.books.failure, "") << body;
      EXPECT_LE(run.books.residual, 1e-12) << body;
      EXPECT_LE(run.books.linear_drift, 1e-12) << body;
      EXPECT_GT(run.books.lost[model::Loss::damping], 0) << body;
    }
  }
}

}  // namespace
}  // namespace ictus
