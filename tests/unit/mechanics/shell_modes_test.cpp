// Frequencies of shells against exact solutions.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // gcc 12, AVX-512 intrinsics under Eigen's solvers
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <ictus/geometry/mesh/edge_topology.hpp>
#include <numbers>
#include <unit/mechanics/shell_samples.hpp>

namespace ictus::mechanics {
namespace {

using geometry::SphereBase;
using math::Vec3;
using Sparse = Eigen::SparseMatrix<double>;

/// M^{-1/2} K M^{-1/2} at rest, nothing where a support holds.
Sparse scaled_stiffness(const Shell& shell) {
  std::vector<StiffnessEntry> entries;
  shell.stiffness(rest_of(shell), entries);
  std::vector<char> held(shell.dofs().size, 0);
  for (const int k : shell.fixed()) held[static_cast<std::size_t>(k)] = 1;
  std::vector<Eigen::Triplet<double>> triplets;
  for (const StiffnessEntry& entry : entries) {
    if (held[static_cast<std::size_t>(entry.row)] != 0 || held[static_cast<std::size_t>(entry.column)] != 0) continue;
    const double scale = std::sqrt(shell.mass()[static_cast<std::size_t>(entry.row)] *
                                   shell.mass()[static_cast<std::size_t>(entry.column)]);
    triplets.emplace_back(entry.row, entry.column, entry.value / scale);
  }
  const auto n = static_cast<int>(shell.dofs().size);
  Sparse matrix(n, n);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

/// The frequency (rad/s) of the mode like `shape`, by inverse iteration from the shape's own Rayleigh quotient.
double frequency_of(const Shell& shell, const Eigen::VectorXd& shape) {
  const Sparse matrix = scaled_stiffness(shell);
  Eigen::VectorXd x = shape.normalized();
  Sparse shifted = matrix;
  const double quotient = x.dot(matrix * x);
  for (int i = 0; i < shifted.rows(); ++i) shifted.coeffRef(i, i) -= quotient;
  const Eigen::SimplicialLDLT<Sparse> solver(shifted);
  for (int iteration = 0; iteration < 30; ++iteration) x = solver.solve(x).normalized();
  return std::sqrt(x.dot(matrix * x));
}

Eigen::VectorXd shape_of(const Shell& shell, Vec3 (*displacement)(const Vec3&)) {
  const std::vector<double> q = rest_of(shell);
  Eigen::VectorXd shape(static_cast<int>(q.size()));
  for (std::size_t k = 0; k < q.size(); k += 3)
    shape.segment<3>(static_cast<int>(k)) = std::sqrt(shell.mass()[k]) * displacement(Vec3::Map(&q[k]));
  return shape;
}

int zero_modes(const Shell& shell) {
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(scaled_stiffness(shell)), Eigen::EigenvaluesOnly)
          .eigenvalues();
  int count = 0;
  // Modes that bend cost at least (thickness/size)² of the largest; round-off is 1e-15 of it.
  for (const double value : values) count += std::abs(value) < 1e-11 * values.maxCoeff() ? 1 : 0;
  return count;
}

TEST(ShellModes, OnlyTheSixRigidOnesCostNothing) {
  EXPECT_EQ(zero_modes(Shell("a", steel_like(geometry::sphere(1, SphereBase::octahedron, 2), 0.05), 0)), 6);
  EXPECT_EQ(zero_modes(Shell("b", steel_like(geometry::sphere(1, SphereBase::icosahedron, 1), 0.05), 0)), 6);
  EXPECT_EQ(zero_modes(Shell("c", steel_like(geometry::disc(1, 4), 0.02), 0)), 6);
  EXPECT_EQ(zero_modes(Shell("d", steel_like(geometry::box({1, 1, 1}, {3, 3, 3}), 0.05), 0)), 6);
}

/// At most the margin of Lanczos' recurrence in the square of the frequency is given away.
TEST(ShellModes, CriticalStepBoundsTheLargestFrequency) {
  for (const ShellProperties& properties :
       {steel_like(geometry::sphere(1, SphereBase::octahedron, 2), 0.05), steel_like(geometry::disc(1, 4), 0.02)}) {
    const Shell shell("shell", properties, 0);
    const double largest = std::sqrt(
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(scaled_stiffness(shell)), Eigen::EigenvaluesOnly)
            .eigenvalues()
            .maxCoeff());
    const double bound = 2 / shell.critical_step().step;
    EXPECT_GE(bound, largest * (1 - 1e-12));
    EXPECT_LT(bound, std::sqrt(1.06) * largest);
  }
}

/// Sphere of radius 1 whose limit surface has the area 4π: all of it swings in and out at ω² = 2E/(ρ(1 − ν)R²).
TEST(ShellModes, BreathingOfASphereConvergesWithTheSquareOfTheMesh) {
  const double exact = std::sqrt(2 * 2.1e5 / (0.0785 * 0.7));
  EXPECT_NEAR(exact, 2764.65, 0.01);
  const double reference[] = {2725.7, 2753.9};
  std::vector<double> error;
  for (int level = 2; level <= 4; ++level) {
    geometry::TriangleMesh mesh = geometry::sphere(1, SphereBase::octahedron, level);
    const Shell unscaled("sphere", steel_like(mesh, 0.05), 0);
    const double area = unscaled.total_mass() / (0.0785 * 0.05), factor = std::sqrt(4 * std::numbers::pi / area);
    for (Vec3& x : mesh.positions) x *= factor;
    const Shell sphere("sphere", steel_like(geometry::renumbered(mesh), 0.05), 0);
    const double frequency = frequency_of(sphere, shape_of(sphere, [](const Vec3& x) { return x; }));
    if (level >= 3) {
      EXPECT_NEAR(frequency, reference[level - 3], 0.5) << "level " << level;
    }
    error.push_back(std::abs(frequency / exact - 1));
  }
  for (std::size_t i = 0; i + 1 < error.size(); ++i) {
    const double slope = std::log2(error[i] / error[i + 1]);
    EXPECT_GT(slope, 1.8) << "from level " << i + 2;
    EXPECT_LT(slope, 2.4) << "from level " << i + 2;
  }
}

/// Errors of a frequency on three meshes, each of half the edge, and the orders between them.
template <class Make>
void expect_second_order(double exact, Vec3 (*shape)(const Vec3&), Make make) {
  std::vector<double> error;
  for (const int n : {4, 8, 16}) {
    const Shell plate("plate", make(n), 0);
    error.push_back(std::abs(frequency_of(plate, shape_of(plate, shape)) / exact - 1));
  }
  for (std::size_t i = 0; i + 1 < error.size(); ++i)
    EXPECT_GT(std::log2(error[i] / error[i + 1]), 1.7) << error[i] << ", " << error[i + 1];
  EXPECT_LT(error.back(), 0.015);
}

std::vector<int> boundary_of(const geometry::TriangleMesh& mesh) {
  const geometry::EdgeTopology topology(mesh);
  std::vector<int> vertices;
  for (int v = 0; v < static_cast<int>(mesh.positions.size()); ++v) {
    if (topology.on_boundary(v)) vertices.push_back(v);
  }
  return vertices;
}

double plate_speed(const ShellProperties& plate) {
  const double bending = plate.youngs_modulus * std::pow(plate.thickness, 3) / 12 / (1 - 0.3 * 0.3);
  return std::sqrt(bending / (plate.density * plate.thickness));
}

ShellProperties disc_of(int rings) { return steel_like(geometry::renumbered(geometry::disc(0.35, rings)), 0.0035); }

/// Two nodal diameters: ω = 5.3583 √(D/(ρh))/R² for ν = 0.3. Ghosts of a free edge lie straight, which costs an error
/// of first order: of 0.65 % at 16 rings, against −0.5 % of second order.
TEST(ShellModes, FreeCircularPlate) {
  const double exact = 75.775;
  EXPECT_NEAR(5.3583 * plate_speed(disc_of(2)) / (0.35 * 0.35), exact, 0.01);
  const double reference[] = {75.22, 75.89};
  const auto shape = [](const Vec3& x) { return Vec3(0, 0, x.x() * x.x() - x.y() * x.y()); };
  for (int k = 0; k < 2; ++k) {
    const Shell disc("disc", disc_of(8 << k), 0);
    EXPECT_NEAR(frequency_of(disc, shape_of(disc, shape)), reference[k], 0.1);
  }
}

/// First mode: ω = 10.2158 √(D/(ρh))/R².
TEST(ShellModes, ClampedCircularPlateConvergesWithTheSquareOfTheMesh) {
  const auto make = [](int rings) {
    ShellProperties disc = disc_of(rings);
    disc.clamped = boundary_of(disc.mesh);
    return disc;
  };
  const auto shape = [](const Vec3& x) {
    const double r_sq = x.squaredNorm() / (0.35 * 0.35);
    return Vec3(0, 0, (1 - r_sq) * (1 - r_sq));
  };
  expect_second_order(10.2158 * plate_speed(disc_of(2)) / (0.35 * 0.35), shape, make);
}

/// First mode of a square whose edges are pinned: ω = 2π² √(D/(ρh))/a²; and of its quarter between two mirrors.
TEST(ShellModes, PinnedSquareConvergesWithTheSquareOfTheMesh) {
  const auto shape = [](const Vec3& x) {
    return Vec3(0, 0, std::cos(std::numbers::pi * x.x()) * std::cos(std::numbers::pi * x.y()));
  };
  const auto whole = [](int n) {
    ShellProperties square = steel_like(geometry::renumbered(geometry::plate(1, 1, n, n)), 0.01);
    square.held = boundary_of(square.mesh);
    return square;
  };
  const auto quarter = [](int n) {
    ShellProperties square = steel_like(geometry::renumbered(geometry::plate(0.5, 0.5, n / 2, n / 2)), 0.01);
    for (Vec3& x : square.mesh.positions) x += Vec3(0.25, 0.25, 0);
    square.symmetries = {{0, 0, {}}, {1, 0, {}}};
    for (const int v : boundary_of(square.mesh)) {
      const Vec3& x = square.mesh.positions[static_cast<std::size_t>(v)];
      if (x.x() > 0.5 - 1e-9 || x.y() > 0.5 - 1e-9) square.held.push_back(v);
      if (x.x() < 1e-9) square.symmetries[0].vertices.push_back(v);
      if (x.y() < 1e-9) square.symmetries[1].vertices.push_back(v);
    }
    return square;
  };
  const double exact = 2 * std::numbers::pi * std::numbers::pi * plate_speed(whole(2));
  expect_second_order(exact, shape, whole);
  expect_second_order(exact, shape, quarter);
}

}  // namespace
}  // namespace ictus::mechanics
