#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include <ictus/mechanics/exact/exact_bars.hpp>

namespace ictus::mechanics {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Bars and walls, as ExactBars takes them.
struct Row {
  std::vector<ExactBar> bars;
  std::optional<double> wall_left;
  std::optional<double> wall_right;

  ExactBars solve(double t_end) const { return ExactBars(bars, wall_left, wall_right, t_end); }
};

/// The same numbers on every platform.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(engine_()), -32);
  }

 private:
  std::mt19937 engine_;
};

/// `count` bars of any length and material, every second gap zero, walls on the sides asked for.
inline Row random_row(Random& random, int count, bool wall_left, bool wall_right) {
  Row row;
  double reached = random.uniform(-3.0, 3.0);
  if (wall_left) row.wall_left = reached - random.uniform(0.0, 0.2);
  for (int i = 0; i < count; ++i) {
    ExactBar bar;
    bar.length = random.uniform(0.3, 3.0);
    bar.mass_per_length = random.uniform(0.2, 5.0);
    bar.stiffness = random.uniform(0.2, 5.0);
    bar.position = reached;
    bar.velocity = random.uniform(-1.0, 1.0);
    reached += bar.length + (i % 2 == 1 ? random.uniform(0.0, 0.3) : 0.0);
    row.bars.push_back(bar);
  }
  if (wall_right) row.wall_right = reached + random.uniform(0.0, 0.2);
  return row;
}

/// Impulse that walls and held ends have given to the bars by time t.
inline double outside_impulse(const Row& row, const ExactBars& exact, double t) {
  const std::size_t n = row.bars.size();
  double impulse = exact.contact_impulse(0, 0.0, t) - exact.contact_impulse(n, 0.0, t);
  for (std::size_t i = 0; i < n; ++i) {
    const ExactBar& bar = row.bars[i];
    if (bar.fixed_start) impulse += -exact.force_impulse(i, 0.0, 0.0, t) - exact.contact_impulse(i, 0.0, t);
    if (bar.fixed_end) impulse += exact.force_impulse(i, bar.length, 0.0, t) + exact.contact_impulse(i + 1, 0.0, t);
  }
  return impulse;
}

/// Distance between the tips from the displacements, which know nothing of the recorded gap.
inline double distance(const Row& row, const ExactBars& exact, std::size_t junction, double t) {
  const std::size_t n = row.bars.size();
  double left = row.wall_left.value_or(-infinity);
  double right = row.wall_right.value_or(infinity);
  if (junction > 0) {
    const ExactBar& bar = row.bars[junction - 1];
    left = bar.position + bar.length + exact.displacement(junction - 1, bar.length, t);
  }
  if (junction < n) right = row.bars[junction].position + exact.displacement(junction, 0.0, t);
  return right - left;
}

/// A tip is at rest if it is held; otherwise the bar carries the contact force to it.
inline void expect_tip(const ExactBars& exact, std::size_t bar, double x, bool held, double contact, double t,
                       double tolerance) {
  if (held) {
    EXPECT_EQ(exact.velocity(bar, x, t), 0.0);
  } else {
    EXPECT_NEAR(exact.force(bar, x, t), -contact, tolerance);
  }
}

/// Conservation, the contact conditions and the agreement of gap, force and displacement at `samples` random times.
/// Tolerances: round-off of sums over up to ten thousand pieces, 1e-12 of the scale of each quantity.
inline void expect_sound(const Row& row, const ExactBars& exact, int samples = 60) {
  double momentum_scale = 0.0;
  double impedance = 0.0;
  double speed = 0.0;
  double extent = std::max(std::abs(row.wall_left.value_or(0.0)), std::abs(row.wall_right.value_or(0.0)));
  for (const ExactBar& bar : row.bars) {
    momentum_scale += bar.length * bar.mass_per_length * std::abs(bar.velocity);
    impedance = std::max(impedance, std::sqrt(bar.stiffness * bar.mass_per_length));
    speed = std::max(speed, std::abs(bar.velocity));
    extent = std::max({extent, std::abs(bar.position), bar.length});
  }
  const double length_scale = extent + speed * exact.t_end();
  const double energy = exact.energy(0.0);
  Random random(7);
  for (int s = 0; s < samples; ++s) {
    const double t = random.uniform(0.0, exact.t_end());
    EXPECT_NEAR(exact.energy(t), energy, 1e-12 * energy) << "t = " << t;
    EXPECT_NEAR(exact.momentum(t), exact.momentum(0.0) + outside_impulse(row, exact, t),
                1e-12 * (momentum_scale + impedance * speed * t))
        << "t = " << t;
    for (std::size_t j = 0; j < exact.junctions(); ++j) {
      const double gap = exact.gap(j, t);
      const double force = exact.contact_force(j, t);
      EXPECT_GE(gap, 0.0);
      EXPECT_GE(force, 0.0);
      EXPECT_TRUE(gap == 0.0 || force == 0.0) << "junction " << j << ", t = " << t;
      if (std::isinf(gap)) continue;
      EXPECT_NEAR(distance(row, exact, j, t), gap, 1e-12 * length_scale) << "junction " << j << ", t = " << t;
    }
    for (std::size_t i = 0; i < row.bars.size(); ++i) {
      const ExactBar& bar = row.bars[i];
      const double tolerance = 1e-12 * impedance * speed;
      expect_tip(exact, i, 0.0, bar.fixed_start, exact.contact_force(i, t), t, tolerance);
      expect_tip(exact, i, bar.length, bar.fixed_end, exact.contact_force(i + 1, t), t, tolerance);
    }
  }
}

}  // namespace ictus::mechanics
