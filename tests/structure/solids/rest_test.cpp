// Nonlinear solids at rest under their weight.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/newmark.hpp>
#include <ictus/dynamics/static_equilibrium.hpp>
#include <ictus/mechanics/solid.hpp>

namespace ictus {
namespace {

using dynamics::System;
using geometry::VolumeElement;
using mechanics::Solid;
using mechanics::SolidMaterial;
using mechanics::SolidProperties;

constexpr int cells = 8;

/// A column of unit length and section and ν = 0, guided so that it only stretches, held at its start; weight/μ is that
/// of all of it.
System column(SolidMaterial material, double weight) {
  const auto mesh = geometry::box_mesh({1, 1, 1}, {cells, 1, 1}, VolumeElement::hexahedron);
  SolidProperties properties;
  properties.material = material;
  properties.lame = {0.0, 1.0};
  properties.density = 1;
  properties.gravity = {weight, 0, 0};
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    properties.held.push_back({static_cast<int>(i), {mesh.nodes[i].x() == 0, true, true}});
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<Solid>("column", mesh, properties, 0));
  return {std::move(bodies), {}, exec::Executor(1)};
}

/// Element e carries what hangs below its middle, P = w (1 − (e + ½)/n), and the law P = μ(F − 1/F) gives its stretch.
TEST(Rest, HangingNeoHookeanColumnStretchesByItsLaw) {
  for (const double weight : {0.1, 20.0, -20.0}) {
    const System system = column(SolidMaterial::neo_hookean, weight);
    const dynamics::RestState rest = dynamics::static_equilibrium(system);
    const std::vector<double> before = system.initial_state().q;
    double x = 0;
    for (int e = 0; e < cells; ++e) {
      const double pull = weight * (1 - (e + 0.5) / cells);
      x += (pull + std::hypot(pull, 2.0)) / 2 / cells;
      for (std::size_t k = 0; k < before.size(); k += 3) {
        if (std::abs(before[k] - (e + 1.0) / cells) > 1e-9) continue;
        EXPECT_NEAR(rest.q[k], x, 1e-11 * (1 + x));
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
  const double most = 2 / (3 * std::sqrt(3.0)) / (1 - 0.5 / cells);
  EXPECT_NO_THROW(dynamics::static_equilibrium(column(SolidMaterial::st_venant_kirchhoff, -0.95 * most)));
  try {
    dynamics::static_equilibrium(column(SolidMaterial::st_venant_kirchhoff, -2 * most));
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

}  // namespace
}  // namespace ictus
