// Nonlinear solids at rest under their weight.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/equilibrium/static_equilibrium.hpp>
#include <ictus/dynamics/implicit/newmark.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>
#include <ictus/mechanics/solid/solid.hpp>

namespace ictus {
namespace {

using dynamics::System;
using geometry::VolumeElement;
using mechanics::Solid;
using mechanics::SolidMaterial;
using mechanics::SolidProperties;

constexpr int column_cells = 8;

/// A column of unit length and section and ν = 0, guided so that it only stretches, held at its start; weight/μ is that
/// of all of it.
System column(SolidMaterial material, double weight, double far = 0) {
  auto mesh = geometry::box_mesh({1, 1, 1}, {column_cells, 1, 1}, VolumeElement::hexahedron);
  SolidProperties properties;
  properties.material = material;
  properties.lame = {0.0, 1.0};
  properties.density = 1;
  properties.gravity = {weight, 0, 0};
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    properties.held.push_back({static_cast<int>(i), {mesh.nodes[i].x() == 0, true, true}});
  for (math::Vec3& x : mesh.nodes) x += math::Vec3(far, far, far) / 3;
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<Solid>("column", mesh, properties, 0));
  return {std::move(bodies), {}, exec::Executor(1)};
}

/// CD-Lagrange at the beginning of a run from a state of rest.
struct StartedAtRest {
  StartedAtRest(System& system, const dynamics::RestState& rest) {
    system.begin_at(rest);
    state = system.initial_state();
    h = 0.5 * dynamics::explicit_step_limit(system).step;
    scheme.prepare(system);
    scheme.start(system, h, state);
  }

  dynamics::CdLagrange scheme;
  model::State state;
  double h = 0;
};

/// Element e carries what hangs below its middle, P = w (1 − (e + ½)/n), and the law P = μ(F − 1/F) gives its stretch.
TEST(Rest, HangingNeoHookeanColumnStretchesByItsLaw) {
  for (const double weight : {0.1, 20.0, -20.0}) {
    const System system = column(SolidMaterial::neo_hookean, weight);
    const dynamics::RestState rest = dynamics::static_equilibrium(system);
    const std::vector<double> before = system.initial_state().q;
    double x = 0;
    for (int e = 0; e < column_cells; ++e) {
      const double pull = weight * (1 - (e + 0.5) / column_cells);
      x += (pull + std::hypot(pull, 2.0)) / 2 / column_cells;
      for (std::size_t k = 0; k < before.size(); k += 3) {
        if (std::abs(before[k] - (e + 1.0) / column_cells) > 1e-9) continue;
        EXPECT_NEAR(rest.q[k], x, 1e-11 * (1 + x));
      }
    }
  }
}

/// The last digits of coordinates of some thousand lengths make forces near those of the load, or above them: what they
/// hide cannot be found, and what is left of the load is.
TEST(Rest, IsFoundToTheLastDigitsOfTheConfiguration) {
  constexpr double far = 1e4, digits = 1e-11;
  for (const SolidMaterial material : {SolidMaterial::linear, SolidMaterial::neo_hookean}) {
    for (const double weight : {1e-3, 1e-7, 1e-9, 0.0}) {
      const System system = column(material, weight, far);
      const dynamics::RestState rest = dynamics::static_equilibrium(system);
      const std::vector<double> before = system.initial_state().q;
      for (std::size_t k = 0; k < before.size(); k += 3) {
        const double along = before[k] - far / 3, share = along - along * along / 2;  // f = P/2μ for small loads
        EXPECT_NEAR(rest.q[k] - before[k], weight / 2 * share, digits + weight * weight) << weight;
      }
    }
  }
}

TEST(Rest, StaysWhereItIs) {
  System system = column(SolidMaterial::neo_hookean, 3.0);
  system.begin_at(dynamics::static_equilibrium(system));
  dynamics::Newmark newmark({0.5, 0.25});
  model::State state = system.initial_state();
  const std::vector<double> before = state.q;
  newmark.prepare(system);
  newmark.start(system, 0.1, state);
  for (int n = 0; n < 20; ++n) newmark.step(system, 0.1, state);
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(state.q[k], before[k], 1e-11);
}

/// St Venant–Kirchhoff's law resists compression no further than F = 1/√3, P = −2μ/(3√3): a column that stands and is
/// heavier than that has nowhere to rest.
TEST(Rest, TellsWhereACollapseBegins) {
  const double limit = 2 / (3 * std::sqrt(3.0)) / (1 - 0.5 / column_cells);
  EXPECT_NO_THROW(dynamics::static_equilibrium(column(SolidMaterial::st_venant_kirchhoff, -0.95 * limit)));
  try {
    dynamics::static_equilibrium(column(SolidMaterial::st_venant_kirchhoff, -2 * limit));
    FAIL() << "found a rest that there is not";
  } catch (const base::NumericalFailure& failure) {
    EXPECT_NE(std::string(failure.where()).find("of the loads"), std::string::npos) << failure.where();
  }
}

TEST(Rest, NamesWhatNothingHolds) {
  SolidProperties properties;
  properties.lame = mechanics::lame(1.0, 0.3);
  properties.density = 1;
  properties.gravity = {0, 0, -1};
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<Solid>(
      "loose", geometry::box_mesh({1, 1, 1}, {2, 2, 2}, VolumeElement::tetrahedron), properties, 0));
  const System system(std::move(bodies), {}, exec::Executor(1));
  try {
    dynamics::static_equilibrium(system);
    FAIL() << "a free body came to rest";
  } catch (const base::NumericalFailure& failure) {
    EXPECT_NE(std::string(failure.where()).find("of loose"), std::string::npos) << failure.where();
  }
}

