#include <gtest/gtest.h>

#include <cmath>
#include <ictus/solve/cone/cone_solver.hpp>
#include <ictus/solve/formats/contact_problem_file.hpp>

#include "support/contact_problem_writer.hpp"
#include "support/sphere_pyramid.hpp"
#include "support/temporary_folder.hpp"

namespace ictus::solve {
namespace {

double velocity_norm(const BlockProblem& problem, const std::vector<double>& r) {
  double sum = 0.0;
  for (std::size_t i = 0; i < problem.size(); ++i) sum += math::norm_sq(problem.velocity(i, r));
  return std::sqrt(sum);
}

using Entries = std::vector<Eigen::Triplet<double>>;

/// The problem of bodies and contacts, as a program that saves one would write it.
GlobalProblem global_problem(const std::vector<RigidInertia>& inertias, const std::vector<RigidVelocity>& velocities,
                             const std::vector<RigidContact>& contacts) {
  GlobalProblem problem;
  const auto n = static_cast<Eigen::Index>(6 * inertias.size()), c = static_cast<Eigen::Index>(3 * contacts.size());
  Entries mass, h;
  const auto add = [](Entries& entries, std::size_t row, const Vec& x, std::size_t column) {
    const double parts[3] = {x.x, x.y, x.z};
    for (std::size_t k = 0; k < 3; ++k)
      entries.emplace_back(static_cast<int>(row + k), static_cast<int>(column), parts[k]);
  };
  for (std::size_t i = 0; i < inertias.size(); ++i) {
    const Vec inverse = inertias[i].diagonal;
    const double m[6] = {1 / inertias[i].inverse_mass,
                         1 / inertias[i].inverse_mass,
                         1 / inertias[i].inverse_mass,
                         1 / inverse.x,
                         1 / inverse.y,
                         1 / inverse.z};
    const double v[6] = {velocities[i].linear.x,  velocities[i].linear.y,  velocities[i].linear.z,
                         velocities[i].angular.x, velocities[i].angular.y, velocities[i].angular.z};
    for (std::size_t k = 0; k < 6; ++k) {
      mass.emplace_back(static_cast<int>(6 * i + k), static_cast<int>(6 * i + k), m[k]);
      problem.f.push_back(m[k] * v[k]);
    }
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const RigidContact& contact = contacts[i];
    const Vec axes[3] = {contact.normal, contact.tangent, math::cross(contact.normal, contact.tangent)};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto side = [&](int body, double sign, const Vec& lever) {
        if (body == RigidContact::held) return;
        add(h, 6 * static_cast<std::size_t>(body), sign * axes[k], 3 * i + k);
        add(h, 6 * static_cast<std::size_t>(body) + 3, sign * math::cross(lever, axes[k]), 3 * i + k);
      };
      side(contact.body_a, -1, contact.lever_a);
      side(contact.body_b, 1, contact.lever_b);
      problem.w.push_back(0);
    }
    problem.mu.push_back(contact.cone.mu1);
  }
  problem.mass.resize(n, n);
  problem.mass.setFromTriplets(mass.begin(), mass.end());
  problem.h.resize(n, c);
  problem.h.setFromTriplets(h.begin(), h.end());
  return problem;
}

GlobalProblem pyramid(int layers, double mu) {
  const SpherePyramid spheres(layers, mu);
  return global_problem(spheres.inertias, spheres.velocities, spheres.contacts);
}

/// Cubes of side 1 and mass 1 on each other, four contacts below each, all pushed aside at `speed` beside one step of
/// gravity. Friction is `mu` on the floor and 0.5 between cubes.
GlobalProblem tower(int cubes, double mu, double speed) {
  std::vector<RigidInertia> inertias;
  std::vector<RigidVelocity> velocities;
  std::vector<RigidContact> contacts;
  for (int i = 0; i < cubes; ++i) {
    inertias.push_back({1.0, {6, 6, 6}, {}});
    velocities.push_back({{speed, 0, -9.81e-3}, {}});
    for (int corner = 0; corner < 4; ++corner) {
      RigidContact c;
      c.body_a = i - 1;  // of the lowest: what is held
      c.body_b = i;
      c.normal = {0, 0, 1};
      c.tangent = {1, 0, 0};
      c.lever_b = {corner % 2 - 0.5, corner / 2 - 0.5, -0.5};
      c.lever_a = {c.lever_b.x, c.lever_b.y, 0.5};
      c.cone = FrictionCone(i == 0 ? mu : 0.5);
      contacts.push_back(c);
    }
  }
  return global_problem(inertias, velocities, contacts);
}

struct Written {
  const char* name;
  GlobalProblem problem;
  double velocity_norm;  ///< |u|₂ over |q|₂, unique though the reactions are not
};

/// What is written is read alike in both forms of both formats, and solved alike by every method.
void expect_solved(const Written& written) {
  const testing::TemporaryFolder folder;
  written.problem.write_fclib(folder.path() / "local.hdf5", true);
  written.problem.write_fclib(folder.path() / "global.hdf5", false);
  written.problem.write_siconos(folder.path() / "local.dat", true);
  written.problem.write_siconos(folder.path() / "global.dat", false);
  for (const char* file : {"local.hdf5", "global.hdf5", "local.dat", "global.dat"}) {
    const BlockProblem problem = read_contact_problem(folder.path() / file).problem;
    ASSERT_EQ(problem.size(), written.problem.mu.size());
    for (const ConeMethod method : {ConeMethod::automatic, ConeMethod::sorp, ConeMethod::apgd, ConeMethod::newton}) {
      std::vector<double> r(3 * problem.size(), 0.0);
      const ConeReport report = ConeSolver({.method = method, .tolerance = 1e-6}).solve(problem, r);
      ASSERT_TRUE(report.solved()) << written.name << " as " << file << ", " << name_of(method) << " stops at "
                                   << report.error;
      // An error of 1e-6 |q| in each law, magnified by the coupling of contacts.
      EXPECT_NEAR(velocity_norm(problem, r) / problem.free_norm(), written.velocity_norm, 1e-5)
          << written.name << " as " << file << ", " << name_of(method);
    }
  }
}

TEST(WrittenProblem, OfAPyramidThatStands) { expect_solved({"pyramid", pyramid(4, 0.3), 0.0}); }

// Each sphere lies between four others: it stays without much friction, too.
TEST(WrittenProblem, OfAPyramidThatHardlyRubs) { expect_solved({"smooth pyramid", pyramid(4, 0.02), 0.0}); }

// Five cubes on a floor that cannot hold them: the tower slides as one, slowed by μ times the step of gravity.
TEST(WrittenProblem, OfATowerThatSlides) {
  constexpr double mu = 0.15, speed = 0.1, gravity = 9.81e-3;
  const double slides =
      2 * (speed - mu * gravity);  // of four contacts on the floor, |u|₂ of which is twice that of one
  const double free = std::sqrt(4 * (gravity * gravity + speed * speed));  // only the floor's contacts approach
  expect_solved({"tower", tower(5, mu, speed), slides / free});
}

TEST(WrittenProblem, OfATowerThatStands) { expect_solved({"standing tower", tower(5, 0.5, 1e-3), 0.0}); }

}  // namespace
}  // namespace ictus::solve
