// Equilibrium of beams, rigid bodies and contacts with friction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/complaint_of.hpp"
#include "support/scene_run.hpp"

namespace ictus {
namespace {

using testing::run_scene;
using testing::SceneRun;

constexpr std::size_t stride = 7;

/// The stiffness of a beam, straight or curved, is the derivative of its forces: exact where it is at rest, and up to
/// an antisymmetric part elsewhere.
TEST(RestOfBeams, StiffnessIsTheDerivativeOfForces) {
  for (const std::string curve : {"length: 1", "curve: {type: arc, radius: 0.8, angle: 70 deg}",
                                  "curve: {type: points, points: [[0, 0, 0], [0.3, 0, 0.4], [0.3, 0.5, 0.4]]}"}) {
    for (const double bent : {0.0, 0.3}) {
      const build::Simulation simulation = build::build(
          scene::read_text("time: {end: 0.01}\nintegrator: {type: central-difference}\nbodies:\n  beam: {type: beam, " +
                               curve +
                               ", cells: 4, section: {type: rectangle, width: 0.05, height: 0.1}, density: 1000, "
                               "youngs_modulus: 1.0e+6}\n",
                           "scene.yaml"),
          1);
      const mechanics::NodalBody& beam = *simulation.system.nodal_bodies()[0];
      std::vector<double> q = simulation.system.initial_state().q;
      std::mt19937 random(3);
      const auto turn = [](std::vector<double>& x, std::size_t frame, const math::Vector3<double>& by) {
        double* at = &x[frame + 3];
        const auto turned = normalized(math::Rotation<double>{at[0], {at[1], at[2], at[3]}} * math::cayley(by));
        at[0] = turned.s, at[1] = turned.v.x, at[2] = turned.v.y, at[3] = turned.v.z;
      };
      const auto some = [&] { return bent * std::uniform_real_distribution<double>(-1, 1)(random); };
      for (std::size_t frame = 0; frame < q.size(); frame += stride) {
        for (std::size_t c = 0; c < 3; ++c) q[frame + c] += 0.1 * some();
        turn(q, frame, {some(), some(), some()});
      }
      const std::size_t n = q.size();
      std::vector<double> exact(n * n), found(n * n);
      std::vector<mechanics::StiffnessEntry> entries;
      beam.stiffness(q, entries);
      double largest = 0;
      for (const auto& [row, column, value] : entries) {
        exact[n * static_cast<std::size_t>(row) + static_cast<std::size_t>(column)] += value;
        largest = std::max(largest, std::abs(value));
      }
      const double eps = 1e-5;
      for (std::size_t k = 0; k < n; ++k) {
        if (k % stride == 6) continue;
        std::array<std::vector<double>, 2> force{std::vector<double>(n), std::vector<double>(n)};
        for (const int side : {0, 1}) {
          std::vector<double> x = q;
          const double by = side == 0 ? -eps : eps;
          const std::size_t frame = k - k % stride, c = k % stride;
          if (c < 3)
            x[k] += by;
          else
            turn(x, frame, {c == 3 ? by : 0, c == 4 ? by : 0, c == 5 ? by : 0});
          beam.kick(simulation.system.exec(), x, 1.0, force[static_cast<std::size_t>(side)]);
        }
        for (std::size_t i = 0; i < n; ++i) found[n * i + k] = (force[0][i] - force[1][i]) / (2 * eps);
      }
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) {
          const double symmetric = 0.5 * (found[n * i + k] + found[n * k + i]);
          EXPECT_NEAR(exact[n * i + k], bent > 0 ? symmetric : found[n * i + k], 1e-7 * largest)
              << curve << " " << bent << " " << i << " " << k;
        }
      }
    }
  }
}

