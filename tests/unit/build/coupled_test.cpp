// Scenes with explicit and implicit domains, run for some steps: velocities stay equal and the balance closes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/build/bodies/solid_parts.hpp>
#include <ictus/build/build.hpp>

namespace ictus::build {
namespace {

using ::testing::HasSubstr;

/// A steel block in two parts, whose meshes do not match, on its way to a wall that it meets after some steps.
constexpr std::string_view block = R"(
time: {end: 1 ms, courant: 0.5}
integrator: {type: coupled, ratio: 4, implicit: [{bodies: [far]}]}
bodies:
  near: {type: solid, shape: {type: box, size: [0.1, 0.1, 0.1], cells: [3, 3, 2]}, density: 7800,
         youngs_modulus: 210 GPa, poissons_ratio: 0.3, position: [0, 0, 0.1 mm], velocity: [0, 0, -5]}
  far: {type: solid, shape: {type: box, size: [0.1, 0.1, 0.2], cells: [2, 2, 4]}, density: 7800, material: linear,
        youngs_modulus: 210 GPa, poissons_ratio: 0.3, position: [0, 0, 100.1 mm], velocity: [0, 0, -5]}
  wall: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
ties: [{between: [near, far]}]
contacts: [{between: [near, wall]}]
)";

/// A beam with an explicit middle; a set and a box choose two domains with steps of their own, and two loads act on
/// each part.
constexpr std::string_view divided_beam = R"(
time: {end: 0.1, step: 1 us}
integrator:
  type: coupled
  ratio: 4
  implicit:
    - {bodies: [beam], box: {from: [3, -1, -1], to: [6, 1, 1]}, ratio: 20}
    - {bodies: [beam], set: left}
gravity: [0, 0, -10]
initial: at-rest
bodies:
  beam:
    type: frame
    unknowns: grillage
    nodes: {a: [0, 0, 0], b: [2, 0, 0], c: [6, 0, 0], d: [2.5, 0, 0]}
    sections: {s: {type: rectangle, height: 0.1, width: 0.05}}
    materials: {m: {youngs_modulus: 210 GPa, density: 7800}}
    members:
      - {from: a, to: b, section: s, material: m, element_size: 0.1, set: left}
      - {from: b, to: c, section: s, material: m, element_size: 0.05}
    supports: [{node: a, type: clamped}, {node: c, type: clamped}]
loads:
  - {type: base-acceleration, bodies: [beam], direction: [0, 0, 1], signal: {type: ramp, amplitude: 20, rise: 1 ms}}
  - {type: force, body: beam, node: d, direction: [0, 0, 1],
     signal: {type: half-sine, amplitude: 3000, begin: 0, duration: 5 ms}}
)";

struct Course {
  double residual = 0;  ///< largest unexplained part of the energy, over its initial size
  double gap = 0;       ///< largest difference of velocities at a tie (m/s)
  double impulse = 0;   ///< of contact (N s)
  double sliding = 0;   ///< of friction (N s)
  model::Lost lost;
};

Course run(const Simulation& simulation, int steps) {
  dynamics::Integrator& scheme = *simulation.integrator;
  const dynamics::System& system = simulation.system;
  const double h = simulation.step;
  model::State state = system.initial_state();
  scheme.prepare(system);
  scheme.start(system, h, state);
  const double initial = scheme.energy(system, h, state).total();
  double work = 0;
  Course result;
  for (int n = 0; n < steps; ++n) {
    const dynamics::StepReport report = scheme.step(system, h, state);
    work += report.external_work - report.lost.total();
    result.lost += report.lost;
    for (const dynamics::Impulse& impulse : report.impulses) {
      result.impulse += impulse.normal_impulse;
      result.sliding += impulse.tangential_impulse;
    }
    const double left = scheme.energy(system, h, state).total() - initial - work + scheme.quadrature(system, h, state);
    result.residual = std::max(result.residual, std::abs(left / initial));
  }
  if (scheme.name() == "coupled") result.gap = scheme.extras(state)[2].second;
  return result;
}

Simulation make_coupled(std::string_view text, const std::vector<scene::Override>& changes = {}) {
  return build(scene::read_text(text, "scene.yaml", changes), 1);
}

