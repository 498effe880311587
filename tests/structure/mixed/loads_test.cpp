// Forces and moments on bodies of all families: closed forms, and books that close.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/build/build.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <ictus/model/rigid_frame.hpp>
#include <ictus/scene/text/document.hpp>

#include "support/ledger_run.hpp"

namespace ictus {
namespace {

using math::Vec3;

struct LoadedRun {
  model::State state;
  testing::LedgerRun books;
  double step = 0;  ///< s
  double work = 0;  ///< of what acts from outside (J)
  std::vector<double> v;
};

/// Runs a scene without contact.
LoadedRun run_loaded(const std::string& bodies, const std::string& loads, const std::string& time,
                     const std::string& scheme = "central-difference", double fault = 0) {
  build::Simulation simulation = build::build(scene::read_text("time: {" + time + "}\nintegrator: {type: " + scheme +
                                                                   "}\nbodies:\n" + bodies + "loads:\n" + loads,
                                                               "scene.yaml"),
                                              1);
  LoadedRun run;
  run.step = simulation.step;
  run.books = testing::run_with_ledger(simulation.system, *simulation.integrator, simulation.step,
                                       static_cast<int>(simulation.steps),
                                       [&](const dynamics::System&, model::State& state, dynamics::StepReport& report) {
                                         report.external_work *= 1 + fault;
                                         run.work += report.external_work;
                                         run.state = state;
                                       });
  run.v.resize(simulation.system.dofs());
  simulation.integrator->velocity(simulation.system, simulation.step, run.state, run.v);
  return run;
}

void expect_books(const LoadedRun& run) {
  EXPECT_EQ(run.books.failure, "");
  EXPECT_LE(run.books.residual, 1e-12);
  EXPECT_LE(run.books.linear_drift, 1e-12);
  EXPECT_LE(run.books.angular_drift, 1e-12);
}

constexpr const char* loaded_box =
    "  box: {type: rigid, shape: {type: box, size: [0.3, 0.2, 0.1]}, mass: 2, position: [1, 2, 3], rotation: [0.3, "
    "-0.2, 0.5]}\n";

/// v = F t/m, ω = M t/J about a principal axis, and the work is the kinetic energy.
TEST(Loads, AConstantForceAndAMomentOnARigidBody) {
  for (const std::string scheme : {"central-difference", "capture-return", "reflection", "moreau-variational"}) {
    const LoadedRun pushed = run_loaded(
        loaded_box, "  - {type: force, body: box, direction: [1, 2, 2], signal: {type: ramp, amplitude: 6}}\n",
        "end: 0.5, step: 1 ms", scheme);
    expect_books(pushed);
    EXPECT_LT((Vec3::Map(pushed.v.data()) - Vec3(0.5, 1, 1)).norm(), 1e-12) << scheme;
    const LoadedRun turned =
        run_loaded("  box: {type: rigid, shape: {type: box, size: [0.3, 0.2, 0.1]}, mass: 2, position: [1, 2, 3]}\n",
                   "  - {type: moment, body: box, direction: [0, 0, 1], signal: {type: ramp, amplitude: 0.01}}\n",
                   "end: 0.5, step: 1 ms", scheme);
    expect_books(turned);
    const double inertia = 2.0 / 12 * (0.3 * 0.3 + 0.2 * 0.2);
    EXPECT_NEAR(turned.v[5], 0.01 * 0.5 / inertia, 1e-12) << scheme;
    EXPECT_LT(Vec3::Map(turned.v.data()).norm(), 1e-15) << scheme;
  }
}

/// A force through a point of the body turns it, and one that follows the body keeps its angle to it.
TEST(Loads, AForceOffTheCentreTurnsABody) {
  for (const bool follows : {false, true}) {
    const std::string loads = fmt::format(
        "  - {{type: force, body: box, position: [1.15, 2, 3], direction: [0, 1, 0], follows: {}, signal: {{type: "
        "ramp, amplitude: 2}}}}\n",
        follows);
    const LoadedRun run = run_loaded(loaded_box, loads, "end: 1, step: 0.5 ms");
    expect_books(run);
    // About the centre of mass 0.15 m × 2 N to begin with.
    const LoadedRun early = run_loaded(loaded_box, loads, "end: 1 ms, step: 0.01 ms");
    const auto frame = model::RigidFrame::at(early.state.q, 0);
    const Vec3 spin = frame.axes * Vec3::Map(&early.state.p[model::RigidFrame::angular]);
    EXPECT_LT((spin - Vec3(0, 0, 0.15 * 2 * 1.005e-3)).norm(), 1e-7) << follows;
    // In space the force goes on along y; with the body it turns.
    const Vec3 v = Vec3::Map(run.v.data());
    EXPECT_EQ((v - Vec3(0, 1, 0)).norm() < 1e-12, !follows);
    EXPECT_EQ(std::abs(v.x()) > 0.1, follows);
  }
}

/// Work that is booked 1 % wrong shows.
TEST(Loads, WrongWorkShows) {
  const LoadedRun run = run_loaded(loaded_box, "  - {type: force, body: box, signal: {type: ramp, amplitude: 6}}\n",
                                   "end: 0.5, step: 1 ms", "central-difference", 0.01);
  EXPECT_GT(run.books.residual, 5e-3);
}

/// Energy of motion under a moment that turns the body about changing axes is off by what falls with the square of the
/// step.
TEST(Loads, AMomentInSpaceIsOfSecondOrder) {
  const auto orientation = [](double step) {
    const LoadedRun run =
        run_loaded(loaded_box,
                   "  - {type: moment, body: box, direction: [1, 1, 0], signal: {type: half-sine, amplitude: 0.05, "
                   "duration: 0.8}}\n",
                   fmt::format("end: 0.8, step: {}", step));
    EXPECT_LE(run.books.residual, 1e-12);
    return Eigen::Vector4d(Eigen::Vector4d::Map(&run.state.q[3]));
  };
  const Eigen::Vector4d exact = orientation(1e-4);
  const double coarse = (orientation(4e-3) - exact).norm(), fine = (orientation(2e-3) - exact).norm();
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05);
}

/// A cantilever that is loaded slowly bends as beam theory says: F L³/(3 EI) + F L/(GA).
TEST(Loads, AnEndForceBendsABeam) {
  const double radius = 0.02, length = 1, youngs = 2e6, force = 1e-3, poisson = 0.3;
  const std::string beam = fmt::format(
      "  beam: {{type: beam, length: {}, cells: 16, section: {{type: circle, radius: {}}}, density: 1000, "
      "youngs_modulus: {}, poissons_ratio: {}, supports: [{{at: start}}]}}\n",
      length, radius, youngs, poisson);
  build::Simulation simulation = build::build(
      scene::read_text("time: {end: 40, courant: 0.5}\nintegrator: {type: central-difference}\nbodies:\n" + beam +
                           fmt::format("loads:\n  - {{type: force, body: beam, node: end, direction: [1, 0, 0], "
                                       "signal: {{type: ramp, amplitude: {}, rise: 30}}}}\n",
                                       force),
                       "scene.yaml"),
      1);
  model::State state = simulation.system.initial_state();
  simulation.integrator->prepare(simulation.system);
  simulation.integrator->start(simulation.system, simulation.step, state);
  double sum = 0;
  int count = 0;
  const std::size_t tip = simulation.system.dofs() - model::RigidFrame::dofs;
  for (std::int64_t n = 0; n < simulation.steps; ++n) {
    simulation.integrator->step(simulation.system, simulation.step, state);
    if (state.time < 30) continue;
    sum += state.q[tip];
    ++count;
  }
  const double area = M_PI * radius * radius, inertia = M_PI / 4 * std::pow(radius, 4);
  const double bent = force * std::pow(length, 3) / (3 * youngs * inertia);
  const double sheared = force * length / (youngs / (2 * (1 + poisson)) * area);
  EXPECT_NEAR(sum / count, bent + sheared, 0.01 * bent);
}

/// A free shell and a free solid that are pushed: the centre of mass moves by F t²/2m, and the moment is that about the
/// point at which the force is.
TEST(Loads, FreeShellsAndSolidsArePushedAsAWhole) {
  const std::string shell =
      "  body: {type: shell, shape: {type: plate, size: [1, 1], cells: [8, 8]}, thickness: 0.05, "
      "density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3}\n";
  const std::string solid =
      "  body: {type: solid, shape: {type: box, size: [1, 0.4, 0.2], cells: [5, 2, 1]}, position: [0, 0, 0], material: "
      "st-venant-kirchhoff, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3}\n";
  const std::string ramp = "signal: {type: ramp, amplitude: 50}";
  const std::string at_point =
      "  - {type: force, body: body, position: [0.25, 0.25, 0], direction: [0, 0, 1], " + ramp + "}\n";
  const std::string on_faces = "  - {type: traction, body: body, set: top, direction: [1, 0, 0], " + ramp + "}\n";
  const double end = 0.2;
  for (const auto& [body, loads, mass, force] : {std::tuple{shell, at_point, 50.0, Vec3(0, 0, 50)},
                                                 {solid, at_point, 80.0, Vec3(0, 0, 50)},
                                                 {solid, on_faces, 80.0, Vec3(0.4 * 50, 0, 0)}}) {
    const LoadedRun run = run_loaded(body, loads, fmt::format("end: {}, courant: 0.5", end));
    expect_books(run);
    Vec3 momentum = Vec3::Zero();
    for (std::size_t k = 0; k < run.state.p.size(); k += 3) momentum += Vec3::Map(&run.state.p[k]);
    // p is that half a step later.
    EXPECT_LT((momentum - (run.state.time + run.step / 2) * force).norm(), 1e-11 * end * force.norm()) << loads;
    EXPECT_GT(run.work, 0.5 * std::pow(end * force.norm(), 2) / mass);  // some of it is strain
  }
}

/// What a force on the limit surface is on the control vertices works as much as it does there.
TEST(Loads, AForceOnAShellWorksOnItsLimitSurface) {
  build::Simulation simulation = build::build(
      scene::read_text("time: {end: 1, courant: 0.5}\nbodies:\n  shell: {type: shell, shape: {type: plate, size: [1, "
                       "1], cells: [4, 4]}, thickness: 0.05, density: 1000, youngs_modulus: "
                       "1.0e+6, poissons_ratio: 0.3}\n",
                       "scene.yaml"),
      1);
  const auto& shell = dynamic_cast<const mechanics::Shell&>(*simulation.system.bodies()[0]);
  std::vector<double> motion(simulation.system.dofs());
  for (std::size_t k = 0; k < motion.size(); ++k) motion[k] = std::sin(1.0 + 7.0 * static_cast<double>(k));
  const std::vector<Vec3> limit = shell.limit(motion, false);
  const Vec3 force(0.3, -1, 2);
  for (std::size_t vertex = 0; vertex < limit.size(); ++vertex) {
    const std::vector<double> on_control = shell.limit_force(vertex, force);
    double power = 0;
    for (std::size_t k = 0; k < motion.size(); ++k) power += on_control[k] * motion[k];
    EXPECT_NEAR(power, force.dot(limit[vertex]), 1e-13) << vertex;
  }
}

/// A base that accelerates carries rigid bodies and beams with it: relative to it they fall back.
TEST(Loads, ABaseThatAcceleratesActsOnBodiesThatTurn) {
  const std::string bodies = std::string(loaded_box) +
                             "  beam: {type: beam, length: 1, cells: 4, section: {type: circle, radius: 0.02}, "
                             "density: 1000, youngs_modulus: 2.0e+6, poissons_ratio: 0.3}\n";
  const LoadedRun run = run_loaded(bodies,
                                   "  - {type: base-acceleration, bodies: [box, beam], direction: [1, 0, 0], signal: "
                                   "{type: ramp, amplitude: 3}}\n",
                                   "end: 0.1, courant: 0.5");
  expect_books(run);
  for (std::size_t k = 0; k < run.v.size(); k += model::RigidFrame::dofs) EXPECT_NEAR(run.v[k], -0.3, 1e-3) << k;
}

}  // namespace
}  // namespace ictus
