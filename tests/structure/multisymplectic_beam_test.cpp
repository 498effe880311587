#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect/detect.hpp>
#include <ictus/dynamics/beam/multisymplectic_beam.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>

#include "paper_beams.hpp"
#include "structure/two_bars.hpp"

// The Lie-group beam through the interfaces that a run uses: System, State, Integrator, StepReport.

namespace ictus::dynamics {
namespace {

using math::Vec3;
using mechanics::LieBeam;
using mechanics::testing::free_beam;
using mechanics::testing::PaperBeam;
using mechanics::testing::Stiffness;
using mechanics::testing::thrown_beam;
using model::Loss;

BodyPtr make_beam(const std::string& name, const PaperBeam& beam, std::size_t first_dof) {
  return std::make_unique<LieBeam>(
      name, mechanics::LieBeamProperties{beam.model, beam.start, beam.strains, beam.velocities}, first_dof);
}

// Beams in a row, all above one floor where `floor` is set.
System make_system(const std::vector<PaperBeam>& beams, bool floor, double restitution = 1.0, double friction = 0.0,
                   int threads = 1) {
  std::vector<BodyPtr> bodies;
  std::vector<contact::ContactPair> pairs;
  std::size_t first = 0;
  for (std::size_t i = 0; i < beams.size(); ++i) {
    bodies.push_back(make_beam("beam" + std::to_string(i), beams[i], first));
    first = bodies.back()->dofs().end();
  }
  if (floor) {
    bodies.push_back(std::make_unique<mechanics::Obstacle>("floor", model::Plane{Vec3::Zero(), Vec3::UnitZ()}));
    for (std::size_t i = 0; i < beams.size(); ++i) {
      contact::ContactPair pair{bodies[i]->name(),         "floor",     &bodies[i]->surface(),
                                &bodies.back()->surface(), restitution, friction};
      pair.every_point = true;
      pairs.push_back(pair);
    }
  }
  return {std::move(bodies), std::move(pairs), exec::Executor(threads)};
}

// A run with the account that the ledger keeps.
struct Ride {
  Ride(const System& s, double step, const MultisymplecticBeamOptions& options)
      : system(s), integrator(options), h(step), state(s.initial_state()) {
    integrator.prepare(system);
    from_outside = integrator.start(system, h, state).external_impulse;
    initial = system.initial_state();
    initial_energy = integrator.energy(system, h, state).total();
  }

  void step() {
    const StepReport report = integrator.step(system, h, state);
    from_outside += report.external_impulse;
    lost += report.lost.total();
    work += report.external_work;
    closings += report.closings;
    fallbacks += report.fallbacks;
    impulses.insert(impulses.end(), report.impulses.begin(), report.impulses.end());
    const double energy = integrator.energy(system, h, state).total();
    residual = std::max(residual, std::abs((energy + lost - work) / initial_energy - 1.0));
    const mechanics::Momentum first = system.momentum(initial.q, initial.p), now = system.momentum(state.q, state.p);
    const double scale = system.momentum_scale(initial.p);
    linear_drift =
        std::max(linear_drift, (now.linear - first.linear - from_outside.linear).cwiseAbs().maxCoeff() / scale);
    angular_drift =
        std::max(angular_drift, (now.angular - first.angular - from_outside.angular).cwiseAbs().maxCoeff() / scale);
  }
  void run(double end) {
    while (state.time < end * (1.0 - 1e-12)) step();
  }