TEST(Coupled, SolidsAreTiedAcrossMeshesThatDoNotMatch) {
  const Simulation simulation = make_coupled(block);
  EXPECT_EQ(simulation.system.ties().size(), 16U * 3);
  // A node of the finer mesh hangs on faces of the coarser: shares of positions add up to one.
  for (std::size_t r = 0; r < simulation.system.ties().size(); ++r) {
    double sum = 0;
    for (const model::RowEntry& entry : simulation.system.ties().row(r)) sum += entry.weight;
    EXPECT_NEAR(sum, 0, 1e-14);
  }
  const Course result = run(simulation, 60);
  EXPECT_GT(result.impulse, 0);  // it has met the wall
  EXPECT_GT(result.lost[model::Loss::impact], 0);
  // The explicit part is neo-Hookean: its ledger closes by its quadrature, to the rounding of positions of 0.1 m whose
  // changes are some micrometres.
  EXPECT_LT(result.residual, 1e-12);
  EXPECT_LT(result.gap, 1e-13);
}

/// Two blocks on each other between guided sides, pressed from above: uniform stress passes a tie of meshes that do not
/// match, whichever side comes first and whatever the elements.
constexpr std::string_view patch = R"(
time: {end: 1 ms, courant: 0.5}
integrator: {type: coupled, ratio: 2, implicit: [{bodies: [upper]}]}
initial: at-rest
bodies:
  lower: {type: solid, shape: {type: box, size: [1, 1, 1], cells: [2, 3, 2]}, density: 1000, material: linear,
          youngs_modulus: 1 MPa, poissons_ratio: 0.3, supports: [{set: bottom, directions: z}, {set: left, directions: x},
          {set: front, directions: y}]}
  upper: {type: solid, shape: {type: box, size: [1, 1, 1], cells: [3, 4, 2]}, density: 1000, material: linear,
          youngs_modulus: 1 MPa, poissons_ratio: 0.3, position: [0, 0, 1], supports: [{set: left, directions: x},
          {set: front, directions: y}], pressures: [{set: top, pressure: 1 kPa}]}
ties: [{between: [lower, upper]}]
)";

TEST(Coupled, TiesOfMeshesThatDoNotMatchPassThePatchTest) {
  for (const char* order : {"[lower, upper]", "[upper, lower]"}) {
    for (const char* below : {"tetrahedron", "hexahedron"}) {
      for (const char* above : {"tetrahedron", "hexahedron"}) {
        const Simulation simulation = make_coupled(
            patch,
            {{"ties.0.between", order}, {"bodies.lower.shape.element", below}, {"bodies.upper.shape.element", above}});
        const std::vector<double> q = simulation.system.initial_state().q;
        for (const mechanics::NodalBody* body : simulation.system.nodal_bodies()) {
          std::vector<double> start(q.size()), p(q.size());
          body->initialise(start, p);
          // ε = −p/E along z, ν p/E across.
          for (std::size_t k = body->dofs().begin; k < body->dofs().end(); ++k) {
            const double strain = k % 3 == 2 ? -1e-3 : 0.3e-3;
            ASSERT_NEAR(q[k], (1 + strain) * start[k], 1e-12) << order << below << above << k;
          }
        }
      }
    }
  }
}

/// Damping does not change what is at rest: a tower under its weight on a damped foot stays where it is, and its foot
/// presses on the floor by its weight.
TEST(Coupled, DampedBodiesAtRestStayAtRest) {
  const Simulation simulation = make_coupled(block, {{"initial", "at-rest"},
                                                     {"gravity", "[0, 0, -10]"},
                                                     {"bodies.near.damping", "{mass: 20000}"},
                                                     {"bodies.near.position", "[0, 0, 0]"},
                                                     {"bodies.near.velocity", "[0, 0, 0]"},
                                                     {"bodies.far.position", "[0, 0, 0.1]"},
                                                     {"bodies.far.velocity", "[0, 0, 0]"}});
  const dynamics::System& system = simulation.system;
  model::State state = system.initial_state();
  const std::vector<double> rest = state.q;
  simulation.integrator->prepare(system);
  simulation.integrator->start(system, simulation.step, state);
  const double weight = 10 * 7800 * 0.1 * 0.1 * 0.3;
  double lost = 0;
  for (int n = 0; n < 50; ++n) {
    const dynamics::StepReport report = simulation.integrator->step(system, simulation.step, state);
    double pressed = 0;
    for (const dynamics::Impulse& impulse : report.impulses) pressed += impulse.normal_impulse;
    // Rounding of positions of 0.1 m, times stiffnesses of 1e10 N/m at 16 nodes.
    ASSERT_NEAR(pressed / simulation.step / weight, 1, 1e-5) << n;
    lost += report.lost[model::Loss::damping];
  }
  EXPECT_GE(lost, 0);
  double worst = 0;
  for (std::size_t k = 0; k < rest.size(); ++k) worst = std::max(worst, std::abs(state.q[k] - rest[k]));
  EXPECT_LT(worst, 1e-15);  // of 3e-8 m by which its weight presses it together
}