/// Blocks on top of each other on a plane with a normal, each `gap` above what it lies on.
System stack(std::size_t blocks, SolidMaterial material, double gap, const math::Vec3& normal = {0, 0, 1}) {
  SolidProperties properties;
  properties.material = material;
  properties.lame = mechanics::lame(1e5, 0.3);
  properties.density = 1;
  properties.gravity = {0, 0, -10};
  std::vector<dynamics::BodyPtr> bodies;
  std::vector<contact::ContactPair> pairs;
  double height = gap;
  std::size_t dof = 0;
  constexpr double thickness = 0.01;
  for (std::size_t i = 0; i < blocks; ++i) {
    const double size = 1 - 0.3 * static_cast<double>(i);
    auto mesh = geometry::box_mesh({size, size, 0.5}, {3, 3, 2}, VolumeElement::hexahedron);
    for (math::Vec3& x : mesh.nodes) x += math::Vec3(-0.5 * size, -0.5 * size, height);
    bodies.push_back(std::make_unique<Solid>("block" + std::to_string(i), mesh, properties, dof));
    dof = bodies.back()->dofs().end();
    height += 0.5 + thickness + gap;
    if (i > 0)
      pairs.push_back({"block" + std::to_string(i - 1),
                       "block" + std::to_string(i),
                       &bodies[i - 1]->surface(),
                       &bodies[i]->surface(),
                       {},
                       0.0,
                       0,
                       0});
  }
  bodies.push_back(std::make_unique<mechanics::Obstacle>("floor", model::Plane{{0, 0, 0}, normal.normalized()}));
  pairs.push_back({"block0", "floor", &bodies[0]->surface(), &bodies.back()->surface(), {}, 0.0, 0, 0});
  for (contact::ContactPair& pair : pairs) pair.thickness = thickness;
  return {std::move(bodies), std::move(pairs), exec::Executor(1)};
}

/// What the constraints of a pair push by, all together.
double force_of(const dynamics::RestState& rest, std::size_t pair) {
  double sum = 0;
  for (std::size_t i = 0; i < rest.surfaces.size(); ++i) {
    EXPECT_GE(rest.surface_force[i], 0);
    if (static_cast<std::size_t>(rest.surfaces.contact(i).pair) == pair) sum += rest.surface_force[i];
  }
  return sum;
}

/// Gaps are closed where something pushes, and nowhere less than that.
void expect_complementary(const System& system, const dynamics::RestState& rest) {
  const std::vector<double> start = system.initial_state().q;
  for (std::size_t i = 0; i < rest.surfaces.size(); ++i) {
    const double gap =
        rest.surfaces.gap(i) + model::dot(rest.surfaces.row(i), rest.q) - model::dot(rest.surfaces.row(i), start);
    EXPECT_GE(gap, -1e-13);
    if (rest.surface_force[i] > 0) {
      EXPECT_LE(gap, 1e-13);
    }
  }
}

TEST(Rest, BlocksLieOnEachOtherAndOnTheFloor) {
  for (const SolidMaterial material : {SolidMaterial::linear, SolidMaterial::neo_hookean}) {
    for (const double gap : {0.0, 1e-3}) {
      System system = stack(2, material, gap);
      const dynamics::RestState rest = dynamics::static_equilibrium(system);
      const double upper = 10 * 0.7 * 0.7 * 0.5, lower = 10 * 0.5;
      // εM lets bodies tilt by rounding over ε.
      EXPECT_NEAR(force_of(rest, 0), upper, 1e-8);
      EXPECT_NEAR(force_of(rest, 1), upper + lower, 1e-8);
      expect_complementary(system, rest);
      const StartedAtRest run(system, rest);
      // Half a step of all forces leaves everything where it is.
      for (std::size_t k = 0; k < run.state.p.size(); ++k)
        ASSERT_LT(std::abs(run.state.p[k]), 1e-8 * run.h * 10 / system.inverse_mass()[k]) << k;
    }
  }
}

