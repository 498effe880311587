// The contract of dynamics::Integrator, kept by explicit and implicit domains that are tied.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/coupled/coupled.hpp>
#include <ictus/mechanics/bar/bar.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>
#include <numbers>
#include <ostream>

#include "conformance/contract.hpp"
#include "structure/bar_run.hpp"

namespace ictus {
namespace {

using dynamics::Coupled;
using dynamics::System;
using mechanics::BarMaterial;
using model::State;

/// A bar of 3 m in three parts of equal elements: the first explicit, the others in domains of these ratios.
struct Parts {
  std::string name;
  std::array<int, 2> ratio;
  std::array<BarMaterial, 3> material = {BarMaterial::linear, BarMaterial::linear, BarMaterial::linear};

  std::unique_ptr<Coupled> make() const {
    return std::make_unique<Coupled>(
        std::vector<dynamics::ImplicitBodies>{{{"part1"}, ratio[0]}, {{"part2"}, ratio[1]}});
  }
  /// Of one step of the scheme.
  double step(double fine) const { return fine * std::max(ratio[0], ratio[1]); }

  friend void PrintTo(const Parts& parts, std::ostream* out) { *out << parts.name; }
};

struct Course {
  double velocity = 0;
  bool held = false;             ///< the start of the first part
  std::optional<double> wall{};  ///< x of a plane before it
};

System bar_in(const Parts& parts, std::size_t elements, const Course& course, int threads = 1) {
  std::vector<dynamics::BodyPtr> bodies;
  std::vector<contact::ContactPair> pairs;
  model::ConstraintSet ties;
  std::size_t dof = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    mechanics::BarProperties bar{};
    bar.length = bar.mass_per_length = bar.stiffness = 1;
    bar.elements = elements;
    bar.start = {static_cast<double>(i), 0, 0};
    bar.direction = {1, 0, 0};
    bar.velocity = course.velocity;
    bar.fixed_start = course.held && i == 0;
    bar.material = parts.material[i];
    if (i > 0) {
      ties.open_row().push_back({static_cast<int>(dof) - 1, 1.0});
      ties.open_row().push_back({static_cast<int>(dof), -1.0});
      ties.add(0.0, {-1, bar.start, {1, 0, 0}});
    }
    bodies.push_back(std::make_unique<mechanics::Bar>("part" + std::to_string(i), bar, dof));
    dof = bodies.back()->dofs().end();
  }
  if (course.wall) {
    bodies.push_back(
        std::make_unique<mechanics::Obstacle>("wall", model::Plane{{*course.wall, 0, 0}, math::Vec3(1, 0, 0)}));
    pairs.push_back({"wall", "part0", &bodies.back()->surface(), &bodies[0]->surface(), {}, 0.0, 1, 0});
  }
  return {std::move(bodies), std::move(pairs), exec::Executor(threads), {}, std::move(ties)};
}

constexpr std::size_t part_elements = 10;
constexpr double fine = 0.5 / part_elements;  // half of what an element allows

System thrown(const Parts& parts, std::size_t count = part_elements, int threads = 1) {
  return bar_in(parts, count, {.velocity = -0.1, .held = false, .wall = -0.02}, threads);
}

/// Difference of the bodies' own velocities at a tie.
double velocity_gap(const System& system, const Coupled& scheme, double h, const State& state) {
  std::vector<double> v(system.dofs());
  scheme.velocity(system, h, state, v);
  double widest = 0;
  for (std::size_t r = 0; r < system.ties().size(); ++r)
    widest = std::max(widest, std::abs(model::dot(system.ties().row(r), v)));
  return widest;
}

class CoupledConformance : public ::testing::TestWithParam<Parts> {
 protected:
  const Parts& parts = GetParam();
  std::unique_ptr<Coupled> scheme = parts.make();
  double h = parts.step(fine);
};

TEST_P(CoupledConformance, FreshIntegratorContinuesACopiedStateToTheSameBits) {
  testing::expect_copies_go_on_to_the_same_bits(
      thrown(parts), [this] { return parts.make(); }, h, 60, 7);
}

TEST_P(CoupledConformance, TwoThreadsGiveTheSameBitsAsOne) {
  constexpr std::size_t many = 5000;  // more than one block of a loop
  static_assert(many > exec::Executor::block_size);
  const double step = parts.step(0.5 / static_cast<double>(many));
  testing::expect_same_bits(
      thrown(parts, many, 1), thrown(parts, many, 2), [this] { return parts.make(); }, step, 3);
}

TEST_P(CoupledConformance, LedgerClosesAndTiesKeepVelocitiesEqualThroughImpacts) {
  const System system = thrown(parts);
  double widest = 0;
  const testing::BarRun run = testing::run_bars(
      system, *scheme, h, static_cast<int>(12 / h),
      [&](const State& state, const auto&) { widest = std::max(widest, velocity_gap(system, *scheme, h, state)); });
  EXPECT_GT(run.closings, 0);
  EXPECT_GT(run.lost[model::Loss::impact], 0);
  EXPECT_LT(run.max_residual, 1e-12);
  EXPECT_LT(widest, 1e-15);
  EXPECT_NEAR(scheme->extras(run.state)[2].second, widest, 1e-16);  // what is reported is what the bodies do
  EXPECT_EQ(run.fallbacks, 0);
}

TEST_P(CoupledConformance, UsesOnlyTheStoresAndLossesItNames) {
  const dynamics::Capabilities can = scheme->capabilities();
  const System system = thrown(parts);
  testing::run_bars(system, *scheme, h, 60, [&](const State&, const auto& report) {
    for (std::size_t i = 0; i < model::Lost::size; ++i) {
      const auto loss = static_cast<model::Loss>(i);
      const bool named = std::count(can.losses.begin(), can.losses.end(), loss) > 0;
      EXPECT_TRUE(named || report.lost[loss] == 0) << model::loss_names[i];
    }
  });
}

TEST_P(CoupledConformance, WarmStepAllocatesNothing) {
  const System system = thrown(parts);
  State state = testing::started(system, *scheme, h);
  for (int n = 0; n < static_cast<int>(8 / h); ++n) scheme->step(system, h, state);
  state = system.initial_state();
  scheme->start(system, h, state);
  int closings = 0;
  const std::size_t before = testing::allocation_count();
  for (int n = 0; n < static_cast<int>(6 / h); ++n) closings += scheme->step(system, h, state).closings;
  EXPECT_EQ(testing::allocation_count(), before);
  EXPECT_GT(closings, 0);
}

/// What bodies and wall gave each other is all there is: what ties hand over late is counted, and does not add up.
TEST_P(CoupledConformance, MomentumIsKeptThroughImpacts) {
  const System system = thrown(parts);
  const testing::BarRun run = testing::run_bars(system, *scheme, h, static_cast<int>(12 / h));
  EXPECT_GT(run.closings, 0);
  EXPECT_LT(run.max_momentum_drift, 1e-13);
  // A second hundred of rebounds in free flight: the bodies alone, whatever the ties owe.
  State state = run.state;
  const auto bodies = [&] { return system.momentum(state.q, state.p).linear.x(); };
  const double early = bodies(), scale = system.momentum_scale(state.p);
  for (int n = 0; n < static_cast<int>(100 / h); ++n) scheme->step(system, h, state);
  EXPECT_NEAR(bodies(), early, 0.02 * scale);
}

/// Largest error of displacements over the largest displacement: a bar held at its start vibrates in its first mode,
/// given as momenta of the state that is stepped.
double vibration_error(const Parts& parts, std::size_t count) {
  const System system = bar_in(parts, count, {.held = true});
  const auto scheme = parts.make();
  const double h = parts.step(0.5 / static_cast<double>(count)), wave = std::numbers::pi / 6;  // c = 1
  const double speed = 1e-7;  // strains that no law bends
  State state = system.initial_state();
  const std::vector<double> rest = state.q;
  std::vector<double> shape(system.dofs());
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const double x =
        static_cast<double>(k / (count + 1)) + static_cast<double>(k % (count + 1)) / static_cast<double>(count);
    shape[k] = std::sin(wave * x);
    if (system.inverse_mass()[k] > 0) state.p[k] = speed * shape[k] / system.inverse_mass()[k];
  }
  scheme->prepare(system);
  scheme->start(system, h, state);
  const double end = 4.2;
  for (int n = 0; n < static_cast<int>(std::lround(end / h)); ++n) scheme->step(system, h, state);
  EXPECT_NEAR(state.time, end, 1e-12);
  double worst = 0;
  for (std::size_t k = 0; k < shape.size(); ++k)
    worst = std::max(worst, std::abs(state.q[k] - rest[k] - speed / wave * std::sin(wave * end) * shape[k]));
  return worst * wave / speed;
}