TEST(Coupled, DomainsBySetAndBoxKeepTheBalanceUnderSeveralLoads) {
  const Simulation simulation = make_coupled(divided_beam);
  EXPECT_EQ(simulation.integrator->stride(), 20);
  EXPECT_EQ(simulation.system.bodies().size(), 3U);
  const Course result = run(simulation, 400);
  EXPECT_LT(result.residual, 1e-12);
  EXPECT_LT(result.gap, 1e-13);
}

/// Damping of explicit and implicit parts closes the balance, and takes what it takes from the undivided beam.
TEST(Coupled, DampingIsBookedInEveryDomain) {
  const std::vector<scene::Override> damped{{"bodies.beam.damping", "{mass: 30, stiffness: 0.5 us}"}};
  const Course beam_course = run(make_coupled(divided_beam, damped), 400);
  EXPECT_LT(beam_course.residual, 1e-12);
  EXPECT_LT(beam_course.gap, 1e-13);
  std::vector<scene::Override> whole = damped;
  whole.push_back({"integrator", "{type: central-difference}"});
  const Course explicit_course = run(make_coupled(divided_beam, whole), 400 * 20);
  EXPECT_GT(explicit_course.lost[model::Loss::damping], 1e-3);
  // The implicit ends take steps of 20 us through a motion of milliseconds.
  EXPECT_NEAR(beam_course.lost[model::Loss::damping] / explicit_course.lost[model::Loss::damping], 1, 1e-3);

  const Course block_course = run(make_coupled(block, {{"bodies.near.damping", "{mass: 200, stiffness: 0.2 us}"},
                                                       {"bodies.far.damping", "{mass: 500, stiffness: 1 us}"}}),
                                  60);
  EXPECT_GT(block_course.impulse, 0);
  EXPECT_GT(block_course.lost[model::Loss::damping], 0);
  EXPECT_LT(block_course.residual, 1e-12);
  EXPECT_LT(block_course.gap, 1e-13);
}

/// A block that strikes a wall at a slant slides on it, by Coulomb's law.
TEST(Coupled, SurfacesRubInTheExplicitPart) {
  const Course course = run(make_coupled(block, {{"contacts.0.friction", "0.2"},
                                                 {"bodies.near.velocity", "[5, 0, -5]"},
                                                 {"bodies.far.velocity", "[5, 0, -5]"}}),
                            60);
  EXPECT_GT(course.impulse, 0);
  EXPECT_NEAR(course.sliding, 0.2 * course.impulse, 1e-9 * course.impulse);
  // Nodes slide at less than 5 m/s, since friction holds them back.
  EXPECT_GT(course.lost[model::Loss::friction], 0.3 * 5 * course.sliding);
  EXPECT_LT(course.lost[model::Loss::friction], 5 * course.sliding);
  EXPECT_LT(course.residual, 1e-12);
  EXPECT_LT(course.gap, 1e-13);
}

/// A soft bar in two parts, thrown at a wall hard enough to strain it by several per cent.
constexpr std::string_view soft = R"(
time: {end: 1.0, courant: 0.5}
integrator: {type: coupled, ratio: 3, implicit: [{bodies: [far]}]}
gravity: [0, 0, -9.81]
bodies:
  near: {type: solid, shape: {type: box, size: [0.1, 0.1, 0.1], cells: [2, 2, 3], element: hexahedron}, density: 1000,
         youngs_modulus: 1 MPa, poissons_ratio: 0.4, position: [0, 0, 1 mm], velocity: [0.3, 0, -2]}
  far: {type: solid, shape: {type: box, size: [0.1, 0.1, 0.2], cells: [2, 2, 4], element: hexahedron}, density: 1000,
        youngs_modulus: 1 MPa, poissons_ratio: 0.4, position: [0, 0, 101 mm], velocity: [0.3, 0, -2]}
  wall: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
ties: [{between: [near, far]}]
contacts: [{between: [near, wall], friction: 0.3}]
)";

