#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ictus/dynamics/explicit/central_difference.hpp>
#include <ictus/dynamics/explicit/shadow_energy.hpp>
#include <ictus/mechanics/bar/bar.hpp>

namespace ictus::dynamics {
namespace {

System vibrating_bar(mechanics::BarMaterial material) {
  mechanics::BarProperties bar{};
  bar.length = 1;
  bar.elements = 6;
  bar.mass_per_length = 1;
  bar.stiffness = 1;
  bar.material = material;
  bar.direction = {1, 0, 0};
  bar.start = {0, 0, 0};
  std::vector<BodyPtr> bodies;
  bodies.push_back(std::make_unique<mechanics::Bar>("bar", bar, 0));
  return {std::move(bodies), {}, exec::Executor(1)};
}

/// Largest relative change over time 20 of the shadow energy and of the trapezoid energy, from a stretched state.
std::pair<double, double> changes(mechanics::BarMaterial material, double h) {
  const System system = vibrating_bar(material);
  CentralDifference scheme;
  ShadowEnergy shadow;
  scheme.prepare(system);
  shadow.prepare(system);
  model::State state = system.initial_state();
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    state.q[i] = 0.1 * std::sin(2.0 * static_cast<double>(i) / 6) + 0.05 * std::cos(9.0 * static_cast<double>(i) / 6);
  }
  scheme.start(system, h, state);
  const auto trapezoid = [&] {
    const mechanics::PotentialEnergy v = system.trapezoid_energy(state.q, state.p, h);
    return system.kinetic_energy(state.p) + v.strain;
  };
  const double shadow_0 = shadow.evaluate(system, h, state.q, state.p), trapezoid_0 = trapezoid();
  std::pair<double, double> worst;
  for (int n = 0; n < std::lround(20 / h); ++n) {
    scheme.step(system, h, state);
    const double now = shadow.evaluate(system, h, state.q, state.p);
    worst.first = std::max(worst.first, std::abs(now / shadow_0 - 1));
    worst.second = std::max(worst.second, std::abs(trapezoid() / trapezoid_0 - 1));
  }
  return worst;
}

TEST(ShadowEnergy, IsOfFourthOrderWhereTheTrapezoidIsOfSecond) {
  const auto [shadow_coarse, trapezoid_coarse] = changes(mechanics::BarMaterial::st_venant_kirchhoff, 0.02);
  const auto [shadow_fine, trapezoid_fine] = changes(mechanics::BarMaterial::st_venant_kirchhoff, 0.01);
  EXPECT_NEAR(std::log2(shadow_coarse / shadow_fine), 4, 0.3);
  EXPECT_NEAR(std::log2(trapezoid_coarse / trapezoid_fine), 2, 0.3);
  EXPECT_LT(shadow_fine, trapezoid_fine / 100);
}

TEST(ShadowEnergy, IsTheExactInvariantOfLinearBars) {
  EXPECT_LT(changes(mechanics::BarMaterial::linear, 0.15).first, 1e-13);
}

}  // namespace
}  // namespace ictus::dynamics
