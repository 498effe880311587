#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <ictus/mechanics/beam/lie_beam_stability.hpp>
#include <ictus/mechanics/beam/section_beam.hpp>
#include <limits>

// Beams with elements for slender ones, bent in one principal plane by small motions.

namespace ictus::mechanics {
namespace {

constexpr double bending = 2, shear = 700, mass = 3;  // per length; the other plane has other numbers

LieBeamProperties straight_beam(std::size_t elements, LieBeamMesh mesh) {
  LieBeamProperties beam;
  const double spacing = 1.0 / static_cast<double>(elements);
  const LieBeamSection section{
      .mass = mass, .inertia = {2e-4, 1e-4, 3e-4}, .stretch = {shear, 500, 900}, .bend = {5, bending, 1}};
  beam.model.section = mesh == LieBeamMesh::slender ? with_residual_bending(section, spacing) : section;
  beam.model.mesh = mesh;
  beam.model.spacing = spacing;
  beam.model.nodes = lie_beam_nodes(elements, mesh);
  beam.strains.assign(elements, {{}, {0, 0, 1}});
  beam.velocities.assign(beam.model.nodes, {});
  return beam;
}

/// Stiffness against displacements along d₁ (first half) and turns about d₂ (second half).
Eigen::MatrixXd plane_stiffness(const LieBeamProperties& properties) {
  const SectionBeam beam("beam", properties, 0);
  std::vector<double> q(beam.dofs().size), p(q.size());
  beam.initialise(q, p);
  std::vector<StiffnessEntry> entries;
  beam.stiffness(q, entries);
  const auto nodes = static_cast<Eigen::Index>(properties.model.nodes);
  constexpr int stride = SectionBeam::stride, along = 0, about = 4;
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(2 * nodes, 2 * nodes);
  const auto index = [&](int dof) {
    const int component = dof % stride;
    return component == along ? dof / stride : component == about ? nodes + dof / stride : Eigen::Index{-1};
  };
  for (const StiffnessEntry& entry : entries) {
    if (index(entry.row) >= 0 && index(entry.column) >= 0) k(index(entry.row), index(entry.column)) += entry.value;
  }
  return k;
}

/// ω² of the slowest bending of the free beam without rotary inertia, over Euler's and Bernoulli's
/// 4.7300⁴ C₂/(M L⁴).
double slowest(std::size_t elements, LieBeamMesh mesh) {
  LieBeamProperties beam = straight_beam(elements, mesh);
  const double no_shear = mesh == LieBeamMesh::slender ? std::numeric_limits<double>::infinity() : 1e9;
  beam.model.section.stretch.x = no_shear;
  if (mesh == LieBeamMesh::slender) beam.model.section = with_residual_bending(beam.model.section, beam.model.spacing);
  const Eigen::MatrixXd k = plane_stiffness(beam);
  const auto n = k.rows() / 2;
  const Eigen::MatrixXd condensed =
      k.topLeftCorner(n, n) - k.topRightCorner(n, n) * k.bottomRightCorner(n, n).ldlt().solve(k.bottomLeftCorner(n, n));
  Eigen::VectorXd root(n);
  for (Eigen::Index i = 0; i < n; ++i) root[i] = 1 / std::sqrt(mass * beam.model.weight(static_cast<std::size_t>(i)));
  const Eigen::MatrixXd scaled = root.asDiagonal() * condensed * root.asDiagonal();
  const Eigen::VectorXd squares = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled).eigenvalues();
  return squares[2] / (std::pow(4.730040744862704, 4) * bending / mass);  // after two rigid motions
}

TEST(SlenderBeam, BendsUnderAForceAsTimoshenkoSaysOnAnyMesh) {
  for (const std::size_t elements : {6u, 7u, 20u}) {
    const LieBeamProperties beam = straight_beam(elements, LieBeamMesh::slender);
    Eigen::MatrixXd k = plane_stiffness(beam);
    const auto n = k.rows() / 2;
    for (const Eigen::Index held : {Eigen::Index{0}, n}) {
      k.row(held).setZero();
      k.col(held).setZero();
      k(held, held) = 1;
    }
    const double force = 0.3;
    const Eigen::VectorXd way = k.ldlt().solve(force * Eigen::VectorXd::Unit(2 * n, n - 1));
    EXPECT_NEAR(way[n - 1] / (force / (3 * bending) + force / shear), 1, 1e-10);
    EXPECT_NEAR(std::abs(way[2 * n - 1]) / (force / (2 * bending)), 1, 1e-10);
  }
}

TEST(SlenderBeam, IsOfFourthOrderInTheSizeOfItsElements) {
  const auto error = [](std::size_t elements, LieBeamMesh mesh) { return std::abs(slowest(elements, mesh) - 1); };
  EXPECT_NEAR(std::log2(error(16, LieBeamMesh::slender) / error(64, LieBeamMesh::slender)) / 2, 4, 0.3);
  EXPECT_NEAR(std::log2(error(16, LieBeamMesh::rectangle) / error(32, LieBeamMesh::rectangle)), 2, 0.1);
  EXPECT_LE(error(20, LieBeamMesh::slender), 2e-5);
  EXPECT_GE(error(20, LieBeamMesh::rectangle), 1e-2);
}

TEST(SlenderBeam, HasTheMassTheCentreAndTheInertiaOfARod) {
  for (const std::size_t elements : {6u, 7u, 20u}) {
    const LieBeamModel model = straight_beam(elements, LieBeamMesh::slender).model;
    double sum = 0, inertia = 0;
    for (std::size_t node = 0; node < model.nodes; ++node) {
      const double x = static_cast<double>(node) * model.spacing - 0.5;
      sum += model.weight(node);
      inertia += model.weight(node) * x * x;
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_NEAR(model.length(), 1, 1e-14);
    EXPECT_NEAR(inertia, 1.0 / 12, 1e-15);
  }
}

TEST(SlenderBeam, TakesStepsThatTheThicknessOfTheBeamDoesNotShorten) {
  LieBeamModel model = straight_beam(20, LieBeamMesh::rectangle).model;
  const auto step = [&](double thickness, LieBeamMesh mesh) {
    const double area = thickness * thickness, moment = area * area / 12;
    model.mesh = mesh;
    model.section = {.mass = area,
                     .inertia = {moment, moment, 2 * moment},
                     .stretch = {0.4 * area, 0.4 * area, area},
                     .bend = {moment, moment, 0.8 * moment}};
    if (mesh == LieBeamMesh::slender) model.section = with_residual_bending(model.section, model.spacing);
    return lie_beam_critical_step(model) / model.spacing;  // over the time that sound takes through an element
  };
  EXPECT_NEAR(step(1e-3, LieBeamMesh::slender), step(1e-4, LieBeamMesh::slender), 1e-3);
  EXPECT_GE(step(1e-4, LieBeamMesh::slender), 0.5);
  EXPECT_NEAR(step(1e-3, LieBeamMesh::rectangle) / step(1e-4, LieBeamMesh::rectangle), 10, 0.1);
}

}  // namespace
}  // namespace ictus::mechanics