TEST(Rest, ABlockOnTheFloorStaysThere) {
  for (const SolidMaterial material : {SolidMaterial::linear, SolidMaterial::neo_hookean}) {
    System system = stack(1, material, 1e-3);
    const dynamics::RestState rest = dynamics::static_equilibrium(system);
    StartedAtRest run(system, rest);
    model::Lost lost;
    for (int n = 0; n < 200; ++n) lost += run.scheme.step(system, run.h, run.state).lost;
    double worst = 0, fallen = 0;  // the latter: energy of half a step's fall
    for (std::size_t k = 0; k < rest.q.size(); ++k) {
      worst = std::max(worst, std::abs(run.state.q[k] - rest.q[k]));
      fallen += k % 3 == 2 ? 12.5 * run.h * run.h / system.inverse_mass()[k] : 0;
    }
    EXPECT_LT(worst, 1e-13);  // of 1.4e-5 by which its weight presses it together
    for (std::size_t i = 0; i < model::loss_names.size(); ++i)
      EXPECT_NEAR(lost[static_cast<model::Loss>(i)], 0, 1e-6 * fallen) << model::loss_names[i];
  }
}

/// A beam that is clamped at one end, δ over a floor on which it sags. It is free over a length a and flat beyond it: a
/// deflection of constant fourth derivative q/EI that begins with the value and the first two derivatives zero and ends
/// without slope at the clamp has δ = q a⁴/(72 EI), and qa/3 at the first point that touches. Linear elements of
/// length l are too stiff in bending by the factor 1 + (G/E)(l/height)².
TEST(Rest, SurfacesPushOnlyWhereTheyTouch) {
  const double length = 4, delta = 0.01, cell = 4.0 / 64;
  auto mesh = geometry::box_mesh({length, 0.5, 0.2}, {64, 2, 1}, VolumeElement::hexahedron);
  SolidProperties properties;
  properties.material = SolidMaterial::linear;
  properties.lame = mechanics::lame(1e5, 0.0);
  properties.density = 1;
  properties.gravity = {0, 0, -10};
  for (const int node : mesh.node_sets.at("left")) properties.held.push_back({node, {true, true, true}});
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<Solid>("beam", mesh, properties, 0));
  bodies.push_back(std::make_unique<mechanics::Obstacle>("floor", model::Plane{{0, 0, -delta}, {0, 0, 1}}));
  std::vector<contact::ContactPair> pairs{
      {"beam", "floor", &bodies[0]->surface(), &bodies[1]->surface(), {}, 0.0, 0, 0}};
  const System system(std::move(bodies), std::move(pairs), exec::Executor(1));
  const dynamics::RestState rest = dynamics::static_equilibrium(system);
  expect_complementary(system, rest);
  double pushed_from = 4;
  for (std::size_t i = 0; i < rest.surfaces.size(); ++i) {
    if (rest.surface_force[i] > 0) pushed_from = std::min(pushed_from, rest.surfaces.contact(i).point.x());
  }
  const double load = 10 * 0.5 * 0.2,
               stiffness = 1e5 * 0.5 * std::pow(0.2, 3) / 12 * (1 + 0.5 * std::pow(cell / 0.2, 2));
  const double free_length = std::pow(72 * stiffness * delta / load, 0.25);
  EXPECT_NEAR(pushed_from, free_length, 2 * cell);
  EXPECT_NEAR(force_of(rest, 0), load * (length - free_length) + load * free_length / 3, 0.01 * load * length);
}

/// Hexahedra under a uniform pressure are stressed uniformly: every node of the pressed face moves by p L/E.
TEST(Rest, UniformPressureMovesAFaceEvenly) {
  auto mesh = geometry::box_mesh({1, 1.5, 2}, {3, 2, 4}, VolumeElement::hexahedron);
  SolidProperties properties;
  properties.material = SolidMaterial::linear;
  properties.lame = mechanics::lame(100, 0.3);
  properties.density = 1;
  const auto hold = [&](const std::string& set, const std::array<bool, 3>& directions) {
    for (const int node : mesh.node_sets.at(set)) properties.held.push_back({node, directions});
  };
  hold("bottom", {false, false, true});
  hold("left", {true, false, false});
  hold("front", {false, true, false});
  mechanics::SolidPressure top{{}, 0.1};
  for (const geometry::OuterFace& face : geometry::outer_faces(mesh)) {
    if (std::all_of(face.begin(), face.end(), [&](int i) { return mesh.nodes[static_cast<std::size_t>(i)].z() == 2; }))
      top.faces.push_back(face);
  }
  properties.pressures = {top};
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<Solid>("block", mesh, properties, 0));
  const System system(std::move(bodies), {}, exec::Executor(1));
  const dynamics::RestState rest = dynamics::static_equilibrium(system);
  for (const int node : mesh.node_sets.at("top"))
    EXPECT_NEAR(rest.q[static_cast<std::size_t>(3 * node + 2)], 2 - 0.1 * 2 / 100, 1e-13);
}

TEST(Rest, NothingRestsOnASlopeWithoutFriction) {
  try {
    dynamics::static_equilibrium(stack(1, SolidMaterial::linear, 0.2, {0.01, 0, 1}));
    FAIL() << "a block rests on a slope";
  } catch (const base::NumericalFailure& failure) {
    EXPECT_NE(std::string(failure.where()).find("of block0"), std::string::npos) << failure.where();
  }
}

}  // namespace
}  // namespace ictus
