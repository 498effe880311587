#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ictus/mechanics/beam/lie_beam_element.hpp>
#include <ictus/mechanics/beam/lie_beam_output.hpp>
#include <ictus/mechanics/beam/lie_beam_step.hpp>
#include <random>

#include "paper_beams.hpp"

namespace ictus::mechanics {
namespace {

using math::Pose;
using math::Twist;
using math::Vector3;
using math::Wrench;
using Layout = LieBeamLayout;

struct Flight {
  explicit Flight(const LieBeamModel& beam)
      : model(beam), q(beam.size()), p(beam.size()), q_next(beam.size()), p_next(beam.size()) {}

  LieBeamTotals step(double h, double kick, const std::vector<double>& impulse = {}, int threads = 1) {
    const LieBeamJob job{
        &model, h, kick, q.data(), p.data(), impulse.empty() ? nullptr : impulse.data(), q_next.data(), p_next.data()};
    const LieBeamTotals totals = stepper.step(exec::Executor(threads), {&job, 1})[0];
    q.swap(q_next);
    p.swap(p_next);
    return totals;
  }

  LieBeamModel model;
  std::vector<double> q, p, q_next, p_next;
  LieBeamStepper stepper;
};

// A beam in a random state of moderate strain, turned by up to 20° a step.
Flight random_flight(std::size_t nodes, LieBeamMesh mesh, unsigned seed) {
  LieBeamModel model;
  model.section = {.mass = 1.3, .inertia = {0.2, 0.5, 0.7}, .stretch = {3.0, 4.0, 7.0}, .bend = {0.6, 0.9, 0.4}};
  model.nodes = nodes;
  model.spacing = 0.2;
  model.mesh = mesh;
  model.gravity = {0.3, -0.7, -9.81};
  model.loads = {
      {{0.1, 0.2, -0.3}, {0.5, -0.4, 0.2}}, {{1.0, 0.3, -0.2}, {0.7, 0.2, 0.9}}, {{-0.4, 0.1, 0.6}, {0.3, 0.8, -0.5}}};
  Flight flight(model);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto vector = [&](double size) {
    return Vector3<double>{size * uniform(random), size * uniform(random), size * uniform(random)};
  };
  std::vector<Twist<double>> strains, velocities;
  for (std::size_t a = 0; a + 1 < nodes; ++a)
    strains.push_back({vector(2.0), vector(0.2) + Vector3<double>{0.0, 0.0, 1.0}});
  for (std::size_t a = 0; a < nodes; ++a) velocities.push_back({vector(5.0), vector(5.0)});
  set_shape(model, cayley(Twist<double>{vector(1.0), vector(1.0)}), strains, flight.q);
  set_velocities(model, velocities, flight.q, flight.p);
  return flight;
}

// The step as the theory page writes it: momenta in the body, strains and velocities as twists, no elimination.
std::vector<Pose<double>> step_in_the_body(const Flight& flight, double h, double kick,
                                           const std::vector<double>& impulse) {
  const LieBeamModel& m = flight.model;
  std::vector<Pose<double>> next;
  Wrench<double> from_left{};
  for (std::size_t a = 0; a < m.nodes; ++a) {
    const Pose<double> g = Layout::pose(flight.q, a);
    const double w = m.weight(a);
    const auto body = [&](const Wrench<double>& f) {
      return Wrench<double>{rotate(inverse(g.q), f.m), rotate(inverse(g.q), f.n)};
    };
    Wrench<double> mu = 1.0 / w * body(Layout::momentum(flight.p, a));
    Wrench<double> lambda{};
    Twist<double> eta{};
    if (a < m.last()) {
      eta = strain(g, Layout::pose(flight.q, a + 1), m.spacing);
      lambda = dcayley_inverse_dual(m.spacing * eta,
                                    Wrench<double>{scale(m.section.bend, eta.w),
                                                   scale(m.section.stretch, eta.c - Vector3<double>{0.0, 0.0, 1.0})});
    }
    mu = mu + kick / w * (lambda - from_left);
    from_left = coadjoint(cayley(m.spacing * eta), lambda);
    mu = mu + kick * body({m.loads.per_length.m, m.loads.per_length.n + m.section.mass * m.gravity});
    if (a == 0) mu = mu + kick / w * body(m.loads.start);
    if (a == m.last()) mu = mu + kick / w * body(m.loads.end);
    if (!impulse.empty()) mu = mu + 1.0 / w * body(Layout::momentum(impulse, a));
    // Fixed-point iteration on all six dofs: slow, but another way than the kernel's.
    Twist<double> xi{};
    for (int i = 0; i < 400; ++i) {
      const Wrench<double> residual =
          mu - dcayley_inverse_dual(h * xi, Wrench<double>{scale(m.section.inertia, xi.w), m.section.mass * xi.c});
      const Vector3<double>& j = m.section.inertia;
      xi = xi + 0.7 * Twist<double>{{residual.m.x / j.x, residual.m.y / j.y, residual.m.z / j.z},
                                    1.0 / m.section.mass * residual.n};
    }
    next.push_back(g * cayley(h * xi));
  }
  return next;
}

TEST(LieBeamStep, DoesWhatTheEquationsInTheBodySay) {
  const double h = 0.01, kick = 0.013;
  for (const std::size_t nodes : {2u, 7u, 8u, 9u, 10u, 11u, 37u, 200u}) {
    for (const LieBeamMesh mesh : {LieBeamMesh::rectangle, LieBeamMesh::triangle, LieBeamMesh::slender}) {
      if (mesh == LieBeamMesh::slender && nodes < 7) continue;  // its ends would share nodes
      Flight flight = random_flight(nodes, mesh, static_cast<unsigned>(nodes));
      std::vector<double> impulse(flight.model.size());
      Layout::set_momentum(impulse, nodes / 2, {{0.01, -0.02, 0.03}, {0.2, 0.1, -0.3}});
      const std::vector<Pose<double>> expected = step_in_the_body(flight, h, kick, impulse);
      const LieBeamTotals totals = flight.step(h, kick, impulse);
      EXPECT_TRUE(totals.converged);
      EXPECT_LE(totals.iterations, 4);
      for (std::size_t a = 0; a < nodes; ++a) {
        const Pose<double> g = Layout::pose(flight.q, a);
        // The fixed-point reference settles to about 1e-14; h ξ adds nothing to that.
        EXPECT_NEAR(std::sqrt(norm_sq(g.r - expected[a].r)), 0.0, 1e-13) << nodes << " nodes, node " << a;
        EXPECT_NEAR(std::sqrt(norm_sq(cayley_inverse(inverse(expected[a].q) * g.q))), 0.0, 1e-13)
            << nodes << " nodes, node " << a;
        EXPECT_NEAR(g.q.s * g.q.s + norm_sq(g.q.v), 1.0, 1e-15);
      }
    }
  }
}

TEST(LieBeamStep, ReportsTheEnergiesOfItsStep) {
  const double h = 0.01;
  Flight flight = random_flight(37, LieBeamMesh::rectangle, 5);
  const LieBeamModel& m = flight.model;
  const std::vector<double> q = flight.q;
  double strain_energy = 0.0, potential = 0.0, turn = 0.0;
  for (std::size_t a = 0; a < m.nodes; ++a) {
    const Pose<double> g = Layout::pose(q, a);
    potential -= m.weight(a) * dot(m.section.mass * m.gravity + m.loads.per_length.n, g.r);
    if (a == 0) potential -= dot(m.loads.start.n, g.r);
    if (a == m.last()) potential -= dot(m.loads.end.n, g.r);
    if (a == m.last()) continue;
    const Twist<double> eta = strain(g, Layout::pose(q, a + 1), m.spacing);
    strain_energy += m.spacing * strain_energy_density(eta, m.section.stretch, m.section.bend);
    turn = std::max(turn, norm_sq(0.5 * m.spacing * eta.w));
  }
  const LieBeamPotential before = lie_beam_potential(m, q);
  const LieBeamTotals totals = flight.step(h, h);
  double kinetic = 0.0, step_turn = 0.0;
  for (std::size_t a = 0; a < m.nodes; ++a) {
    const Twist<double> xi = 1.0 / h * cayley_inverse(inverse(Layout::pose(q, a)) * Layout::pose(flight.q, a));
    kinetic += m.weight(a) * kinetic_energy_density(xi, m.section.inertia, m.section.mass);
    step_turn = std::max(step_turn, norm_sq(0.5 * h * xi.w));
  }
  EXPECT_NEAR(totals.strain / strain_energy, 1.0, 1e-14);
  EXPECT_NEAR(totals.potential / potential, 1.0, 1e-14);
  EXPECT_NEAR(before.strain / strain_energy, 1.0, 1e-14);
  EXPECT_NEAR(before.potential / potential, 1.0, 1e-14);
  EXPECT_NEAR(before.element_turn_sq / turn, 1.0, 1e-13);
  EXPECT_NEAR(totals.element_turn_sq / turn, 1.0, 1e-13);
  // Velocities from differences of poses lose digits: |r|/|h γ| ~ 1e2.
  EXPECT_NEAR(totals.kinetic / kinetic, 1.0, 1e-11);
  EXPECT_NEAR(totals.step_turn_sq / step_turn, 1.0, 1e-11);
}

TEST(LieBeamStep, ReportsTheEnergiesAroundItsKick) {
  const double h = 0.01, kick = 0.013;
  Flight flight = random_flight(13, LieBeamMesh::rectangle, 4);
  flight.model.clamped_end = true;
  Layout::set_momentum(flight.p, 12, {});
  std::vector<double> impulse(flight.model.size());
  Layout::set_momentum(impulse, 5, {{0.01, -0.02, 0.03}, {0.2, 0.1, -0.3}});
  std::vector<double> force(flight.model.size()), out = flight.p;
  lie_beam_kick(flight.model, 1.0, flight.q, force);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += kick * force[i] + impulse[i];
  const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {  // a·M⁻¹b
    double sum = 0.0;
    for (std::size_t node = 0; node < 12; ++node) {
      const math::Rotation<double> turn = Layout::pose(flight.q, node).q;
      const Twist<double> v = velocity(flight.model, node, flight.q, b);
      const Wrench<double> m = Layout::momentum(a, node);
      sum += dot(m.m, rotate(turn, v.w)) + dot(m.n, rotate(turn, v.c));
    }
    return sum;
  };
  const double kinetic_in = 0.5 * product(flight.p, flight.p), kinetic_out = 0.5 * product(out, out);
  const double power_in = product(force, flight.p), power_out = product(force, out), force_sq = product(force, force);
  const LieBeamKick found = flight.step(h, kick, impulse).kick;
  EXPECT_NEAR(found.kinetic_in / kinetic_in, 1.0, 1e-13);
  EXPECT_NEAR(found.kinetic_out / kinetic_out, 1.0, 1e-13);
  EXPECT_NEAR(found.power_in / power_in, 1.0, 1e-12);
  EXPECT_NEAR(found.power_out / power_out, 1.0, 1e-12);
  EXPECT_NEAR(found.force_sq / force_sq, 1.0, 1e-13);
}

TEST(LieBeamStep, KickAloneIsTheStepsKick) {
  Flight flight = random_flight(21, LieBeamMesh::rectangle, 8);
  flight.model.clamped_start = true;
  std::vector<double> kicked = flight.p;
  lie_beam_kick(flight.model, 0.02, flight.q, kicked);
  const std::vector<double> q = flight.q;
  flight.step(0.01, 0.02);
  for (std::size_t a = 0; a < flight.model.nodes; ++a) {
    const Wrench<double> expected = Layout::momentum(kicked, a), found = Layout::momentum(flight.p, a);
    const Vector3<double> moved = Layout::get(flight.q, a, Layout::position) - Layout::get(q, a, Layout::position);
    EXPECT_NEAR(norm_sq(found.n - expected.n), 0.0, 1e-28);
    EXPECT_NEAR(norm_sq(found.m + cross(moved, found.n) - expected.m), 0.0, 1e-28);
  }
}

TEST(LieBeamStep, KeepsMomentumToRoundOff) {
  Flight flight = random_flight(37, LieBeamMesh::rectangle, 6);
  flight.model.gravity = {};
  flight.model.loads = {};
  const Wrench<double> before = momentum_map(flight.model, flight.q, flight.p);
  for (int j = 0; j < 1000; ++j) flight.step(0.01, 0.01);
  const Wrench<double> after = momentum_map(flight.model, flight.q, flight.p);
  EXPECT_NEAR(std::sqrt(norm_sq(after.n - before.n)), 0.0, 1e-13);
  EXPECT_NEAR(std::sqrt(norm_sq(after.m - before.m)), 0.0, 1e-12);  // arms of several metres
}

TEST(LieBeamStep, ClampedNodesStayAndHandOnWhatTheyReceive) {
  Flight flight = random_flight(13, LieBeamMesh::rectangle, 7);
  flight.model.clamped_start = flight.model.clamped_end = true;
  flight.model.gravity = {};
  flight.model.loads = {};
  for (const std::size_t a : {std::size_t{0}, flight.model.last()}) Layout::set_momentum(flight.p, a, {});
  const Pose<double> first = Layout::pose(flight.q, 0), last = Layout::pose(flight.q, flight.model.last());
  Wrench<double> total = momentum_map(flight.model, flight.q, flight.p);
  for (int j = 0; j < 100; ++j) {
    const LieBeamTotals totals = flight.step(0.01, 0.01);
    const auto at = [](const Wrench<double>& support, const Vector3<double>& r) {
      return Wrench<double>{support.m + cross(r, support.n), support.n};
    };
    total = total - at(totals.start_support, first.r) - at(totals.end_support, last.r);
  }
  const Wrench<double> after = momentum_map(flight.model, flight.q, flight.p);
  EXPECT_NEAR(norm_sq(after.n - total.n) + norm_sq(after.m - total.m), 0.0, 1e-24);
  EXPECT_EQ(Layout::get(flight.q, 0, Layout::position), first.r);
  EXPECT_EQ(Layout::get(flight.q, flight.model.last(), Layout::position), last.r);
  EXPECT_NEAR(norm_sq(Layout::pose(flight.q, 0).q.v - first.q.v), 0.0, 1e-31);
}

TEST(LieBeamStep, SameBitsOnAnyNumberOfThreadsAndInAnyCompany) {
  const std::size_t nodes = 10000;  // several of the executor's blocks
  Flight one = random_flight(nodes, LieBeamMesh::rectangle, 3), two = random_flight(nodes, LieBeamMesh::rectangle, 3);
  LieBeamTotals totals_one, totals_two;
  for (int j = 0; j < 5; ++j) {
    totals_one = one.step(0.01, 0.01);
    totals_two = two.step(0.01, 0.01, {}, 2);
  }
  EXPECT_EQ(one.q, two.q);
  EXPECT_EQ(one.p, two.p);
  EXPECT_EQ(totals_one.kinetic, totals_two.kinetic);
  EXPECT_EQ(totals_one.strain, totals_two.strain);

  std::vector<Flight> flights;
  std::vector<LieBeamJob> jobs;
  for (unsigned i = 0; i < 60; ++i) flights.push_back(random_flight(100 + i, LieBeamMesh::rectangle, i));
  for (Flight& f : flights)
    jobs.push_back({&f.model, 0.01, 0.01, f.q.data(), f.p.data(), nullptr, f.q_next.data(), f.p_next.data()});
  LieBeamStepper stepper;
  const auto totals = stepper.step(exec::Executor(2), jobs);
  for (std::size_t i = 0; i < flights.size(); ++i) {
    Flight alone = random_flight(flights[i].model.nodes, LieBeamMesh::rectangle, static_cast<unsigned>(i));
    const LieBeamTotals expected = alone.step(0.01, 0.01);
    EXPECT_EQ(flights[i].q_next, alone.q);
    EXPECT_EQ(flights[i].p_next, alone.p);
    EXPECT_EQ(totals[i].kinetic, expected.kinetic);
  }
}

TEST(LieBeamStep, MovesByMoreThanItsThicknessStillConverge) {
  Flight flight = random_flight(16, LieBeamMesh::rectangle, 9);
  for (std::size_t a = 0; a < 16; ++a) {
    Wrench<double> momentum = Layout::momentum(flight.p, a);
    momentum.n = 100.0 * momentum.n;
    Layout::set_momentum(flight.p, a, momentum);
  }
  const LieBeamTotals totals = flight.step(0.01, 0.01);
  EXPECT_TRUE(totals.converged);
  EXPECT_LT(totals.step_turn_sq, 1.0);
}

TEST(LieBeamFrame, HasARadiusWhereItsSectionIsRound) {
  const testing::PaperBeam paper = testing::free_beam(testing::Stiffness::physical);
  LieBeamProperties beam{paper.model, paper.start, paper.strains, paper.velocities};
  std::vector<double> q(beam.model.size()), v(beam.model.size());
  set_shape(beam.model, beam.start, beam.strains, q);
  const auto radius = [&](const SectionOutline& outline) {
    beam.model.outline = outline;
    const Picture picture = draw_lie_beam(beam, q, v);
    const auto found = std::find_if(picture.fields.begin(), picture.fields.end(),
                                    [](const Picture::Field& field) { return field.name == "radius"; });
    return found == picture.fields.end() ? std::vector<double>() : found->values;
  };
  EXPECT_EQ(radius({.radius = 0.02}), std::vector<double>(beam.model.nodes, 0.02));
  EXPECT_TRUE(radius({.half_width = 0.02, .half_height = 0.02}).empty());
  EXPECT_TRUE(radius({}).empty());
}

}  // namespace
}  // namespace ictus::mechanics
