#include <gtest/gtest.h>

#include <cmath>
#include <ictus/mechanics/beam_in_space/lie_beam_space.hpp>
#include <random>

#include "paper_beams.hpp"

namespace ictus::mechanics {
namespace {

using math::Pose;
using math::Twist;
using math::Vector3;
using math::Wrench;

constexpr double round_off = 2.220446049250313e-16;

double norm(const Wrench<double>& p) { return std::sqrt(norm_sq(p.m) + norm_sq(p.n)); }

TEST(LieBeamSpace, StrainComesBackFromStress) {
  const LieBeamSection section{
      .mass = 1.3, .inertia = {0.2, 0.5, 0.7}, .stretch = {3.0, 4.0, 7.0}, .bend = {0.6, 0.9, 0.4}};
  std::mt19937 random(12);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto vector = [&](double size) {
    return Vector3<double>{size * uniform(random), size * uniform(random), size * uniform(random)};
  };
  for (const double size : {1e-12, 1e-6, 1e-2, 0.3, 1.0}) {
    for (int trial = 0; trial < 50; ++trial) {
      const Twist<double> eta{vector(size), vector(0.3 * size) + Vector3<double>{0.0, 0.0, 1.0}};
      const Wrench<double> lambda = stress_of_strain(section, 0.2, eta);
      const auto back = strain_of_stress(section, 0.2, lambda, {{}, {0.0, 0.0, 1.0}});
      ASSERT_TRUE(back.has_value());
      EXPECT_NEAR(std::sqrt(norm_sq(back->w - eta.w)), 0.0, 64 * round_off) << size;
      EXPECT_NEAR(std::sqrt(norm_sq(back->c - eta.c)), 0.0, 64 * round_off) << size;
    }
  }
}

// A beam whose first two sections move with constant body velocities: demoures-2014 §5.4.
struct Scenario {
  LieBeamHistory beam;
  std::size_t slices, times;
  std::vector<LieBeamSlice> sheet;
  bool complete = true;

  Scenario(double spacing, double period, double length, double duration, const Twist<double>& xi0,
           const Twist<double>& xi1, testing::Stiffness stiffness)
      : slices(static_cast<std::size_t>(std::lround(length / spacing))),
        times(static_cast<std::size_t>(std::lround(duration / period))) {
    beam.section = testing::paper_section(0.01, {1e3, 5e4, 0.35}, stiffness);
    beam.spacing = spacing;
    beam.period = period;
    std::vector<Pose<double>> here{{}}, next{{{}, {0.0, 0.0, spacing}}};
    for (std::size_t j = 1; j < times; ++j) {
      here.push_back(here.back() * cayley(period * xi0));
      next.push_back(next.back() * cayley(period * xi1));
    }
    sheet.push_back(first_slice(beam, here, next));
    for (std::size_t a = 1; a < slices && complete; ++a) {
      LieBeamSlice slice;
      complete = !next_slice(beam, sheet.back(), slice);
      sheet.push_back(slice);
    }
  }

