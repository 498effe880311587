#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <ictus/solve/cone/cone_solver.hpp>
#include <ictus/solve/formats/contact_problem_file.hpp>
#include <ictus/solve/linear/gmres.hpp>
#include <ictus/solve/second_order/nesterov_todd.hpp>
#include <ictus/solve/sweeps/gauss_seidel.hpp>

#include "support/random_cones.hpp"

namespace ictus::solve {
namespace {

/// A point inside of Lorentz's cone.
Local inside_lorentz(RandomCones& random) {
  const std::vector<double> v = random.normals(3);
  return {std::hypot(v[1], v[2]) + std::abs(v[0]), v[1], v[2]};
}

void expect_near(const Local& a, const Local& b, double tolerance) {
  EXPECT_NEAR(std::sqrt(math::norm_sq(a - b)), 0.0, tolerance);
}

TEST(NesterovTodd, TakesBothPointsToOne) {
  RandomCones random(1);
  for (int k = 0; k < 200; ++k) {
    const Local y = inside_lorentz(random), z = inside_lorentz(random);
    const NesterovTodd scaling(y, z);
    const Local lambda = scaling(y);
    // Points near the boundary are scaled by up to some 1e3.
    expect_near(scaling.inverse(z), lambda, 1e-10 * lambda.x);
    expect_near(scaling.inverse(lambda), y, 1e-10 * y.x);
    EXPECT_NEAR(math::dot(lambda, lambda), math::dot(y, z), 1e-10 * math::dot(y, z));
    const Local b = load(random.normals(3), 0);
    expect_near(jordan_product(lambda, jordan_quotient(lambda, b)), b, 1e-9);
  }
}

TEST(NesterovTodd, StepsEndAtTheBoundary) {
  RandomCones random(2);
  int at_boundary = 0;
  for (int k = 0; k < 500; ++k) {
    const Local y = inside_lorentz(random), d = 2.0 * load(random.normals(3), 0);
    const double length = step_within_lorentz(y, d);
    const Local within = y + 0.999 * length * d, beyond = y + 1.001 * length * d;
    EXPECT_GE(within.x, std::hypot(within.y, within.z));
    if (length == 1.0) continue;
    EXPECT_LT(beyond.x, std::hypot(beyond.y, beyond.z));
    ++at_boundary;
  }
  EXPECT_GT(at_boundary, 100);
}

TEST(Gmres, SolvesToItsTolerance) {
  constexpr int n = 30;
  const std::vector<double> values = RandomCones(3).normals(n * n + n);
  const Eigen::MatrixXd matrix =
      Eigen::Map<const Eigen::MatrixXd>(values.data(), n, n) + 8.0 * Eigen::MatrixXd::Identity(n, n);
  const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(values.data() + n * n, n);
  const auto product = [&](const Eigen::VectorXd& v, Eigen::VectorXd& w) { w = matrix * v; };
  const auto nothing = [](const Eigen::VectorXd& v, Eigen::VectorXd& w) { w = v; };
  const auto inverse = [&](const Eigen::VectorXd& v, Eigen::VectorXd& w) { w = matrix.partialPivLu().solve(v); };
  Gmres gmres;
  Eigen::VectorXd x;
  const int rough = gmres.solve(product, nothing, b, 1e-3, n, x);
  EXPECT_LE((matrix * x - b).norm(), 1e-3 * b.norm());
  const int fine = gmres.solve(product, nothing, b, 1e-10, n, x);
  EXPECT_LE((matrix * x - b).norm(), 1.01e-10 * b.norm());
  EXPECT_LT(rough, fine);
  EXPECT_EQ(gmres.solve(product, inverse, b, 1e-10, n, x), 1);
  EXPECT_EQ(gmres.solve(product, nothing, Eigen::VectorXd::Zero(n), 1e-10, n, x), 0);
  EXPECT_EQ(x.norm(), 0.0);
}

/// From frictionless contacts to μ = 1, of full rank and redundant: the law holds, and velocities, where they are
/// unique, are those of sweeps.
TEST(InteriorPoint, AgreesWithSweeps) {
  for (const double mu : {0.0, 0.2, 0.5, 1.0}) {
    int solved = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
      const int contacts = 2 + static_cast<int>(seed) % 7;
      const int rank = seed % 2 == 0 ? 3 * contacts + 3 : 6 + contacts;
      const BlockProblem problem = RandomCones(400 + seed).block_problem(contacts, rank, FrictionCone(mu));
      std::vector<double> point(3 * problem.size(), 0.0), swept = point;
      const ConeReport report =
          ConeSolver({.method = ConeMethod::interior_point, .tolerance = 1e-9, .max_iterations = 100})
              .solve(problem, point);
      ASSERT_TRUE(ConeSolver({.method = ConeMethod::sorp, .tolerance = 1e-9}).solve(problem, swept).solved());
      if (!report.solved()) continue;
      ++solved;
      EXPECT_LT(report.iterations, 40) << "mu " << mu << " seed " << seed;
      for (std::size_t i = 0; i < problem.size() && mu <= 0.2; ++i) {
        expect_near(problem.velocity(i, point), problem.velocity(i, swept), 1e-6);
      }
    }
    EXPECT_GE(solved, mu <= 0.5 ? 20 : 18) << "mu " << mu;
  }
}

TEST(InteriorPoint, KnowsEllipticAndPlanarCones) {
  for (const FrictionCone& cone : {FrictionCone(0.6, 0.15), FrictionCone(0.5, 0.0)}) {
    for (unsigned seed = 0; seed < 10; ++seed) {
      const BlockProblem problem = RandomCones(500 + seed).block_problem(5, 18, cone);
      std::vector<double> r(15, 0.0);
      const ConeOptions options{.method = ConeMethod::interior_point, .tolerance = 1e-8, .max_iterations = 100};
      EXPECT_TRUE(ConeSolver(options).solve(problem, r).solved()) << seed;
    }
  }
}

/// What it was given is better than what it finds in two steps.
TEST(InteriorPoint, KeepsABetterGuess) {
  const BlockProblem problem = RandomCones(410).block_problem(6, 21, FrictionCone(0.5));
  std::vector<double> r(18, 0.0);
  const double error = ConeSolver({.method = ConeMethod::sorp, .tolerance = 1e-6}).solve(problem, r).error;
  const std::vector<double> before = r;
  const ConeOptions options{.method = ConeMethod::interior_point, .tolerance = 1e-12, .max_iterations = 2};
  EXPECT_NEAR(ConeSolver(options).solve(problem, r).error, error, 1e-3 * error);
  for (std::size_t k = 0; k < r.size(); ++k) EXPECT_NEAR(r[k], before[k], 1e-14);
}

/// Problems that others have saved, in the folder that ICTUS_CONTACT_PROBLEMS names.
TEST(SavedProblems, AreSolved) {
  const char* folder = std::getenv("ICTUS_CONTACT_PROBLEMS");
  if (folder == nullptr) GTEST_SKIP() << "ICTUS_CONTACT_PROBLEMS is not set";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".dat" && extension != ".hdf5") continue;
    const BlockProblem problem = read_contact_problem(entry.path()).problem;
    std::vector<double> r(3 * problem.size(), 0.0);
    EXPECT_TRUE(ConeSolver({.tolerance = 1e-6}).solve(problem, r).solved()) << entry.path();
    EXPECT_LE(contact_error(problem, exec::Executor(), r), 1e-6) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace ictus::solve