/// A moment of a quarter turn's worth at its end bends a beam into a quarter of a circle.
TEST(RestOfBeams, AMomentBendsABeamIntoACircle) {
  const double length = 2, radius = 0.05, youngs_modulus = 1e6, angle = M_PI / 2;
  const double stiffness = youngs_modulus * M_PI * std::pow(radius, 4) / 4;
  const double r = length / angle;
  double before = 0;
  for (const int elements : {10, 20}) {
    const SceneRun run = run_scene(fmt::format(R"(time: {{end: 1 ms}}
integrator: {{type: central-difference}}
initial: at-rest
bodies:
  beam: {{type: beam, length: {}, cells: {}, section: {{type: circle, radius: {}}}, density: 1000, youngs_modulus: {}, supports: [{{at: start}}]}}
loads:
  - {{type: moment, body: beam, node: end, direction: [0, 1, 0], signal: {{type: ramp, amplitude: {}}}}}
)",
                                               length, elements, radius, youngs_modulus, stiffness * angle / length));
    const double* end = &run.state.q[stride * static_cast<std::size_t>(elements)];
    const double error = std::hypot(end[0] - r, end[2] - r) / length;
    EXPECT_LE(error, 0.6 / (elements * elements));
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.2);
    }
    before = error;
    EXPECT_LE(run.kinetic(), 1e-12);
    EXPECT_LE(run.simulation.system.rest().residual, 1e-8);
  }
}

/// Small loads: w = F l³/3EI + F l/GA exactly, and a beam that hangs by both ends carries half of its weight at each.
TEST(RestOfBeams, SmallLoadsAreThoseOfTimoshenko) {
  const SceneRun run = run_scene(R"(time: {end: 0.1 ms}
integrator: {type: central-difference}
initial: at-rest
bodies:
  beam: {type: beam, length: 1, cells: 64, section: {type: square, side: 0.1}, density: 1000, youngs_modulus: 1.0e+9, poissons_ratio: 0, supports: [{at: start}], end_load: {force: [10, 0, 0]}}
)");
  const double force = 10, bend = 1e9 * 1e-4 / 12, shear = 0.5e9 * 1e-2;
  const double w = force / (3 * bend) + force / shear;
  EXPECT_NEAR(run.state.q[stride * 64], w, 2e-4 * w);
}

constexpr const char* slope_scene = R"(time: {{end: 0.5, step: 1 ms}}
gravity: [{}, 0, {}]
initial: at-rest
integrator: {{type: {}}}
bodies:
  block: {{type: rigid, shape: {{type: box, size: [0.4, 0.3, 0.2]}}, mass: 10, position: [0, 0, 0.1]}}
  slope: {{type: plane, position: [0, 0, 0], normal: [0, 0, 1]}}
contacts: [{{between: [slope, block], restitution: 0, friction: {}}}]
)";

/// A block on a slope below the angle of friction rests: the contacts carry its weight, and nothing moves from then on.
TEST(RestWithFriction, ABlockOnASlopeStaysThere) {
  const double angle = 0.4, g = 9.81, weight = 10 * g;
  for (const std::string scheme : {"capture-return", "moreau-variational", "cd-lagrange"}) {
    const SceneRun run =
        run_scene(fmt::format(fmt::runtime(slope_scene), g * std::sin(angle), -g * std::cos(angle), scheme, 0.5));
    const dynamics::RestState& rest = run.simulation.system.rest();
    EXPECT_LE(rest.residual, 1e-6);
    double normal = 0, along = 0;
    for (std::size_t i = 0; i < rest.surface_force.size(); ++i) {
      normal += rest.surface_force[i];
      const auto tangents = model::tangent_basis(rest.surfaces.contact(i).normal);
      for (std::size_t k = 0; k < 2; ++k) along += rest.surface_friction[i][k] * tangents[k].x();
    }
    EXPECT_NEAR(normal, weight * std::cos(angle), 1e-6 * weight);
    EXPECT_NEAR(std::abs(along), weight * std::sin(angle), 1e-6 * weight);
    EXPECT_NEAR(run.state.q[0], 0, 1e-7) << scheme;
    EXPECT_NEAR(run.state.q[2], 0.1, 1e-7);
    EXPECT_LE(run.books.residual * run.books.scale, 1e-12);  // J: hardly anything moves
  }
}

constexpr const char* soft_scene = R"(time: {{end: 0.1}}
gravity: [{}, 0, {}]
initial: at-rest
integrator: {{type: {}}}
bodies:
  block: {{type: solid, shape: {{type: box, size: [0.4, 0.3, 0.2], cells: [4, 4, 2]}}, density: 1000, youngs_modulus: 1.0e+5, poissons_ratio: 0.4{}}}
  slope: {{type: plane, position: [0, 0, 0], normal: [0, 0, 1]}}
contacts: [{{between: [slope, block], restitution: 0, friction: {}}}]
)";