TEST(Coupled, NonlinearImplicitBodiesKeepVelocitiesEqualAndTheLedgerClosed) {
  for (const char* material : {"neo-hookean", "st-venant-kirchhoff"}) {
    for (const char* ratio : {"1", "3"}) {
      const Simulation simulation = make_coupled(soft, {{"bodies.far.material", material},
                                                        {"bodies.far.damping", "{mass: 2, stiffness: 0.1 ms}"},
                                                        {"integrator.ratio", ratio}});
      const Course course = run(simulation, 60);
      EXPECT_GT(course.impulse, 0);
      EXPECT_GT(std::abs(course.lost[model::Loss::quadrature]), 1e-9);
      EXPECT_LT(course.residual, 1e-12) << material << ratio;
      EXPECT_LT(course.gap, 1e-13) << material << ratio;
    }
  }
}

/// The velocities of the state itself, not those of tangents, are equal at the ends of implicit steps.
TEST(Coupled, NonlinearBodiesMoveWithTheirTies) {
  const Simulation simulation = make_coupled(soft);
  dynamics::Integrator& scheme = *simulation.integrator;
  const dynamics::System& system = simulation.system;
  model::State state = system.initial_state();
  scheme.prepare(system);
  scheme.start(system, simulation.step, state);
  std::vector<double> v(system.dofs());
  for (int n = 0; n < 60; ++n) {
    scheme.step(system, simulation.step, state);
    scheme.velocity(system, simulation.step, state, v);
    for (std::size_t r = 0; r < system.ties().size(); ++r)
      ASSERT_LT(std::abs(model::dot(system.ties().row(r), v)), 1e-13) << "step " << n << " tie " << r;
  }
}

/// What lies on the floor stays there: neither ties nor tangents disturb it.
TEST(Coupled, NonlinearBodiesAtRestStayAtRest) {
  const Simulation simulation = make_coupled(soft, {{"initial", "at-rest"},
                                                    {"bodies.near.position", "[0, 0, 0]"},
                                                    {"bodies.near.velocity", "[0, 0, 0]"},
                                                    {"bodies.far.position", "[0, 0, 0.1]"},
                                                    {"bodies.far.velocity", "[0, 0, 0]"}});
  model::State state = simulation.system.initial_state();
  const std::vector<double> rest = state.q;
  simulation.integrator->prepare(simulation.system);
  simulation.integrator->start(simulation.system, simulation.step, state);
  for (int n = 0; n < 50; ++n) simulation.integrator->step(simulation.system, simulation.step, state);
  double worst = 0;
  for (std::size_t k = 0; k < rest.size(); ++k) worst = std::max(worst, std::abs(state.q[k] - rest[k]));
  EXPECT_LT(worst, 1e-14);  // of positions of 0.3 m, which their weight moves by 0.4 mm
}

/// A state that is copied goes on to the same bits in a fresh integrator, whose factor is made anew.
TEST(Coupled, NonlinearRunsGoOnFromACopiedState) {
  const Simulation first = make_coupled(soft), second = make_coupled(soft);
  model::State state = first.system.initial_state();
  first.integrator->prepare(first.system);
  first.integrator->start(first.system, first.step, state);
  for (int n = 0; n < 25; ++n) first.integrator->step(first.system, first.step, state);
  model::State copy = state;
  second.integrator->prepare(second.system);
  for (int n = 0; n < 10; ++n) {
    first.integrator->step(first.system, first.step, state);
    second.integrator->step(second.system, second.step, copy);
  }
  EXPECT_EQ(state.q, copy.q);
  EXPECT_EQ(state.p, copy.p);
}

/// Longer implicit steps tell the same story.
TEST(Coupled, NonlinearImplicitBodiesFollowShorterSteps) {
  const auto shift_of_end = [](const Simulation& simulation, int steps) {
    model::State state = simulation.system.initial_state();
    const std::size_t last = simulation.system.find_body("far")->dofs().end() - 1;
    const double before = state.q[last];
    simulation.integrator->prepare(simulation.system);
    simulation.integrator->start(simulation.system, simulation.step, state);
    for (int n = 0; n < steps; ++n) simulation.integrator->step(simulation.system, simulation.step, state);
    return state.q[last] - before;
  };
  const double coarse = shift_of_end(make_coupled(soft), 80),
               fine = shift_of_end(make_coupled(soft, {{"integrator.ratio", "1"}}), 240);
  EXPECT_NEAR(coarse / fine, 1, 0.015);  // 1.05 % at a ratio of three
}

