#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "structure/lie_beam_flight.hpp"

// Orders of the Lie-group beam as slopes: differences between runs on meshes refined by two.

namespace ictus::dynamics {
namespace {

using math::Vector3;
using mechanics::LieBeamMesh;
using testing::Flight;
using testing::PaperBeam;
using Start = Flight::Start;

// A straight unstressed beam, 1 m long, thrown with a velocity that is smooth and bends it without straining its free
// ends at the start. Waves take about 0.3 s from end to end.
PaperBeam smooth_beam(std::size_t elements, LieBeamMesh mesh) {
  PaperBeam beam;
  beam.model.section = {
      .mass = 1.0, .inertia = {0.02, 0.03, 0.05}, .stretch = {6.0, 5.0, 12.0}, .bend = {0.2, 0.3, 0.25}};
  beam.model.spacing = 1.0 / static_cast<double>(elements);
  beam.model.mesh = mesh;
  beam.model.nodes = mechanics::lie_beam_nodes(elements, mesh);
  beam.model.gravity = {0.0, -1.0, 0.0};
  beam.strains.assign(beam.model.nodes - 1, {{}, {0.0, 0.0, 1.0}});
  for (std::size_t a = 0; a < beam.model.nodes; ++a) {
    const double c = std::cos(std::numbers::pi * static_cast<double>(a) * beam.model.spacing);
    beam.velocities.push_back({{}, {0.8 * c, 0.3, 0.4 * c}});
  }
  return beam;
}

// Where the middle of the beam is at t = 0.4 s.
Vector3<double> middle(std::size_t elements, LieBeamMesh mesh, double h, Start start) {
  Flight flight(smooth_beam(elements, mesh), h, start);
  flight.run(0.4);
  return flight.position(elements / 2);
}

double distance(const Vector3<double>& a, const Vector3<double>& b) { return std::sqrt(norm_sq(a - b)); }

double slope_in_time(LieBeamMesh mesh, Start start) {
  const std::size_t elements = 8;
  const auto at = [&](double h) { return middle(elements, mesh, h, start); };
  return std::log2(distance(at(4e-3), at(2e-3)) / distance(at(2e-3), at(1e-3)));
}

double slope_in_space_and_time(LieBeamMesh mesh, Start start) {
  const auto at = [&](std::size_t elements) {
    return middle(elements, mesh, 0.08 / static_cast<double>(elements), start);
  };
  return std::log2(distance(at(32), at(64)) / distance(at(64), at(128)));
}

TEST(LieBeamConvergence, RectanglesAreOfSecondOrderFromTheVelocityAtTheInstant) {
  EXPECT_NEAR(slope_in_time(LieBeamMesh::rectangle, Start::instant), 2.0, 0.1);
  EXPECT_NEAR(slope_in_space_and_time(LieBeamMesh::rectangle, Start::instant), 2.0, 0.1);
}

TEST(LieBeamConvergence, TheVelocityOfTheFirstIntervalMakesTheStartOfFirstOrder) {
  EXPECT_NEAR(slope_in_time(LieBeamMesh::rectangle, Start::interval), 1.0, 0.1);
  EXPECT_NEAR(slope_in_space_and_time(LieBeamMesh::rectangle, Start::interval), 1.0, 0.1);
}

TEST(LieBeamConvergence, TrianglesAreOfFirstOrder) {
  EXPECT_NEAR(slope_in_time(LieBeamMesh::triangle, Start::instant), 1.0, 0.1);
  EXPECT_NEAR(slope_in_space_and_time(LieBeamMesh::triangle, Start::instant), 1.0, 0.15);
}

TEST(LieBeamConvergence, EnergyErrorOfRectanglesFallsWithTheSquareOfTheStep) {
  const auto error = [](double h) {
    Flight flight(smooth_beam(8, LieBeamMesh::rectangle), h, Start::instant);
    flight.run(2.0);
    return flight.energy_error;
  };
  EXPECT_NEAR(std::log2(error(4e-3) / error(2e-3)), 2.0, 0.15);
  EXPECT_NEAR(std::log2(error(2e-3) / error(1e-3)), 2.0, 0.15);
}

}  // namespace
}  // namespace ictus::dynamics