  const System& system;
  MultisymplecticBeam integrator;
  double h;
  model::State state, initial;
  mechanics::Momentum from_outside;
  double initial_energy = 0.0, lost = 0.0, work = 0.0, residual = 0.0, linear_drift = 0.0, angular_drift = 0.0;
  int closings = 0, fallbacks = 0;
  std::vector<Impulse> impulses;
};

double extra(const Ride& run, std::string_view name) {
  for (const auto& [key, value] : run.integrator.extras(run.state)) {
    if (key == name) return value;
  }
  ADD_FAILURE() << "no figure " << name;
  return 0.0;
}

constexpr MultisymplecticBeamOptions as_the_papers{.start = BeamStart::interval};

TEST(MultisymplecticBeam, FreeFlightReportsWhatTheReferenceSays) {
  const System system = make_system({free_beam(Stiffness::paper)}, false);
  Ride run(system, 5e-4, {.start = BeamStart::interval, .noether_rectangles = 20});
  run.run(3.0);
  EXPECT_NEAR(extra(run, "energy_interval_max_relative_error"), 1.526e-3, 1e-6);
  EXPECT_LE(run.residual, 1e-13);
  EXPECT_NEAR(extra(run, "energy_corner_initial"), 1.038574826158, 1e-12);
  EXPECT_NEAR(extra(run, "energy_corner_max_relative_error"), 2.465e-3, 1e-6);
  EXPECT_GE(extra(run, "noether_rectangles"), 60.0);
  EXPECT_LE(extra(run, "noether_residual_max"), 2e-14);
  EXPECT_LE(extra(run, "newton_iterations_mean"), 3.0);
  EXPECT_LE(run.linear_drift, 1.5e-14);
  EXPECT_LE(run.angular_drift, 1.5e-14);
}

TEST(MultisymplecticBeam, PlaneImpactsReachTheReport) {
  const System system = make_system({thrown_beam(10)}, true);
  Ride run(system, 4e-5, as_the_papers);
  EXPECT_NEAR(extra(run, "energy_interval_initial"), 150.0820953762, 1e-10);
  EXPECT_NEAR(run.initial_energy, 150.087992, 5e-7);
  run.run(0.5);
  EXPECT_EQ(run.closings, 10);
  ASSERT_EQ(run.impulses.size(), 10u);
  EXPECT_NEAR(run.impulses[0].time, 0.004662788099, 1e-12);
  EXPECT_NEAR(run.impulses[0].normal_impulse, 3.851199644, 1e-9);
  EXPECT_EQ(run.impulses[0].normal.z(), -1.0);  // it pushes the second body, the floor, down
  EXPECT_NEAR(run.impulses[0].point.z(), 0.0, 1e-13);
  EXPECT_NEAR(extra(run, "energy_interval_max_relative_error"), 3.8e-5, 0.05e-5);
  EXPECT_LE(run.residual, 1e-12);
  EXPECT_LE(extra(run, "impact_energy_jump_max"), 1e-14);
  EXPECT_EQ(run.fallbacks, 0);
  // With gravity and the floor's impulses in the account, all six components.
  EXPECT_LE(run.linear_drift, 1e-12);
  EXPECT_LE(run.angular_drift, 1e-12);
}

TEST(MultisymplecticBeam, LossesAndFrictionAreBookedByName) {
  const System system = make_system({thrown_beam(10)}, true, 0.5, 0.3);
  MultisymplecticBeam integrator(as_the_papers);
  integrator.prepare(system);
  model::State state = system.initial_state();
  integrator.start(system, 4e-5, state);
  model::Lost lost;
  for (int j = 0; j < 5000; ++j) lost += integrator.step(system, 4e-5, state).lost;
  EXPECT_GT(lost[Loss::restitution], 1.0);
  EXPECT_GT(lost[Loss::friction], 1.0);
  EXPECT_EQ(lost[Loss::impact], 0.0);
}

TEST(MultisymplecticBeam, SupportsAndLoadsAreInTheMomentumAccount) {
  PaperBeam beam = free_beam(Stiffness::physical, mechanics::LieBeamMesh::rectangle);
  beam.model.gravity = {0.1, 0.0, -0.5};
  beam.model.clamped_start = true;
  beam.model.loads = {{{0.0, 1e-6, 0.0}, {1e-3, 0.0, 0.0}}, {}, {{0.0, 0.0, 2e-7}, {0.0, 1e-3, 0.0}}};
  beam.strains.assign(10, {{}, {0.0, 0.0, 1.0}});
  for (auto& xi : beam.velocities) xi = {{}, {0.05, 0.0, 0.0}};
  const System system = make_system({beam}, false);
  Ride run(system, 5e-4, {});
  run.run(1.0);
  EXPECT_LE(run.linear_drift, 1e-13);
  EXPECT_LE(run.angular_drift, 1e-13);
  EXPECT_GT(std::abs(run.work / run.initial_energy), 5e-6);  // booked twice, it would show
  EXPECT_LE(run.residual, 1e-12);
}

TEST(MultisymplecticBeam, ACopyOfTheStateGoesOnToTheSameBits) {
  const System system = make_system({thrown_beam(10), thrown_beam(13, 8e-5)}, true);
  const MultisymplecticBeamOptions options{.start = BeamStart::interval, .noether_rectangles = 3};
  Ride run(system, 4e-5, options);
  run.run(0.0046);
  const model::State copy = run.state;
  run.run(0.0075);  // impacts on the way
  MultisymplecticBeam fresh(options);
  fresh.prepare(system);
  model::State resumed = copy;
  while (resumed.step < run.state.step) fresh.step(system, 4e-5, resumed);
  EXPECT_EQ(resumed, run.state);
  EXPECT_GE(run.closings, 2);
}

TEST(MultisymplecticBeam, ManyBeamsHaveTheSameBitsOnTwoThreads) {
  std::vector<PaperBeam> beams;  // no two alike, so that a beam in another's place is seen
  for (std::size_t i = 0; i < 500; ++i) {
    beams.push_back(thrown_beam(16 + i % 9, 4e-5));
    beams.back().start.r = {0.0, 0.001 * static_cast<double>(i), 0.0};
  }
  const System one = make_system(beams, true), two = make_system(beams, true, 1.0, 0.0, 2);
  Ride first(one, 2e-5, as_the_papers), second(two, 2e-5, as_the_papers);
  for (int j = 0; j < 250; ++j) first.step();
  for (int j = 0; j < 250; ++j) second.step();
  EXPECT_EQ(first.state, second.state);
  EXPECT_GE(first.closings, 500);  // every one has hit the floor
}

TEST(MultisymplecticBeam, VelocityIsThatOfTheInstant) {
  const System system = make_system({free_beam(Stiffness::paper, mechanics::LieBeamMesh::rectangle)}, false);
  const double h = 1e-4;
  Ride run(system, h, {});
  for (int j = 0; j < 50; ++j) run.step();
  const std::vector<double> before = run.state.q;
  run.step();
  std::vector<double> v(system.dofs());
  run.integrator.velocity(system, h, run.state, v);
  run.step();
  using BeamLayout = mechanics::LieBeamLayout;
  for (std::size_t a = 0; a < 11; ++a) {
    const auto mean =
        0.5 / h *
        (BeamLayout::get(run.state.q, a, BeamLayout::position) - BeamLayout::get(before, a, BeamLayout::position));
    EXPECT_NEAR(std::sqrt(norm_sq(mean - BeamLayout::get(v, a, BeamLayout::linear))), 0.0,
                1e-4);  // h² r⃛/6; half a kick is ten times more
  }
}

TEST(MultisymplecticBeam, StepsBeamsAndObstaclesOnly) {
  const System system = make_system({thrown_beam(10)}, true);
  const MultisymplecticBeam integrator({});
  for (const BodyPtr& body : system.bodies()) EXPECT_TRUE(integrator.steps(*body));
  const System bars = ictus::testing::bars_in_a_row(ictus::testing::demoures_bars(1));
  for (const BodyPtr& body : bars.bodies()) EXPECT_FALSE(integrator.steps(*body));
}

TEST(MultisymplecticBeam, PlanesAdviseHalfTheLargestStableStep) {
  const MultisymplecticBeam integrator({});
  EXPECT_EQ(integrator.step_limit(make_system({thrown_beam(10)}, false)).advised, 0.0);
  const StepLimit limit = integrator.step_limit(make_system({thrown_beam(10)}, true));
  EXPECT_DOUBLE_EQ(limit.advised, 0.5 * limit.step);
}

TEST(MultisymplecticBeam, EveryNodeIsAPointThatContactSees) {
  const System system = make_system({thrown_beam(10)}, true);
  model::ConstraintSet constraints;
  const model::State state = system.initial_state();
  contact::detect(system.pairs(), state.q, constraints);
  ASSERT_EQ(constraints.size(), 11u);
  EXPECT_EQ(constraints.gap(0), 0.0);
  // w·M⁻¹p of a point that is a node: the entries of a row are those of its place.
  std::vector<double> q = state.q;
  for (const model::RowEntry& entry : constraints.row(7)) q[static_cast<std::size_t>(entry.dof)] += 0.25 * entry.weight;
  model::ConstraintSet moved;
  contact::detect(system.pairs(), q, moved);
  EXPECT_NEAR(moved.gap(7) - constraints.gap(7), 0.25, 1e-15);
}

TEST(MultisymplecticBeam, FailureNamesTheBeamAndLeavesTheState) {
  const System system = make_system({thrown_beam(10), free_beam(Stiffness::paper)}, false);
  Ride run(system, 2e-2, as_the_papers);
  model::State before = run.state;
  std::string message;
  for (int j = 0; j < 1000 && message.empty(); ++j) {
    before = run.state;
    try {
      run.step();
    } catch (const base::NumericalFailure& failure) {
      message = failure.what();
    }
  }
  EXPECT_NE(message.find(" of beam"), std::string::npos) << message;
  EXPECT_EQ(run.state.q, before.q);
  EXPECT_EQ(run.state.p, before.p);
  EXPECT_EQ(run.state.step, before.step);
  for (const double x : run.state.p) EXPECT_TRUE(std::isfinite(x));
}

// Planes touch the outline of a section: half its thickness above the floor is contact.
TEST(MultisymplecticBeam, TheSectionTouches) {
  PaperBeam beam = thrown_beam(10);
  beam.start.q = {std::sqrt(0.5), {0.0, std::sqrt(0.5), 0.0}};  // along x, the first axis down
  beam.start.r = {0.0, 0.0, 0.03};
  beam.strains.assign(10, {{}, {0.0, 0.0, 1.0}});
  beam.velocities.assign(11, {{}, rotate(inverse(beam.start.q), math::Vector3<double>{0.1, 0.0, 0.0})});
  const auto lowest_after = [&](const mechanics::SectionOutline& outline, double& first_gap) {
    beam.model.outline = outline;
    const System system = make_system({beam}, true, 0.0);
    model::ConstraintSet constraints;
    contact::detect(system.pairs(), system.initial_state().q, constraints);
    first_gap = constraints.gap(5);
    Ride run(system, 4e-5, {});
    run.run(0.2);
    EXPECT_LE(run.residual, 1e-12);
    for (const Impulse& impulse : run.impulses) EXPECT_NEAR(impulse.point.z(), 0.0, 1e-12);
    EXPECT_LE(run.angular_drift, 1e-12);
    return mechanics::LieBeamLayout::get(run.state.q, 5, mechanics::LieBeamLayout::position).z;
  };
  double gap = 0.0;
  EXPECT_NEAR(lowest_after({}, gap), 0.0, 1e-12);
  EXPECT_NEAR(gap, 0.03, 1e-15);
  EXPECT_NEAR(lowest_after({.half_width = 0.01, .half_height = 0.02}, gap), 0.01, 1e-12);
  EXPECT_NEAR(gap, 0.02, 1e-15);
  EXPECT_NEAR(lowest_after({.radius = 0.015}, gap), 0.015, 1e-12);
  EXPECT_NEAR(gap, 0.015, 1e-15);
}

}  // namespace
}  // namespace ictus::dynamics