/// A tower that is explicit at its foot, with two implicit domains above it.
constexpr std::string_view tower = R"(
time: {end: 1 ms, courant: 0.5}
integrator:
  type: coupled
  ratio: 2
  implicit:
    - {bodies: [tower], box: {from: [-1, -1, 0.2], to: [1, 1, 1]}, ratio: 4}
    - {bodies: [tower], box: {from: [-1, -1, 0.1], to: [1, 1, 0.2]}}
gravity: [0, 0, -9.81]
bodies:
  tower: {type: solid, shape: {type: box, size: [0.1, 0.1, 0.3], cells: [2, 2, 6]}, density: 7800,
          youngs_modulus: 210 GPa, poissons_ratio: 0.3, velocity: [1, 2, 3], angular_velocity: [30, 20, 10],
          supports: [{box: {from: [0, 0, 0], to: [0, 0.1, 0.3]}, directions: x}],
          pressures: [{set: right, pressure: 1 MPa}]}
loads:
  - {type: force, body: tower, node: front, direction: [0, 1, 0], signal: {type: ramp, amplitude: 5000, rise: 0}}
  - {type: pressure, body: tower, set: back, signal: {type: ramp, amplitude: 2 MPa, rise: 0}}
  - {type: body-force, bodies: [tower], direction: [1, 0, 1], signal: {type: ramp, amplitude: 3, rise: 0}}
probes:
  foot: {body: tower, at: start}
  middle: {body: tower, at: 0.5}
  head: {body: tower, at: end}
)";

/// What is said of the whole is true of its parts together: mass, motion, supports, pressures, loads.
TEST(Coupled, PartsOfASolidAreTheSolid) {
  const Simulation parts = make_coupled(tower),
                   whole = make_coupled(tower, {{"integrator", "{type: central-difference}"}});
  ASSERT_EQ(parts.system.bodies().size(), 3U);
  const model::State a = parts.system.initial_state(), b = whole.system.initial_state();
  const auto expect_equal = [](const mechanics::Momentum& left, const mechanics::Momentum& right) {
    EXPECT_LT((left.linear - right.linear).norm(), 1e-12 * right.linear.norm());
    EXPECT_LT((left.angular - right.angular).norm(), 1e-12 * right.angular.norm());
  };
  // Momenta that supports took are missing in both.
  expect_equal(parts.system.momentum(a.q, a.p), whole.system.momentum(b.q, b.p));
  std::vector<double> f(parts.system.dofs()), g(whole.system.dofs());
  expect_equal(parts.system.kick(a.q, 1.0, f), whole.system.kick(b.q, 1.0, g));
  EXPECT_EQ(whole.system.loads().size(), 3U);
  EXPECT_EQ(parts.system.loads().size(), 9U);
  expect_equal(parts.system.apply_loads(std::vector<double>(9, 1.0), a.q, 1.0, f),
               whole.system.apply_loads(std::vector<double>(3, 1.0), b.q, 1.0, g));
  expect_equal(parts.system.momentum(a.q, f), whole.system.momentum(b.q, g));
  // 3 × 3 nodes on each of two cuts; of 27 rows three are held twice.
  EXPECT_EQ(parts.system.ties().size(), 2U * (27 - 3));
}

TEST(Coupled, PartsOfASolidKeepTheBalance) {
  const Course course = run(make_coupled(tower), 50);
  EXPECT_LT(course.residual, 1e-12);
  EXPECT_LT(course.gap, 1e-13);
}

TEST(Coupled, ProbesOfACutSolidAreWhereTheyWere) {
  const Simulation parts = make_coupled(tower),
                   whole = make_coupled(tower, {{"integrator", "{type: central-difference}"}});
  const auto look = [](const Simulation& simulation, std::size_t i) {
    const model::State state = simulation.system.initial_state();
    std::vector<double> v(state.p.size()), values(6);
    simulation.system.velocity(state.p, v);
    const observe::Probe& probe = simulation.probes[i];
    probe.body->probe(probe.fraction, {state.q, v}, values);
    return values;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const std::vector<double> cut = look(parts, i), uncut = look(whole, i);
    for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(cut[c], uncut[c], 1e-13) << i << ' ' << c;
  }
  EXPECT_EQ(parts.probes[2].body->name(), "tower_implicit1");
}