  // Largest relative change of E_N and J_N along the beam.
  double energy_variation() const {
    const double first = space_energy(beam, sheet[0]);
    double largest = 0.0;
    for (const LieBeamSlice& slice : sheet)
      largest = std::max(largest, std::abs(space_energy(beam, slice) / first - 1.0));
    return largest;
  }
  // Largest sum of what is booked as quadrature along the beam, and of what it leaves of the changes of E_N.
  std::pair<double, double> booked() const {
    const double first = space_energy(beam, sheet[0]);
    double sum = 0.0, largest = 0.0, left = 0.0;
    for (std::size_t a = 1; a < sheet.size(); ++a) {
      sum += space_quadrature(beam, sheet[a - 1], sheet[a]);
      largest = std::max(largest, std::abs(sum / first));
      left = std::max(left, std::abs((space_energy(beam, sheet[a]) + sum) / first - 1.0));
    }
    return {largest, left};
  }
  double momentum_drift() const {
    const Wrench<double> first = space_momentum_map(beam, sheet[0]);
    double largest = 0.0;
    for (const LieBeamSlice& slice : sheet)
      largest = std::max(largest, norm(space_momentum_map(beam, slice) - first) / norm(first));
    return largest;
  }
};

Scenario scenario_a(testing::Stiffness stiffness) {
  return {
      0.05,     0.05, 0.8, 10.0, {{0.0, -2.0, 0.0}, {0.0, -0.1, 0.0}}, {{0.007, -1.998, -0.007}, {-0.08, -0.1, 0.0}},
      stiffness};
}
Scenario scenario_b() {
  return {0.02,
          0.04,
          0.8,
          1.0,
          {{0.0, -0.5, 0.0}, {0.0, -0.1, 0.0}},
          {{0.06, -0.499, -0.04}, {-0.03, -0.1, 0.0}},
          testing::Stiffness::paper};
}

TEST(LieBeamSpace, ScenarioAReachesTheEndAsTheReferenceDoes) {
  const Scenario a = scenario_a(testing::Stiffness::paper);
  ASSERT_TRUE(a.complete);
  EXPECT_EQ(a.sheet.size(), 16u);
  EXPECT_NEAR(space_energy(a.beam, a.sheet[0]), 160.180919, 5e-7);
  EXPECT_NEAR(a.energy_variation(), 0.0090, 0.00005);
  EXPECT_LE(a.momentum_drift(), 3e-15);
}

TEST(LieBeamSpace, ScenarioBKeepsItsMomentum) {
  const Scenario b = scenario_b();
  ASSERT_TRUE(b.complete);
  EXPECT_NEAR(space_energy(b.beam, b.sheet[0]), -15.402420, 5e-7);
  EXPECT_LE(b.energy_variation(), 0.026);
  EXPECT_LE(b.momentum_drift(), 3e-15);
}

TEST(LieBeamSpace, BooksExplainWhatTheEnergyChangesBy) {
  for (Scenario s : {scenario_a(testing::Stiffness::paper), scenario_b()}) {
    const auto [booked, left] = s.booked();
    EXPECT_NEAR(booked, s.energy_variation(), 1e-13);
    EXPECT_LT(left, 1e-13);
    // A stress that is one per cent off in one element at one time is no error of the scheme.
    LieBeamSlice& slice = s.sheet[5];
    const std::size_t j = slice.poses.size() / 2;
    slice.stresses[j] = 1.01 * slice.stresses[j];
    EXPECT_GT(s.booked().second, 1e-7);
  }
}

// The beam of scenario A with the same rates along it in elements of any length. E_N is of first order: it takes a
// section and the element after it together.
TEST(LieBeamSpace, QuadratureFallsWithTheElements) {
  const auto booked = [](double spacing) {
    const Twist<double> xi{{0.0, -2.0, 0.0}, {0.0, -0.1, 0.0}};
    const Twist<double> next{{0.14 * spacing, -2.0 + 0.04 * spacing, -0.14 * spacing}, {-1.6 * spacing, -0.1, 0.0}};
    return Scenario(spacing, 0.05, 0.8, 10.0, xi, next, testing::Stiffness::paper).booked().first;
  };
  const double coarse = booked(0.05), middle = booked(0.025), fine = booked(0.0125);
  EXPECT_NEAR(std::log2(coarse / middle), 1, 0.25);
  EXPECT_NEAR(std::log2(middle / fine), 1, 0.1);
}

TEST(LieBeamSpace, PhysicalStiffnessDoesNotRunAtThePrintedStep) {
  const Scenario a = scenario_a(testing::Stiffness::physical);
  EXPECT_TRUE(!a.complete || a.energy_variation() > 10.0);
}

TEST(LieBeamSpace, MomentumBetweenPosesIsTheDiscreteMomentum) {
  const LieBeamHistory beam{.section = testing::paper_section(0.01, {1e3, 5e4, 0.35}, testing::Stiffness::paper),
                            .spacing = 0.1,
                            .period = 0.02};
  const Pose<double> g = cayley(Twist<double>{{0.3, 0.2, -0.7}, {1.0, 2.0, 3.0}});
  const Twist<double> xi{{3.0, -2.0, 5.0}, {1.0, 0.4, -2.0}};
  const Wrench<double> mu = dcayley_inverse_dual(
      beam.period * xi, Wrench<double>{scale(beam.section.inertia, xi.w), beam.section.mass * xi.c});
  const Wrench<double> found = momentum_between(beam, g, g * cayley(beam.period * xi));
  EXPECT_NEAR(std::sqrt(norm_sq(found.n - rotate(g.q, mu.n))), 0.0, 1e-14);
  EXPECT_NEAR(std::sqrt(norm_sq(found.m - rotate(g.q, mu.m))), 0.0, 1e-14);
}

// (34) of demoures-2014 on the sheet: what crosses the boundary of any rectangle of space–time sums to zero.
TEST(LieBeamSpace, CovariantNoetherTheoremHoldsOnRandomRectangles) {
  for (const Scenario& s : {scenario_a(testing::Stiffness::paper), scenario_b()}) {
    const double ds = s.beam.spacing, dt = s.beam.period;
    const auto about_origin = [&](const Wrench<double>& p, const Vector3<double>& r) {
      return Wrench<double>{p.m + cross(r, p.n), p.n};
    };
    const auto momentum = [&](std::size_t a, std::size_t j) -> Wrench<double> {
      const auto& poses = s.sheet[a].poses;
      if (j + 1 == poses.size()) return {};
      return ds * about_origin(momentum_between(s.beam, poses[j], poses[j + 1]), poses[j].r);
    };
    const auto flux = [&](std::size_t a, std::size_t j) {
      return dt * about_origin(s.sheet[a].stresses[j], s.sheet[a].poses[j].r);
    };
    const auto j1 = [&](std::size_t a, std::size_t j) { return flux(a, j) - momentum(a, j); };
    std::mt19937 random(3);
    for (int trial = 0; trial < 200; ++trial) {
      const std::size_t B = random() % (s.sheet.size() - 1), C = B + 1 + random() % (s.sheet.size() - 1 - B);
      const std::size_t K = random() % (s.times - 1), L = K + 1 + random() % (s.times - 1 - K);
      Wrench<double> sum = j1(B, K) + momentum(B, L) - flux(C, K);
      for (std::size_t j = K + 1; j <= L; ++j) sum = sum + j1(B, j) + momentum(B, j - 1) - flux(C, j);
      for (std::size_t a = B + 1; a <= C; ++a) sum = sum + j1(a, K) + momentum(a, L) - flux(a - 1, K);
      EXPECT_LE(norm(sum), 2e-15 * norm(space_momentum_map(s.beam, s.sheet[0])) + 1e-15);
    }
  }
}

}  // namespace
}  // namespace ictus::mechanics