/// An elastic block spreads under its weight: with little more friction than the slope needs most of its foot slips a
/// bit, with much none of it does. All of it obeys Coulomb's law node by node and stays where it is.
TEST(RestWithFriction, AnElasticBlockOnASlopeStaysThere) {
  const double angle = 0.3, weight = 24 * 9.81;
  for (const std::string material : {"", ", material: neo-hookean"}) {
    for (const double friction : {0.312, 0.4, 5.0}) {
      std::string text = fmt::format(fmt::runtime(soft_scene), 9.81 * std::sin(angle), -9.81 * std::cos(angle),
                                     "cd-lagrange", material, friction);
      const SceneRun run = run_scene(text);
      text.replace(text.find("at-rest"), 7, "given");
      const std::vector<double> start = build::build(scene::read_text(text, "scene.yaml"), 1).system.initial_state().q;
      const dynamics::RestState& rest = run.simulation.system.rest();
      EXPECT_LE(rest.residual, 1e-9);
      double normal = 0;
      math::Vec3 along = math::Vec3::Zero();
      int slipping = 0, sticking = 0;
      for (std::size_t i = 0; i < rest.surface_force.size(); ++i) {
        const double push = rest.surface_force[i];
        const auto [t, u] = rest.surface_friction[i];
        normal += push;
        const auto tangents = model::tangent_basis(rest.surfaces.contact(i).normal);
        along += t * tangents[0] + u * tangents[1];
        if (push == 0) continue;
        const double used = std::hypot(t, u) / (friction * push);
        EXPECT_LE(used, 1 + 1e-7);
        const math::Vec3 slip = [&] {
          std::array<double, 2> by{};
          for (std::size_t k = 0; k < 2; ++k)
            by[k] = model::dot(rest.surfaces.tangent(i, k), rest.q) - model::dot(rest.surfaces.tangent(i, k), start);
          return math::Vec3(by[0], by[1], 0);
        }();
        if (used > 1 - 1e-7) {
          ++slipping;  // and friction is against the slip
          EXPECT_LE(t * slip.x() + u * slip.y(), -(1 - 1e-5) * std::hypot(t, u) * slip.norm());
        } else {
          ++sticking;
          EXPECT_LE(slip.norm(), 1e-11);
        }
      }
      EXPECT_NEAR(normal, weight * std::cos(angle), 1e-8 * weight);
      EXPECT_NEAR(along.norm(), weight * std::sin(angle), 1e-8 * weight);
      if (friction == 5.0)
        EXPECT_EQ(slipping, 0);
      else
        EXPECT_GE(slipping, 2);
      EXPECT_GE(sticking, friction == 0.312 ? 0 : 1);
      for (std::size_t k = 0; k < rest.q.size(); ++k) EXPECT_NEAR(run.state.q[k], rest.q[k], 1e-12);
    }
  }
}

/// Whatever slips, the whole block has no rest above the angle.
TEST(RestWithFriction, AnElasticBlockAboveTheAngleHasNone) {
  const std::string text = fmt::format(fmt::runtime(soft_scene), 9.81 * std::sin(0.3), -9.81 * std::cos(0.3),
                                       "cd-lagrange", "", 0.98 * std::tan(0.3));
  const std::string complaint = testing::complaint_of([&] { build::build(scene::read_text(text, "scene.yaml"), 1); });
  EXPECT_THAT(complaint, ::testing::HasSubstr("more friction"));
}

/// Above it there is no rest, and the answer says what would help.
TEST(RestWithFriction, AboveTheAngleThereIsNone) {
  const std::string text =
      fmt::format(fmt::runtime(slope_scene), 9.81 * std::sin(0.6), -9.81 * std::cos(0.6), "capture-return", 0.5);
  const std::string complaint = testing::complaint_of([&] { build::build(scene::read_text(text, "scene.yaml"), 1); });
  EXPECT_THAT(complaint, ::testing::HasSubstr("initial"));
  EXPECT_THAT(complaint, ::testing::HasSubstr("more friction"));
}

/// What nothing holds is told with its body.
TEST(Rest, WhatNothingHoldsIsNamed) {
  const std::string complaint = testing::complaint_of([&] {
    build::build(scene::read_text(R"(time: {end: 1, step: 1 ms}
gravity: [0, 0, -9.81]
initial: at-rest
bodies:
  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, density: 1000}
)",
                                  "scene.yaml"),
                 1);
  });
  EXPECT_THAT(complaint, ::testing::HasSubstr("ball"));
  EXPECT_THAT(complaint, ::testing::HasSubstr("mechanism"));
}

}  // namespace
}  // namespace ictus