TEST_P(CoupledConformance, MotionConvergesWithTheSquareOfTheStep) {
  const double coarse = vibration_error(parts, 20), middle = vibration_error(parts, 40),
               fine_error = vibration_error(parts, 80);
  EXPECT_LT(coarse, 0.01);
  EXPECT_NEAR(std::log2(coarse / middle), 2, 0.15);
  EXPECT_NEAR(std::log2(middle / fine_error), 2, 0.1);
}

/// A run that blows up ends in an error, not in numbers that are none.
TEST_P(CoupledConformance, UnstableContactEndsInAFailure) {
  const System system = thrown(parts);
  const double step = parts.step(1.5 * scheme->step_limit(system).step);
  State state = testing::started(system, *scheme, step);
  EXPECT_THROW(for (int n = 0; n < 5000; ++n) scheme->step(system, step, state), base::NumericalFailure);
}

INSTANTIATE_TEST_SUITE_P(
    All, CoupledConformance,
    ::testing::Values(Parts{"EqualSteps", {1, 1}}, Parts{"OneRatio", {4, 4}}, Parts{"TwoRatios", {2, 6}},
                      Parts{"NonlinearImplicit",
                            {3, 3},
                            {BarMaterial::linear, BarMaterial::st_venant_kirchhoff, BarMaterial::linear}},
                      Parts{"NonlinearExplicit",
                            {2, 2},
                            {BarMaterial::st_venant_kirchhoff, BarMaterial::linear, BarMaterial::linear}}),
    [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace ictus
