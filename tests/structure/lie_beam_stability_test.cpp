#include <gtest/gtest.h>

#include <ictus/base/error.hpp>
#include <ictus/mechanics/beam/lie_beam_stability.hpp>

#include "structure/lie_beam_flight.hpp"

namespace ictus::dynamics {
namespace {

using testing::Flight;
using testing::PaperBeam;

// A straight beam with a tiny zigzag velocity in every direction: every short wave is there.
PaperBeam shaken(const mechanics::LieBeamSection& section) {
  PaperBeam beam;
  beam.model.section = section;
  beam.model.spacing = 0.1;
  beam.model.nodes = 40;
  beam.strains.assign(39, {{}, {0.0, 0.0, 1.0}});
  for (std::size_t a = 0; a < 40; ++a) {
    const double sign = a % 2 == 0 ? 1e-6 : -1e-6, other = a % 3 == 0 ? 1e-6 : -1e-6;
    beam.velocities.push_back({{sign, other, sign}, {other, sign, sign}});
  }
  return beam;
}

// Largest kinetic energy over the first, in a few thousand steps; infinite where the run breaks down.
double growth(const PaperBeam& beam, double h) {
  Flight flight(beam, h, Flight::Start::instant);
  double first = 0.0, largest = 0.0;
  try {
    for (int j = 0; j < 3000; ++j) {
      flight.step();
      if (j == 0) first = flight.interval.kinetic;
      largest = std::max(largest, flight.interval.kinetic);
    }
  } catch (const base::NumericalFailure&) {
    return std::numeric_limits<double>::infinity();
  }
  return largest / first;
}

TEST(LieBeamStability, TheCriticalStepIsTheEdge) {
  const mechanics::LieBeamSection by_shear{
      .mass = 1.0, .inertia = {1e-4, 2e-4, 3e-4}, .stretch = {60.0, 50.0, 90.0}, .bend = {1e-3, 2e-3, 2e-3}};
  const mechanics::LieBeamSection by_stretch{
      .mass = 1.0, .inertia = {0.1, 0.1, 0.2}, .stretch = {3.0, 3.0, 90.0}, .bend = {0.02, 0.02, 0.02}};
  const mechanics::LieBeamSection by_torsion{
      .mass = 1.0, .inertia = {0.1, 0.1, 0.01}, .stretch = {3.0, 3.0, 9.0}, .bend = {0.02, 0.02, 2.0}};
  for (const auto& section : {by_shear, by_stretch, by_torsion}) {
    const PaperBeam beam = shaken(section);
    const double limit = mechanics::lie_beam_critical_step(beam.model);
    EXPECT_LE(growth(beam, 0.99 * limit), 300.0);  // energy moves between the kinds, and beats near the edge
    EXPECT_GE(growth(beam, 1.02 * limit), 1e6);
  }
}

// The light nodes at the ends are faster than the waves inside.
TEST(LieBeamStability, TheEdgeOfSlenderBeamsIsAtTheirEnds) {
  const mechanics::LieBeamSection thin{
      .mass = 1.0, .inertia = {1e-4, 2e-4, 3e-4}, .stretch = {4.0, 4.0, 10.0}, .bend = {1e-3, 2e-3, 2e-3}};
  const mechanics::LieBeamSection by_stretch{
      .mass = 1.0, .inertia = {0.1, 0.1, 0.2}, .stretch = {3.0, 3.0, 90.0}, .bend = {0.02, 0.02, 0.02}};
  for (const auto& section : {mechanics::with_residual_bending(thin, 0.1), by_stretch}) {
    PaperBeam beam = shaken(section);
    const double inside = mechanics::lie_beam_critical_step(beam.model);
    beam.model.mesh = mechanics::LieBeamMesh::slender;
    const double limit = mechanics::lie_beam_critical_step(beam.model);
    EXPECT_LT(limit, inside);
    EXPECT_GT(limit, 0.8 * inside);
    EXPECT_LE(growth(beam, 0.99 * limit), 300.0);
    EXPECT_GE(growth(beam, 1.02 * limit), 1e6);
  }
}

TEST(LieBeamStability, ABarOfManyElementsMayTakeTheTimeOfSoundThroughOne) {
  mechanics::LieBeamModel model;
  model.section = {.mass = 2.0, .inertia = {1.0, 1.0, 2.0}, .stretch = {1.0, 1.0, 8.0}, .bend = {1.0, 1.0, 1.0}};
  model.spacing = 0.01;
  model.nodes = 101;
  EXPECT_NEAR(mechanics::lie_beam_critical_step(model), 0.01 * std::sqrt(2.0 / 8.0), 1e-15);
}

}  // namespace
}  // namespace ictus::dynamics