TEST(Coupled, AllMeansTheExplicitParts) {
  const Simulation simulation =
      make_coupled(tower, {{"bodies.floor", "{type: plane, position: [0, 0, -1 mm], normal: [0, 0, 1]}"},
                           {"contacts", "[{between: [all, floor]}]"}});
  ASSERT_EQ(simulation.system.pairs().size(), 1U);
  EXPECT_EQ(simulation.system.pairs()[0].first, "tower");
}

TEST(Coupled, SetsTakeElementsWithAllTheirNodes) {
  geometry::VolumeMesh mesh = geometry::box_mesh({4, 1, 1}, {4, 1, 1}, geometry::VolumeElement::hexahedron);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    if (mesh.nodes[i].x() < 2.5) mesh.node_sets["half"].push_back(static_cast<int>(i));
  }
  scene::CoupledSpec coupled;
  coupled.implicit.emplace_back();
  coupled.implicit[0].bodies = {"beam"};
  coupled.implicit[0].set = "half";
  const scene::Document document;
  Mistakes mistakes(document);
  const auto parts = divide_solid("beam", mesh, coupled, mistakes);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_THAT(parts.at(0).takes, ::testing::ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(parts.at(explicit_part).takes, ::testing::ElementsAre(0, 0, 1, 1));
  const geometry::VolumeMesh piece = part_of(mesh, parts.at(0));
  EXPECT_EQ(piece.nodes.size(), 12U);
  EXPECT_EQ(piece.node_sets.at("right").size(), 0U);
  EXPECT_EQ(part_of(mesh, parts.at(explicit_part)).element_name(1), "element 3");
  // The four nodes of the cut are the explicit part's.
  EXPECT_EQ(std::count(parts.at(0).owns.begin(), parts.at(0).owns.end(), 1), 8);
  EXPECT_EQ(std::count(parts.at(explicit_part).owns.begin(), parts.at(explicit_part).owns.end(), 1), 12);
}

/// Approach speeds are those of fine steps, in which contact acts.
TEST(Coupled, ALongImplicitStepDoesNotLimitTheSpeedOfImpact) {
  const auto make_at = [](const char* velocity) {
    make_coupled(block,
                 {{"integrator.ratio", "400"}, {"bodies.near.velocity", velocity}, {"bodies.far.velocity", velocity}});
  };
  EXPECT_NO_THROW(make_at("[0, 0, -1000]"));
  EXPECT_THROW(make_at("[0, 0, -100000]"), base::InputError);
}

/// What touches where it is tied is refused: at the start by its name, later by a failure.
TEST(Coupled, TiedNodesCannotTouch) {
  const std::vector<scene::Override> wall_beside{
      {"bodies.beside", "{type: plane, position: [-1 mm, 0, 0], normal: [1, 0, 0]}"},
      {"contacts.1", "{between: [near, beside]}"},
      {"bodies.near.velocity", "[-5, 0, 0]"},
      {"bodies.far.velocity", "[-5, 0, 0]"}};
  try {
    run(make_coupled(block, wall_beside), 100);
    FAIL() << "tied nodes met a wall";
  } catch (const base::NumericalFailure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("near and beside touch in nodes that are tied"));
  }
}

void expect_mistake(std::string_view text, const scene::Override& change, const std::string& words) {
  try {
    make_coupled(text, {change});
    FAIL() << "built with " << change.path;
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
}

TEST(Coupled, MistakesNameTheBodyAndThePosition) {
  expect_mistake(block, {"integrator.implicit.0.bodies", "[wall]"}, "wall cannot move implicitly");
  expect_mistake(block, {"bodies.far.position", "[0, 0, 0.2]"}, "no node of near lies on far");
  expect_mistake(block, {"contacts.0.between", "[far, wall]"}, "far is implicit and cannot touch anything");
  expect_mistake(divided_beam, {"time.step", "1 ms"}, "which is explicit");
  expect_mistake(divided_beam, {"integrator.implicit.1.set", "right"}, "no member of beam belongs to a set 'right'");
  expect_mistake(divided_beam, {"integrator.ratio", "3"}, "must divide 20");
  expect_mistake(tower, {"integrator.implicit.0.set", "upper"}, "the mesh has no set named 'upper'");
  expect_mistake(tower, {"integrator.implicit.1.box.to", "[1, 1, 0.11]"}, "takes nothing of tower");
}

}  // namespace
}  // namespace ictus::build
