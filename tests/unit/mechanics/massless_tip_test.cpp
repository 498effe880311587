#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ictus/mechanics/bar/bar.hpp>
#include <numeric>

#include "unit/mechanics/serial.hpp"

namespace ictus::mechanics {
namespace {

BarProperties sample(std::size_t elements) {
  BarProperties bar{};
  bar.length = 2.0;
  bar.elements = elements;
  bar.mass_per_length = 3.0;
  bar.stiffness = 11.0;
  bar.start = {0.5, 0, 0};
  bar.direction = {1, 0, 0};
  bar.massless_start = bar.massless_end = true;
  return bar;
}

/// ω² of the fastest mode by power iteration on M⁻¹K.
double fastest_mode(const Bar& bar) {
  const std::span<const double> m = bar.mass();
  std::vector<double> q(m.size()), f(m.size());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = (i % 2 == 0 ? 1.0 : -1.0) / static_cast<double>(i + 1);
  double omega_sq = 0;
  // The modes of the two tips nearly coincide in a longer bar; many iterations part them.
  for (int iteration = 0; iteration < 30000; ++iteration) {
    std::fill(f.begin(), f.end(), 0.0);
    bar.kick(serial, q, -1.0, f);
    double potential = 0, kinetic = 0;
    for (std::size_t i = 0; i < q.size(); ++i) potential += q[i] * f[i], kinetic += m[i] * q[i] * q[i];
    omega_sq = potential / kinetic;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = f[i] / m[i] / omega_sq;
  }
  return omega_sq;
}

TEST(MasslessTip, StretchedBarIsInEquilibriumWithTheMassesAQuarterInside) {
  for (const std::size_t elements : {1u, 2u, 9u}) {
    const Bar bar("bar", sample(elements), 0);
    const double l = bar.element_length(), strain = 0.01;
    std::vector<double> q(elements + 1), f(q.size(), 0.0);
    for (std::size_t i = 0; i <= elements; ++i) q[i] = strain * static_cast<double>(i) * l;
    q.front() += strain * l / 4;
    q.back() -= strain * l / 4;
    bar.kick(serial, q, 1.0, f);
    EXPECT_NEAR(f.front(), 11.0 * strain, 1e-15) << elements << " elements";
    EXPECT_NEAR(f.back(), -11.0 * strain, 1e-15) << elements << " elements";
    for (std::size_t i = 1; i < elements; ++i) EXPECT_NEAR(f[i], 0.0, 1e-15);
    // The layer under the same force takes up what is left of the length.
    EXPECT_NEAR(bar.surface().layer_compliance(1) * 11.0 * strain, strain * l / 4, 1e-17);
  }
}

TEST(MasslessTip, MassOfTheBarIsKept) {
  const Bar bar("bar", sample(5), 0);
  EXPECT_NEAR(std::accumulate(bar.mass().begin(), bar.mass().end(), 0.0), 6.0, 1e-14);
}

TEST(MasslessTip, FixedEndHasNoLayer) {
  BarProperties properties = sample(4);
  properties.fixed_start = true;
  const Bar bar("bar", properties, 0);
  EXPECT_EQ(bar.surface().layer_compliance(0), 0.0);
  EXPECT_NEAR(bar.surface().layer_compliance(1), 0.25 * 0.5 / 11.0, 1e-16);
}

TEST(MasslessTip, CriticalStepIsThatOfTheFastestMode) {
  for (const std::size_t elements : {1u, 2u, 3u, 4u, 7u}) {
    const Bar bar("bar", sample(elements), 0);
    EXPECT_NEAR(bar.critical_step().step * std::sqrt(fastest_mode(bar)), 2.0, 1e-12) << elements << " elements";
  }
}

TEST(MasslessTip, CriticalStepOfAFineBarIsThatOfTheTipMode) {
  const Bar bar("bar", sample(60), 0);
  const double crossing = bar.element_length() * std::sqrt(3.0 / 11.0);
  // The two ends feel each other by r^60, r = 0.46.
  EXPECT_NEAR(bar.critical_step().step / crossing, std::pow(3.0, 0.25) / std::sqrt(2.0), 1e-12);
}

/// Energy of an interval against its definition V(q) − ½ h f(q)·v, for both laws with and without tips.
TEST(MasslessTip, IntervalEnergyIsTheEnergyLessHalfTheWork) {
  for (const BarMaterial material : {BarMaterial::linear, BarMaterial::st_venant_kirchhoff}) {
    for (const bool tips : {false, true}) {
      BarProperties properties = sample(3);
      properties.material = material;
      properties.massless_start = properties.massless_end = tips;
      properties.gravity = {-9, 2, 0};
      const Bar bar("bar", properties, 0);
      const std::vector<double> q{0.1, 0.03, -0.2, 0.15}, p{0.5, -0.4, 0.9, 0.2};
      const double h = 0.3;
      std::vector<double> f(4, 0.0);
      bar.kick(serial, q, 1.0, f);
      double work = 0;
      for (std::size_t i = 0; i < 4; ++i) work += h * f[i] * p[i] / bar.mass()[i];
      const PotentialEnergy v = bar.potential_energy(serial, q), e = bar.interval_energy(serial, q, p, h);
      EXPECT_NEAR(e.strain + e.gravity, v.strain + v.gravity - 0.5 * work, 1e-13);
    }
  }
}

TEST(MasslessTip, ForceIsMinusTheGradient) {
  for (const BarMaterial material : {BarMaterial::linear, BarMaterial::st_venant_kirchhoff}) {
    BarProperties properties = sample(3);
    properties.material = material;
    const Bar bar("bar", properties, 0);
    std::vector<double> q{0.1, 0.03, -0.2, 0.15}, f(4, 0.0);
    bar.kick(serial, q, 1.0, f);
    // Central differences of step d: truncation ~ d² V‴ with V‴ ~ 1e2, round-off ~ 1e-16 |V|/d.
    const double d = 1e-5;
    for (std::size_t i = 0; i < q.size(); ++i) {
      std::vector<double> up = q, down = q;
      up[i] += d;
      down[i] -= d;
      const double slope =
          (bar.potential_energy(serial, up).strain - bar.potential_energy(serial, down).strain) / (2 * d);
      EXPECT_NEAR(f[i], -slope, 1e-7) << "unknown " << i;
    }
  }
}

TEST(MasslessTip, ProbeSeesTheMassesWhereTheyAre) {
  const Bar bar("bar", sample(4), 0);  // l = 0.5, masses at 0.125, 0.5, 1, 1.5, 1.875
  const double strain = 0.01;
  const std::vector<double> at{0.125, 0.5, 1, 1.5, 1.875};
  std::vector<double> q, v(5, 0.0), values(3);
  for (const double s : at) q.push_back(strain * s);
  for (const double s : {0.125, 0.2, 0.7, 1.6, 1.875}) {
    bar.probe(s / 2, {q, v}, values);
    EXPECT_NEAR(values[0], strain * s, 1e-15);
    EXPECT_NEAR(values[2], 11.0 * strain, 1e-14);
  }
  // A free tip moves with its mass and carries nothing; one under load is pressed towards it.
  bar.probe(1.0, {q, v}, values);
  EXPECT_EQ(values[0], q.back());
  EXPECT_EQ(values[2], 0.0);
  const std::vector<model::LayerLoad> loads{{&bar.surface(), 1, 0.002, 0.3, 7.0}, {&bar.surface(), 0, 0.004, 0.5, 9.0}};
  bar.probe(1.0, {q, v, loads}, values);
  EXPECT_NEAR(values[0], q.back() - 0.002, 1e-16);
  EXPECT_NEAR(values[1], -0.3, 1e-16);
  EXPECT_EQ(values[2], -7.0);
  bar.probe(0.0625 / 2, {q, v, loads}, values);  // half way through the layer of the start
  EXPECT_NEAR(values[0], q.front() + 0.002, 1e-16);
  EXPECT_NEAR(values[1], 0.25, 1e-16);
  EXPECT_EQ(values[2], -9.0);
}

}  // namespace
}  // namespace ictus::mechanics
