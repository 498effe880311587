#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <ictus/base/error.hpp>
#include <ictus/solve/cone/cone_solver.hpp>
#include <limits>

#include "allocation_count.hpp"
#include "support/sphere_pyramid.hpp"

namespace ictus::solve {
namespace {

struct Solved {
  ConeReport report;
  std::vector<double> reactions;
  std::vector<RigidVelocity> velocities;
};

Solved solve(const SpherePyramid& pyramid, const ConeOptions& options, int threads = 1) {
  RigidContacts problem;
  problem.assign(pyramid.inertias, pyramid.velocities, pyramid.contacts);
  Solved solved{{}, std::vector<double>(3 * problem.size(), 0.0), pyramid.velocities};
  solved.report = ConeSolver(options, exec::Executor(threads)).solve(problem, solved.reactions, solved.velocities);
  return solved;
}

TEST(RigidContacts, PyramidStandsAndTheGroundCarriesIt) {
  const SpherePyramid pyramid(13, 0.3);
  const Solved solved = solve(pyramid, {.tolerance = 1e-9});
  ASSERT_TRUE(solved.report.solved());
  double lift = 0.0;
  for (std::size_t i = 0; i < pyramid.contacts.size(); ++i) {
    const RigidContact& c = pyramid.contacts[i];
    if (c.body_a != RigidContact::held) continue;
    const Vec second = math::cross(c.normal, c.tangent);
    lift += solved.reactions[3 * i] * c.normal.z + solved.reactions[3 * i + 1] * c.tangent.z +
            solved.reactions[3 * i + 2] * second.z;
  }
  const double weight = 9.81e-3 * static_cast<double>(pyramid.inertias.size());
  EXPECT_NEAR(lift, weight, 1e-6 * weight);
  for (const RigidVelocity& v : solved.velocities) {
    EXPECT_LT(std::sqrt(math::norm_sq(v.linear)), 1e-7) << "a pile that friction can hold does not move";
  }
}

TEST(RigidContacts, SameBitsOnAnyNumberOfThreads) {
  const SpherePyramid pyramid(13, 0.3);
  ASSERT_GT(pyramid.contacts.size(), SweepPlanner::single_chunk) << "needs several chunks";
  for (const ConeMethod method : {ConeMethod::sorp, ConeMethod::anderson, ConeMethod::apgd, ConeMethod::conjugate}) {
    const ConeOptions options{.method = method, .max_iterations = 8};
    const Solved one = solve(pyramid, options, 1);
    EXPECT_EQ(one.report.iterations, 8);
    for (const int threads : {2, 3}) EXPECT_EQ(one.reactions, solve(pyramid, options, threads).reactions);
  }
}

/// Sweeps a problem both ways: contacts that share no body are swept eight at a time, contacts alone never.
void compare_with_single_contacts(const SpherePyramid& pyramid) {
  RigidContacts problem;
  problem.assign(pyramid.inertias, pyramid.velocities, pyramid.contacts);
  std::vector<double> together(problem.state_size(), 0.0);
  problem.rebuild(exec::Executor(), together);
  std::vector<double> single = together;
  for (int sweep = 0; sweep < 5; ++sweep) {
    problem.relax(0, problem.size(), 0.9, together);
    for (std::size_t i = 0; i < problem.size(); ++i) problem.relax(i, i + 1, 0.9, single);
  }
  // Velocities of up to 0.01 and reactions of that size, whose products round differently.
  for (std::size_t k = 0; k < single.size(); ++k) EXPECT_NEAR(together[k], single[k], 1e-15) << k;
}

TEST(RigidContacts, EightAtATimeAreAsOneByOne) {
  SpherePyramid pyramid(9, 0.3);
  for (RigidInertia& inertia : pyramid.inertias) inertia.off_diagonal = {1.0, -2.0, 0.5};
  compare_with_single_contacts(pyramid);
}

/// Balls are swept by one number for their inertia.
TEST(RigidContacts, EightBallsAtATimeAreAsOneByOne) { compare_with_single_contacts(SpherePyramid(9, 0.3)); }

TEST(RigidContacts, MethodsAgree) {
  const SpherePyramid pyramid(4, 0.1);  // friction too small to hold it
  const Solved plain = solve(pyramid, {.method = ConeMethod::sorp, .tolerance = 1e-11});
  for (const ConeMethod method : {ConeMethod::anderson, ConeMethod::apgd, ConeMethod::newton, ConeMethod::conjugate}) {
    const Solved other = solve(pyramid, {.method = method, .tolerance = 1e-11});
    ASSERT_TRUE(other.report.solved()) << name_of(method);
    for (std::size_t i = 0; i < plain.velocities.size(); ++i) {
      EXPECT_NEAR(std::sqrt(math::norm_sq(plain.velocities[i].linear - other.velocities[i].linear)), 0.0, 1e-9);
      EXPECT_NEAR(std::sqrt(math::norm_sq(plain.velocities[i].angular - other.velocities[i].angular)), 0.0, 1e-8);
    }
  }
}

/// A unit cube thrown at the ground on one corner, with a full inertia tensor.
struct Cube {
  std::vector<RigidInertia> inertias{{1.0, {6.0, 5.0, 7.0}, {0.3, -0.4, 0.2}}};
  std::vector<RigidVelocity> velocities{{{0.5, -0.2, -1.0}, {0.3, 0.1, -0.2}}};
  std::vector<RigidContact> contacts;

