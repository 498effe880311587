#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <ictus/base/error.hpp>
#include <ictus/mechanics/beam/lie_beam_stability.hpp>

#include "structure/lie_beam_flight.hpp"

// The account of a beam's energy: what it says of a sound run, and that deliberate faults move it.

namespace ictus::dynamics {
namespace {

using Layout = mechanics::LieBeamLayout;
using math::Vector3;
using testing::Flight;
using testing::PaperBeam;

// A free beam of 1 m that bends, twists and turns: E = 2 MPa, radius 20 mm.
PaperBeam turning_beam() {
  PaperBeam beam;
  beam.model.section = mechanics::section(model::pipe_section(0.04, 0.02), {1000.0, 2e6, 0.3});
  beam.model.nodes = 11;
  beam.model.spacing = 0.1;
  const Vector3<double> axis{1.0, 2.0, 0.5};
  const double half = 0.2, size = std::sqrt(norm_sq(axis));
  beam.start.q = {std::cos(half), std::sin(half) / size * axis};
  beam.strains.assign(10, {{}, {0.0, 0.0, 1.0}});
  const Vector3<double> along = rotate(beam.start.q, Vector3<double>{0.0, 0.0, 1.0}), turn{4.0, -3.0, 8.0};
  for (std::size_t a = 0; a < 11; ++a) {
    const double x = 0.1 * static_cast<double>(a), pi = std::acos(-1.0);
    const Vector3<double> v = Vector3<double>{0.3, 0.1, -0.2} + cross(turn, (x - 0.5) * along) +
                              Vector3<double>{1.5 * std::cos(2 * pi * x), 0.7 * std::cos(pi * x), 0.0};
    beam.velocities.push_back({rotate(inverse(beam.start.q), turn), rotate(inverse(beam.start.q), v)});
  }
  return beam;
}

Flight turning_flight(double courant) {
  const PaperBeam beam = turning_beam();
  return {beam, courant * mechanics::lie_beam_critical_step(beam.model), Flight::Start::instant};
}

TEST(LieBeamLedger, FreeMotionIsExplainedAndItsQuadratureFallsWithTheSquareOfTheStep) {
  std::vector<double> errors;
  for (const double courant : {0.4, 0.2, 0.1}) {
    Flight flight = turning_flight(courant);
    flight.run(2.0);
    EXPECT_LE(flight.residual, 1e-13) << courant;
    errors.push_back(flight.quadrature_error);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.3);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.3);
  EXPECT_LE(errors[1], 7e-5);
}

// A random impulse between two steps changes the energy by exactly ½ Δp·(v⁺ + v⁻).
TEST(LieBeamLedger, AnImpulseChangesTheEnergyByItsWork) {
  Flight flight = turning_flight(0.5);
  for (int j = 0; j < 100; ++j) flight.step();
  const math::Wrench<double> added{{1e-4, -2e-4, 3e-4}, {0.02, -0.01, 0.03}};
  std::vector<double> p = flight.p;
  mechanics::lie_beam_kick(flight.model, 0.5 * flight.h, flight.q, p);
  const auto velocity = [&](const math::Wrench<double>& momentum) {
    const math::Rotation<double> turn = Layout::pose(flight.q, 4).q;
    const math::Twist<double> xi = mechanics::velocity_of(flight.model, 4, turn, momentum);
    return math::Twist<double>{rotate(turn, xi.w), rotate(turn, xi.c)};
  };
  const math::Wrench<double> before = Layout::momentum(p, 4);
  const math::Twist<double> mean = velocity(before + 0.5 * added);
  const double work = dot(added.m, mean.w) + dot(added.n, mean.c);
  Flight other = flight;
  Layout::set_momentum(other.p, 4, Layout::momentum(other.p, 4) + added);
  // The kick that follows is that of the same forces: the two energies differ by the work alone, and by what the flight
  // before them seems to have lost, which a momentum put in between is taken for.
  flight.step();
  other.step();
  EXPECT_NEAR(other.interval.energy() - flight.interval.energy(), work, 1e-13 * flight.first_energy);
}

// Runs of a second, healthy and with a fault after every step; both as |quadrature + residual| over the energy.
double error_with(Flight flight, const std::function<void(Flight&)>& fault) {
  while (flight.time < 1.0) {
    flight.step();
    if (fault) fault(flight);
    if (!std::isfinite(flight.quadrature_error)) return flight.quadrature_error;
  }
  return std::max(flight.quadrature_error, flight.residual);
}

TEST(LieBeamLedger, AForceOnePercentWrongIsSeen) {
  const double sound = error_with(turning_flight(0.2), {});
  EXPECT_LE(sound, 1e-4);
  const double faulty = error_with(turning_flight(0.2), [](Flight& flight) {
    mechanics::lie_beam_kick(flight.model, 0.01 * flight.h, flight.q, flight.p);
  });
  EXPECT_GE(faulty, 20 * sound);
}

TEST(LieBeamLedger, AStepAboveTheCriticalOneIsSeenBeforeItBreaks) {
  Flight flight = turning_flight(1.05);
  int steps = 0;
  while (flight.quadrature_error < 0.1 && steps < 2000) {
    flight.step();
    ++steps;
  }
  EXPECT_LT(steps, 2000);
  EXPECT_LE(error_with(turning_flight(0.9), {}), 0.02);
}

TEST(LieBeamLedger, AVelocityThatItsEquationDoesNotGiveIsSeen) {
  // As if the equations had been left a hundredth short of their solutions: every section goes that much less far.
  const double faulty = error_with(turning_flight(0.2), [](Flight& flight) {
    for (std::size_t a = 0; a < flight.model.nodes; ++a) {
      const math::Pose<double> g = Layout::pose(flight.q, a);
      const Vector3<double> way = flight.h * mechanics::velocity(flight.model, a, flight.q, flight.p).c;
      Layout::set_pose(flight.q, a, {g.q, g.r - 0.01 * rotate(g.q, way)});
    }
  });
  EXPECT_GE(faulty, 20 * error_with(turning_flight(0.2), {}));
}

Flight dropped_beam(double restitution, double courant = 0.2) {
  PaperBeam beam = turning_beam();
  beam.start.r = {0.0, 0.0, 0.1};
  beam.model.gravity = {0.0, 0.0, -10.0};
  beam.model.outline.radius = 0.02;
  Flight flight(beam, courant * mechanics::lie_beam_critical_step(beam.model), Flight::Start::instant);
  flight.obstacles = {{{0.0, 0.0, 1.0}, 0.0, restitution, 0.2}};
  return flight;
}

TEST(LieBeamLedger, ImpactsAreExplained) {
  for (const double restitution : {1.0, 0.5, 0.0}) {
    Flight flight = dropped_beam(restitution);
    flight.run(0.5);
    EXPECT_GE(flight.collisions, 5);
    EXPECT_LE(flight.residual, 1e-13) << restitution;
    EXPECT_LE(std::abs(flight.quadrature + flight.control) / flight.first_energy, 0.01) << restitution;
    EXPECT_LE(std::abs(flight.sub_step) / flight.first_energy, 0.005) << restitution;
  }
}

// Impacts fall at irregular positions in the step: the slope over three halvings.
TEST(LieBeamLedger, QuadratureFallsWithTheSquareOfTheStepThroughImpacts) {
  const auto error = [](double courant) {
    Flight flight = dropped_beam(0.0, courant);
    flight.run(0.5);
    return flight.quadrature_error;
  };
  EXPECT_NEAR(std::log2(error(0.4) / error(0.05)) / 3, 2.0, 0.3);
}

TEST(LieBeamLedger, ALostImpulseIsSeen) {
  bool lost = false;
  const double faulty = error_with(dropped_beam(0.5), [&](Flight& flight) {
    if (lost || flight.impulses.empty()) return;
    lost = true;
    const BeamImpulse& impulse = flight.impulses[0];
    math::Wrench<double> momentum = Layout::momentum(flight.p, impulse.node);
    momentum.n -= impulse.normal * flight.obstacles[0].normal;
    Layout::set_momentum(flight.p, impulse.node, momentum);
  });
  EXPECT_GE(faulty, 3 * error_with(dropped_beam(0.5), {}));
}

// A node that is held while it turns by more than a right angle in a step: the rounds for its impulse converge slowly,
// end, and say by how much they missed.
TEST(LieBeamLedger, ImpulsesThatDoNotSettleAreReported) {
  const auto unsettled = [](double turn) {
    const double h = 1e-3;
    PaperBeam beam = turning_beam();
    beam.start.q = {std::sqrt(0.5), {0.0, std::sqrt(0.5), 0.0}};  // along x
    beam.model.gravity = {0.0, 0.0, -10.0};
    beam.velocities.assign(11, {{0.0, 0.0, turn / h}, {}});
    Flight flight(beam, h, Flight::Start::instant);
    flight.obstacles = {{{0.0, 0.0, 1.0}}};
    LieBeamTrial trial;
    trial.begin(flight.model, flight.obstacles, flight.q, flight.p, flight.interval, 1e-13);
    trial.touch(5, 0, true, std::numeric_limits<double>::infinity());
    return trial.run(h).unsettled;
  };
  EXPECT_EQ(unsettled(0.01), 0.0);
  EXPECT_GT(unsettled(20.0), 1e-9);
}

}  // namespace
}  // namespace ictus::dynamics