  Cube() {
    RigidContact c;
    c.body_b = 0;
    c.normal = {0, 0, 1};
    c.tangent = {1, 0, 0};
    c.lever_b = {0.4, 0.3, -0.5};
    c.cone = FrictionCone(0.3);
    contacts.push_back(c);
  }
};

/// A pyramid that is shaken: velocities from a linear congruence.
SpherePyramid shaken_pyramid(int layers, double mu) {
  SpherePyramid pyramid(layers, mu);
  std::uint32_t seed = 1;
  const auto noise = [&seed](double size) {
    seed = 1664525u * seed + 1013904223u;
    return size * (2.0 * static_cast<double>(seed) / 4294967296.0 - 1.0);
  };
  for (RigidVelocity& v : pyramid.velocities) {
    v.linear += Vec{noise(0.01), noise(0.01), noise(0.01)};
    v.angular += Vec{noise(0.2), noise(0.2), noise(0.2)};
  }
  return pyramid;
}

/// Contacts that stick in rings hold the error up for hundreds of sweeps.
TEST(RigidContacts, SweepsGoOnAfterAStallUnlessToldOtherwise) {
  const SpherePyramid pyramid = shaken_pyramid(6, 0.6);
  const Solved early = solve(pyramid, {.tolerance = 1e-7, .good_enough = 1e-2});
  EXPECT_EQ(early.report.status, ConeStatus::stalled);
  EXPECT_LT(early.report.error, 1e-2);
  const Solved late = solve(pyramid, {.tolerance = 1e-7});
  EXPECT_TRUE(late.report.solved());
  EXPECT_GT(late.report.iterations, early.report.iterations);
}

/// Here plain and conjugate sweeps go round in circles at errors of 1e-3, and shorter updates end that.
TEST(RigidContacts, CyclesEnd) {
  const SpherePyramid pyramid = shaken_pyramid(6, 0.6);
  for (const ConeMethod method : {ConeMethod::sorp, ConeMethod::conjugate}) {
    EXPECT_GT(solve(pyramid, {.method = method, .tolerance = 1e-7, .max_iterations = 5000}).report.error, 1e-4);
  }
  const Solved solved = solve(pyramid, {.tolerance = 1e-7, .max_iterations = 5000});
  EXPECT_TRUE(solved.report.solved());
  EXPECT_EQ(solved.report.method, ConeMethod::conjugate);
}

/// Friction so strong that sweeps may go round in circles: what is returned is no worse than at the first stall.
TEST(RigidContacts, GoingOnAfterAStallLosesNothing) {
  const SpherePyramid pyramid = shaken_pyramid(10, 1.0);
  const Solved early = solve(pyramid, {.good_enough = 1.0});
  ASSERT_EQ(early.report.status, ConeStatus::stalled);
  // The iterations end in the second try, and in plain sweeps.
  for (const int more : {1, 20, 3000}) {
    const ConeOptions options{.max_iterations = early.report.iterations + more};
    EXPECT_LE(solve(pyramid, options).report.error, early.report.error) << more;
  }
}

TEST(RigidContacts, OneCornerIsSolvedExactly) {
  const Cube cube;
  RigidContacts problem;
  problem.assign(cube.inertias, cube.velocities, cube.contacts);
  std::vector<double> r(3, 0.0);
  std::vector<RigidVelocity> after(1);
  const ConeReport report = ConeSolver().solve(problem, r, after);
  ASSERT_TRUE(report.solved());
  EXPECT_EQ(report.method, ConeMethod::enumeration);
  // Impulse and angular impulse of the reaction, and the law at the corner.
  const RigidContact& c = cube.contacts[0];
  const Vec impulse{r[1], r[2], r[0]};
  const Vec turn = cube.inertias[0].turn(math::cross(c.lever_b, impulse));
  EXPECT_NEAR(std::sqrt(math::norm_sq(after[0].linear - cube.velocities[0].linear - impulse)), 0.0, 1e-15);
  EXPECT_NEAR(std::sqrt(math::norm_sq(after[0].angular - cube.velocities[0].angular - turn)), 0.0, 1e-14);
  const Vec corner = after[0].linear + math::cross(after[0].angular, c.lever_b);
  EXPECT_NEAR(corner.z, 0.0, 1e-14);
  EXPECT_NEAR(std::hypot(r[1], r[2]), 0.3 * r[0], 1e-14) << "this corner slides";
  EXPECT_LT(impulse.x * corner.x + impulse.y * corner.y, 0.0);
}

TEST(RigidContacts, OffsetActsAsRestitution) {
  Cube cube;
  cube.contacts[0].cone = FrictionCone(0.0);
  const Vec corner = cube.velocities[0].linear + math::cross(cube.velocities[0].angular, cube.contacts[0].lever_b);
  cube.contacts[0].offset = {0.8 * corner.z, 0.0, 0.0};
  RigidContacts problem;
  problem.assign(cube.inertias, cube.velocities, cube.contacts);
  std::vector<double> r(3, 0.0);
  std::vector<RigidVelocity> after(1);
  ASSERT_TRUE(ConeSolver().solve(problem, r, after).solved());
  const Vec rebound = after[0].linear + math::cross(after[0].angular, cube.contacts[0].lever_b);
  EXPECT_NEAR(rebound.z, -0.8 * corner.z, 1e-15);
}

TEST(RigidContacts, AMovingWallPushesAndIsNotPushed) {
  Cube cube;
  cube.inertias.push_back({});
  cube.velocities.push_back({{0.0, 0.0, 2.0}, {}});
  cube.contacts[0].body_a = 1;
  RigidContacts problem;
  problem.assign(cube.inertias, cube.velocities, cube.contacts);
  std::vector<double> r(3, 0.0);
  std::vector<RigidVelocity> after(2);
  ASSERT_TRUE(ConeSolver().solve(problem, r, after).solved());
  EXPECT_EQ(after[1].linear, (Vec{0.0, 0.0, 2.0}));
  EXPECT_NEAR((after[0].linear + math::cross(after[0].angular, cube.contacts[0].lever_b)).z, 2.0, 1e-14);
}

TEST(RigidContacts, AnswerDoesNotDependOnTheUnitOfMass) {
  SpherePyramid pyramid(4, 0.2);
  const Solved kilograms = solve(pyramid, {.tolerance = 1e-8});
  for (RigidInertia& inertia : pyramid.inertias) {
    inertia.inverse_mass *= 1024.0;  // a power of two: every operation scales exactly
    inertia.diagonal = 1024.0 * inertia.diagonal;
  }
  const Solved grams = solve(pyramid, {.tolerance = 1e-8});
  EXPECT_EQ(kilograms.report.iterations, grams.report.iterations);
  for (std::size_t k = 0; k < kilograms.reactions.size(); ++k) {
    EXPECT_NEAR(kilograms.reactions[k], 1024.0 * grams.reactions[k], 1e-12);
  }
}

TEST(RigidContacts, RefusesNonsenseWithItsLocation) {
  const auto refused = [](const Cube& cube) {
    RigidContacts problem;
    try {
      problem.assign(cube.inertias, cube.velocities, cube.contacts);
      return std::string();
    } catch (const base::InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refused(Cube()), "");
  Cube cube;
  cube.contacts[0].body_b = 1;
  EXPECT_NE(refused(cube).find("contact 0: names bodies -1 and 1"), std::string::npos);
  cube = Cube();
  cube.inertias[0].inverse_mass = std::numeric_limits<double>::infinity();
  EXPECT_NE(refused(cube).find("body 0: inverse mass or inertia is not finite"), std::string::npos);
  cube = Cube();
  cube.inertias[0] = {};
  EXPECT_NE(refused(cube).find("between two bodies that cannot move"), std::string::npos);
  cube = Cube();
  cube.contacts[0].normal.x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refused(cube).find("not finite"), std::string::npos);
  cube = Cube();
  cube.contacts[0].cone = FrictionCone(-0.3);
  EXPECT_NE(refused(cube).find("has friction -0.3"), std::string::npos);
}

TEST(RigidContacts, AllocatesNothingOnceWarm) {
  const SpherePyramid pyramid(13, 0.3);
  RigidContacts problem;
  ConeSolver solver({.tolerance = 1e-2});
  std::vector<double> r(3 * pyramid.contacts.size(), 0.0);
  std::vector<RigidVelocity> after(pyramid.inertias.size());
  const auto step = [&] {
    problem.assign(pyramid.inertias, pyramid.velocities, pyramid.contacts);
    std::fill(r.begin(), r.end(), 0.0);
    solver.solve(problem, r, after);
  };
  step();
  const std::size_t before = testing::allocation_count();
  step();
  EXPECT_EQ(testing::allocation_count(), before);
}

}  // namespace
}  // namespace ictus::solve
